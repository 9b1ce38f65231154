// Package drivertest builds a CUDA driver for tests: a shared library of one
// GPU in virtual time, so that what calls the driver is tested where there is
// no GPU. It needs gcc.
package drivertest

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"bench/cuda"
	"bench/cuda/driver"
	"bench/cuda/nvrtc"
	"bench/dynlib"
)

//go:embed testdata/libcuda.c
var source string

// Stub is a built driver.
type Stub struct {
	Path string
	set  func(name string, value int64)
	get  func(name string) int64
	fail func(call string, code int64)
}

// Build compiles the driver; macros ("NO_GRAPHS", "DEVICES=0") leave parts out
// as testdata/libcuda.c says.
func Build(t testing.TB, macros ...string) *Stub {
	t.Helper()
	folder := t.TempDir()
	file := filepath.Join(folder, "libcuda.c")
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	s := &Stub{Path: filepath.Join(folder, "libcuda.so.1")}
	args := []string{"-shared", "-fPIC", "-O1", "-w", "-o", s.Path, file}
	for _, m := range macros {
		args = append(args, "-D"+m)
	}
	if text, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
		t.Fatalf("build the test driver with gcc: %v\n%s", err, text)
	}
	lib, err := dynlib.Open(s.Path)
	if err != nil {
		t.Fatal(err)
	}
	for fn, name := range map[any]string{&s.set: "stub_set", &s.get: "stub_get", &s.fail: "stub_fail"} {
		if err := lib.Func(fn, name); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// Set and Get change and read what libcuda.c calls its settings.
func (s *Stub) Set(name string, value int64) { s.set(name, value) }
func (s *Stub) Get(name string) int64        { return s.get(name) }

// Fail makes a call ("cuMemAlloc") return code from now on.
func (s *Stub) Fail(call string, code int64) { s.fail(call, code) }

// Open opens the driver's GPU, with a compiler whose code is the source text.
func (s *Stub) Open(t testing.TB) *driver.GPU {
	t.Helper()
	l, err := driver.Load(s.Path)
	if err != nil {
		t.Fatal(err)
	}
	l.Compiler = echo{}
	g, err := l.Open(0)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

type echo struct{}

func (echo) Version() (major, minor int) { return 12, 6 }

func (echo) Compile(src cuda.Source, arch string) (*nvrtc.Image, error) {
	return &nvrtc.Image{Code: []byte(src.Text), Log: "compiled for " + arch}, nil
}
