package kernel

import (
	"testing"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// TestOverwritten: of a kernel's vectors those are told that overwriting writes, outputs and scratch, and no other.
func TestOverwritten(t *testing.T) {
	d := device(t)
	f := factory(t, files(t, map[string]string{"x.json": `{"algorithm": {"cuda": {"name": "five", "source": "x.cu",
 "arguments": [
  {"name": "x", "type": "f32", "size": 100, "fill": {"constant": 1}},
  {"name": "y", "type": "f32", "size": 200, "use": "in_place", "fill": {"constant": 1}},
  {"name": "z", "type": "f32", "size": 300, "use": "output"},
  {"name": "part", "type": "i32", "size": 400, "use": "scratch"},
  {"name": "n", "type": "i32", "value": 100}],
 "verify": {"none": "nothing is computed"},
 "versions": [{"name": "five", "kernels": [{"name": "five", "grid": "1", "block": "32"}]}]}}}`,
		"x.cu": `extern "C" __global__ void five(const float *x, float *y, float *z, int *part, int n) {}`}))
	env := framework.Env{Device: d, Seed: 1, Note: func(string, ...any) {}}
	made, err := f.NewProblem(env, params(f, nil))
	if err != nil {
		t.Fatal(err)
	}
	defer made.Close()
	version, err := f.Versions[0].New(env, made, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer version.PostRun() //nolint:errcheck // nothing was launched
	if err := version.PreRun(); err != nil {
		t.Fatal(err)
	}
	run := version.(framework.MemoryOverwriter)
	told := run.Overwritten()
	if len(told) != 2 || told[0].Bytes != 4*300 || told[1].Bytes != 4*400 {
		t.Fatalf("%+v are overwritten", told)
	}
	if err := run.Overwrite(0x5a); err != nil {
		t.Fatal(err)
	}
	for _, x := range told {
		got := make([]byte, x.Bytes)
		if err := gpu.Download(d, got, x.At); err != nil {
			t.Fatal(err)
		}
		for i, b := range got {
			if b != 0x5a {
				t.Fatalf("byte %d of %d is %#x", i, x.Bytes, b)
			}
		}
	}
}
