package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// nfpm makes Debian packages; it is a program of its own, and nothing of it is in
// ours.
const nfpm = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.4"

// installed is where a file of the archive lies in the package.
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
	case "packaging":
		return "/lib/systemd/system/" + path.Base(name)
	case "LICENSE":
		return "/usr/share/doc/bench/copyright"
	}
	return "/usr/share/doc/bench/" + name
}

// unit is the systemd unit for the program where the package has it.
func unit(text []byte) []byte {
	return []byte(strings.ReplaceAll(string(text), "/usr/local/bin/bench", "/usr/bin/bench"))
}

var (
	release   = regexp.MustCompile(`^v?(\d[A-Za-z0-9.+~]*)`)
	forbidden = regexp.MustCompile(`[^A-Za-z0-9.+~]+`)
)

// debianVersion is the version as Debian writes it (Debian Policy, 5.6.12): it begins
// with a digit, and without a tag it is below that of any release.
func debianVersion(version, epoch string) string {
	version = forbidden.ReplaceAllString(version, ".")
	if m := release.FindStringSubmatch(version); m != nil && strings.Contains(m[1], ".") {
		return m[1]
	}
	return "0~git" + epoch + "." + version
}

// deb makes the package of an architecture from the files of its archive.
func (d dist) deb(out, work, arch string, files []file, when time.Time) error {
	type info struct {
		Mode  int       `json:"mode"`
		MTime time.Time `json:"mtime"`
	}
	type content struct {
		Source      string `json:"src"`
		Destination string `json:"dst"`
		Info        info   `json:"file_info"`
	}
	stage := filepath.Join(work, "deb-"+arch)
	var contents []content
	for _, f := range files {
		text := f.text
		if strings.HasSuffix(f.name, ".service") {
			text = unit(text)
		}
		source := filepath.Join(stage, filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(source), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(source, text, 0o666); err != nil {
			return err
		}
		mode := 0o644
		if f.executable {
			mode = 0o755
		}
		contents = append(contents, content{source, installed(f.name), info{mode, when.UTC()}})
	}
	// YAML, of which JSON is a part.
	spec, err := json.MarshalIndent(map[string]any{
		"name": "bench", "arch": arch, "platform": "linux", "version_schema": "none", "version": debianVersion(d.version, d.epoch),
		"section": "utils", "priority": "optional", "maintainer": "bench authors <bench@localhost>", "license": "MIT",
		"description": "time, FLOPs, bytes, power and energy of kernels\nMeasures kernels on embedded and server GPUs and on CPUs, verifies each result,\nand tunes them.",
		"mtime":       when.UTC(), "disable_globbing": true, "contents": contents,
		// What the program is linked with (test/arm64), on any release since.
		"depends": []string{"libc6 (>= 2.17)"},
		"deb":     map[string]any{"compression": "gzip"},
	}, "", "  ")
	if err != nil {
		return err
	}
	config := filepath.Join(work, "nfpm-"+arch+".yaml")
	if err := os.WriteFile(config, spec, 0o666); err != nil {
		return err
	}
	cmd := exec.Command("go", "run", nfpm, "package", "--config", config, "--packager", "deb", "--target", out)
	cmd.Dir = work // no module of ours
	cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH="+d.epoch, "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("nfpm: %w: %s", err, text)
	}
	return nil
}
