// Package opencltest builds an OpenCL driver for tests: a shared library with one device, whose calls fail and
// whose clock lies as a test wants it. It needs gcc.
package opencltest

import (
	_ "embed"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/gpu/opencl"
	"example.org/bench/internal/dynlib"
)

//go:embed testdata/libOpenCL.c
var source string

// StandIn is a built driver.
type StandIn struct {
	Library *opencl.Library
	set     func(name string, value int64)
	get     func(name string) int64
	fault   func(at, code int64)
	faulty  func() string
	live    func() int64
}

// Build compiles the driver and loads it.
func Build(t testing.TB) *StandIn {
	t.Helper()
	path := filepath.Join(t.TempDir(), "libOpenCL.so.1")
	gcc := exec.Command("gcc", "-shared", "-fPIC", "-w", "-o", path, "-x", "c", "-")
	gcc.Stdin = strings.NewReader(source)
	if text, err := gcc.CombinedOutput(); err != nil {
		t.Fatalf("build the test driver with gcc: %v\n%s", err, text)
	}
	lib, err := dynlib.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	s := &StandIn{}
	for fn, name := range map[any]string{&s.set: "standin_set", &s.get: "standin_get", &s.fault: "standin_fault", &s.faulty: "standin_faulty", &s.live: "standin_live"} {
		if err := lib.Func(fn, name); err != nil {
			t.Fatal(err)
		}
	}
	if s.Library, err = opencl.Load(path); err != nil {
		t.Fatal(err)
	}
	return s
}

// Set changes a setting of libOpenCL.c.
func (s *StandIn) Set(name string, value int64) { s.set(name, value) }

// Get returns a setting of libOpenCL.c, or what it counts there.
func (s *StandIn) Get(name string) int64 { return s.get(name) }

// Fault makes the call with number at, counted from 1 from now on, return code and do nothing; 0 stands for no
// call. A negative number makes that call and all later ones fail.
func (s *StandIn) Fault(at int, code int64) { s.fault(int64(at), code) }

// Faulty returns the name of the call that Fault made fail; it is empty until then.
func (s *StandIn) Faulty() string { return s.faulty() }

// Live returns how many objects were made and not released.
func (s *StandIn) Live() int64 { return s.live() }

// Open opens the device. The test closes it.
func (s *StandIn) Open(t testing.TB) *opencl.Device {
	t.Helper()
	d, err := s.Library.Open("opencl:0")
	if err != nil {
		t.Fatal(err)
	}
	return d
}
