package sim_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
)

func TestWithSeed(t *testing.T) {
	t.Parallel()
	d := open(t, 1)
	out := upload(t, d, make([]int32, 128))
	var results [][]int32
	for seed := range uint64(3) {
		other := d.(*sim.Device).WithSeed(seed)
		k := compile(t, other, "order", `extern "C" __global__ void order(int* out) { __shared__ int n; n = 0; __syncthreads(); out[threadIdx.x] = atomicAdd(&n, 1); }`)
		for range 2 {
			launch(t, k, gpu.Launch{Block: gpu.Dim3{X: 128}}, out)
			results = append(results, download[int32](t, d, out, 128))
		}
	}
	if !slices.Equal(results[0], results[1]) {
		t.Error("the same seed gives another order")
	}
	if slices.Equal(results[0], results[2]) && slices.Equal(results[0], results[4]) {
		t.Error("every seed gives the same order")
	}
}

func TestWrongArguments(t *testing.T) {
	t.Parallel()
	d := open(t, 1)
	k := compile(t, d, "args", `extern "C" __global__ void args(const float* p, int n, float x, unsigned long long w) {}`)
	p := upload(t, d, []float32{1})
	good := []any{p, int32(1), float32(2), uint64(3)}
	launch(t, k, gpu.Launch{}, good...)
	for i, wrong := range []any{int64(1), uint32(1), float64(2), int64(3)} {
		args := slices.Clone(good)
		args[i] = wrong
		fails(t, k, gpu.Launch{}, args, "kernel args", "argument "+string(rune('1'+i)))
	}
	fails(t, k, gpu.Launch{}, good[:3], "3 arguments: it takes 4")
	fails(t, k, gpu.Launch{}, append(good, 5), "5 arguments: it takes 4")
	fails(t, k, gpu.Launch{}, []any{p, 1, float32(2), uint64(3)}, "argument 2 is a int: the parameter is a int (int32)")
	if err := k.Launch(1, gpu.Launch{}, good...); err == nil {
		t.Error("a launch on another stream succeeded")
	}
	s := compile(t, d, "s", `struct S { int a, b; }; extern "C" __global__ void s(int n, S v) {}`)
	fails(t, s, gpu.Launch{}, []any{int32(1), int64(2)}, "argument 2 is a int64: the parameter is a type of its own (gpu.Raw)")
}

func TestCompileErrors(t *testing.T) {
	t.Parallel()
	d := open(t, 1)
	for _, c := range []struct {
		text  string
		parts []string
	}{
		{"\nextern \"C\" __global__ void k(float* p) {\n  extern __shared__\n float\n s[];\n  p[0] = undeclared;\n}", []string{"k.cu:6:", "undeclared"}},
		{"#include \"h.cuh\"\nextern \"C\" __global__ void k() {}", []string{"h.cuh:2:", "missing"}},
		{"extern \"C\" __global__ void other() {}", []string{"'::k' has not been declared", "the kernels requested from k.cu"}},
		{"extern \"C\" __global__ void k(int* p) {\n int x; asm volatile(\"mov.u32 %0, %%envreg1;\" : \"=r\"(x)); *p = x; }", []string{"k.cu:2:", "#ifndef BENCH_SIM"}},
		{"extern \"C\" __global__ void k(int* p) {\n int x; asm inline goto (\"mov $1, %0\" : \"=r\"(x)); *p = x; }", []string{"k.cu:2:", "#ifndef BENCH_SIM"}},
		{"asm(\"put: ret\");\nextern \"C\" __global__ void k(int* p) {}", []string{"k.cu:1:"}},
		{"#include <cufftdx.hpp>\nextern \"C\" __global__ void k() {}", []string{"k.cu:1:", "the simulator has no header cufftdx.hpp"}},
		{"#include <cub/device/device_scan.cuh>\nextern \"C\" __global__ void k() {}", []string{"k.cu:1:", "the simulator has no header cub/device/device_scan.cuh"}},
		{"__global__ void child() {}\nextern \"C\" __global__ void k() { child<<<1, 1>>>(); }", []string{"k.cu:2:", "the simulator runs no kernels that kernels launch"}},
		{"extern \"C\" int getpid();\nextern \"C\" __global__ void k(int* p) {\n p[0] = getpid(); }", []string{"k.cu:3:", "calls getpid, a function of the host"}},
	} {
		_, err := d.Compile(gpu.Source{Name: "k.cu", Text: c.text, Headers: map[string]string{"h.cuh": "\nint a = missing;\n"}, Kernels: []string{"k"}})
		var failed *gpu.CompileError
		if !errors.As(err, &failed) {
			t.Fatalf("%s: error %v, want a CompileError", c.text, err)
		}
		for _, p := range c.parts {
			if !strings.Contains(strings.NewReplacer("‘", "'", "’", "'").Replace(failed.Log), p) {
				t.Errorf("%s\nlog %q lacks %q", c.text, failed.Log, p)
			}
		}
	}
	m, err := d.Compile(gpu.Source{Name: "w.cu", Text: "#warning look here\nextern \"C\" __global__ void w() {}", Kernels: []string{"w"}})
	if err != nil || !strings.Contains(m.Log(), "w.cu:1:") {
		t.Errorf("log of a warning: %v, %v", m, err)
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	tx1 := gpu.Facts{Name: "TX1", ComputeMajor: 5, ComputeMinor: 3, Multiprocessors: 2, WarpSize: 32, MaxThreadsBlock: 1024,
		SharedPerBlock: 48 << 10, SharedOptIn: 48 << 10, GlobalBytes: 1 << 20}
	small, err := sim.OpenAs(tx1, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer small.Close()
	const text = `extern "C" __global__ void arch(int* out) { extern __shared__ int s[]; *out = __CUDA_ARCH__; }`
	k := compile(t, small, "arch", text)
	out := upload(t, small, []int32{0})
	launch(t, k, gpu.Launch{SharedBytes: 48 << 10}, out)
	equal(t, download[int32](t, small, out, 1), func(int) int32 { return 530 })
	fails(t, k, gpu.Launch{SharedBytes: 48<<10 + 1}, []any{out}, "shared memory", "49152")
	fails(t, k, gpu.Launch{Block: gpu.Dim3{X: 1025}}, []any{out}, "at most 1024")
	fails(t, k, gpu.Launch{Block: gpu.Dim3{Z: 65}}, []any{out}, "64 in z")
	fails(t, k, gpu.Launch{Grid: gpu.Dim3{Y: 65536}}, []any{out}, "65535")
	fails(t, k, gpu.Launch{Grid: gpu.Dim3{X: 2}, Cluster: gpu.Dim3{X: 2}}, []any{out}, "clusters need 9.0")
	fails(t, k, gpu.Launch{Grid: gpu.Dim3{X: 3}, Cooperative: true}, []any{out}, "holds 2 at once")
	if _, err := small.Alloc(1 << 20); !errors.Is(err, gpu.ErrOutOfMemory) {
		t.Errorf("alloc of all memory, some in use: %v, want ErrOutOfMemory", err)
	}

	large := open(t, 1)
	k = compile(t, large, "arch", text)
	out = upload(t, large, []int32{0})
	launch(t, k, gpu.Launch{SharedBytes: 227 << 10}, out)
	equal(t, download[int32](t, large, out, 1), func(int) int32 { return 900 })
	fails(t, k, gpu.Launch{SharedBytes: 227<<10 + 1}, []any{out}, "shared memory", "232448")
	fails(t, k, gpu.Launch{Grid: gpu.Dim3{X: 3}, Cluster: gpu.Dim3{X: 2}}, []any{out}, "multiple")
	launch(t, k, gpu.Launch{Grid: gpu.Dim3{X: 16}, Cluster: gpu.Dim3{X: 16}}, out)
	fails(t, k, gpu.Launch{Grid: gpu.Dim3{X: 17}, Cluster: gpu.Dim3{X: 17}}, []any{out}, "at most 16")
	for cluster, want := range map[int]int{4: 4, 16: 1, 17: 0} {
		if n, err := k.ActiveClusters(gpu.Launch{Cluster: gpu.Dim3{X: cluster}}); err != nil || n != want {
			t.Errorf("active clusters of %d blocks: %d, %v, want %d", cluster, n, err, want)
		}
	}
	for shared, want := range map[int]int{227 << 10: 1, 228 << 10: 0} {
		if n, err := k.ActiveBlocks(32, shared); err != nil || n != want {
			t.Errorf("active blocks with %d bytes: %d, %v, want %d", shared, n, err, want)
		}
	}
}

func TestHostCopiesOutOfBounds(t *testing.T) {
	t.Parallel()
	d := open(t, 1)
	p := upload(t, d, make([]float32, 10))
	if err := gpu.Upload(d, p+4, make([]float32, 10)); err == nil {
		t.Error("an upload past the end succeeded")
	}
	if err := gpu.Download(d, make([]float32, 1), p-4); err == nil {
		t.Error("a download before the start succeeded")
	}
	if err := d.SetAsync(p, 1, 41, 0); err == nil {
		t.Error("a set past the end succeeded")
	}
	if err := d.Free(p + 4); err == nil {
		t.Error("free of a pointer inside an allocation succeeded")
	}
	q := upload(t, d, make([]float32, 10))
	if err := d.SetAsync(p, 1, 40, 0); err != nil {
		t.Error(err)
	}
	if err := d.CopyAsync(q, p, 36, 0); err != nil {
		t.Error(err)
	}
	equal(t, download[uint32](t, d, q, 10), func(i int) uint32 {
		if i < 9 {
			return 0x01010101
		}
		return 0
	})
}

// TestConcurrentCompile in an empty cache, where all make the same two libraries; what was
// damaged there is compiled again.
func TestConcurrentCompile(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			d, err := sim.Open(1)
			if err != nil {
				t.Error(err)
				return
			}
			defer d.Close()
			m, err := d.Compile(gpu.Source{Name: "scan.cu", Text: scanBlock, Kernels: []string{"scan"}})
			if err != nil {
				t.Error(err)
				return
			}
			k, err := m.Kernel("scan")
			if err != nil {
				t.Error(err)
				return
			}
			p, err := d.Alloc(4096)
			if err != nil {
				t.Error(err)
				return
			}
			if err := k.Launch(0, gpu.Launch{Block: gpu.Dim3{X: 1024}}, p, p, int32(1024)); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	damaged(t, cache)
}

func TestWithoutCompiler(t *testing.T) {
	t.Setenv("CXX", "no-such-compiler")
	if _, err := sim.Open(1); err == nil || !strings.Contains(err.Error(), "apt-get install g++") {
		t.Errorf("error %v: want one that says how to get g++", err)
	}
	t.Setenv("CXX", "")
	t.Setenv("XDG_CACHE_HOME", "/proc/self/none")
	if _, err := sim.Open(1); err == nil || !strings.Contains(err.Error(), "/proc/self/none") {
		t.Errorf("error %v: want one that names the folder", err)
	}
}

func damaged(t *testing.T, cache string) {
	t.Helper()
	source := gpu.Source{Name: "scan.cu", Text: scanBlock, Kernels: []string{"scan"}}
	compile := func() error {
		d, err := sim.Open(1)
		if err != nil {
			return err
		}
		defer d.Close()
		m, err := d.Compile(source)
		if err != nil {
			return err
		}
		return m.Unload()
	}
	made, err := filepath.Glob(filepath.Join(cache, "bench/sim/*.so"))
	if err != nil || len(made) != 2 {
		t.Fatalf("made %q, %v", made, err)
	}
	for _, library := range made {
		if strings.HasPrefix(filepath.Base(library), "lib") {
			continue // it is loaded: a process looks at it once
		}
		if err := os.Rename(library, library+".old"); err != nil { // it may be loaded
			t.Fatal(err)
		}
		text, err := os.ReadFile(library + ".old")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(library, text[:len(text)/2], 0o600); err != nil {
			t.Fatal(err)
		}
		if err := compile(); err != nil {
			t.Error(err)
		}
		if again, err := os.ReadFile(library); err != nil || len(again) != len(text) {
			t.Errorf("%d bytes, %v; want %d again", len(again), err, len(text))
		}
	}
}
