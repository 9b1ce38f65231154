// Package drivertest builds a CUDA driver for tests: a shared library with one GPU in virtual time, so
// that code that calls the driver is tested without a GPU. It needs gcc.
package drivertest

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver"
	"example.org/bench/gpu/cuda/nvrtc"
	"example.org/bench/internal/dynlib"
)

//go:embed testdata/libcuda.c
var source string

// Stub is a built driver.
type Stub struct {
	Path string
	set  func(name string, value int64)
	get  func(name string) int64
	fail func(call string, code int64)

	fault  func(at, code int64)
	faulty func() string

	trace  func()
	traced func() string
}

// Build compiles the driver. Macros ("NO_GRAPHS", "DEVICES=0") leave parts out, as testdata/libcuda.c
// describes.
func Build(t testing.TB, macros ...string) *Stub {
	t.Helper()
	// Each test loads its own file, and so has its own state.
	s := &Stub{Path: filepath.Join(t.TempDir(), "libcuda.so.1")}
	if err := os.WriteFile(s.Path, compile(t, macros), 0o755); err != nil {
		t.Fatal(err)
	}
	lib, err := dynlib.Open(s.Path)
	if err != nil {
		t.Fatal(err)
	}
	for fn, name := range map[any]string{&s.set: "stub_set", &s.get: "stub_get", &s.fail: "stub_fail", &s.fault: "stub_fault", &s.faulty: "stub_faulty",
		&s.trace: "stub_trace", &s.traced: "stub_traced"} {
		if err := lib.Func(fn, name); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

var (
	builtLock sync.Mutex
	built     = map[string][]byte{} // libraries by macros
)

func compile(t testing.TB, macros []string) []byte {
	t.Helper()
	builtLock.Lock()
	defer builtLock.Unlock()
	key := strings.Join(macros, " ")
	if built[key] != nil {
		return built[key]
	}
	path := filepath.Join(t.TempDir(), "libcuda.so")
	args := []string{"-shared", "-fPIC", "-w", "-o", path, "-x", "c", "-"}
	for _, m := range macros {
		args = append(args, "-D"+m)
	}
	gcc := exec.Command("gcc", args...)
	gcc.Stdin = strings.NewReader(source)
	if text, err := gcc.CombinedOutput(); err != nil {
		t.Fatalf("build the test driver with gcc: %v\n%s", err, text)
	}
	library, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	built[key] = library
	return library
}

// Set and Get change and read the settings of libcuda.c.
func (s *Stub) Set(name string, value int64) { s.set(name, value) }
func (s *Stub) Get(name string) int64        { return s.get(name) }

// Fail makes a call ("cuMemAlloc") return code from now on.
func (s *Stub) Fail(call string, code int64) { s.fail(call, code) }

// Fault makes the call with number at, counted from 1 from now on, return code and do nothing; 0 stands
// for no call. A negative number makes that call and all later ones fail, as after an error that persists
// in a context.
func (s *Stub) Fault(at int, code int64) { s.fault(int64(at), code) }

// Faulty returns the name of the call that Fault made fail; it is empty until then.
func (s *Stub) Faulty() string { return s.faulty() }

// Trace returns the calls that do makes, in order.
func (s *Stub) Trace(do func()) []string {
	s.trace()
	do()
	return strings.Fields(s.traced())
}

// Open opens the driver's GPU with a compiler that returns the source text as code. Its context belongs to
// the test's thread, which stays the test's until its end.
func (s *Stub) Open(t testing.TB) *driver.GPU {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	l, err := driver.Load(s.Path)
	if err != nil {
		t.Fatal(err)
	}
	l.Compiler = Echo{}
	g, err := l.Open(0)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Echo is a compiler that returns the source text as code.
type Echo struct{}

func (Echo) Version() (major, minor int) { return 12, 6 }

func (Echo) Compile(src gpu.Source, arch string) (*nvrtc.Image, error) {
	return &nvrtc.Image{Code: []byte(src.Text + "\x00"), Log: "compiled for " + arch}, nil
}
