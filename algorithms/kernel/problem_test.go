package kernel

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/framework/inputs"
)

// An earlier answer is not taken for one that is not written.
func TestUnwrittenAnswer(t *testing.T) {
	d := device(t)
	text := strings.Replace(axpy(`{"c": {"source": "x.c", "function": "right", "double": true}}`, ""), `"use": "in_place", "fill": {"random": [-1, 1]}`, `"use": "output"`, 1)
	kernel := func(body string) string {
		return `extern "C" __global__ void axpy(float a, const float *x, float *y, int n) { int i = blockIdx.x * BLOCK + threadIdx.x; ` + body + " }"
	}
	right := "void right(double a, const double *x, double *y, int n) { for (int i = 0; i < n; i++) y[i] = a * x[i]; }"
	run := func(body, right string) ([]framework.Check, error) {
		f := factory(t, files(t, map[string]string{"x.json": text, "x.cu": kernel(body), "x.c": right}))
		checks, _, err := algorithmtest.Try(f, d, "axpy", nil, nil)
		return checks, err
	}
	if checks, err := run("if (i < n) y[i] = a * x[i];", right); err != nil || !algorithmtest.Good(checks) {
		t.Errorf("every element written: %v, %v", checks, err)
	}
	if checks, err := run("if (i < n && y[i] != y[i]) y[i] = a * x[i];", right); err != nil || !algorithmtest.Good(checks) {
		t.Errorf("outputs do not start as NaN: %v, %v", checks, err)
	}
	if checks, err := run("if (i < n - 1) y[i] = a * x[i];", right); err != nil || algorithmtest.Good(checks) {
		t.Errorf("the last element not written: %v, %v", checks, err)
	}
	if _, err := run("", strings.Replace(right, "i = 0", "i = 1", 1)); err == nil || !strings.Contains(err.Error(), "element 0 of y is not a number") {
		t.Errorf("a reference that leaves an element out: %v", err)
	}
}

// Messages of compilers name the file and its line.
func TestCompilerMessages(t *testing.T) {
	d := device(t)
	texts := map[string]string{"x.json": axpy("", ""), "x.cu": strings.Replace(axpyKernel, "a * x[i]", "b * x[i]", 1), "x.c": axpyRight}
	f := factory(t, files(t, texts))
	if _, _, err := algorithmtest.Try(f, d, "axpy", nil, nil); err == nil || !strings.Contains(err.Error(), "x.cu:3:") {
		t.Errorf("kernel: %v", err)
	}
	texts["x.cu"], texts["x.c"] = axpyKernel, strings.Replace(axpyRight, "a * x[i]", "b * x[i]", 1)
	f = factory(t, files(t, texts))
	if _, _, err := algorithmtest.Try(f, d, "axpy", nil, nil); err == nil || !strings.Contains(err.Error(), "x.c:2:") {
		t.Errorf("C function: %v", err)
	}
	texts["x.c"] = "#define NUMBER int\n" + strings.Replace(axpyRight, "const double *x", "const NUMBER *x", 1)
	f = factory(t, files(t, texts))
	if _, _, err := algorithmtest.Try(f, d, "axpy", nil, nil); err == nil || !strings.Contains(err.Error(), "the call of right:1:") {
		t.Errorf("C function of other types: %v", err)
	}
}

// The seed fixes the inputs; vectors of one problem differ.
func TestRandomVectors(t *testing.T) {
	draw := func(name string, seed, stream uint64) vector {
		e, _ := elementNamed(name)
		v := newVector(e, 3*inputs.Block+5)
		v.random(-2, 3, seed, stream)
		return v
	}
	for _, e := range elements {
		if e.name[0] == 'u' {
			continue
		}
		a := draw(e.name, 1, 0)
		if string(a.data) != string(draw(e.name, 1, 0).data) {
			t.Errorf("%s: one seed gives two vectors", e.name)
		}
		for _, other := range []vector{draw(e.name, 2, 0), draw(e.name, 1, 1)} {
			if string(a.data) == string(other.data) {
				t.Errorf("%s: another seed or argument gives the same vector", e.name)
			}
		}
		seen := map[float64]bool{}
		least, greatest := 9.0, -9.0
		for _, x := range a.numbers() {
			seen[x] = true
			least, greatest = min(least, x), max(greatest, x)
		}
		if e.isFloat() && (least < -2 || least > -1.99 || greatest > 3 || greatest < 2.99) || !e.isFloat() && (len(seen) != 6 || least != -2 || greatest != 3) {
			t.Errorf("%s: %d numbers from %g to %g; want all from -2 to 3", e.name, len(seen), least, greatest)
		}
	}
}

// Versions share a problem: each one's answer is judged, in any order.
func TestVersionsOfOneProblem(t *testing.T) {
	d := device(t)
	text := axpy("", `, "versions": [{"name": "a"}, {"name": "b", "kernels": [{"name": "wrong", "grid": 1, "block": 32}]}]`)
	kernels := axpyKernel + `extern "C" __global__ void wrong(float a, const float *x, float *y, int n) { for (int i = threadIdx.x; i < n - 1; i += 32) y[i] += a * x[i]; }`
	f := factory(t, files(t, map[string]string{"x.json": text, "x.cu": kernels, "x.c": axpyRight}))
	p := params(f, nil)
	env := framework.Env{Seed: 1, Device: d, Note: func(string, ...any) {}}
	problem, err := f.NewProblem(env, p)
	if err != nil {
		t.Fatal(err)
	}
	defer problem.Close()
	for i, name := range []string{"a", "b", "a", "a", "b", "b"} {
		v := f.Version(name)
		a, err := v.New(env, problem, v.Defaults(p, d.Facts()))
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(a.PreRun(), a.(framework.Resetter).Reset(), a.Run()); err != nil {
			t.Fatal(err)
		}
		checks, err := a.Verify()
		if err != nil || algorithmtest.Good(checks) != (name == "a") {
			t.Errorf("run %d, of %s: %v, %v", i, name, checks, err)
		}
		if err := a.PostRun(); err != nil {
			t.Error(err)
		}
	}
}

// Where nothing is verified, the point says so.
func TestNothingVerified(t *testing.T) {
	d := device(t)
	f := factory(t, files(t, map[string]string{"x.json": axpy(`{"none": "there is no other answer"}`, ""), "x.cu": axpyKernel}))
	p := params(f, nil)
	note := ""
	env := framework.Env{Seed: 1, Device: d, Note: func(format string, args ...any) { note = fmt.Sprintf(format, args...) }}
	problem, err := f.NewProblem(env, p)
	if err != nil {
		t.Fatal(err)
	}
	defer problem.Close()
	a, err := f.Versions[0].New(env, problem, f.Versions[0].Defaults(p, d.Facts()))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(a.PreRun(), a.Run()); err != nil {
		t.Fatal(err)
	}
	if checks, err := a.Verify(); err != nil || len(checks) != 0 || note != "the answer is not verified: there is no other answer" {
		t.Errorf("got %v, %v, note %q", checks, err, note)
	}
	if err := a.PostRun(); err != nil {
		t.Error(err)
	}
}

// Without a C compiler the versions in C are not available, and verification by a
// C function fails; both say how to get one.
func TestNoCCompiler(t *testing.T) {
	t.Setenv("CC", "no-such-compiler")
	text := axpy("", `, "versions": [{"name": "axpy"}, {"name": "host", "c": {"source": "x.c", "function": "same"}}]`)
	f := factory(t, files(t, map[string]string{"x.json": text, "x.cu": axpyKernel, "x.c": axpyRight}))
	const want = "the C compiler no-such-compiler is not found; get one with: apt-get install gcc"
	if err := f.Version("host").Available(); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("available: %v", err)
	}
	if _, _, err := algorithmtest.Try(f, device(t), "axpy", nil, nil); err == nil || !strings.Contains(err.Error(), "the right answer: "+want) {
		t.Errorf("verify: %v", err)
	}
}

// A program that fails is quoted.
func TestFailingProgram(t *testing.T) {
	d := device(t)
	for script, want := range map[string]string{
		"echo no right answer for $1 >&2; exit 3": "exit status 3: no right answer for /",
		"exit 0":                          "y.right.npy: no such file",
		"printf abc > \"$1/y.right.npy\"": "y.right.npy holds 3 bytes; 100 elements of f32 are 400",
	} {
		f := factory(t, files(t, map[string]string{"x.json": axpy(`{"program": ["sh", "right.sh"]}`, ""), "x.cu": axpyKernel, "right.sh": script}))
		if _, _, err := algorithmtest.Try(f, d, "axpy", nil, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v; want %s", script, err, want)
		}
	}
}
