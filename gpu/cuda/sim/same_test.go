package sim_test

import (
	"strings"
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
)

// Accesses in no order that are no mistake, and what is one beside them.
func TestRacesThatAreNone(t *testing.T) {
	t.Parallel()
	d := open(t, 1, sim.Checks())
	const swap = `__device__ void add(double* to, double v) {
  unsigned long long* a = (unsigned long long*)to;
  unsigned long long old = *a, assumed;
  do {
    assumed = old;
    old = atomicCAS(a, assumed, __double_as_longlong(v + __longlong_as_double(assumed)));
  } while (assumed != old);
}
`
	for name, c := range map[string]struct {
		before, body string
		parts        []string // nil: no race
	}{
		"shared":      {"", "__shared__ int s; s = 0; __syncthreads(); out[i] = s;", nil},
		"sharedvalue": {"", "__shared__ int s;\n s = t / 40; __syncthreads(); out[i] = s;", []string{"race on shared memory: it writes what", "sharedvalue.cu:3"}},
		"global":      {"", "g[0] = 1; ((float4*)g)[1] = make_float4(1, 2, 3, 4); ((char*)g)[40] = 1;", nil},
		"values":      {"", "g[0] = blockIdx.x;", []string{"race on global memory: it writes what block"}},
		"half":        {"", "((char*)g)[t % 4] = t & 2;", nil},
		"halves":      {"", "((char*)g)[t % 4] = t & 4;", []string{"race on global memory"}},
		"wide":        {"", "((float4*)g)[1] = make_float4(1, 2, 3, t / 63);", []string{"race on global memory"}},
		// Others may have written the same value, and are in no order with a third.
		"third":      {"", "__shared__ int s; if (t < 33) s = 0; if (t == 32) { __syncwarp(1); s = 1; } __syncthreads(); out[i] = s;", []string{"race on shared memory"}},
		"thirdblock": {"", "if (t == 0) { g[0] = 0; if (blockIdx.x == 2) g[0] = 1; }", []string{"race on global memory: it writes what block"}},
		// Who reads meanwhile may see it or not.
		"read":       {"", "__shared__ int s; if (t < 32) s = 0; else out[i] = s;", []string{"race on shared memory"}},
		"readglobal": {"", "if (t < 32) g[0] = 1; else out[i] = g[0];", []string{"race on global memory"}},
		"atomic":     {"", "g[0] = 0; atomicAdd(&g[0], 0);", []string{"race on global memory"}},
		// A loop that compares and swaps may begin with a plain read.
		"swap":       {swap, "add((double*)g, t);", nil},
		"swapshared": {swap, "__shared__ double s; if (t == 0) s = 0; __syncthreads(); add(&s, t); __syncthreads(); out[i] = s;", nil},
		"swapagain":  {"", "for (int old; old = g[0], atomicCAS(&g[0], old, old + 1) != old; ) {}", nil},
		// Not what else begins with one.
		"noswap":    {swap, "add((double*)g, t);\n out[i] = g[0];", []string{"race on global memory: it", "noswap.cu:11", "noswap.cu:6"}},
		"otherswap": {swap, "add((double*)g, t);\n int y = g[0]; add((double*)(g + 2), y);", []string{"race on global memory"}},
		"used":      {"", "if (t == 0) atomicCAS(&g[0], 0, 1);\n if (t == 63) { int y = g[0]; out[i] = y; atomicCAS(&g[0], y, 2); }", []string{"race on global memory: it"}},
		"sum":       {"", "float* s = (float*)g; float y = s[0]; atomicAdd(&s[0], 1.0f); out[i] = y;", []string{"race on global memory"}},
		"lateswap":  {"", "int y = g[0]; __syncthreads(); atomicCAS(&g[0], y, y + 1);", []string{"race on global memory"}},
	} {
		t.Run(name, func(t *testing.T) {
			k := compile(t, d, name, c.before+"extern \"C\" __global__ void "+name+"(int* out, int* g) { int t = threadIdx.x, i = blockIdx.x * 64 + t;\n"+c.body+"\n}")
			out, g := upload(t, d, make([]int32, 3*64)), upload(t, d, make([]int32, 64))
			shape := gpu.Launch{Grid: gpu.Dim3{X: 3}, Block: gpu.Dim3{X: 64}}
			if c.parts == nil {
				launch(t, k, shape, out, g)
				return
			}
			// On a busy machine blocks may run one after the other, and of some accesses nothing is known then.
			var err error
			for tries := 0; err == nil && tries < 10; tries++ {
				err = k.Launch(0, shape, out, g)
			}
			for _, p := range append(c.parts, "kernel "+name) {
				if err == nil || !strings.Contains(err.Error(), p) {
					t.Errorf("error %v lacks %q", err, p)
				}
			}
		})
	}
}

// Threads of blocks on several workers meet in races that are none, whatever comes first.
func TestWorkersMeetInRacesThatAreNone(t *testing.T) {
	t.Parallel()
	base := open(t, 0, sim.Checks(), sim.Workers(4)).(*sim.Device)
	for seed := range uint64(30) {
		k := compile(t, base.WithSeed(seed), "meet", `
__device__ void add(double* to, double v) {
  unsigned long long* a = (unsigned long long*)to;
  unsigned long long old = *a, assumed;
  do { assumed = old; old = atomicCAS(a, assumed, __double_as_longlong(v + __longlong_as_double(assumed))); } while (assumed != old);
}
extern "C" __global__ void meet(double* sums, int* flags) {
  flags[0] = 7;
  flags[threadIdx.x % 4] = 7;
  add(sums, 1);
  add(sums + threadIdx.x % 3, 1);
}`)
		const threads = 64 * 64
		sums, flags := upload(t, base, make([]float64, 3)), upload(t, base, make([]int32, 4))
		launch(t, k, gpu.Launch{Grid: gpu.Dim3{X: 64}, Block: gpu.Dim3{X: 64}}, sums, flags)
		if s := download[float64](t, base, sums, 3); s[0]+s[1]+s[2] != 2*threads {
			t.Errorf("seed %d: sums %v", seed, s)
		}
	}
}
