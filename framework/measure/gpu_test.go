package measure

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/stats"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver/drivertest"
)

// stubRuns runs the test driver's "work": a number of cycles at 1 GHz, half as
// many where the cache is not flushed.
type stubRuns struct {
	framework.BaseAlgorithm
	k        gpu.Kernel
	s        gpu.Stream
	cycles   uint64
	launches int
	after    func() error
}

func (a *stubRuns) Stream() gpu.Stream { return a.s }
func (a *stubRuns) Run() error {
	for range a.launches {
		if err := a.k.Launch(a.s, gpu.Launch{}, a.cycles); err != nil {
			return err
		}
	}
	if a.after != nil {
		return a.after()
	}
	return nil
}

type stubResets struct {
	*stubRuns
	resets int
	err    error
}

func (a *stubResets) Reset() error { a.resets++; return a.err }

// stub is a timer on a test driver, and an algorithm of one launch of 50 us.
func stub(t *testing.T, macros ...string) (*drivertest.Stub, *GPUTimer, *stubRuns) {
	t.Helper()
	runtime.LockOSThread()
	d := drivertest.Build(t, macros...)
	g := d.Open(t)
	timer, err := NewGPUTimer(g, config.Measure{MinSamples: 10, MinTime: 0.02, Noise: 0.005, Timeout: 3, ClockFraction: 0.75})
	if err != nil {
		t.Fatal(err)
	}
	m, err := g.Compile(gpu.Source{Name: "work.cu", Text: "work"})
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Kernel("work")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := timer.Close(); err != nil {
			t.Error(err)
		}
		runtime.UnlockOSThread()
	})
	return d, timer, &stubRuns{k: k, s: 7, cycles: 50_000, launches: 1}
}

// median fails unless the median of s is want seconds within 1 ns.
func median(t *testing.T, s *Series, err error, want float64) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Samples) < 10 {
		t.Fatalf("%d samples, %s", len(s.Samples), s.Stop)
	}
	if got := stats.Summarize(s.Samples).Median; math.Abs(got-want) > 1e-9 {
		t.Errorf("median %.3f us, want %.3f us", got*1e6, want*1e6)
	}
}

func TestColdFlushesAndHoldsBackTheStream(t *testing.T) {
	d, timer, alg := stub(t)
	if timer.Overhead != 0 {
		t.Errorf("two events with nothing between them are %v s apart", timer.Overhead)
	}
	before, written := d.Get("reads"), d.Get("flushes")
	s, err := timer.Cold(alg)
	// A launch on a stream that is not held back would add 4 us.
	median(t, s, err, 50e-6)
	if n := d.Get("reads") - before; n < int64(len(s.Samples)) || d.Get("flushes") != written || s.Flush != config.FlushClean {
		t.Errorf("%d flushes for %d samples that leave %s lines, %d by memset", n, len(s.Samples), s.Flush, d.Get("flushes")-written)
	}
	if !(s.Launch > 0) || s.Launch > 1e-3 {
		t.Errorf("queueing a run takes the host %v s", s.Launch)
	}
	if !s.Converged || s.Batch != 1 || s.Dropped != 0 || math.Abs(s.ClockHz-1e9) > 1e7 {
		t.Errorf("series %+v", *s)
	}
	if n := timer.Notes(); len(n) > 0 {
		t.Errorf("notes %q", n)
	}
}

func TestHotRepeatsAGraph(t *testing.T) {
	for _, c := range []struct {
		launches, cycles int
		batch            int
	}{
		{1, 50_000, 88},    // 2.2 ms of 25 us: the first batch was sized by a shorter guess
		{1, 2_000, 1000},   // as many nodes as a graph may have
		{20, 2_000, 50},    // the same, of several launches
		{1, 10_000_000, 1}, // longer than a batch
		{1500, 2_000, 1},   // more launches than nodes
	} {
		_, timer, alg := stub(t)
		alg.launches, alg.cycles = c.launches, uint64(c.cycles)
		s, err := timer.Hot(alg)
		median(t, s, err, float64(c.launches*c.cycles)/2*1e-9)
		if s.Batch < c.batch*9/10 || s.Batch > c.batch || !s.Converged {
			t.Errorf("%+v: batch of %d, %s", c, s.Batch, s.Stop)
		}
		if n := timer.Notes(); len(n) > 0 {
			t.Errorf("%+v: notes %q", c, n)
		}
	}
}

func TestHotWithoutGraphs(t *testing.T) {
	_, timer, alg := stub(t, "NO_GRAPHS")
	alg.cycles = 4000
	s, err := timer.Hot(alg)
	median(t, s, err, 2e-6)
	if s.Batch != queuedRuns {
		t.Errorf("batch of %d", s.Batch)
	}
	if n := strings.Join(timer.Notes(), ";"); !strings.Contains(n, "no CUDA graph") || !strings.Contains(n, "not supported by this driver") {
		t.Errorf("notes %q", n)
	}
	if n := timer.Notes(); len(n) > 0 {
		t.Errorf("notes come twice: %q", n)
	}
}

func TestHotWithoutGraphsFitsTheQueue(t *testing.T) {
	d, timer, alg := stub(t, "NO_GRAPHS")
	d.Set("queue", 20) // stamps included
	alg.cycles = 4000
	s, err := timer.Hot(alg)
	median(t, s, err, 2e-6)
	if s.Batch > 16 || s.Batch < 4 { // a loaded machine may halve it once more
		t.Errorf("batch of %d", s.Batch)
	}
}

func TestThrottledSamplesAreDropped(t *testing.T) {
	d, timer, alg := stub(t)
	slept := 0
	timer.sleep = func(time.Duration) { slept++ }
	alg.after = func() error { // once, some time after the warm-up
		if d.Get("low_from_ns") < 0 && d.Get("reads") > 20 {
			d.Set("low_from_ns", d.Get("now_ns"))
			d.Set("low_until_ns", d.Get("now_ns")+10_000_000)
		}
		return nil
	}
	s, err := timer.Cold(alg)
	median(t, s, err, 50e-6)
	if s.Dropped < 10 || slept == 0 {
		t.Errorf("%d dropped, %d rests", s.Dropped, slept)
	}
	for _, x := range s.Samples {
		if x > 90e-6 {
			t.Errorf("a sample of %.1f us ran at half the clock", x*1e6)
			break
		}
	}
	if !s.Converged || s.ClockHz < 0.9e9 {
		t.Errorf("%s, %.0f Hz", s.Stop, s.ClockHz)
	}
}

// TestClockRange is by how much the clock differed from sample to sample.
func TestClockRange(t *testing.T) {
	for low, want := range map[int64]float64{1000: 0, 900: 1. / 9} {
		d, timer, alg := stub(t)
		d.Set("low_mhz", low)
		runs := 0
		alg.after = func() error { // every other run, before its end
			if runs++; runs%2 == 0 {
				d.Set("low_from_ns", 0)
				d.Set("low_until_ns", 1<<62)
			} else {
				d.Set("low_until_ns", 0)
			}
			return nil
		}
		s, err := timer.Cold(alg)
		if err != nil || math.Abs(s.ClockRange-want) > 0.02 {
			t.Errorf("%d MHz every other run: range %v, %v; want %v", low, s.ClockRange, err, want)
		}
	}
}

func TestDeviceThatNeverReachesItsClock(t *testing.T) {
	d, timer, alg := stub(t)
	d.Set("clock_mhz", 500)
	var slept, longest time.Duration
	timer.sleep = func(x time.Duration) { slept += x; longest = max(longest, x) }
	s, err := timer.Cold(alg)
	median(t, s, err, 100e-6)
	if s.Dropped == 0 || !strings.Contains(s.Stop, "kept at an SM clock of 500 MHz, below 750 MHz") {
		t.Errorf("%d dropped, %q", s.Dropped, s.Stop)
	}
	if slept < longestSleep || slept > longestSleep+longestDelay || longest > longestDelay {
		t.Errorf("rested %v, at most %v at once", slept, longest)
	}
}

func TestClockThatCannotBeMeasured(t *testing.T) {
	d, timer, alg := stub(t)
	d.Set("blind", 1)
	s, err := timer.Cold(alg)
	median(t, s, err, 50e-6)
	if s.ClockHz != 0 || s.Dropped != 0 {
		t.Errorf("series %+v", *s)
	}
}

func TestStampsOfAnotherWindowDoNotCount(t *testing.T) {
	_, timer, _ := stub(t)
	c := timer.clock
	good := [2]stamp{{100, 1000, c.tag}, {300, 1200, c.tag}}
	*c.stamps = good
	if hz := c.window().hertz(); math.Abs(hz-1e9) > 1 {
		t.Errorf("200 cycles in 200 ns are %v Hz", hz)
	}
	for _, stale := range []int{first, last} {
		*c.stamps = good
		c.stamps[stale].tag--
		if w := c.window(); w.valid() {
			t.Errorf("stamp %d is of another window: %+v", stale, w)
		}
	}
}

func TestRunLargerThanTheLaunchQueue(t *testing.T) {
	d, timer, alg := stub(t)
	d.Set("queue", 10)
	alg.launches = 50
	timer.m.Timeout = 1
	s, err := timer.Cold(alg)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Samples) == 0 {
		t.Errorf("no samples: %s", s.Stop)
	}
	if n := strings.Join(timer.Notes(), ";"); !strings.Contains(n, "fills the launch queue") {
		t.Errorf("notes %q", n)
	}
}

func TestRunThatWaitsForTheDevice(t *testing.T) {
	_, timer, alg := stub(t)
	alg.after = func() error { return timer.gpu.Synchronize(alg.s) }
	timer.m.Timeout = 0.3
	for _, f := range []func(framework.GPUAlgorithm) (*Series, error){timer.Cold, timer.Hot} {
		s, err := f(alg)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Samples) == 0 {
			t.Errorf("no samples: %s", s.Stop)
		}
		if n := strings.Join(timer.Notes(), ";"); !strings.Contains(n, "waits for the device") {
			t.Errorf("notes %q", n)
		}
	}
}

func TestHoldThatGivesUp(t *testing.T) {
	d, timer, alg := stub(t)
	d.Set("give_up", 1)
	s, err := timer.Cold(alg)
	median(t, s, err, 54e-6) // with the latency of the launch
	if n := strings.Join(timer.Notes(), ";"); !strings.Contains(n, "launch latency") {
		t.Errorf("notes %q", n)
	}
}

func TestFailedRunDoesNotBlockTheDevice(t *testing.T) {
	_, timer, alg := stub(t)
	broken := errors.New("broken")
	begun := timer.gate.ticket
	alg.after = func() error {
		if timer.gate.ticket > begun+3 { // behind the gate of a fourth sample
			return broken
		}
		return nil
	}
	for _, f := range []func(framework.GPUAlgorithm) (*Series, error){timer.Cold, timer.Hot} {
		if _, err := f(alg); !errors.Is(err, broken) {
			t.Errorf("error %v", err)
		}
		if err := timer.gpu.Synchronize(alg.s); err != nil {
			t.Error(err)
		}
	}
}

func TestResetComesBeforeEachRun(t *testing.T) {
	_, timer, alg := stub(t)
	r := &stubResets{stubRuns: alg}
	s, err := timer.Cold(r)
	median(t, s, err, 50e-6)
	if r.resets < len(s.Samples) {
		t.Errorf("%d resets, %d samples", r.resets, len(s.Samples))
	}
	if _, err := timer.Hot(r); !errors.Is(err, ErrNoHot) {
		t.Errorf("hot: %v", err)
	}
	r.err = errors.New("broken")
	if _, err := timer.Cold(r); !errors.Is(err, r.err) {
		t.Errorf("failed reset: %v", err)
	}
}

func TestSustainCountsItsRuns(t *testing.T) {
	d, timer, alg := stub(t)
	before, calls := int64(-1), 0
	runs, seconds, err := timer.Sustain(alg, func(elapsed float64, _ int64) bool {
		if calls++; calls == 1 {
			before = d.Get("launches")
		}
		return calls == 5
	})
	if err != nil {
		t.Fatal(err)
	}
	// Each call follows one more batch.
	batch := (d.Get("launches") - before) / 4
	if batch == 0 || runs != 5*batch || seconds <= 0 {
		t.Errorf("%d runs in %v s, batches of %d", runs, seconds, batch)
	}
	r := &stubResets{stubRuns: alg}
	calls = 0
	if runs, _, err = timer.Sustain(r, func(float64, int64) bool { calls++; return calls == 3 }); err != nil {
		t.Fatal(err)
	}
	if int64(r.resets) < runs || runs < 3 {
		t.Errorf("%d resets, %d runs", r.resets, runs)
	}
	calls, r.resets, before = 0, 0, d.Get("launches")
	runs, _, err = timer.SustainRestoring(r, func(float64, int64) bool { calls++; return calls == 3 })
	if err != nil || int64(r.resets) < runs || runs < 3 || d.Get("launches") != before {
		t.Errorf("restoring alone: %d resets, %d runs, %d launches, %v", r.resets, runs, d.Get("launches")-before, err)
	}
}

func TestHighestClockOfThePowerMode(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "sys/class/devfreq/17000000.gp10b/max_freq")
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte("1122000000\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	facts := gpu.Facts{ClockHz: 1300500000, Integrated: true}
	if hz := highestClock(machine.Tree(root), facts); hz != 1122000000 {
		t.Errorf("Jetson: %v", hz)
	}
	if err := os.WriteFile(file, []byte("0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if hz := highestClock(machine.Tree(root), facts); hz != 1300500000 {
		t.Errorf("Jetson whose limit reads 0: %v", hz)
	}
	if hz := highestClock(machine.Tree(t.TempDir()), facts); hz != 1300500000 {
		t.Errorf("Jetson without devfreq: %v", hz)
	}
	facts.Integrated = false
	if hz := highestClock(machine.Tree(root), facts); hz != 1300500000 {
		t.Errorf("discrete GPU: %v", hz)
	}
}
