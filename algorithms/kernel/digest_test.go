package kernel

import (
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/framework/digest"
	"example.org/bench/gpu"
)

// An answer that is known on the device is judged as it was, and another one, or an input
// that a kernel changed, by the host.
func TestAnswersComparedOnTheDevice(t *testing.T) {
	f := factory(t, files(t, map[string]string{"x.json": axpy("", ""), "x.cu": axpyKernel, "x.c": axpyRight}))
	made, err := f.NewProblem(framework.Env{Seed: 1}, params(f, nil))
	if err != nil {
		t.Fatal(err)
	}
	defer made.Close()
	p := made.(*problem)
	p.digests = true
	if p.onDevice, err = digest.New(device(t)); err != nil {
		t.Fatal(err)
	}
	const x, y = 1, 2 // arguments
	trial := func(spoil int) (g *gpuRun, checks []framework.Check) {
		t.Helper()
		run, err := f.Versions[0].New(framework.Env{Seed: 1, Device: device(t)}, p, framework.Values{"BLOCK": framework.IntValue(32)})
		if err == nil {
			err = run.PreRun()
		}
		if err != nil {
			t.Fatal(err)
		}
		defer run.PostRun() //nolint:errcheck // the simulator's memory
		if err := run.Run(); err != nil {
			t.Fatal(err)
		}
		g = run.(resettingGPU).gpuRun
		if spoil != 0 {
			if err := gpu.Upload(g.Device, g.vectors[spoil]+8, []float32{99}); err != nil {
				t.Fatal(err)
			}
		}
		if checks, err = g.Verify(); err != nil {
			t.Fatal(err)
		}
		return g, checks
	}
	for _, c := range []struct {
		spoil          int
		good, download bool // of y
	}{{0, true, true}, {0, true, false}, {y, false, true}, {y, false, false}, {0, true, true}, {x, false, false}, {0, true, false}} {
		g, checks := trial(c.spoil)
		_, read := g.read[y]
		if algorithmtest.Good(checks) != c.good || read != c.download {
			t.Errorf("argument %d spoilt (0: none): checks %+v; answer downloaded: %v", c.spoil, checks, read)
		}
	}
}
