package kernel

import (
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/framework/mismatch"
)

func vectorOf(name string, numbers ...float64) vector {
	e, _ := elementNamed(name)
	v := newVector(e, int64(len(numbers))/e.lanes)
	k := 0
	v.typed().set(0, v.parts(), func() float64 { k++; return numbers[k-1] }, func() int64 { k++; return int64(numbers[k-1]) })
	return v
}

// A wrong answer of each type is compared with the right one, of whole numbers exactly.
func TestAnswersOfTypes(t *testing.T) {
	for _, c := range []struct {
		got, want vector
		text      string
	}{
		{vectorOf("f32", 1, 2.5, 3, 14), vectorOf("f64", 1, 2, 3, 4), "2 of 4 elements wrong; first x[1]: got 2.5, want 2; largest error at x[3]: got 14, want 4"},
		{vectorOf("i16", 1, -7), vectorOf("i16", 1, 7), "1 of 2 elements wrong; first x[1]: got -7, want 7"},
		{vectorOf("bf16", 1, -7), vectorOf("f64", 1, 7), "1 of 2 elements wrong; first x[1]: got -7, want 7"},
		{vectorOf("c64", 1, 2, 0, 1), vectorOf("c64", 1, 2, 0, -1), "1 of 2 elements wrong; first x[1]: got (0, 1), want (0, -1)"},
		{vectorOf("f16x2", 1, 2, 0, 1), vectorOf("f64x2", 1, 2, 5, 1), "1 of 2 elements wrong; first x[1]: got (0, 1), want (5, 1)"},
	} {
		a := framework.Answer{Name: "x", Got: c.got.array(), Want: c.want.array(), Most: framework.Evenly(1e-3)}
		if m, err := mismatch.Of(a, nil); err != nil || m.String() != c.text {
			t.Errorf("%v, %v: %v, %v; want %s", c.got.numbers(), c.want.numbers(), m, err, c.text)
		}
	}
}

// A kernel that writes to its input is wrong, though its answer is right; so is a C
// function.
func TestChangedInput(t *testing.T) {
	texts := map[string]string{
		"x.json": axpy(`{"c": {"source": "x.c", "function": "right", "double": true}}`, `, "versions": [{"name": "axpy"}, {"name": "host", "c": {"source": "x.c", "function": "same"}}]`),
		"x.cu":   strings.Replace(axpyKernel, "const float *x, float *y, int n) {\n    int i", "float *x, float *y, int n) {\n    if (blockIdx.x == 1 && threadIdx.x == 3) x[67] += 1, y[67] -= a;\n    int i", 1),
		"x.c":    axpyRight,
	}
	f := factory(t, files(t, texts))
	checks, _, err := algorithmtest.Try(f, device(t), "axpy", nil, nil)
	if err != nil || len(checks) != 2 || !checks[0].OK() || checks[1].OK() || checks[1].Error != 0.01 || !strings.HasPrefix(checks[1].Where, "1 of 100 elements wrong; first x[67]: got ") {
		t.Errorf("a kernel: %+v, %v", checks, err)
	}
	texts["x.c"] = strings.Replace(strings.Replace(axpyRight, "y[i] += a * x[i];\n}\n\"", "", 1), "void same(float a, const float *x, float *y, int n) {\n", "void same(float a, float *x, float *y, int n) {\n x[n - 1] = -x[n - 1], y[n - 1] -= 2 * a * x[n - 1];\n", 1)
	f = factory(t, files(t, texts))
	checks, _, err = algorithmtest.Try(f, nil, "host", nil, nil)
	if err != nil || len(checks) != 2 || checks[1].OK() || !strings.HasPrefix(checks[1].Metric, "x: share of elements changed of an input") {
		t.Errorf("a C function: %+v, %v", checks, err)
	}
}

// What is right at first and wrong later is found by the second verification.
func TestRecheck(t *testing.T) {
	path := files(t, map[string]string{
		"x.json": `{"algorithm": {"cuda": {"source": "x.cu", "arguments": [{"name": "y", "type": "i32", "size": 40, "use": "output", "fill": {"constant": 1}}],
 "kernels": [{"name": "more", "grid": 1, "block": 40}], "verify": {"c": {"source": "x.c", "function": "right"}}}}}`,
		"x.cu": "__global__ void more(int *y) { atomicAdd(y + threadIdx.x, 1); }\n",
		"x.c":  "void right(int *y) { for (int i = 0; i < 40; i++) y[i] = 2; }\n",
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
	if err := run.PreRun(); err != nil {
		t.Fatal(err)
	}
	defer run.PostRun() //nolint:errcheck // the device is closed next
	for i, right := range []bool{true, false} {
		if err := run.Run(); err != nil {
			t.Fatal(err)
		}
		checks, err := run.(framework.Rechecker).Recheck()
		if err != nil || algorithmtest.Good(checks) != right {
			t.Errorf("run %d: %+v, %v", i+1, checks, err)
		}
	}
}
