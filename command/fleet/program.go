package fleet

import (
	"archive/tar"
	"compress/gzip"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// architectures are Go's names of architectures by those of uname -m.
var architectures = map[string]string{"x86_64": "amd64", "aarch64": "arm64", "arm64": "arm64"}

// machines are Go's names of architectures by those of ELF files.
var machines = map[elf.Machine]string{elf.EM_X86_64: "amd64", elf.EM_AARCH64: "arm64"}

// architectureOf returns the architecture of a program's file.
func architectureOf(path string) (string, error) {
	f, err := elf.Open(path)
	if err != nil {
		return "", fmt.Errorf("%s is not a program: %w", path, err)
	}
	defer f.Close()
	if a := machines[f.Machine]; a != "" {
		return a, nil
	}
	return "", fmt.Errorf("%s is a program for %v; want one for amd64 or arm64", path, f.Machine)
}

// program finds this program's file for an architecture: of those given, this one, or
// what make arm64 and make dist leave beside it and in dist.
func program(architecture string, given []string) (open func() (io.ReadCloser, int64, error), from string, err error) {
	file := func(path string) func() (io.ReadCloser, int64, error) {
		return func() (io.ReadCloser, int64, error) {
			f, err := os.Open(path)
			if err != nil {
				return nil, 0, err
			}
			fi, err := f.Stat()
			if err != nil {
				return nil, 0, errors.Join(err, f.Close())
			}
			return f, fi.Size(), nil
		}
	}
	for _, path := range given {
		a, err := architectureOf(path)
		if err != nil {
			return nil, "", err
		}
		if a == architecture {
			return file(path), path, nil
		}
	}
	if architecture == runtime.GOARCH {
		return file("/proc/self/exe"), "this program", nil
	}
	self, err := os.Executable()
	if err != nil {
		return nil, "", err
	}
	beside := filepath.Dir(self)
	path := filepath.Join(beside, "bench-"+architecture)
	if a, err := architectureOf(path); err == nil && a == architecture {
		return file(path), path, nil
	}
	var archives []string
	for _, dir := range []string{beside, filepath.Join(beside, "dist"), "dist"} {
		found, _ := filepath.Glob(filepath.Join(dir, "bench-*-linux-"+architecture+".tar.gz")) // the pattern is good
		archives = append(archives, found...)
	}
	slices.Sort(archives)
	if archives = slices.Compact(archives); len(archives) == 1 {
		return func() (io.ReadCloser, int64, error) { return inArchive(archives[0]) }, archives[0], nil
	} else if len(archives) > 1 {
		return nil, "", fmt.Errorf("several archives have the program for %s: %s; --binary says which", architecture, strings.Join(archives, ", "))
	}
	return nil, "", fmt.Errorf("no program for %s: make %s writes bench-%s, make dist an archive, and --binary names one", architecture, architecture, architecture)
}

// inArchive opens the program in an archive of make dist.
func inArchive(name string) (io.ReadCloser, int64, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, 0, err
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, 0, errors.Join(fmt.Errorf("%s: %w", name, err), f.Close())
	}
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if err != nil {
			return nil, 0, errors.Join(fmt.Errorf("%s has no program: %w", name, err), f.Close())
		}
		if path.Base(h.Name) == programFile && h.Typeflag == tar.TypeReg && h.Mode&0o100 != 0 {
			return struct {
				io.Reader
				io.Closer
			}{t, f}, h.Size, nil
		}
	}
}
