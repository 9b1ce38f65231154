package kernel

import (
	"testing"

	"bench/cuda"
	"bench/framework"
	"bench/framework/algorithmtest"
)

func TestDigest(t *testing.T) {
	held := framework.GPURun{Env: framework.Env{Device: device(t)}}
	defer held.PostRun() //nolint:errcheck // the test has ended
	d, err := newDigester(device(t))
	if err != nil {
		t.Fatal(err)
	}
	defer d.close() //nolint:errcheck // the test has ended
	most := 8 * held.Device.Facts().Multiprocessors * digestThreads
	seen := map[uint64]bool{0: true}
	for _, words := range []int{1, 31, digestThreads, digestThreads + 1, most + 7} {
		e, _ := elementNamed("u32")
		v := newVector(e, int64(words))
		list := view[uint32](v)
		for i := range list {
			list[i] = uint32(i) * 0x9e3779b9
		}
		at, err := held.Alloc(int64(4 * words))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name   string
			change func()
		}{
			{"none", func() {}},
			{"first", func() { list[0] ^= 1 }},
			{"middle", func() { list[words/2] ^= 1 << 31 }},
			{"last", func() { list[words-1]++ }},
			{"first two exchanged", func() { list[0], list[min(1, words-1)] = list[min(1, words-1)], list[0]+uint32(1/words) }},
		} {
			c.change()
			if err := cuda.Upload(held.Device, at, list); err != nil {
				t.Fatal(err)
			}
			sum, err := d.of(at, int64(4*words), 0)
			if want := digestOf(v.data); err != nil || sum != want {
				t.Errorf("%d words, changed: %s: %x on the device, %x here, %v", words, c.name, sum, want, err)
			}
			if seen[sum] {
				t.Errorf("%d words, changed: %s: the digest of another array", words, c.name)
			}
			seen[sum] = true
		}
	}
}

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
	if p.onDevice, err = newDigester(device(t)); err != nil {
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
			if err := cuda.Upload(g.Device, g.vectors[spoil]+8, []float32{99}); err != nil {
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
