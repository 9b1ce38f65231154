package measure

import (
	"errors"
	"math"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/stats"
)

// work is a CPU version for tests.
type work struct {
	workers int
	run     func() error
	runs    int
}

func (w *work) PreRun() error                      { return nil }
func (w *work) Run() error                         { w.runs++; return w.run() }
func (w *work) Verify() ([]framework.Check, error) { return nil, nil }
func (w *work) PostRun() error                     { return nil }
func (w *work) Work() framework.Work               { return framework.Work{} }
func (w *work) Workers() int                       { return w.workers }

// consuming is a version whose run uses up its input.
type consuming struct {
	work
	fresh  bool
	resets int
}

func (c *consuming) Reset() error {
	time.Sleep(time.Millisecond)
	c.fresh = true
	c.resets++
	return nil
}

// spin keeps the CPU busy for d.
func spin(d time.Duration) func() error {
	return func() error {
		for start := time.Now(); time.Since(start) < d; {
		}
		return nil
	}
}

var quick = config.Measure{MinSamples: 10, MinTime: 0.02, Noise: 0.05, Timeout: 5}

func TestHotTimesKnownWork(t *testing.T) {
	for _, d := range []time.Duration{2 * time.Microsecond, 200 * time.Microsecond, 5 * time.Millisecond} {
		// The control is how long each run took by its own clock: another program
		// may have taken the CPU from it.
		var own []float64
		w := &work{workers: 1, run: func() error {
			start := time.Now()
			err := spin(d)()
			own = append(own, time.Since(start).Seconds())
			return err
		}}
		s, err := NewCPUTimer(quick).Hot(w)
		if err != nil {
			t.Fatal(err)
		}
		sum := stats.Summarize(s.Samples)
		own = own[len(own)-s.Batch*len(s.Samples):] // without the warm-up
		beyond := math.Inf(1)                       // of a sample beyond its runs' own times, at the least
		for i, sample := range s.Samples {
			runs := 0.0
			for _, x := range own[i*s.Batch : (i+1)*s.Batch] {
				runs += x
			}
			beyond = min(beyond, (sample-200e-9)*float64(s.Batch)/runs-1)
		}
		// The work cannot end early; a run ends late by up to one clock reading.
		if sum.Min < d.Seconds() || beyond > 0.1 {
			t.Errorf("%v of work timed as %v s, %v of its own time beyond it (batch %d, %s)", d, sum.Min, beyond, s.Batch, s.Stop)
		}
		if shortest := sum.Min * float64(s.Batch); shortest < leastSample*0.9 {
			t.Errorf("%v of work: sample of %d runs lasts %v s, want at least %v", d, s.Batch, shortest, leastSample)
		}
		if d > 50*time.Microsecond && s.Batch != 1 {
			t.Errorf("%v of work in batches of %d", d, s.Batch)
		}
		if s.Stop == "" || len(s.Samples) < quick.MinSamples && !strings.HasPrefix(s.Stop, "timeout") {
			t.Errorf("series of %d samples ended by %q", len(s.Samples), s.Stop)
		}
	}
}

// TestWarmUp: at least two runs, and at least a tenth of a second.
func TestWarmUp(t *testing.T) {
	for d, most := range map[time.Duration]int{time.Millisecond: 1 << 30, 120 * time.Millisecond: 2} {
		w := &work{workers: 1, run: func() error { time.Sleep(d); return nil }}
		start := time.Now()
		fastest, err := NewCPUTimer(quick).warmUp(w)
		if err != nil || w.runs < 2 || w.runs > most || time.Since(start).Seconds() < warmUpTime || fastest < d.Seconds() {
			t.Errorf("runs of %v: %d in %v, the fastest %v s, %v", d, w.runs, time.Since(start), fastest, err)
		}
	}
}

// TestWarmUpAfterTurns: who was busy moments before warms up for less time, but not longer ago,
// nor on more processors.
func TestWarmUpAfterTurns(t *testing.T) {
	one := &work{workers: 1, run: spin(100 * time.Microsecond)}
	warmed := func(w Warm, alg framework.CPUAlgorithm) time.Duration {
		timer := NewCPUTimer(quick)
		timer.Warm = w
		start := time.Now()
		if _, err := timer.warmUp(alg); err != nil {
			t.Fatal(err)
		}
		return time.Since(start)
	}
	const whole = time.Duration(warmUpTime * float64(time.Second))
	shortest := whole
	for range 20 { // a busy machine lengthens some
		shortest = min(shortest, warmed(Warm{time.Now(), 1}, one))
	}
	if shortest >= whole {
		t.Errorf("a busy processor warms up for %v", shortest)
	}
	for name, w := range map[string]Warm{"never": {}, "long ago": {time.Now().Add(-2 * staysWarm), 1}} {
		if got := warmed(w, one); got < whole {
			t.Errorf("%s: %v; want %v", name, got, whole)
		}
	}
	two := &work{workers: 2, run: one.run}
	if got := warmed(Warm{time.Now(), 1}, two); got < whole {
		t.Errorf("on more processors: %v; want %v", got, whole)
	}
}

// TestFailuresAreTold that come once: while it warms up, or as inputs are
// restored.
func TestFailuresAreTold(t *testing.T) {
	w := &work{workers: 1}
	w.run = func() error {
		if w.runs == 1 {
			return errors.New("broken")
		}
		return spin(100 * time.Microsecond)()
	}
	if s, err := NewCPUTimer(quick).Hot(w); err == nil || err.Error() != "run: broken" {
		t.Errorf("a run that fails while it warms up: %+v, %v", s, err)
	}
	for _, after := range []time.Duration{0, 120 * time.Millisecond} {
		r := &unreset{work: work{workers: 1, run: spin(10 * time.Microsecond)}, start: time.Now(), after: after}
		if s, err := NewCPUTimer(config.Measure{MinSamples: 10, MinTime: 10, Noise: 0.05, Timeout: 20}).Hot(r); err == nil || err.Error() != "reset: broken" {
			t.Errorf("inputs that cannot be restored after %v: %+v, %v", after, s, err)
		}
		if _, _, err := NewCPUTimer(quick).Sustain(r, func(float64, int64) bool { return false }); err == nil || err.Error() != "reset: broken" {
			t.Errorf("inputs that cannot be restored after %v, sustained: %v", after, err)
		}
	}
}

// unreset cannot restore its inputs any more after some time.
type unreset struct {
	work
	start time.Time
	after time.Duration
}

func (u *unreset) Reset() error {
	if time.Since(u.start) >= u.after {
		return errors.New("broken")
	}
	return nil
}

func TestSustainRestoring(t *testing.T) {
	c := &consuming{}
	c.work = work{workers: 1, run: func() error { return nil }}
	calls := 0
	runs, seconds, err := NewCPUTimer(quick).SustainRestoring(c, func(float64, int64) bool { calls++; return calls == 3 })
	if err != nil || c.runs != 0 || int64(c.resets) != runs || runs < 3 || seconds <= 0 {
		t.Errorf("%d runs, %d resets of %d, in %v s, %v", c.runs, c.resets, runs, seconds, err)
	}
}

func TestHotRestoresInputsUntimed(t *testing.T) {
	c := &consuming{}
	stale := 0
	c.work = work{workers: 1, run: func() error {
		if !c.fresh {
			stale++
		}
		c.fresh = false
		return spin(20 * time.Microsecond)()
	}}
	s, err := NewCPUTimer(quick).Hot(c)
	if err != nil {
		t.Fatal(err)
	}
	if stale > 0 || c.resets != c.runs {
		t.Errorf("%d of %d runs started from used inputs (%d resets)", stale, c.runs, c.resets)
	}
	if s.Batch != 1 {
		t.Errorf("inputs cannot be restored within a batch of %d", s.Batch)
	}
	if fastest := stats.Summarize(s.Samples).Min; fastest > 0.5e-3 {
		t.Errorf("20 us of work timed as %v s: the 1 ms of reset is within", fastest)
	}
}

func TestHotLeavesProcessAsItWas(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(150))
	before := [3]int64{int64(runtime.GOMAXPROCS(0)), gcPercent(), debug.SetMemoryLimit(-1)}
	var during [2]int64
	limit := int64(0)
	w := &work{workers: 1}
	w.run = func() error {
		if w.runs == 1 {
			during, limit = [2]int64{int64(runtime.GOMAXPROCS(0)), gcPercent()}, debug.SetMemoryLimit(-1)
		}
		return spin(100 * time.Microsecond)()
	}
	if _, err := NewCPUTimer(quick).Hot(w); err != nil {
		t.Fatal(err)
	}
	if during != [2]int64{1, -1} {
		t.Errorf("while timing one worker GOMAXPROCS and GC percent are %v, want 1 and -1", during)
	}
	if limit < spareBytes || limit > spareBytes+1<<40 {
		t.Errorf("while timing %d bytes may be used before the garbage collector runs", limit)
	}
	after := [3]int64{int64(runtime.GOMAXPROCS(0)), gcPercent(), debug.SetMemoryLimit(-1)}
	if before != after {
		t.Errorf("GOMAXPROCS, GC percent, memory limit were %v, are %v", before, after)
	}
	failing := &work{workers: 1, run: func() error { return errors.New("broken") }}
	if _, err := NewCPUTimer(quick).Hot(failing); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Errorf("a failing run gave error %v", err)
	}
	if now := [3]int64{int64(runtime.GOMAXPROCS(0)), gcPercent(), debug.SetMemoryLimit(-1)}; now != before {
		t.Errorf("after a failing run: %v, want %v", now, before)
	}
}

// TestPrepare leaves processors to the version's workers and to the tool's own threads.
func TestPrepare(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	for _, c := range [][3]int{{1, 0, 1}, {1, 1, 2}, {3, 2, 5}, {0, 1, len(machine.AllowedCPUs()) + 1}} { // workers, spare
		_, restore := prepare(c[0], c[1])
		during := runtime.GOMAXPROCS(0)
		if restore(); during != c[2] || runtime.GOMAXPROCS(0) != before {
			t.Errorf("%d workers and %d beside: %d processors, then %d of %d", c[0], c[1], during, runtime.GOMAXPROCS(0), before)
		}
	}
	if got := held(&runtime.MemStats{Sys: 100, HeapReleased: 30}); got != 70 {
		t.Errorf("%d of 100 bytes held, 30 are released", got)
	}
}

func gcPercent() int64 {
	p := debug.SetGCPercent(100)
	debug.SetGCPercent(p)
	return int64(p)
}

func TestSustainCountsRunsAndTime(t *testing.T) {
	for _, d := range []time.Duration{20 * time.Microsecond, 3 * time.Millisecond} {
		w := &work{workers: 1, run: spin(d)}
		start := time.Now()
		before, most := 0, 0 // runs at the last question, and between two
		runs, seconds, err := NewCPUTimer(quick).Sustain(w, func(elapsed float64, _ int64) bool {
			before, most = w.runs, max(most, w.runs-before)
			return elapsed >= 0.1
		})
		wall := time.Since(start).Seconds()
		if err != nil {
			t.Fatal(err)
		}
		if runs != int64(w.runs) {
			t.Errorf("%d runs reported, %d done", runs, w.runs)
		}
		if seconds < 0.1 || seconds > wall || float64(runs)*d.Seconds() > seconds {
			t.Errorf("%d runs of %v in %v s of %v s wall", runs, d, seconds, wall)
		}
		if atMost := int(max(1, time.Millisecond/d)); most > atMost {
			t.Errorf("stop was asked after %d runs of %v, want each millisecond, after at most %d", most, d, atMost)
		}
	}
	// Short runs are not asked about one by one.
	short, asked := &work{workers: 1, run: func() error { return nil }}, 0
	if runs, _, err := NewCPUTimer(quick).Sustain(short, func(elapsed float64, _ int64) bool { asked++; return elapsed >= 0.05 }); err != nil || runs < 20*int64(asked) {
		t.Errorf("asked %d times about %d runs, %v", asked, runs, err)
	}
	_, _, err := NewCPUTimer(quick).Sustain(&work{workers: 1, run: func() error { return errors.New("broken") }}, func(float64, int64) bool { return false })
	if err == nil || !strings.Contains(err.Error(), "broken") {
		t.Errorf("a failing run gave error %v", err)
	}
}

func TestClockResolution(t *testing.T) {
	if r := clockResolution(); !(r > 0) || r > 1e-3 {
		t.Errorf("clock resolution %v s", r)
	}
}

func TestBatchReachesLeastSample(t *testing.T) {
	timer := &CPUTimer{resolution: 1e-9}
	for run, want := range map[float64]int{1e-3: 1, 50e-6: 1, 25e-6: 2, 1.01e-6: 50, 0: 50000} {
		if got := timer.batch(run); got != want {
			t.Errorf("runs of %v s: batch %d, want %d", run, got, want)
		}
	}
	coarse := &CPUTimer{resolution: 1e-6}
	if got := coarse.batch(100e-6); got != 5 {
		t.Errorf("runs of 100 us with a clock of 1 us: batch %d, want 5", got)
	}
}
