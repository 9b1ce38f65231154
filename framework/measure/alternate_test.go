package measure

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
)

// turned is a CPU version that writes its name down with every run.
type turned struct {
	framework.BaseAlgorithm
	name string
	log  *[]string
	busy time.Duration
	err  error
	took []float64 // by its own clock, in seconds
}

func (a *turned) Workers() int { return 1 }
func (a *turned) Run() error {
	*a.log = append(*a.log, a.name)
	start := time.Now()
	for time.Since(start) < a.busy {
	}
	a.took = append(a.took, time.Since(start).Seconds())
	return a.err
}

func TestAlternateTakesTurns(t *testing.T) {
	var log []string
	a, b := &turned{name: "a", log: &log, busy: time.Millisecond}, &turned{name: "b", log: &log, busy: 3 * time.Millisecond}
	m := config.Measure{MinSamples: 6, MinTime: 0, Timeout: 10}
	x, err := NewCPUTimer(m).Alternate(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if len(x.A) != 6 || len(x.B) != 6 || x.BatchA != 1 || x.BatchB != 1 {
		t.Fatalf("%d and %d samples in batches of %d and %d, want 6 and 6 of 1", len(x.A), len(x.B), x.BatchA, x.BatchB)
	}
	// The control is how long the runs took by their own clock: each sample is one of
	// them, but for one that lost the CPU between two clocks.
	for _, c := range []struct {
		samples []float64
		of      *turned
	}{{x.A, a}, {x.B, b}} {
		strange := 0
		for _, s := range c.samples {
			if !slices.ContainsFunc(c.of.took, func(own float64) bool { return s >= own && s < 1.05*own+20e-6 }) {
				strange++
			}
		}
		if strange > 1 {
			t.Errorf("%s: %d of the samples %v are none of its runs %v", c.of.name, strange, c.samples, c.of.took)
		}
	}
	// After the warm-up: a settles, A; b settles, B B; a settles, A A; …; at last each with the clock.
	at := slices.Index(log, "b")
	for at < len(log) && log[at] == "b" {
		at++ // to the end of b's warm-up
	}
	got := strings.Join(log[at:], "")
	if want := "aa" + "bbb" + "aaa" + "bbb" + "aaa" + "bbb" + "aa" + "ab"; got != want {
		t.Errorf("runs %s, want %s", got, want)
	}
}

// TestAlternateBatchesAlike: equal versions have equal batches, whatever the
// fastest run of their warm-up was.
func TestAlternateBatchesAlike(t *testing.T) {
	var log []string
	a, b := &turned{log: &log, busy: 10 * time.Microsecond}, &turned{log: &log, busy: 14 * time.Microsecond}
	x, err := NewCPUTimer(config.Measure{MinSamples: 4, Timeout: 10}).Alternate(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if x.BatchA != x.BatchB || x.BatchA < 2 {
		t.Errorf("batches of %d and %d, want the same, above 1", x.BatchA, x.BatchB)
	}
}

func TestAlternateEnds(t *testing.T) {
	var log []string
	a, b := &turned{log: &log, busy: time.Millisecond}, &turned{log: &log, busy: time.Millisecond}
	start := time.Now() // without its limit it takes 100 s
	x, err := NewCPUTimer(config.Measure{MinSamples: 1 << 20, MinTime: 100, Timeout: 0.05}).Alternate(a, b)
	if err != nil || len(x.A) < 2*leastQuads || time.Since(start) > 50*time.Second {
		t.Errorf("%v after %v with %d samples", err, time.Since(start), len(x.A))
	}
	b.err = errors.New("broke")
	if _, err := NewCPUTimer(config.Measure{MinSamples: 4, Timeout: 1}).Alternate(a, b); err == nil || !strings.Contains(err.Error(), "broke") {
		t.Errorf("a failing run gave %v", err)
	}
}

// TestClockJudge: quads wait until their clock is known; those below the floor
// are dropped, for a bounded time.
func TestClockJudge(t *testing.T) {
	slept := time.Duration(0)
	g := &clockJudge[[4]float64]{floor: 1e9, sleep: func(d time.Duration) { slept += d }}
	quad := [4]float64{1, 2, 3, 4}
	short := func(hz float64) window { return window{cycles: hz * 0.4e-3, seconds: 0.4e-3} }
	for i, want := range []int{0, 0, 3} { // judged when 1 ms is full
		if good, low := g.judge(quad, short(2e9), false); low || len(good) != want {
			t.Errorf("after quad %d: %d good, low %v, want %d", i, len(good), low, want)
		}
	}
	long := window{cycles: 0.5e9 * 2e-3, seconds: 2e-3}
	if good, low := g.judge(quad, long, true); low || len(good) != 1 {
		t.Errorf("a low clock that is to be kept: %d good, low %v", len(good), low)
	}
	var delays []time.Duration
	for range 1000 {
		before := slept
		good, low := g.judge(quad, long, false)
		if !low {
			if len(good) != 1 || g.dropped != len(delays) || g.accepted.hertz() == 0 {
				t.Errorf("%d quads kept at last, %d dropped of %d", len(good), g.dropped, len(delays))
			}
			break
		}
		delays = append(delays, slept-before)
	}
	// 50, 50, 75, 112.5 ms and so on to 500 ms, 3 s or a little more in all.
	if delays[0] != firstDelay || delays[1] != firstDelay || delays[2] != 75*time.Millisecond || delays[len(delays)-1] != longestDelay ||
		slept < longestSleep || slept-delays[len(delays)-1] >= longestSleep {
		t.Errorf("delays %v", delays)
	}
}

func TestTurnsEnd(t *testing.T) {
	long := config.Measure{MinSamples: 5, MinTime: 100, Timeout: 1000}
	for _, c := range []struct {
		m    config.Measure
		ago  float64 // seconds since the start
		done int
		want bool
	}{
		{long, 2000, 0, true}, {long, 2000, 1, true}, {long, 2000, 2, false}, // two quads whatever the limit
		{long, 500, 2, true}, {long, 500, 3, false}, // five samples are three quads
		{long, 50, 1000, true}, {long, 150, 1000, false},
		{config.Measure{MinSamples: 6, Timeout: 1000}, 150, 2, true}, {config.Measure{MinSamples: 6, Timeout: 1000}, 150, 3, false},
	} {
		x := newTurns(c.m)
		x.start = x.start.Add(-time.Duration(c.ago * float64(time.Second)))
		if got := x.more(c.done); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestAlternateBatchesUnlike: a version that takes long enough is not batched
// because another is short.
func TestAlternateBatchesUnlike(t *testing.T) {
	var log []string
	a, b := &turned{log: &log, busy: 5 * time.Microsecond}, &turned{log: &log, busy: time.Millisecond}
	x, err := NewCPUTimer(config.Measure{MinSamples: 4, Timeout: 10}).Alternate(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if x.BatchA < 2 || x.BatchB != 1 {
		t.Errorf("batches of %d and %d, want several and one", x.BatchA, x.BatchB)
	}
}

func TestTimeRuns(t *testing.T) {
	var log []string
	a := &turned{log: &log, busy: 50 * time.Microsecond}
	start := time.Now()
	mean, err := timeRuns(a, 10)
	wall, own := time.Since(start).Seconds(), 0.0
	for _, x := range a.took {
		own += x
	}
	if err != nil || len(log) != 10 || 10*mean < own || 10*mean > wall {
		t.Errorf("%d runs of %v s by their own clock within %v s: mean %v, %v", len(log), own, wall, mean, err)
	}
	if start = time.Now(); settle(a) != nil || time.Since(start) < 500*time.Microsecond {
		t.Errorf("settled within %v", time.Since(start))
	}
}
