// Dist makes what is distributed: archives with the program, configs, manual pages, completions and the
// licences of everything that is linked. Those for Linux also have the systemd unit, and a Debian
// package. bench-VERSION.spdx.json lists what is linked, with licences, and SHA256SUMS has the sums of all. The same sources, version, time and Go release give the same
// bytes in any folder.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	d := dist{level: gzip.BestCompression}
	flag.StringVar(&d.version, "version", "", "of the program")
	flag.StringVar(&d.commit, "commit", "", "of the sources")
	flag.StringVar(&d.epoch, "epoch", "0", "time of all files, in seconds since 1970")
	out := flag.String("out", "dist", "folder for the archives")
	flag.Parse()
	if d.version == "" {
		d.version = "unversioned"
	}
	if err := d.make(*out, linuxAMD64, linuxARM64, target{"darwin", "arm64"}, target{"windows", "amd64"}); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

type dist struct {
	version, commit, epoch string
	// level is the compression level of the archives for Linux and macOS, as in compress/gzip.
	level int
}

// target is a system and a processor, as GOOS and GOARCH name them.
type target struct{ system, arch string }

var linuxAMD64, linuxARM64 = target{"linux", "amd64"}, target{"linux", "arm64"}

// file is a file of an archive.
type file struct {
	name       string
	text       []byte
	executable bool
}

func (d dist) make(out string, targets ...target) error {
	seconds, err := strconv.ParseInt(d.epoch, 10, 64)
	if err != nil {
		return fmt.Errorf("-epoch: %w", err)
	}
	work, err := os.MkdirTemp("", "dist")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	host, here := filepath.Join(work, "bench"), target{runtime.GOOS, runtime.GOARCH}
	if err := d.build(host, here); err != nil {
		return err
	}
	common, err := d.common(work, host)
	if err != nil {
		return err
	}
	var sums bytes.Buffer
	var linked []file // licences of all targets
	for _, t := range targets {
		name := "bench-" + d.version + "-" + t.system + "-" + t.arch
		program := filepath.Join(work, name)
		if t == here {
			program = host
		} else if err := d.build(program, t); err != nil {
			return err
		}
		text, err := os.ReadFile(program)
		if err != nil {
			return err
		}
		licences, err := licences(t)
		if err != nil {
			return err
		}
		linked = append(linked, licences...)
		files := append(append([]file{{"bench", text, true}}, common...), licences...)
		ending, pack := ".tar.gz", d.tarred
		switch t.system {
		case "windows":
			files[0].name, ending, pack = "bench.exe", ".zip", zipped
			fallthrough
		case "darwin":
			files = slices.DeleteFunc(files, func(f file) bool { return strings.HasPrefix(f.name, "systemd/") })
		}
		packed, err := pack(name, files, time.Unix(seconds, 0))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(out, name+ending), packed, 0o666); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s%s\n", sha256.Sum256(packed), name, ending)
		if t.system != "linux" {
			continue
		}
		deb, err := filepath.Abs(filepath.Join(out, name+".deb"))
		if err != nil {
			return err
		}
		if err := d.deb(deb, work, t.arch, files, time.Unix(seconds, 0)); err != nil {
			return err
		}
		if packed, err = os.ReadFile(deb); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s.deb\n", sha256.Sum256(packed), name)
	}
	list, err := d.spdx(parts(linked), time.Unix(seconds, 0))
	if err != nil {
		return err
	}
	name := "bench-" + d.version + ".spdx.json"
	if err := os.WriteFile(filepath.Join(out, name), list, 0o666); err != nil {
		return err
	}
	fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(list), name)
	fmt.Print(sums.String())
	return os.WriteFile(filepath.Join(out, "SHA256SUMS"), sums.Bytes(), 0o666)
}

// environment returns the go command's environment for a target, independent of the caller's.
func environment(t target) []string {
	return append(os.Environ(), "CGO_ENABLED=0", "GOOS="+t.system, "GOARCH="+t.arch, "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=", "GOFLAGS=-trimpath -buildvcs=false -mod=readonly")
}

func (d dist) build(to string, t target) error {
	const record = "example.org/bench/framework/record"
	cmd := exec.Command("go", "build", "-ldflags", "-X "+record+".version="+d.version+" -X "+record+".commit="+d.commit, "-o", to, "./cmd/bench")
	cmd.Env = environment(t)
	cmd.Stderr = os.Stderr
	return cmd.Run()
}

// common returns the files that do not depend on the target; host is the program for this machine.
func (d dist) common(work, host string) ([]file, error) {
	run := func(args ...string) ([]byte, error) {
		cmd := exec.Command(host, args...)
		cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH="+d.epoch) // of the manual pages
		cmd.Stderr = os.Stderr
		return cmd.Output()
	}
	var files []file
	for shell, name := range map[string]string{"bash": "bench", "zsh": "_bench", "fish": "bench.fish"} {
		text, err := run("completion", shell)
		if err != nil {
			return nil, err
		}
		files = append(files, file{"completions/" + shell + "/" + name, text, false})
	}
	pages := filepath.Join(work, "man", "man1")
	if _, err := run("man", pages); err != nil {
		return nil, err
	}
	manual, err := below(os.DirFS(work), "man")
	if err != nil {
		return nil, err
	}
	files = append(files, manual...)
	units, err := below(os.DirFS("tools/dist"), "systemd")
	if err != nil {
		return nil, err
	}
	files = append(files, units...)
	for _, name := range []string{"configs", "LICENSE", "README.md", "CHANGELOG.md", "SECURITY.md"} {
		had, err := below(os.DirFS("."), name)
		if err != nil {
			return nil, err
		}
		files = append(files, slices.DeleteFunc(had, func(f file) bool { return path.Ext(f.name) == ".go" })...)
	}
	licences, err := os.ReadFile("report/web/LICENCES.txt") // of what is embedded in the program's reports
	return append(files, file{"licences/report/LICENCES.txt", licences, false}), err
}

// below returns the file of that name, or all files in the folder.
func below(tree fs.FS, name string) (files []file, err error) {
	err = fs.WalkDir(tree, name, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(tree, path)
		files = append(files, file{path, text, false})
		return err
	})
	return files, err
}

var licenceName = regexp.MustCompile(`(?i)^(licen[cs]es?|copying|copyright|notice|patents|third_party_licen[cs]es)\b`)

// licences returns the licences of Go and of every module linked for the target.
func licences(t target) ([]file, error) {
	cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}@{{.Version}}\t{{.Dir}}{{end}}{{end}}", "example.org/bench/cmd/bench")
	cmd.Env = environment(t)
	cmd.Stderr = os.Stderr
	list, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	folders := map[string]string{"go@" + runtime.Version(): strings.TrimSpace(string(root))}
	for line := range strings.Lines(string(list)) {
		if module, folder, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			folders[module] = folder
		}
	}
	var files []file
	for module, folder := range folders {
		found, err := licencesIn(os.DirFS(folder), !strings.HasPrefix(module, "go@"))
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s has no licence in %s", module, folder)
		}
		for _, f := range found {
			files = append(files, file{"licences/" + module + "/" + f.name, f.text, false})
		}
	}
	return files, nil
}

// licencesIn returns the files of a module that are named as licences or lie in such a folder, including
// those of copied code.
func licencesIn(tree fs.FS, deep bool) (files []file, err error) {
	err = fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if base := entry.Name(); name != "." && (!deep || base == "testdata" || strings.HasPrefix(base, ".")) {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(name) == ".go" || !slices.ContainsFunc(strings.Split(name, "/"), licenceName.MatchString) {
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		files = append(files, file{name, text, false})
		return err
	})
	return files, err
}

func byName(files []file) []file {
	return slices.SortedFunc(slices.Values(files), func(a, b file) int { return strings.Compare(a.name, b.name) })
}

// zipped returns the same as tarred in the format that Windows opens.
func zipped(folder string, files []file, when time.Time) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range byName(files) {
		h := zip.FileHeader{Name: folder + "/" + f.name, Method: zip.Deflate, Modified: when.UTC()}
		w, err := z.CreateHeader(&h)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.text); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return b.Bytes(), err
}

// tarred returns a compressed archive of a folder with these files, all of one time and without an owner.
func (d dist) tarred(folder string, files []file, when time.Time) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, d.level)
	if err != nil {
		return nil, err
	}
	t := tar.NewWriter(z)
	for _, f := range byName(files) {
		mode := int64(0o644)
		if f.executable {
			mode = 0o755
		}
		h := tar.Header{Typeflag: tar.TypeReg, Name: folder + "/" + f.name, Mode: mode, Size: int64(len(f.text)), ModTime: when, Format: tar.FormatPAX}
		if err := t.WriteHeader(&h); err != nil {
			return nil, err
		}
		if _, err := t.Write(f.text); err != nil {
			return nil, err
		}
	}
	err = errors.Join(t.Close(), z.Close())
	return b.Bytes(), err
}
