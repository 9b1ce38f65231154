package sim_test

import (
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
)

// Each form in which nvcc takes a declaration of shared memory: 64 floats are turned round by it.
func TestDeclarationsOfSharedMemory(t *testing.T) {
	t.Parallel()
	d := open(t, 1, sim.Checks())
	for name, c := range map[string]struct{ outside, inside string }{
		"function":  {"", "extern __shared__ float s[];"},
		"shared1st": {"", "__shared__ extern float s[];"},
		"type1st":   {"", "extern float __shared__ s[];"},
		"align1st":  {"", "extern __align__(16) __shared__ unsigned char raw[]; float* s = (float*)raw;"},
		"alignas":   {"", "extern __shared__ alignas(sizeof(float4)) unsigned char raw[]; float* s = (float*)raw;"},
		"attribute": {"", "extern __shared__ float s[] __attribute__((aligned(16)));"},
		"zero":      {"", "extern __shared__ float s[0];"},
		"rows":      {"", "extern __shared__ float rows[][8]; float* s = rows[0];"},
		"static":    {"", "static __shared__ float s[64];"},
		"lines":     {"", "extern\n__shared__ // of the block\nfloat\ns[];"},
		"macro":     {"#define SHARED(T, name) extern __shared__ T name[]", "SHARED(float, s);"},
		"pasted":    {"#define SHARED(T, n) \\\n  extern __shared__ T s_##n[]; \\\n  T* n = s_##n", "SHARED(float, s);"},
		"behind":    {"#define SHARED(T, n) \\\n  struct Of { \\\n    __device__ T* operator()() { extern \\\n __shared__ T n[]; return n; } \\\n  }; const int width = 8;", "SHARED(float, raw) float* s = Of()();"},
		"if":        {"// remark\n#if 1 // and\nextern __shared__ float s[];\n#endif", ""},
		"class":     {"struct P { float v; __device__ P() {} __device__ P(float x) : v(x) {} __device__ operator float() const { return v; } };", "__shared__ P s[64];"},
		"classes":   {"struct P { float v; __device__ P() {} __device__ P(float x) : v(x) {} __device__ operator float() const { return v; } };\n__shared__ P s[64];", ""},
		"outside":   {"extern __shared__ float s[];", ""},
		"template":  {"extern __shared__ char raw[];\ntemplate <class T> struct Shared { __device__ operator T*() const { return reinterpret_cast<T*>(raw); } };", "float* s = Shared<float>();"},
		"renamed":   {"extern __shared__ float raw[];\n#define s raw\n__device__ float other(float raw) { return raw; }\nstruct P { float raw; };", "P p = {other(1)}; if (p.raw != 1) return;"},
		"ahead":     {"#define AT(i) raw[i]\n#define s (&AT(0))\nextern __shared__ float raw[];", ""},
		"hidden":    {"extern __shared__ double s[];\n__device__ int number() { int s = 3; return s; }", "if (number() != 3) return; extern __shared__ float s[];"},
	} {
		t.Run(name, func(t *testing.T) {
			k := compile(t, d, "turn", c.outside+`
extern "C" __global__ void turn(float* out, const float* in) {
  `+c.inside+`
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = in[i];
  __syncthreads();
  out[i] = s[63 - t];
}`)
			in := make([]float32, 3*64)
			for i := range in {
				in[i] = float32(i)
			}
			out := upload(t, d, make([]float32, len(in)))
			launch(t, k, gpu.Launch{Grid: gpu.Dim3{X: 3}, Block: gpu.Dim3{X: 64}, SharedBytes: 256}, out, upload(t, d, in))
			equal(t, download[float32](t, d, out, len(in)), func(i int) float32 { return float32(i/64*64 + 63 - i%64) })
		})
	}
}

// A mistake has its line behind declarations that are translated, and in a function that refers to one outside.
func TestLinesBesideSharedMemory(t *testing.T) {
	t.Parallel()
	d := open(t, 1, sim.Checks())
	k := compile(t, d, "lines", `#include "all.h"
extern "C" __global__ void lines(float* out) {
  static __shared__ float own[64];
  own[threadIdx.x] = 1;
  out[threadIdx.x] = s[threadIdx.x + 1] + own[threadIdx.x];
}`, "all.h", "extern __shared__\nfloat s[];")
	fails(t, k, gpu.Launch{Block: gpu.Dim3{X: 64}, SharedBytes: 256}, []any{upload(t, d, make([]float32, 64))}, "lines.cu:5:", "never written", "of the dynamic shared memory (256 bytes)")
}
