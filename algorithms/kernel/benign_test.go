package kernel

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/gpu/cuda/sim"
	"example.org/bench/gpu/cuda/sim/simtest"
)

// A race in a line that the config declares benign is no mistake, and its reason is kept with the point. Of the
// lines beside it a race stays one.
func TestBenignLines(t *testing.T) {
	const text = `{"algorithm": {"cuda": {"source": "x.cu",
 "arguments": [{"name": "y", "type": "i32", "size": 64, "use": "output"}, {"name": "flag", "type": "i32", "size": 2, "use": "scratch"}],
 "kernels": [{"name": "mark", "grid": 2, "block": 64}], "verify": {"c": {"source": "x.c", "function": "right"}},
 "versions": [{"name": "strict"}, {"name": "lax", "benign": [{"line": "more.h:2", "reason": "any mark will do"}]}, {"name": "beside", "benign": [{"line": "x.cu:4", "reason": "one value"}]}]}}}`
	all := map[string]string{
		"x.json": text,
		"x.cu":   "#include \"more.h\"\nextern \"C\" __global__ void mark(int *y, int *flag) {\n  leave(flag);\n  y[threadIdx.x] = 1;\n}\n",
		"more.h": "__device__ void leave(int *flag) {\n  flag[threadIdx.x % 2] = threadIdx.x;\n}\n",
		"x.c":    "void right(int32_t *y) { for (int i = 0; i < 64; i++) y[i] = 1; }\n",
	}
	f := factory(t, files(t, all))
	d := simtest.Open(t, sim.Checks())
	for version, want := range map[string]string{"strict": "more.h:2", "beside": "more.h:2", "lax": ""} {
		_, _, err := algorithmtest.Try(f, d, version, nil, nil)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "race on global memory")) {
			t.Errorf("version %s: %v", version, err)
		}
	}
	note := ""
	env := framework.Env{Seed: 1, Device: d, Note: func(format string, args ...any) { note += fmt.Sprintf(format, args...) }}
	p, err := f.NewProblem(env, params(f, nil))
	if err != nil {
		t.Fatal(err)
	}
	v := f.Version("lax")
	a, err := v.New(env, p, v.Defaults(params(f, nil), d.Facts()))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(a.PreRun(), a.PostRun()); err != nil {
		t.Error(err)
	}
	p.Close()
	if note != "races in more.h:2, and reads of what was never written, are no mistake: any mark will do" {
		t.Errorf("note %q", note)
	}
}

// So is a read of shared memory that was never written, in such a line: what depends on it is still wrong, for it is NaN.
func TestBenignReads(t *testing.T) {
	const text = `{"algorithm": {"cuda": {"source": "x.cu",
 "arguments": [{"name": "y", "type": "f32", "size": 64, "use": "output"}, {"name": "x", "type": "f32", "size": 64, "fill": {"random": [-1, 1]}}],
 "kernels": [{"name": "shift", "grid": 1, "block": 64}], "verify": {"c": {"source": "x.c", "function": "right"}},
 "versions": [{"name": "strict"}, {"name": "lax", "benign": [{"line": "x.cu:4", "reason": "the value is not used"}]},
  {"name": "used", "benign": [{"line": "x.cu:4", "reason": "the value is not used"}], "defines": {"USED": "1"}}]}}}`
	f := factory(t, files(t, map[string]string{
		"x.json": text,
		"x.cu": `__global__ void shift(float *y, const float *x) {
  __shared__ float now[64], next[64];
  next[threadIdx.x] = x[threadIdx.x];
  float before = now[threadIdx.x];
#ifdef USED
  next[threadIdx.x] += before;
#endif
  now[threadIdx.x] = before;
  y[threadIdx.x] = next[threadIdx.x];
}
`,
		"x.c": "void right(float *y, const float *x) { for (int i = 0; i < 64; i++) y[i] = x[i]; }\n",
	}))
	d := simtest.Open(t, sim.Checks())
	for version, want := range map[string]string{"strict": "x.cu:4: reads what was never written", "lax": "", "used": ""} {
		checks, _, err := algorithmtest.Try(f, d, version, nil, nil)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("version %s: %v", version, err)
		}
		if version != "strict" && (len(checks) != 1 || checks[0].OK() != (version == "lax")) {
			t.Errorf("version %s: %v", version, checks)
		}
	}
}
