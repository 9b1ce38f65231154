package sim_test

import (
	"testing"
	"unsafe"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
)

func open(t testing.TB, seed uint64, options ...sim.Option) gpu.Device {
	t.Helper()
	d, err := sim.Open(seed, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// compile compiles text, in which name is the only kernel, with headers by name and text.
func compile(t testing.TB, d gpu.Device, name, text string, headers ...string) gpu.Kernel {
	t.Helper()
	src := gpu.Source{Name: name + ".cu", Text: text, Kernels: []string{name}, Headers: map[string]string{}}
	for i := 0; i < len(headers); i += 2 {
		src.Headers[headers[i]] = headers[i+1]
	}
	m, err := d.Compile(src)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Unload(); err != nil {
			t.Error(err)
		}
	})
	k, err := m.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func upload[T any](t testing.TB, d gpu.Device, values []T) gpu.Pointer {
	t.Helper()
	var one T
	p, err := d.Alloc(int64(len(values)) * int64(unsafe.Sizeof(one)))
	if err != nil {
		t.Fatal(err)
	}
	if err := gpu.Upload(d, p, values); err != nil {
		t.Fatal(err)
	}
	return p
}

func download[T any](t testing.TB, d gpu.Device, p gpu.Pointer, n int) []T {
	t.Helper()
	values := make([]T, n)
	if err := gpu.Download(d, values, p); err != nil {
		t.Fatal(err)
	}
	return values
}

const scanBlock = `
extern "C" __global__ void scan(const float* in, float* out, int n) {
  __shared__ float sums[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = i < n ? in[i] : 0;
  for (int d = 1; d < 32; d *= 2) {
    float y = __shfl_up_sync(0xffffffff, x, d);
    if (threadIdx.x % 32 >= d) x += y;
  }
  if (threadIdx.x % 32 == 31) sums[threadIdx.x / 32] = x;
  __syncthreads();
  if (threadIdx.x < 32) {
    float s = sums[threadIdx.x];
    for (int d = 1; d < 32; d *= 2) {
      float y = __shfl_up_sync(0xffffffff, s, d);
      if (threadIdx.x >= d) s += y;
    }
    sums[threadIdx.x] = s;
  }
  __syncthreads();
  if (threadIdx.x >= 32) x += sums[threadIdx.x / 32 - 1];
  if (i < n) out[i] = x;
}
`

func TestScanBlock(t *testing.T) {
	t.Parallel()
	d := open(t, 1)
	k := compile(t, d, "scan", scanBlock)
	const n = 1024
	in := make([]float32, n)
	for i := range in {
		in[i] = float32(i%7 - 3)
	}
	a, b := upload(t, d, in), upload(t, d, make([]float32, n))
	if err := k.Launch(0, gpu.Launch{Grid: gpu.Dim3{X: 1}, Block: gpu.Dim3{X: n}}, a, b, int32(n)); err != nil {
		t.Fatal(err)
	}
	sum := float32(0)
	for i, got := range download[float32](t, d, b, n) {
		sum += in[i]
		if got != sum {
			t.Fatalf("prefix %d: %v, want %v", i, got, sum)
		}
	}
}
