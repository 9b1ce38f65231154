package main

import (
	"crypto/md5"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// installed returns the place in the package of a file of the archive.
func installed(name string) string {
	folder, rest, _ := strings.Cut(name, "/")
	switch folder {
	case "bench":
		return "/usr/bin/bench"
	case "configs":
		return "/usr/share/bench/" + name
	case "man":
		return "/usr/share/man/" + rest
	case "completions":
		shell, file, _ := strings.Cut(rest, "/")
		return map[string]string{"bash": "/usr/share/bash-completion/completions/", "zsh": "/usr/share/zsh/vendor-completions/",
			"fish": "/usr/share/fish/vendor_completions.d/"}[shell] + file
	case "systemd":
		// systemd has long looked there too, and /lib may be a link that unpacking would replace.
		return "/usr/lib/systemd/system/" + path.Base(name)
	case "LICENSE":
		return "/usr/share/doc/bench/copyright"
	}
	return "/usr/share/doc/bench/" + name
}

// unit returns the systemd unit for the program at its place in the package.
func unit(text []byte) []byte {
	return []byte(strings.ReplaceAll(string(text), "/usr/local/bin/bench", "/usr/bin/bench"))
}

var (
	release   = regexp.MustCompile(`^v?(\d[A-Za-z0-9.+~]*)`)
	forbidden = regexp.MustCompile(`[^A-Za-z0-9.+~]+`)
)

// debianVersion returns the version in Debian's form (Debian Policy, 5.6.12): it begins with a digit, and
// without a tag it is lower than any release.
func debianVersion(version, epoch string) string {
	version = forbidden.ReplaceAllString(version, ".")
	if m := release.FindStringSubmatch(version); m != nil && strings.Contains(m[1], ".") {
		return m[1]
	}
	return "0~git" + epoch + "." + version
}

// deb makes the package of an architecture from the files of its archive, with dpkg-deb.
func (d dist) deb(out, work, arch string, files []file, when time.Time) error {
	stage := filepath.Join(work, "deb-"+arch)
	if err := os.Mkdir(stage, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(stage)
	if err != nil {
		return err
	}
	defer root.Close()
	var sums strings.Builder
	kib := 0 // rounded up by file, as du counts
	for _, f := range byName(files) {
		text, name := f.text, strings.TrimPrefix(installed(f.name), "/")
		if strings.HasSuffix(name, ".service") {
			text = unit(text)
		}
		mode := fs.FileMode(0o644)
		if f.executable {
			mode = 0o755
		}
		if err := put(root, name, text, mode); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", md5.Sum(text), name)
		kib += (len(text) + 1023) / 1024
	}
	// Debian Policy, 5.3. What the program is linked with (lab/arm64), on any release since.
	control := fmt.Sprintf(`Package: bench
Version: %s
Architecture: %s
Maintainer: bench authors <bench@localhost>
Section: utils
Priority: optional
Installed-Size: %d
Depends: libc6 (>= 2.17)
Description: time, FLOPs, bytes, power and energy of kernels
 Measures kernels on embedded and server GPUs and on CPUs, verifies each result,
 and tunes them.
`, debianVersion(d.version, d.epoch), arch, kib)
	for name, text := range map[string]string{"DEBIAN/control": control, "DEBIAN/md5sums": sums.String()} {
		if err := put(root, name, []byte(text), 0o644); err != nil {
			return err
		}
	}
	// Folders' modes do not depend on the caller, and all times are the same.
	err = fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			err = root.Chmod(name, 0o755)
		}
		return errors.Join(err, root.Chtimes(name, when, when))
	})
	if err != nil {
		return err
	}
	cmd := exec.Command("dpkg-deb", "--root-owner-group", "-Zgzip", fmt.Sprint("-z", d.level), "--build", stage, out)
	cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH="+d.epoch)
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("dpkg-deb, of Debian's package dpkg: %w: %s", err, text)
	}
	return nil
}

// put writes a file below a folder, with exactly this mode.
func put(root *os.Root, name string, text []byte, mode fs.FileMode) error {
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	if err := root.WriteFile(name, text, mode); err != nil {
		return err
	}
	return root.Chmod(name, mode)
}
