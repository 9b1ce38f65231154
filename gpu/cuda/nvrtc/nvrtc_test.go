package nvrtc

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"example.org/bench/gpu"
)

// scale needs its header and its define, and nothing else for assert.
var scale = gpu.Source{
	Name: "scale.cu",
	Text: `#include "factor.h"
extern "C" __global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= factor() + OFFSET;
}
`,
	Headers: map[string]string{"factor.h": "float factor() { return 3.0f; }\n"},
	Defines: map[string]string{"OFFSET": "1"},
	Kernels: []string{"scale"},
}

// open returns a compiler with a cache of its own.
func open(t *testing.T) *Compiler {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	c, err := Open()
	if err != nil {
		t.Skipf("needs NVRTC: %v", err)
	}
	return c
}

func compile(t *testing.T, c *Compiler, src gpu.Source, arch string) *Image {
	t.Helper()
	image, err := c.Compile(src, arch)
	if err != nil {
		t.Fatal(err)
	}
	return image
}

func TestCompileEveryArchitecture(t *testing.T) {
	c := open(t)
	major, minor := c.Version()
	t.Logf("NVRTC %d.%d from %s: %v", major, minor, c.Path(), c.Architectures())
	if major < 10 || len(c.Architectures()) == 0 || !slices.IsSorted(c.Architectures()) {
		t.Fatalf("version %d.%d, architectures %v", major, minor, c.Architectures())
	}
	for _, arch := range []string{"sm_53", "sm_62", "sm_72", "sm_87", "sm_90"} {
		image := compile(t, c, scale, arch)
		if image.PTX || !bytes.HasPrefix(image.Code, []byte("\x7fELF")) {
			t.Errorf("%s: PTX %v, code starts with %q; want a cubin", arch, image.PTX, image.Code[:4])
		}
		if !bytes.Contains(image.Code, []byte(".text.scale\x00")) {
			t.Errorf("%s: the cubin has no section .text.scale", arch)
		}
	}
}

// Without nvrtcGetCUBIN, as in CUDA 10.2, the result is PTX.
func TestCompileToPTX(t *testing.T) {
	c := open(t)
	old := *c.lib
	old.cubin, old.cubinSize = nil, nil
	image := compile(t, &Compiler{lib: &old, archs: c.archs}, scale, "sm_53")
	if !image.PTX || !bytes.Contains(image.Code, []byte(".target sm_53")) || image.Code[len(image.Code)-1] != 0 {
		t.Fatalf("PTX %v:\n%s", image.PTX, image.Code)
	}
}

func TestCompileErrorNamesLine(t *testing.T) {
	c := open(t)
	src := scale
	src.Text = strings.Replace(src.Text, "OFFSET", "MISSING", 1)
	_, err := c.Compile(src, "sm_53")
	var failed *gpu.CompileError
	if !errors.As(err, &failed) {
		t.Fatalf("got %v, want a CompileError", err)
	}
	if failed.Name != "scale.cu" || !strings.Contains(failed.Log, `scale.cu(4): error: identifier "MISSING" is undefined`) {
		t.Errorf("name %q, log:\n%s", failed.Name, failed.Log)
	}
}

func TestCompileKeepsWarnings(t *testing.T) {
	c := open(t)
	src := scale
	src.Text = strings.Replace(src.Text, "int i", "int unused = 1; int i", 1)
	first := compile(t, c, src, "sm_53")
	again := compile(t, c, src, "sm_53")
	if !strings.Contains(first.Log, `scale.cu(3): warning`) || again.Log != first.Log || !again.Cached {
		t.Errorf("first log %q; second log %q, cached %v", first.Log, again.Log, again.Cached)
	}
}

// A virtual architecture gives PTX.
func TestCompileForVirtualArchitecture(t *testing.T) {
	image := compile(t, open(t), scale, "compute_53")
	if !image.PTX || !strings.Contains(string(image.Code), ".target sm_53") {
		t.Errorf("PTX %v, %.200s", image.PTX, image.Code)
	}
}

func TestCompileRefusesArchitecture(t *testing.T) {
	c := open(t)
	for arch, want := range map[string]string{
		"sm_20":      "does not compile for sm_20, only for sm_",
		"sm_999":     "does not compile for sm_999",
		"compute_20": "does not compile for compute_20",
		"ptx_53":     "want sm_XX",
		"":           "want sm_XX",
	} {
		if _, err := c.Compile(scale, arch); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", arch, err, want)
		}
	}
}

func TestCompileRefusesZeroByte(t *testing.T) {
	c := open(t)
	src := scale
	src.Text += "\x00"
	if _, err := c.Compile(src, "sm_53"); err == nil || !strings.Contains(err.Error(), "zero byte") {
		t.Errorf("got %v", err)
	}
}

func TestCompileUsesOptions(t *testing.T) {
	c := open(t)
	src := scale
	src.Options = []string{"--std=c++14"}
	src.Text += "#if __cplusplus != 201402L\n#error dialect\n#endif\n"
	compile(t, c, src, "sm_53")
	src.Options = nil
	if _, err := c.Compile(src, "sm_53"); err == nil {
		t.Error("the default dialect is C++14 too; want C++17")
	}
	src.Options = []string{"--no-such-option"}
	if _, err := c.Compile(src, "sm_53"); err == nil || !strings.Contains(err.Error(), "scale.cu") {
		t.Errorf("unknown option: %v", err)
	}
}

func TestOptionsAreInOrder(t *testing.T) {
	c := &Compiler{lib: &library{major: 10}}
	got := c.options(gpu.Source{Defines: map[string]string{"B": "2", "A": "1"}, Options: []string{"-x"}}, "sm_53")
	want := []string{"--gpu-architecture=compute_53", "--device-as-default-execution-space", "--std=c++14",
		"--define-macro=A=1", "--define-macro=B=2", "-x"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for release, has := range map[[2]int]bool{{11, 4}: false, {11, 5}: true, {13, 0}: true} {
		c := &Compiler{lib: &library{major: release[0], minor: release[1]}}
		if slices.Contains(c.options(gpu.Source{}, "sm_53"), "--device-int128") != has {
			t.Errorf("%v: integers of 128 bits %v, want %v", release, !has, has)
		}
	}
}

func TestCompileConcurrently(t *testing.T) {
	c := open(t)
	want := compile(t, c, scale, "sm_53").Code
	c.cache = cache{folder: t.TempDir()}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			image, err := c.Compile(scale, "sm_53")
			if err != nil || !bytes.Equal(image.Code, want) {
				t.Errorf("err %v, or code differs", err)
			}
		})
	}
	group.Wait()
}

func TestOpenNamesWhatIsMissing(t *testing.T) {
	t.Setenv(PathVariable, "/nonexistent/libnvrtc.so")
	if _, err := Open(); err == nil || !strings.Contains(err.Error(), "BENCH_NVRTC=/nonexistent/libnvrtc.so") {
		t.Errorf("got %v", err)
	}
	// Any C library that is there but is not NVRTC.
	t.Setenv(PathVariable, "libc.so.6")
	if _, err := Open(); err == nil || !strings.Contains(err.Error(), "has no symbol nvrtcVersion") {
		t.Errorf("got %v", err)
	}
}

func TestOpenForPassesOverLaterReleases(t *testing.T) {
	open(t)
	t.Setenv(PathVariable, "")
	if _, err := OpenFor(1); err == nil || !strings.Contains(err.Error(), "libnvrtc11.2") ||
		!strings.Contains(err.Error(), "later than the driver's CUDA 1") {
		t.Errorf("got %v, want what was passed over and how to get NVRTC", err)
	}
}

// A libnvrtc opened by path, outside the loader's folders, must find its
// builtins library. The loader reads LD_LIBRARY_PATH at start, hence a process
// of its own.
func TestCompileWithPrivateCopy(t *testing.T) {
	if os.Getenv("NVRTC_TEST_PRIVATE") != "" {
		compile(t, open(t), scale, "sm_53")
		return
	}
	c := open(t)
	if !filepath.IsAbs(c.Path()) {
		t.Skipf("needs %s: the path of a libnvrtc", PathVariable)
	}
	alone(t, "NVRTC_TEST_PRIVATE=1", PathVariable+"="+c.Path())
}

// alone runs this test in a process for which the loader knows no folder.
func alone(t *testing.T, environment ...string) {
	t.Helper()
	run := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	run.Env = append(slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.HasPrefix(e, "LD_LIBRARY_PATH=") }), environment...)
	out, err := run.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("--- PASS")) {
		t.Errorf("%v\n%s", err, out)
	}
}

// A builtins library that cannot be opened at first, as with too many open files, is
// opened for the next source.
func TestBuiltinsAreOpenedAgain(t *testing.T) {
	const late = "NVRTC_TEST_LATE"
	if folder := os.Getenv(late); folder != "" {
		c := open(t)
		if _, err := c.Compile(scale, "sm_53"); err == nil || !strings.Contains(err.Error(), "builtins") {
			t.Fatalf("without the builtins: %v", err)
		}
		if err := os.Rename(folder, filepath.Dir(c.Path())+"/"+filepath.Base(folder)); err != nil {
			t.Fatal(err)
		}
		compile(t, c, scale, "sm_53")
		return
	}
	c := open(t)
	if !filepath.IsAbs(c.Path()) {
		t.Skipf("needs %s: the path of a libnvrtc", PathVariable)
	}
	from, err := filepath.Glob(filepath.Join(filepath.Dir(c.Path()), "libnvrtc-builtins.so.*"))
	if err != nil || len(from) == 0 {
		t.Fatalf("no builtins beside %s: %v", c.Path(), err)
	}
	dir := t.TempDir()
	name := fmt.Sprintf("libnvrtc-builtins.so.%d.%d", c.lib.major, c.lib.minor)
	for to, file := range map[string]string{filepath.Base(c.Path()): c.Path(), "late/" + name: from[0]} {
		to = filepath.Join(dir, to)
		text, err := os.ReadFile(file)
		if err == nil {
			err = errors.Join(os.MkdirAll(filepath.Dir(to), 0o777), os.WriteFile(to, text, 0o755))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	alone(t, late+"="+filepath.Join(dir, "late", name), PathVariable+"="+filepath.Join(dir, filepath.Base(c.Path())), "XDG_CACHE_HOME="+filepath.Join(dir, "cache"))
}
