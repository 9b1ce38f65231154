package kernel

import (
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/framework/config"
	"example.org/bench/gpu"
)

// A kernel with the headers of a program for nvcc.
const nvccKernel = `#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <cfloat>
#include <climits>
#include <cstdint>
#include <string.h>
#include <assert.h>
#include "cuda_runtime.h"
#include "device_launch_parameters.h"
#include "own.h"
__global__ void steps(int32_t *steps, const float *x, uint32_t n) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    assert(n < UINT32_MAX);
    float least = FLT_MAX, angle = (float)M_PI * x[i];
    if (x[i] == INFINITY) printf("%d\n", INT_MAX);
    steps[i] = (int32_t)fminf(least, OWN * roundf(angle)) + (int)sizeof(uint64_t) * CHAR_BIT;
}
`

// More of a toolkit's headers that the simulator has.
const toolkitKernel = `#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuComplex.h>
#include <math_constants.h>
namespace cg = cooperative_groups;
__global__ void turned(cuFloatComplex *z, float *sums) {
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cg::this_thread_block());
    cuFloatComplex w = cuCmulf(z[threadIdx.x], make_cuFloatComplex(0.0f, 1.0f));
    z[threadIdx.x] = cuCdivf(cuCaddf(w, cuConjf(w)), make_cuComplex(2.0f, 0.0f));
    float sum = cg::reduce(tile, cuCabsf(w), cg::plus<float>());
    if (tile.thread_rank() == 0) sums[threadIdx.x / 32] = sum < CUDART_INF_F ? sum : CUDART_NAN_F;
}
`

func TestHeadersOfNvcc(t *testing.T) {
	path := files(t, map[string]string{
		"x.json": `{"algorithm": {"cuda": {"source": "x.cu", "params": [{"name": "N", "default": 100}],
 "arguments": [{"name": "steps", "type": "i32", "size": "N", "use": "output"}, {"name": "x", "type": "f32", "size": "N", "fill": {"random": [-9, 9]}}, {"name": "n", "type": "u32", "value": "N"}],
 "kernels": [{"name": "steps", "grid": "ceildiv(N, 64)", "block": 64}], "verify": {"c": {"source": "x.c", "function": "right"}}}}}`,
		"x.cu": nvccKernel, "own.h": "#include <stdbool.h>\n#define OWN 2\n",
		"x.c": "#include <math.h>\nvoid right(int32_t *steps, const float *x, uint32_t n) { for (uint32_t i = 0; i < n; i++) steps[i] = 2 * (int)roundf((float)M_PI * x[i]) + 64; }\n",
	})
	f := factory(t, path)
	algorithmtest.Solve(t, f, device(t), "steps", nil, nil)

	a := built(t, path)
	v := a.versions[0]
	s, err := v.unit.source(a, v, framework.Values{}, framework.Values{}, gpu.Facts{}, v.launches)
	if err != nil {
		t.Fatal(err)
	}
	c := compiler(t)
	for _, arch := range []string{"sm_53", "sm_90"} {
		if _, err := c.Compile(s, arch); err != nil {
			t.Errorf("%s: %v", arch, err)
		}
	}
}

func TestHeadersOfAToolkit(t *testing.T) {
	f := factory(t, files(t, map[string]string{
		"x.json": `{"algorithm": {"cuda": {"source": "x.cu",
 "arguments": [{"name": "z", "type": "c64", "size": 64, "use": "in_place", "fill": {"random": [-1, 1]}}, {"name": "sums", "type": "f32", "size": 2, "use": "output"}],
 "kernels": [{"name": "turned", "grid": 1, "block": 64}], "verify": {"c": {"source": "x.c", "function": "right", "double": true}}}}}`,
		"x.cu": toolkitKernel,
		"x.c": `#include <complex.h>
void right(double _Complex *z, double *sums) {
    sums[0] = sums[1] = 0;
    for (int i = 0; i < 64; i++) sums[i / 32] += cabs(z[i]), z[i] = -cimag(z[i]);
}
`}))
	if work := algorithmtest.Solve(t, f, device(t), "turned", nil, nil); work == (framework.Work{}) {
		t.Error("nothing was counted")
	}
}

// A function for kernels to call is no kernel.
func TestDeviceFunctionIsNoKernel(t *testing.T) {
	path := files(t, map[string]string{"x.cu": "static __device__ __forceinline__ float helper(float x) { return x; }\n#define DECLARE(name) __global__ void name(float *y)\nDECLARE(hidden) { *y = helper(1); }\n"})
	u, err := readUnit(filepath.Dir(path), sources{"x.cu"}, nil, sourceFiles{&config.Config{}}, false)
	if err != nil {
		t.Fatal(err)
	}
	if got := u.missing("helper", 1); !strings.Contains(got, "has no kernel helper") {
		t.Errorf("helper: %q", got)
	}
	if got := u.missing("hidden", 1); got != "" {
		t.Errorf("a kernel behind a macro: %q", got)
	}
}
