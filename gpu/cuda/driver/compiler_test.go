package driver_test

import (
	"os"
	"runtime"
	"strings"
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver"
	"example.org/bench/gpu/cuda/driver/drivertest"
	"example.org/bench/gpu/cuda/nvrtc"
)

// A compiler that cannot be opened at first, as with too many open files, is opened for
// the next source.
func TestCompilerIsOpenedAgain(t *testing.T) {
	path := os.Getenv(nvrtc.PathVariable)
	if path == "" {
		t.Skipf("needs %s: run tools/fetch-test-env nvrtc and source .cache/env.sh", nvrtc.PathVariable)
	}
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv(nvrtc.PathVariable, path+".absent")
	l, err := driver.Load(drivertest.Build(t).Path)
	if err != nil {
		t.Fatal(err)
	}
	g, err := l.Open(0)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	source := gpu.Source{Name: "k.cu", Text: `extern "C" __global__ void nothing() {}`}
	if _, err := g.Compile(source); err == nil || !strings.Contains(err.Error(), "no CUDA compiler: nvrtc: ") || g.Facts().CompilerVersion != "" {
		t.Errorf("without a compiler: %v, %q", err, g.Facts().CompilerVersion)
	}
	t.Setenv(nvrtc.PathVariable, path)
	m, err := g.Compile(source)
	if err != nil {
		t.Fatal(err)
	}
	if got := g.Facts().CompilerVersion; !strings.HasPrefix(got, "NVRTC ") {
		t.Errorf("the compiler is %q", got)
	}
	if err := m.Unload(); err != nil {
		t.Error(err)
	}
}
