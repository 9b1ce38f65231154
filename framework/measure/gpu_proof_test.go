package measure

import (
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver/drivertest"
)

// answering runs the test driver's "answer", which writes the numbers from its input on: 0, or 1000 of
// the second set.
type answering struct {
	framework.GPURun
	k      gpu.Kernel
	out    gpu.Pointer
	words  uint64
	cheat  uint64
	cycles uint64
	in     gpu.Pointer
	sets   [2]gpu.Pointer
	first  uint32 // of the answer
}

func (a *answering) PreRun() (err error) {
	if a.out, err = a.Alloc(int64(4 * a.words)); err != nil {
		return err
	}
	a.Output(a.out, int64(4*a.words))
	for i := range a.sets {
		if a.sets[i], err = framework.AllocCopy(&a.GPURun, []uint32{uint32(1000 * i)}); err != nil {
			return err
		}
	}
	if a.in, err = framework.AllocCopy(&a.GPURun, []uint32{0}); err != nil {
		return err
	}
	a.k, err = a.Kernel(gpu.Source{Name: "answer.cu", Text: "answer", Kernels: []string{"answer"}})
	return err
}

func (a *answering) Run() error {
	return a.k.Launch(a.Env.Stream, gpu.Launch{}, a.out, a.words, a.cheat, a.cycles, a.in)
}

func (a *answering) Verify() ([]framework.Check, error) {
	got := make([]uint32, a.words)
	if err := gpu.Download(a.Device, got, a.out); err != nil {
		return nil, err
	}
	c := framework.Check{Metric: "wrong words"}
	for i, x := range got {
		if x != a.first+uint32(i) {
			c.Error++
		}
	}
	return []framework.Check{c}, nil
}

func (a *answering) Work() framework.Work { return framework.Work{} }

func (a *answering) Alternate() (bool, error) { return true, nil }
func (a *answering) Sets() int                { return 2 }

func (a *answering) Use(set int) error {
	a.first = uint32(1000 * set)
	return a.Device.CopyAsync(a.in, a.sets[set], 4, a.Env.Stream)
}

// cheating is an algorithm of 100 us at 1 GHz, verified once, on a timer that proves it.
func cheating(t *testing.T, cheat uint64) (*GPUTimer, *answering) {
	t.Helper()
	timer, alg := unproved(t, cheat)
	end, err := timer.Prove(alg, nil, alg.Verify)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)
	return timer, alg
}

// unproved is cheating's, not yet proved. Of 400 samples some 50 are compared: that none is one of every
// second is as good as impossible.
func unproved(t *testing.T, cheat uint64) (*GPUTimer, *answering) {
	t.Helper()
	runtime.LockOSThread()
	g := drivertest.Build(t).Open(t)
	timer, err := NewGPUTimer(g, config.Measure{MinSamples: 400, MinTime: 0.01, Noise: 0.005, Timeout: 3, ClockFraction: 0.75})
	if err != nil {
		t.Fatal(err)
	}
	alg := &answering{GPURun: framework.GPURun{Env: framework.Env{Device: g, Stream: 7}}, words: 6, cheat: cheat, cycles: 100_000}
	t.Cleanup(func() {
		if err := errors.Join(alg.PostRun(), timer.Close()); err != nil {
			t.Error(err)
		}
		runtime.UnlockOSThread()
	})
	for _, f := range []func() error{alg.PreRun, func() error { return alg.Overwrite(framework.Poison) }, alg.Run} {
		if err := f(); err != nil {
			t.Fatal(err)
		}
	}
	return timer, alg
}

// TestProof: runs that compute are timed as they are, cold and back to back; those that do not,
// each time or now and then, are found.
func TestProof(t *testing.T) {
	timer, alg := cheating(t, 0)
	cold, err := timer.Cold(alg)
	median(t, cold, err, 100e-6)
	hot, err := timer.Hot(alg)
	median(t, hot, err, 100e-6)
	if hot.Overwritten < 99e-6 || hot.Overwritten > 101e-6 {
		t.Errorf("a run whose answer was overwritten takes %v s", hot.Overwritten)
	}
	if p := timer.proofs[alg]; p.compared < 2 || p.varies {
		t.Errorf("%d runs compared, which vary: %v", p.compared, p.varies)
	}

	timer, alg = cheating(t, 9) // reads from a cache what overwriting the answer takes out
	hot, err = timer.Hot(alg)
	median(t, hot, err, 1e-6)
	if hot.Overwritten < 40e-6 {
		t.Errorf("a run that reads from memory takes %v s", hot.Overwritten)
	}

	timer, alg = cheating(t, 1) // not where the answer is there
	cold, err = timer.Cold(alg)
	median(t, cold, err, 100e-6)
	_, err = timer.Hot(alg)
	if idle := (*Idle)(nil); !errors.As(err, &idle) || !strings.Contains(err.Error(), "a run back to back takes 1 µs where it finds the answer of the run before, and ") {
		t.Errorf("a kernel that looks whether the answer is there: %v", err)
	}

	timer, alg = cheating(t, 5) // after many runs no more, until the answer is overwritten
	_, err = timer.Hot(alg)
	if idle := (*Idle)(nil); !errors.As(err, &idle) {
		t.Errorf("a kernel that stops after many runs: %v", err)
	}

	for _, c := range []struct {
		cheat uint64
		hot   bool
		what  string
	}{{2, false, "not every run"}, {2, true, "not every run"}, {3, false, "right by chance"}, {3, true, "right by chance"}, {4, true, "one word is looked at"}} {
		timer, alg := cheating(t, c.cheat)
		series := timer.Cold
		if c.hot {
			series = timer.Hot
		}
		_, err := series(alg)
		var differs *Differs
		var idle *Idle
		if !errors.As(err, &differs) && !(c.cheat == 4 && errors.As(err, &idle)) {
			t.Errorf("%s, hot %v: %v", c.what, c.hot, err)
		}
	}
}

// TestProofOnOtherInputs: runs on either set of inputs are timed as they are; kernels that know
// the answer to one, or that keep it from run to run, are found.
func TestProofOnOtherInputs(t *testing.T) {
	proved := func(cheat uint64) (*GPUTimer, *answering, error) {
		timer, alg := unproved(t, cheat)
		if err := errors.Join(alg.Use(1), alg.Run()); err != nil {
			t.Fatal(err)
		}
		end, err := timer.Prove(alg, alg, alg.Verify)
		if err == nil {
			t.Cleanup(end)
		}
		return timer, alg, err
	}
	timer, alg, err := proved(0)
	if err != nil {
		t.Fatal(err)
	}
	cold, err := timer.Cold(alg)
	median(t, cold, err, 100e-6)
	hot, err := timer.Hot(alg)
	median(t, hot, err, 100e-6)
	if p := timer.proofs[alg]; p.verified[0] == p.verified[1] || p.compared < 2 || p.varies {
		t.Errorf("digests %v of both answers; %d runs compared, which vary: %v", p.verified, p.compared, p.varies)
	}

	timer, alg, err = proved(6)
	if err != nil {
		t.Fatal(err)
	}
	_, err = timer.Hot(alg)
	if idle := (*Idle)(nil); !errors.As(err, &idle) || !idle.Exchanged || math.Abs(idle.Hot-1e-6) > 0.02e-6 || !strings.Contains(err.Error(), " where it finds the inputs of the run before, and ") {
		t.Errorf("a kernel that keeps its answer: %v", err)
	}

	timer, alg, err = proved(0)
	if err != nil {
		t.Fatal(err)
	}
	alg.cheat = 7
	_, err = timer.Cold(alg)
	if differs := (*Differs)(nil); !errors.As(err, &differs) {
		t.Errorf("a kernel that knows one answer: %v", err)
	}
}

// refreshing is an answering that has further inputs.
type refreshing struct {
	*answering
	drawn uint32
	// keeps is set for a kernel that keeps three tenths of its answers, by inputs; falls for a GPU whose clock
	// falls while inputs are drawn.
	keeps, falls bool
	fresh, fell  bool
}

func (a *refreshing) Fresh() error {
	a.drawn++
	a.fresh, a.fell = true, true
	return gpu.Upload(a.Device, a.in, []uint32{2000 + a.drawn})
}

func (a *refreshing) Use(set int) error {
	a.fresh = false
	return a.answering.Use(set)
}

func (a *refreshing) Run() error {
	a.cycles = 100_000
	if a.keeps && !a.fresh {
		a.cycles = 70_000
	}
	if a.falls && a.fell {
		a.cycles = 200_000
	}
	a.fell = false
	return a.answering.Run()
}

// TestProofOnFreshInputs: runs on inputs that none had before leave all as it was; a kernel that
// keeps the answers to both sets is found, cold and back to back, and one that keeps a part of them cold.
func TestProofOnFreshInputs(t *testing.T) {
	const hot, cold = "a run back to back takes 1 µs where it finds the inputs of the run before, and 100 µs", "a cold run takes 1 µs where runs had its inputs before, and 100 µs where none had"
	for _, c := range []struct {
		name      string
		cheat     uint64
		keeps     bool
		falls     bool
		hot, cold string
	}{
		{"honest", 0, false, false, "", ""},
		{"keeps answers", 8, false, false, hot, cold},
		{"keeps some", 0, true, false, "", "a cold run takes 70 µs where runs had its inputs before, and 100 µs where none had"},
		{"after a pause", 0, false, true, "", ""},
	} {
		for name, series := range map[string]func(*GPUTimer, framework.GPUAlgorithm) (*Series, error){"cold": (*GPUTimer).Cold, "hot": (*GPUTimer).Hot} {
			t.Run(c.name+" "+name, func(t *testing.T) {
				timer, known := unproved(t, c.cheat)
				alg := &refreshing{answering: known, keeps: c.keeps, falls: c.falls}
				if err := errors.Join(alg.Use(1), alg.Run()); err != nil {
					t.Fatal(err)
				}
				end, err := timer.Prove(alg, alg, alg.Verify)
				if err != nil {
					t.Fatal(err)
				}
				defer end()
				times, err := series(timer, alg)
				want := map[string]string{"cold": c.cold, "hot": c.hot}[name]
				if idle := (*Idle)(nil); want != "" {
					if !errors.As(err, &idle) || !strings.Contains(err.Error(), want) {
						t.Errorf("%v, want %q", err, want)
					}
					return
				}
				took := 100e-6
				if c.keeps {
					took = 70e-6
				}
				median(t, times, err, took)
				if checks, err := alg.Verify(); err != nil || !checks[0].OK() || alg.drawn < 1 || alg.drawn > 2 {
					t.Errorf("the last answer: %v, %v; inputs were drawn %d times", checks, err, alg.drawn)
				}
			})
		}
	}
}

// TestProofOfTurns: both of two versions that take turns are proved.
func TestProofOfTurns(t *testing.T) {
	for first, second := range map[uint64]uint64{0: 2, 2: 0} {
		timer, a := cheating(t, first)
		b := &answering{GPURun: framework.GPURun{Env: a.Env}, words: a.words, cheat: second, cycles: a.cycles}
		for _, f := range []func() error{b.PreRun, func() error { return b.Overwrite(framework.Poison) }, b.Run} {
			if err := f(); err != nil {
				t.Fatal(err)
			}
		}
		end, err := timer.Prove(b, nil, b.Verify)
		if err != nil {
			t.Fatal(err)
		}
		_, err = timer.Alternate(a, b)
		if differs := (*Differs)(nil); !errors.As(err, &differs) {
			t.Errorf("cheats %d and %d: %v", first, second, err)
		}
		end()
		if err := b.PostRun(); err != nil {
			t.Error(err)
		}
	}
}

// TestProofThatVaries: answers that differ within their bounds are verified in place of compared.
func TestProofThatVaries(t *testing.T) {
	timer, alg := cheating(t, 3)
	verified := 0
	end, err := timer.Prove(alg, nil, func() ([]framework.Check, error) {
		verified++
		return []framework.Check{{Metric: "m", Error: 0.5, Bound: 1}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	cold, err := timer.Cold(alg)
	median(t, cold, err, 100e-6)
	if p := timer.proofs[alg]; !p.varies || verified == 0 {
		t.Errorf("varies: %v, %d verified", p.varies, verified)
	}
}
