package kernel

import (
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/gpu"
)

// What nvcc takes, and NVRTC and g++ alone do not: marked lambdas, in a function object too, forms of dynamic arrays, whole numbers for functions of
// double, alloca, the samples' vector arithmetic, and
// expressions of statements.
const wordsOfNvcc = `#include <helper_math.h>
#define LEAST(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a < _b ? _a : _b; })
#include <helper_cuda.h>
#include <tuple>
#include <cufft.h>
#include <nvfunctional>
#include <cublasLt.h>
__global__ void words(float *y, const float *x) {
    extern __shared__ alignas(16) float tile[0];
    float by = 0.5f;
    nvstd::function<float(float)> half = [=] __device__ (float v) { return by * v; };
    float *mine = (float *)alloca(2 * sizeof(float));
    mine[LEAST(threadIdx.x, 0u)] = half(x[threadIdx.x]);
    tile[threadIdx.x] = mine[0] + (float)(sqrt(4) + copysign(2.0, -3) + pow(2.0f, 3.0) + fmax(x[threadIdx.x], 5));
    __syncthreads();
    float3 a = make_float3(tile[31 - threadIdx.x], 1.0f, 2.0f) * 2.0f;
    auto [first, second] = make_float2(dot(a, make_float3(1.0f, 0.0f, 1.0f)), 3.0f);
    std::tuple<int, float> t = std::make_tuple(1, 2.0f);
    cufftComplex z = make_cuComplex(std::get<1>(t), second);
#if __has_include(<cuda_bf16.h>)
    __nv_bfloat16 zero = __float2bfloat16(0.0f);
#else
    float zero = 0.0f; // NVRTC alone has no such type
#endif
    y[threadIdx.x] = (float)zero + first + std::get<0>(t) + z.x - z.y;
}
`

func TestWordsOfNvcc(t *testing.T) {
	path := files(t, map[string]string{
		"x.json": `{"algorithm": {"cuda": {"source": "x.cu",
 "arguments": [{"name": "y", "type": "f32", "size": 32, "use": "output"}, {"name": "x", "type": "f32", "size": 32, "fill": {"random": [-1, 1]}}],
 "kernels": [{"name": "words", "grid": 1, "block": 32, "shared_bytes": 128}], "verify": {"c": {"source": "x.c", "function": "right"}}}}}`,
		"x.cu": wordsOfNvcc,
		"x.c":  "void right(float *y, const float *x) { for (int i = 0; i < 32; i++) y[i] = 2 * (0.5f * x[31 - i] + 2 - 2 + 8 + 5) + 4 + 1 + 2 - 3; }\n",
	})
	algorithmtest.Solve(t, factory(t, path), device(t), "words", nil, nil)
	a := built(t, path)
	v := a.versions[0]
	s, err := v.unit.source(a, v, framework.Values{}, framework.Values{}, gpu.Facts{}, v.launches)
	if err != nil {
		t.Fatal(err)
	}
	s.Headers["cuComplex.h"] = "#pragma once\ntypedef float2 cuComplex;\ntypedef double2 cuDoubleComplex;\n__device__ cuComplex make_cuComplex(float x, float y) { return {x, y}; }\n" // a toolkit's
	c := compiler(t)
	for _, arch := range []string{"sm_53", "sm_90"} {
		if _, err := c.Compile(s, arch); err != nil {
			t.Errorf("%s: %v", arch, err)
		}
	}
}
