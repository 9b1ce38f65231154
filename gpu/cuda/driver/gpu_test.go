//go:build gpu

package driver

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"example.org/bench/gpu"
)

const testKernels = `
extern "C" __global__ void scale(float *x, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= a;
}
extern "C" __global__ void every_type(double *out, int i, unsigned u, long long l, unsigned long long ul, float f, double d) {
    out[0] = i; out[1] = u; out[2] = l; out[3] = ul; out[4] = f; out[5] = d;
}
extern "C" __global__ void reverse(int *x) {
    extern __shared__ int s[];
    int n = 16384;
    for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = x[i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = s[n - 1 - i];
}
extern "C" __global__ void nothing() {}
extern "C" __global__ void wild(int *p) { *p = 1; }
#if __CUDA_ARCH__ >= 900
extern "C" __global__ void cluster_size(unsigned *out) {
    unsigned n;
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(n));
    if (threadIdx.x == 0) out[blockIdx.x] = n;
}
#endif
`

func openGPU(t testing.TB) (*GPU, gpu.Module) {
	t.Helper()
	runtime.LockOSThread()
	g, err := Open(0)
	if err != nil {
		t.Fatal(err)
	}
	m, err := g.Compile(gpu.Source{Name: "test.cu", Text: testKernels})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(m.Unload(), g.Close()); err != nil {
			t.Error(err)
		}
		runtime.UnlockOSThread()
	})
	return g, m
}

func kernel(t testing.TB, m gpu.Module, name string) gpu.Kernel {
	t.Helper()
	k, err := m.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestFacts(t *testing.T) {
	g, _ := openGPU(t)
	f := g.Facts()
	t.Logf("%+v", f)
	if f.Multiprocessors < 1 || f.ClockHz < 1e8 || f.GlobalBytes < 1<<30 || f.WarpSize != 32 || f.UUID == "" || f.CompilerVersion == "" ||
		f.SharedOptIn < f.SharedPerBlock || f.L2Bytes < 1<<16 || f.MaxBlocksPerSM < 8 {
		t.Errorf("implausible facts %+v", f)
	}
}

func TestLaunchComputes(t *testing.T) {
	g, m := openGPU(t)
	const n = 1000
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(i)
	}
	p, err := g.Alloc(4 * n)
	must(t, err)
	defer g.Free(p)
	s, err := g.NewStream()
	must(t, err)
	defer g.DestroyStream(s)
	must(t, gpu.Upload(g, p, x))
	must(t, kernel(t, m, "scale").Launch(s, gpu.Launch{Grid: gpu.Dim3{X: 8}, Block: gpu.Dim3{X: 128}}, p, float32(2), int32(n)))
	must(t, g.Synchronize(s))
	must(t, gpu.Download(g, x, p))
	for i := range x {
		if x[i] != float32(2*i) {
			t.Fatalf("x[%d] = %v", i, x[i])
		}
	}
	must(t, kernel(t, m, "every_type").Launch(s, gpu.Launch{}, p, int32(-1), uint32(1<<31), int64(-1<<40), uint64(1<<50), float32(0.5), 0.25))
	must(t, g.Synchronize(s))
	var d [6]float64
	must(t, gpu.Download(g, d[:], p))
	if d != [6]float64{-1, 1 << 31, -1 << 40, 1 << 50, 0.5, 0.25} {
		t.Errorf("arguments arrived as %v", d)
	}
}

func TestSharedMemoryOptIn(t *testing.T) {
	g, m := openGPU(t)
	const n = 16384
	if g.Facts().SharedOptIn < 4*n {
		t.Skipf("needs %d bytes of shared memory per block", 4*n)
	}
	x := make([]int32, n)
	for i := range x {
		x[i] = int32(i)
	}
	p, err := g.Alloc(4 * n)
	must(t, err)
	defer g.Free(p)
	must(t, gpu.Upload(g, p, x))
	k := kernel(t, m, "reverse")
	must(t, k.Launch(0, gpu.Launch{Block: gpu.Dim3{X: 256}, SharedBytes: 4 * n}, p))
	must(t, gpu.Download(g, x, p))
	if x[0] != n-1 || x[n-1] != 0 {
		t.Errorf("got %d … %d", x[0], x[n-1])
	}
	if b, err := k.ActiveBlocks(256, 4*n); err != nil || b < 1 {
		t.Errorf("active blocks %d, %v", b, err)
	}
	err = k.Launch(0, gpu.Launch{Block: gpu.Dim3{X: 256}, SharedBytes: 1 << 24}, p)
	if err == nil || !strings.Contains(err.Error(), "16777216 bytes of shared memory") {
		t.Errorf("too much shared memory: %v", err)
	}
}

func TestClusterAndCooperativeLaunch(t *testing.T) {
	g, m := openGPU(t)
	if g.Facts().ComputeMajor < 9 {
		t.Skip("needs compute capability 9.0")
	}
	for _, size := range []int{2, 8, 16} {
		p, err := g.Alloc(4 * 32)
		must(t, err)
		if n, err := kernel(t, m, "cluster_size").ActiveClusters(gpu.Launch{Block: gpu.Dim3{X: 32}, Cluster: gpu.Dim3{X: size}}); err != nil || n < 1 {
			t.Errorf("%d active clusters of %d blocks, %v", n, size, err)
		}
		must(t, kernel(t, m, "cluster_size").Launch(0, gpu.Launch{Grid: gpu.Dim3{X: 32}, Block: gpu.Dim3{X: 32}, Cluster: gpu.Dim3{X: size}}, p))
		got := make([]uint32, 32)
		must(t, gpu.Download(g, got, p))
		if got[31] != uint32(size) {
			t.Errorf("cluster of %d blocks ran as %v", size, got)
		}
		must(t, g.Free(p))
	}
	k := kernel(t, m, "nothing")
	must(t, k.Launch(0, gpu.Launch{Grid: gpu.Dim3{X: g.Facts().Multiprocessors}, Cooperative: true}))
	err := k.Launch(0, gpu.Launch{Grid: gpu.Dim3{X: 1 << 20}, Block: gpu.Dim3{X: 256}, Cooperative: true})
	if err == nil || !strings.Contains(err.Error(), "blocks fit at once") {
		t.Errorf("too many cooperative blocks: %v", err)
	}
	must(t, g.Synchronize(0))
}

func TestLargeMemory(t *testing.T) {
	g, _ := openGPU(t)
	const bytes = 5 << 30
	p, err := g.Alloc(2 * bytes)
	must(t, err)
	defer g.Free(p)
	must(t, g.SetAsync(p, 1, bytes, 0))
	must(t, g.SetAsync(p+bytes-8, 7, 8, 0))
	must(t, g.CopyAsync(p+bytes, p, bytes, 0))
	var tail [16]byte
	must(t, g.CopyToHost(unsafe.Pointer(&tail[0]), p+2*bytes-16, 16))
	if tail[0] != 1 || tail[15] != 7 {
		t.Errorf("tail %v", tail)
	}
	_, err = g.Alloc(1 << 50)
	if !errors.Is(err, gpu.ErrOutOfMemory) {
		t.Errorf("1 PiB: %v", err)
	}
	t.Log(err)
}

func TestCallersErrors(t *testing.T) {
	g, m := openGPU(t)
	var compile *gpu.CompileError
	if _, err := g.Compile(gpu.Source{Name: "bad.cu", Text: "int x = y;"}); !errors.As(err, &compile) || !strings.Contains(compile.Log, "bad.cu") {
		t.Errorf("bad source: %v", err)
	}
	k := kernel(t, m, "scale")
	for _, err := range []error{
		k.Launch(0, gpu.Launch{}, gpu.Pointer(0), float32(1)),
		k.Launch(0, gpu.Launch{}, gpu.Pointer(0), float64(1), int32(1)),
		k.Launch(0, gpu.Launch{}, gpu.Pointer(0), 1, int32(1)),
		k.Launch(0, gpu.Launch{Block: gpu.Dim3{X: 2048}}, gpu.Pointer(0), float32(1), int32(0)),
	} {
		if err == nil {
			t.Error("a wrong launch went through")
		}
		t.Log(err)
	}
	if _, err := m.Kernel("absent"); err == nil {
		t.Error("absent kernel found")
	}
}

func TestIllegalAddressIsNamed(t *testing.T) {
	if os.Getenv("DRIVER_TEST_WILD") == "" {
		// The error is sticky: it ends the context, so it gets a process.
		c := exec.Command(os.Args[0], "-test.run", "^TestIllegalAddressIsNamed$", "-test.v")
		c.Env = append(os.Environ(), "DRIVER_TEST_WILD=1")
		out, _ := c.CombinedOutput()
		if !strings.Contains(string(out), "CUDA_ERROR_ILLEGAL_ADDRESS") {
			t.Errorf("output: %s", out)
		}
		return
	}
	g, m := openGPU(t)
	must(t, kernel(t, m, "wild").Launch(0, gpu.Launch{}, gpu.Pointer(8)))
	t.Log(g.Synchronize(0))
}

func TestGraphRepeatsWork(t *testing.T) {
	g, m := openGPU(t)
	s, err := g.NewStream()
	must(t, err)
	defer g.DestroyStream(s)
	p, err := g.Alloc(4)
	must(t, err)
	defer g.Free(p)
	must(t, gpu.Upload(g, p, []float32{1}))
	k := kernel(t, m, "scale")
	x, err := g.Capture(s, func() error {
		for range 10 {
			if err := k.Launch(s, gpu.Launch{}, p, float32(2), int32(1)); err != nil {
				return err
			}
		}
		return nil
	})
	must(t, err)
	must(t, x.Launch(s))
	must(t, x.Launch(s))
	must(t, g.Synchronize(s))
	var v [1]float32
	must(t, gpu.Download(g, v[:], p))
	if x.Nodes() != 10 || v[0] != 1<<20 {
		t.Errorf("%d nodes, result %v", x.Nodes(), v[0])
	}
	must(t, x.Close())
	if _, err := g.Capture(s, func() error { return g.Synchronize(s) }); err == nil {
		t.Error("captured a synchronization")
	} else {
		t.Log(err)
	}
	must(t, k.Launch(s, gpu.Launch{}, p, float32(0.5), int32(1)))
	must(t, g.Synchronize(s))
}

func BenchmarkLaunch(b *testing.B) {
	g, m := openGPU(b)
	k := kernel(b, m, "scale")
	var p, a, n any = gpu.Pointer(0), float32(1), int32(0)
	b.ReportAllocs()
	for i := range b.N {
		if err := k.Launch(0, gpu.Launch{}, p, a, n); err != nil {
			b.Fatal(err)
		}
		if i%256 == 0 {
			must(b, g.Synchronize(0))
		}
	}
}
