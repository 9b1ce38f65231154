// Package cuptitest builds a libcupti for tests: a shared library that counts launches
// instead of a GPU's events, and checks how it is called. It needs gcc.
package cuptitest

import (
	_ "embed"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/gpu/cuda/cupti"
	"example.org/bench/internal/dynlib"
)

//go:embed testdata/libcupti.c
var source string

// Stub is a built library.
type Stub struct {
	Path string

	complaint func() string
	faulty    func() string
	fault     func(at, code int64)
	trace     func()
	traced    func() string
	launch    func()
}

// Build compiles the library into its own folder. Macros ("VGPU", "VERSION=24") change it, as
// testdata/libcupti.c describes.
func Build(t testing.TB, macros ...string) *Stub {
	t.Helper()
	s := &Stub{Path: filepath.Join(t.TempDir(), "libcupti.so.13")}
	args := []string{"-shared", "-fPIC", "-w", "-o", s.Path, "-x", "c", "-"}
	for _, m := range macros {
		args = append(args, "-D"+m)
	}
	gcc := exec.Command("gcc", args...)
	gcc.Stdin = strings.NewReader(source)
	if text, err := gcc.CombinedOutput(); err != nil {
		t.Fatalf("build the test libcupti with gcc: %v\n%s", err, text)
	}
	lib, err := dynlib.Open(s.Path)
	if err != nil {
		t.Fatal(err)
	}
	for fn, name := range map[any]string{&s.complaint: "stub_complaint", &s.faulty: "stub_faulty", &s.fault: "stub_fault",
		&s.trace: "stub_trace", &s.traced: "stub_traced", &s.launch: "stub_launch"} {
		if err := lib.Func(fn, name); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv(cupti.PathVariable, s.Path)
	return s
}

// Complaint returns the first mistake in a call; it is empty if there was none.
func (s *Stub) Complaint() string { return s.complaint() }

// Fault makes the call with number at, counted from 1 from now on, return code and do nothing; 0 stands
// for no call.
func (s *Stub) Fault(at int, code int64) { s.fault(int64(at), code) }

// Faulty returns the name of the call that Fault made fail; it is empty until then.
func (s *Stub) Faulty() string { return s.faulty() }

// Trace returns the calls that do makes, in order.
func (s *Stub) Trace(do func()) []string {
	s.trace()
	do()
	return strings.Fields(s.traced())
}

// Launch stands for a kernel that ran.
func (s *Stub) Launch() { s.launch() }
