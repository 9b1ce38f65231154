package kernel

import (
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/framework/answer"
	"example.org/bench/gpu"
)

// Kernels as others write them: without extern "C", in a namespace, of a template
// whose arguments are tunables, in two files, with variables that are filled, of
// types of 16 bits, complex numbers and vectors, and with a pointer that is 0.
const foreignKernels = `#include <cuda_fp16.h>
#include <cuda_bf16.h>
__constant__ float weight[8];
namespace user {
__device__ int calls;
struct complex { float x, y; };
template <typename T, int BLOCK>
__global__ void blend(T *y, const T *x, __half2 scale, const __nv_bfloat16 *bias, const float4 *rows, complex *turned, const float *absent, unsigned char shift) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    T more = (T)(__low2float(scale) + (float)bias[i] + rows[i].w * weight[i % TERMS] + shift + (absent ? 100 : 0));
    y[i] = x[i] + more;
    turned[i] = {-turned[i].y, turned[i].x};
    if (i == 0 && calls++ != 7) y[i] = (T)1000.f;
}
}
`

const foreignConfig = `{"algorithm": {"cuda": {
 "source": ["a.cu", "b.cu"],
 "params": [{"name": "TERMS", "default": 3, "define": true}],
 "arguments": [
  {"name": "y", "type": "f16", "size": 128, "use": "output"},
  {"name": "x", "type": "f16", "size": 128, "fill": {"random": [-1, 1]}},
  {"name": "scale", "type": "f16x2", "value": 0.25},
  {"name": "bias", "type": "bf16", "size": 128, "fill": {"random": [-1, 1]}},
  {"name": "rows", "type": "f32x4", "size": 128, "fill": {"random": [-1, 1]}},
  {"name": "turned", "type": "c64", "size": 128, "use": "in_place", "fill": {"random": [-1, 1]}},
  {"name": "absent", "type": "pointer", "value": 0},
  {"name": "shift", "type": "u8", "value": "TERMS - 1"}],
 "constants": [{"name": "weight", "type": "f32", "size": "TERMS", "fill": {"random": [1, 2]}}, {"name": "user::calls", "type": "i32", "value": 7}],
 "kernels": [{"name": "user::blend<__half, BLOCK>", "grid": "128/BLOCK", "block": "BLOCK"}],
 "tunables": [{"name": "BLOCK", "values": [32, 64], "default": 128, "define": false}],
 "verify": {"c": {"source": "x.c", "function": "right", "double": true}}}}}`

const foreignRight = `#include <complex.h>
void right(double *y, const double *x, double scale, const double *bias, const double *rows, double _Complex *turned, void *absent, uint8_t shift,
           const double *weight, int calls) {
    for (int i = 0; i < 128; i++) {
        y[i] = x[i] + scale + bias[i] + rows[4 * i + 3] * weight[i % 3] + shift + (absent ? 1 : 0) + calls - 7;
        turned[i] *= I;
    }
}
`

func TestForeignKernels(t *testing.T) {
	d := device(t)
	a, b, _ := strings.Cut(foreignKernels, "template")
	texts := map[string]string{"x.json": foreignConfig, "a.cu": a, "b.cu": "template" + b, "x.c": foreignRight}
	// The namespace goes on in the second file.
	f := factory(t, files(t, texts))
	if f.Versions[0].Name != "blend" {
		t.Errorf("the version is called %s", f.Versions[0].Name)
	}
	for _, block := range []int64{64, 128} {
		checks, _, err := algorithmtest.Try(f, d, "blend", nil, framework.Values{"BLOCK": framework.IntValue(block)})
		if err != nil || len(checks) != 2 || !algorithmtest.Good(checks) || checks[0].Error == 0 || checks[0].Bound != 2e-3 || checks[1].Bound != 1e-5 {
			t.Errorf("BLOCK = %d: %v, %v", block, checks, err)
		}
	}
	for _, wrong := range []string{"rows[i].w|rows[i].z", "{-turned[i].y|{turned[i].y", "__low2float(scale)|__high2float(scale) * 2", "weight[i % TERMS]|weight[0]"} {
		old, replacement, _ := strings.Cut(wrong, "|")
		texts["b.cu"] = strings.Replace("template"+b, old, replacement, 1)
		if checks, _, err := algorithmtest.Try(factory(t, files(t, texts)), d, "blend", nil, nil); err != nil || algorithmtest.Good(checks) {
			t.Errorf("%s: %v, %v", wrong, checks, err)
		}
	}
	// What the variable has not room for.
	texts["b.cu"] = "template" + b
	texts["a.cu"] = strings.Replace(a, "weight[8]", "weight[2]", 1)
	if _, _, err := algorithmtest.Try(factory(t, files(t, texts)), d, "blend", nil, nil); err == nil ||
		!strings.Contains(err.Error(), "constant weight has 8 bytes in") || !strings.Contains(err.Error(), "less than the 12 of 3 elements of f32") {
		t.Errorf("a variable that is too small: %v", err)
	}
}

// A variable that kernels may change is filled before every run, one in constant
// memory once, so that hot runs are timed too.
func TestConstantsAreRestored(t *testing.T) {
	for declared, resets := range map[string]bool{"__device__": true, "__constant__": false} {
		path := files(t, map[string]string{
			"x.json": `{"algorithm": {"cuda": {"source": "x.cu", "arguments": [{"name": "y", "type": "i32", "size": 1, "use": "output"},
 {"name": "start", "type": "i32", "size": 2, "fill": {"constant": 5}}],
 "constants": [{"name": "first", "from": "start", "size": 1}], "kernels": [{"name": "next", "grid": 1, "block": 1}],
 "verify": {"c": {"source": "x.c", "function": "right"}}}}}`,
			"x.cu": declared + " int first;\n__global__ void next(int *y, const int *start) { *y = first; if (!" + map[bool]string{true: "0", false: "1"}[resets] + ") *(int *)&first = 9; }\n",
			"x.c":  "void right(int *y, const int *start) { *y = start[1]; }\n",
		})
		f := factory(t, path)
		problem, err := f.NewProblem(framework.Env{Seed: 1}, params(f, nil))
		if err != nil {
			t.Fatal(err)
		}
		defer problem.Close()
		run, err := f.Versions[0].New(framework.Env{Seed: 1, Device: device(t)}, problem, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, ok := run.(framework.Resetter)
		if ok != resets {
			t.Errorf("%s: resets %v; want %v", declared, ok, resets)
		}
		if err := run.PreRun(); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if ok {
				if err := r.Reset(); err != nil {
					t.Fatal(err)
				}
			}
			if err := run.Run(); err != nil {
				t.Fatal(err)
			}
			if checks, err := run.Verify(); err != nil || !algorithmtest.Good(checks) {
				t.Errorf("%s: %v, %v", declared, checks, err)
			}
		}
		if err := run.PostRun(); err != nil {
			t.Fatal(err)
		}
		// From input to answer it is copied before each run.
		d := device(t)
		if run, err = f.Versions[0].New(framework.Env{Seed: 1, Device: d}, problem, nil); err != nil {
			t.Fatal(err)
		}
		whole, err := answer.New(run, answer.Options{Device: d})
		if err == nil {
			err = whole.PreRun()
		}
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := whole.Run(); err != nil {
				t.Fatal(err)
			}
			if checks, err := whole.Verify(); err != nil || !algorithmtest.Good(checks) {
				t.Errorf("%s, input to answer: %v, %v", declared, checks, err)
			}
		}
		if got, want := whole.Work().CopiedIn, map[bool]int64{false: 8, true: 8 + 4}[resets]; got != want {
			t.Errorf("%s: %d bytes are copied in; want %d", declared, got, want)
		}
		if err := whole.PostRun(); err != nil {
			t.Fatal(err)
		}
	}
}

// An answer whose size depends on a tunable is compared through its sum; in other
// orders sorted.
func TestReducedAnswers(t *testing.T) {
	d := device(t)
	texts := map[string]string{
		"x.json": `{"algorithm": {"cuda": {"source": "x.cu",
 "arguments": [{"name": "x", "type": "f32", "size": 1000, "fill": {"random": [0, 1]}}, {"name": "part", "type": "f32", "size": "BLOCKS", "use": "output", "compare": "sum"},
  {"name": "back", "type": "i16", "size": 1000, "use": "output", "compare": "sorted"}, {"name": "twice", "type": "f32", "size": 1000, "use": "output", "compare": "norm"}],
 "tunables": [{"name": "BLOCKS", "values": [1, 4, 8]}],
 "kernels": [{"name": "parts", "grid": "BLOCKS", "block": 1}],
 "verify": {"c": {"source": "x.c", "function": "right", "double": true}},
 "versions": [{"name": "parts"}, {"name": "host", "c": {"source": "x.c", "function": "host"}, "tunables": [{"name": "BLOCKS", "values": [1, 2]}, {"name": "SKIP", "values": [1, 5]}], "constraints": ["BLOCKS < 5"]}]}}}`,
		"x.cu": `__global__ void parts(const float *x, float *part, short *back, float *twice) {
    float s = 0;
    for (int i = blockIdx.x; i < 1000; i += gridDim.x) s += x[i], back[999 - i] = (short)(i - 500), twice[i] = -2 * x[i];
    part[blockIdx.x] = s;
}
`,
		"x.c": `void right(const double *x, double *part, int16_t *back, double *twice) {
    for (int i = 0; i < 1000; i++) part[0] += x[i], back[i] = i - 500, twice[i] = 2 * x[i];
}
#ifdef SKIP
void host(const float *x, float *part, int16_t *back, float *twice) {
    for (int b = 0; b < BLOCKS; b++) part[b] = 0;
    for (int i = 0; i < 1000; i += 1) part[i % BLOCKS] += i % SKIP == 0 ? x[i] : 0, back[i] = i - 500, twice[i] = 2 * x[i];
}
#endif
`}
	f := factory(t, files(t, texts))
	one := framework.IntValue(1)
	for _, blocks := range []int64{1, 4, 8} {
		checks, work, err := algorithmtest.Try(f, d, "parts", nil, framework.Values{"BLOCKS": framework.IntValue(blocks)})
		if err != nil || len(checks) != 3 || !algorithmtest.Good(checks) || checks[0].Metric != "part (sum): largest error by largest value" {
			t.Errorf("%d blocks: %v, %v", blocks, checks, err)
		}
		if want := int64(4000 + 2000 + 4000); work.NominalBytes != want {
			t.Errorf("nominal bytes %d; want %d", work.NominalBytes, want)
		}
	}
	for skip, good := range map[int64]bool{1: true, 5: false} {
		checks, _, err := algorithmtest.Try(f, nil, "host", nil, framework.Values{"BLOCKS": framework.IntValue(2), "SKIP": framework.IntValue(skip)})
		if err != nil || algorithmtest.Good(checks) != good {
			t.Errorf("SKIP = %d: %v, %v", skip, checks, err)
		}
	}
	host := f.VersionOn("host", framework.CPU)
	if err := host.Valid(params(f, nil), framework.Values{"BLOCKS": framework.IntValue(7), "SKIP": one}, gpu.Facts{}); err == nil || !strings.Contains(err.Error(), "BLOCKS < 5 does not hold") {
		t.Errorf("the constraint of a C function: %v", err)
	}
	for _, wrong := range []string{"part[blockIdx.x] = s|if (blockIdx.x == 0) part[0] = s", "i - 500)|i - 500 + (i == 7))", "-2 * x[i]|-2 * x[i] + (i == 0)"} {
		old, replacement, _ := strings.Cut(wrong, "|")
		changed := map[string]string{"x.json": texts["x.json"], "x.c": texts["x.c"], "x.cu": strings.Replace(texts["x.cu"], old, replacement, 1)}
		if checks, _, err := algorithmtest.Try(factory(t, files(t, changed)), d, "parts", nil, framework.Values{"BLOCKS": framework.IntValue(4)}); err != nil || algorithmtest.Good(checks) {
			t.Errorf("%s: %v, %v", wrong, checks, err)
		}
	}
}
