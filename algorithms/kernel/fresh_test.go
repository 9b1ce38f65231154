package kernel

import (
	"bytes"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

const freshConfig = `{"algorithm": {"cuda": {
 "source": "x.cu",
 "params": [{"name": "N", "default": 100}],
 "arguments": [
  {"name": "x", "type": "f32", "size": "N", "fill": {"random": [-1, 1]}},
  {"name": "y", "type": "f32", "size": "N", "use": "in_place", "fill": {"random": [-1, 1]}}],
 "constants": [{"name": "factors", "type": "f32", "size": "N", "fill": {"random": [1, 2]}}],
 "kernels": [{"name": "add", "grid": 1, "block": 100}],
 "verify": {"c": {"source": "x.c", "function": "right"}, "tolerance": 1e-6}}}}`

// TestFreshInputsOfAGPU: vectors, in-place ones too, and constants hold others each time, and the two sets come back.
func TestFreshInputsOfAGPU(t *testing.T) {
	f := factory(t, files(t, map[string]string{"x.json": freshConfig,
		"x.cu": "__constant__ float factors[100];\nextern \"C\" __global__ void add(const float *x, float *y) { int i = threadIdx.x; y[i] += factors[i] * x[i]; }\n",
		"x.c":  "void right(const float *x, float *y, const float *f) { for (int i = 0; i < 100; i++) y[i] += f[i] * x[i]; }\n"}))
	env := framework.Env{Seed: 1, Device: device(t), Note: func(string, ...any) {}}
	made, err := f.NewProblem(env, params(f, nil))
	if err != nil {
		t.Fatal(err)
	}
	defer made.Close()
	version, err := f.Versions[0].New(env, made, nil)
	if err != nil {
		t.Fatal(err)
	}
	run := version.(resettingGPU)
	defer run.PostRun()
	if err := run.PreRun(); err != nil {
		t.Fatal(err)
	}
	if there, err := run.Alternate(); !there || err != nil {
		t.Fatalf("other inputs: %v, %v", there, err)
	}
	var had [][]byte // x, y and factors by set
	holds := func(what string) {
		t.Helper()
		places := map[string][]byte{}
		for i, name := range []string{"x", "y"} {
			v, err := run.answer(i)
			if err != nil {
				t.Fatal(err)
			}
			places[name] = bytes.Clone(v.data)
		}
		constant := make([]byte, run.globals[0].bytes)
		if err := gpu.Download(run.Device, constant, run.globals[0].at); err != nil {
			t.Fatal(err)
		}
		places["factors"] = constant
		for name, content := range places {
			for _, old := range had {
				if bytes.Equal(old, content) {
					t.Errorf("%s: %s holds what it held before", what, name)
				}
			}
			had = append(had, content)
		}
	}
	holds("the first set")
	if err := run.Use(1); err != nil {
		t.Fatal(err)
	}
	holds("the second set")
	for range 2 {
		if err := run.Fresh(); err != nil {
			t.Fatal(err)
		}
		holds("a fresh set")
		if err := run.Run(); err != nil {
			t.Fatal(err)
		}
	}
	for set := range 2 {
		if err := run.Use(set); err != nil {
			t.Fatal(err)
		}
		if err := run.Run(); err != nil {
			t.Fatal(err)
		}
		if checks, err := run.Verify(); err != nil || !checks[0].OK() {
			t.Errorf("set %d after fresh ones: %v, %v", set, checks, err)
		}
	}
}

// TestFreshInputsOfAFunction: a C function's answers to drawn inputs are verified, of arguments in place and of outputs that
// hold something, too, after its answer was overwritten; others are wrong, and no set is drawn twice by two instances.
func TestFreshInputsOfAFunction(t *testing.T) {
	f := factory(t, files(t, map[string]string{"x.json": `{"algorithm": {"cuda": {
 "params": [{"name": "N", "default": 100}],
 "arguments": [
  {"name": "x", "type": "f32", "size": "N", "use": "in_place", "fill": {"random": [-1, 1]}},
  {"name": "y", "type": "f32", "size": "N", "use": "output", "fill": {"random": [-1, 1]}},
  {"name": "z", "type": "f32", "size": "N", "use": "output"}],
 "verify": {"c": {"source": "x.c", "function": "add"}, "tolerance": 1e-6},
 "versions": [{"name": "add", "c": {"source": "x.c", "function": "add"}}]}}}`,
		"x.c": "void add(float *x, float *y, float *z) { for (int i = 0; i < 100; i++) { x[i] += 1; y[i] += x[i]; z[i] = y[i]; } }\n"}))
	env := framework.Env{Seed: 1, Note: func(string, ...any) {}}
	made, err := f.NewProblem(env, params(f, nil))
	if err != nil {
		t.Fatal(err)
	}
	defer made.Close()
	right := func(checks []framework.Check, err error) bool {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range checks {
			if !c.OK() {
				return false
			}
		}
		return len(checks) > 0
	}
	drawn := map[int]bool{}
	for range 2 {
		version, err := f.Versions[0].New(env, made, nil)
		if err != nil {
			t.Fatal(err)
		}
		run := version.(resettingCPU)
		defer run.PostRun()
		if err := run.PreRun(); err != nil {
			t.Fatal(err)
		}
		step := func(steps ...func() error) {
			t.Helper()
			for _, s := range steps {
				if err := s(); err != nil {
					t.Fatal(err)
				}
			}
		}
		poison := func() error { return run.Overwrite(framework.Poison) }
		for range 3 {
			step(run.Fresh, poison, run.Reset, run.Run)
			if !right(run.VerifyFresh()) {
				t.Error("the answer to drawn inputs is wrong")
			}
			if right(run.Recheck()) {
				t.Error("the answer to drawn inputs is that to those before")
			}
			if drawn[run.drawn] {
				t.Errorf("set %d was drawn twice", run.drawn)
			}
			drawn[run.drawn] = true
		}
		step(run.Fresh, poison, run.Reset)
		if right(run.VerifyFresh()) {
			t.Error("no answer is right")
		}
		step(func() error { return run.Use(0) }, poison, run.Reset, run.Run)
		if !right(run.Recheck()) || !right(run.VerifyFresh()) {
			t.Error("the answer to the inputs before is wrong")
		}
	}
}
