package measure

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/bench/framework/config"
)

func TestRunsFor(t *testing.T) {
	for _, c := range []struct {
		seconds, measured float64
		n, limit, want    int
	}{
		{10e-3, 1e-3, 1, 100, 10}, {10e-3, 3e-3, 1, 100, 4}, {10e-3, 2e-3, 4, 100, 20}, {10e-3, 1e-3, 1, 7, 7}, {1e-3, 1, 1, 7, 1}, {1e-3, 0, 1, 7, 7},
	} {
		if got := runsFor(c.seconds, c.measured, c.n, c.limit); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// TestWindowOfStamps: a clock that did not move, or went back, tells nothing.
func TestWindowOfStamps(t *testing.T) {
	for _, c := range []struct {
		first, last stamp
		want        window
	}{
		{stamp{100, 1000, 5}, stamp{700, 1400, 5}, window{600, 400e-9}},
		{stamp{100, 1000, 5}, stamp{100, 1400, 5}, window{}}, {stamp{100, 1000, 5}, stamp{99, 1400, 5}, window{}},
		{stamp{100, 1000, 5}, stamp{700, 1000, 5}, window{}}, {stamp{100, 1000, 5}, stamp{700, 999, 5}, window{}},
		{stamp{100, 1000, 4}, stamp{700, 1400, 5}, window{}}, {stamp{100, 1000, 5}, stamp{700, 1400, 4}, window{}},
	} {
		k := smClock{rate: 1, stamps: &[2]stamp{c.first, c.last}, tag: 5}
		if got := k.window(); got != c.want || got.valid() != (c.want.seconds > 0) {
			t.Errorf("%+v to %+v: %+v", c.first, c.last, got)
		}
	}
}

// TestRamp: warming up ends with a clock that is high, or the same twice, after 25 ms;
// without a clock after these, and always after half a second. Windows too short to
// judge by are doubled.
func TestRamp(t *testing.T) {
	at := func(ghz, seconds float64) window { return window{cycles: ghz * 1e9 * seconds, seconds: seconds} }
	type step struct {
		ms   float64
		w    window
		over bool
		runs int // of the next
	}
	for name, steps := range map[string][]step{
		"high at once":              {{24.9, at(1.97, 2e-3), false, 1}, {25, at(1.97, 2e-3), true, 1}},
		"high enough":               {{25, at(0.98*2, 1e-3), true, 1}},
		"not high":                  {{25, at(0.96*2, 1e-3), false, 1}},
		"ramps":                     {{5, at(1, 2e-3), false, 1}, {30, at(1.1, 2e-3), false, 1}, {40, at(1.2, 2e-3), false, 1}, {50, at(1.205, 2e-3), true, 1}},
		"falls and stays":           {{30, at(1.5, 2e-3), false, 1}, {40, at(1.48, 2e-3), false, 1}, {50, at(1.475, 2e-3), true, 1}},
		"steady before 25 ms":       {{5, at(1, 2e-3), false, 1}, {10, at(1, 2e-3), false, 1}, {25, at(1, 2e-3), true, 1}},
		"no clock":                  {{24.9, window{}, false, 1}, {25, window{}, true, 1}},
		"never steady":              {{30, at(1, 2e-3), false, 1}, {499, at(1.2, 2e-3), false, 1}, {500, at(1, 2e-3), true, 1}},
		"too short to judge by":     {{30, at(2, 0.4e-3), false, 2}, {31, at(2, 0.8e-3), false, 4}, {32, at(2, 1e-3), true, 4}},
		"does not get longer":       {{30, at(2, 1e-9), false, 2}, {500, at(2, 1e-9), true, 2}},
		"the same after no windows": {{5, window{}, false, 1}, {30, at(0.001, 2e-3), false, 1}},
	} {
		r := ramp{highest: 2e9, runs: 1}
		for i, x := range steps {
			if over := r.over(time.Duration(x.ms*1e6), x.w); over != x.over || r.runs != x.runs {
				t.Errorf("%s, window %d: over %v, then %d runs; want %v and %d", name, i+1, over, r.runs, x.over, x.runs)
			}
		}
	}
	// A device that was busy moments before is over as soon as its clock is known to be up.
	for name, steps := range map[string][]step{
		"up at once":      {{1, at(1.98, 2e-3), true, 1}},
		"judged as ever":  {{1, at(1.98, 0.6e-3), false, 2}, {2, at(1.98, 1.2e-3), true, 2}},
		"lower, steadily": {{1, at(1.5, 2e-3), false, 1}, {3, at(1.5, 2e-3), true, 1}},
		"rising":          {{1, at(1.2, 2e-3), false, 1}, {3, at(1.5, 2e-3), false, 1}, {5, at(1.95, 2e-3), true, 1}},
		"not to be known": {{5, window{}, false, 1}, {24, window{}, false, 1}, {25, window{}, true, 1}},
	} {
		r := ramp{highest: 2e9, runs: 1, warm: true}
		for i, x := range steps {
			if over := r.over(time.Duration(x.ms*1e6), x.w); over != x.over || r.runs != x.runs {
				t.Errorf("warm, %s, window %d: over %v, then %d runs; want %v and %d", name, i+1, over, r.runs, x.over, x.runs)
			}
		}
	}
	if r := (ramp{highest: 100, runs: 1}); !r.over(25*time.Millisecond, window{cycles: 97, seconds: 1}) {
		t.Error("97 % of the highest clock is not enough")
	}
	r := ramp{highest: 2e9, runs: 2048}
	if r.over(30e6, at(1, 1e-9)) || r.runs != 4096 || r.over(31e6, at(1, 1e-9)) || r.runs != 4096 || !r.over(32e6, at(1, 1e-9)) {
		t.Errorf("%d runs in a window, want at most 4096, which are then judged", r.runs)
	}
}

// TestGPUNotes come once, and what puts every result in doubt comes with all; a timer that was
// not opened can be closed.
func TestGPUNotes(t *testing.T) {
	timer := &GPUTimer{doubt: "late"}
	for _, x := range []int{1, 2, 1} {
		timer.note("note %d", x)
	}
	if got := timer.Notes(); !slices.Equal(got, []string{"note 1", "note 2", "late"}) {
		t.Errorf("%q", got)
	}
	if got := timer.Notes(); !slices.Equal(got, []string{"late"}) {
		t.Errorf("then %q", got)
	}
	if err := timer.Close(); err != nil {
		t.Error(err)
	}
}

// TestWarmsUp for 25 ms a device that did nothing before, in a search as well.
func TestWarmsUp(t *testing.T) {
	_, timer, alg := stub(t)
	timer.Trials, timer.busy = true, time.Time{}
	start, runs := time.Now(), 0
	if err := timer.warmUp(alg.s, func() error { runs++; return alg.Run() }); err != nil || runs == 0 || time.Since(start) < 25*time.Millisecond {
		t.Errorf("%d runs in %v, %v", runs, time.Since(start), err)
	}
	broken := errors.New("broken")
	if err := timer.warmUp(alg.s, func() error { return broken }); err != broken {
		t.Error(err)
	}
}

// TestJudgeAtItsBounds: a clock at the floor is good, and a millisecond is enough
// to judge by.
func TestJudgeAtItsBounds(t *testing.T) {
	for _, c := range []struct {
		hz, seconds float64
		good        int
		low         bool
	}{
		{1e9, 1e-3, 1, false}, {0.99e9, 1e-3, 0, true}, {0.99e9, 0.99e-3, 0, false}, {0, 0, 1, false},
	} {
		g := &clockJudge[int]{floor: 1e9, sleep: func(time.Duration) {}}
		good, low := g.judge(1, window{cycles: c.hz * c.seconds, seconds: c.seconds}, false)
		if len(good) != c.good || low != c.low {
			t.Errorf("%v Hz over %v s: %d good, low %v", c.hz, c.seconds, len(good), low)
		}
	}
	g := &clockJudge[int]{floor: 1e9, sleep: func(time.Duration) {}, slept: longestSleep}
	if good, _ := g.judge(1, window{cycles: 1, seconds: 1}, false); len(good) != 1 || !g.exhausted() {
		t.Error("after the longest sleep samples are dropped still")
	}
}

// collect is a collector at 1 GHz that began some time ago.
func collect(ago time.Duration, m config.Measure) *collector {
	t := &GPUTimer{m: m, clock: &smClock{highest: 1e9}, sleep: func(time.Duration) {}}
	return t.newCollector(newRule(m, ago.Seconds), 1)
}

var anHour = config.Measure{MinSamples: 3, Timeout: 3600, Noise: 1, ClockFraction: 0.75}

func known(seconds float64) sample {
	return sample{seconds: seconds, window: window{cycles: 1e9 * 2e-3, seconds: 2e-3}}
}

// TestCollectorIsPatient: three samples in a row that were let go early are
// taken again.
func TestCollectorIsPatient(t *testing.T) {
	early := known(1e-3)
	early.early = true
	c := collect(0, anHour)
	for i, want := range []struct {
		x       sample
		samples int
	}{
		{early, 0}, {early, 0}, {known(1e-3), 1}, {early, 1}, {early, 1}, {early, 1}, {early, 2},
	} {
		c.add(want.x)
		if len(c.series.Samples) != want.samples || c.latency != (i == 6) {
			t.Errorf("after sample %d: %d kept, latency %v", i, len(c.series.Samples), c.latency)
		}
	}
	c = collect(2*time.Hour, anHour)
	if stop, _ := c.add(early); !stop || len(c.series.Samples) != 1 || !c.latency {
		t.Errorf("after the timeout: stop %v, %+v", stop, c.series)
	}
}

func TestCollectorEnds(t *testing.T) {
	m := anHour
	m.Noise = 1e-9 // never known
	for _, c := range []struct {
		name    string
		ago     time.Duration
		m       config.Measure
		minTime float64
		samples int
		stop    string
	}{
		{"known", time.Second, anHour, 0, 40, "median known within"},
		{"too early to ask", time.Second, anHour, 1800, 40, ""},
		{"not too early", time.Hour / 2, anHour, 1799, 40, "median known within"},
		{"late", 2 * time.Hour, m, 0, 1, "timeout after 3.6e+03 s"},
		{"late before the least time", 2 * time.Hour, m, 3 * 3600, 1, "timeout after 3.6e+03 s: 1 of 3 samples; 7.2e+03 of 1.08e+04 s wall time"},
	} {
		c.m.MinTime = c.minTime
		x, stopped := collect(c.ago, c.m), false
		x.rule.CountWall()
		for i := range c.samples {
			if stopped, _ = x.add(known(1e-3 * (1 + 0.1*float64(i%2)))); stopped {
				break
			}
		}
		s := x.end()
		if stopped != (c.stop != "") || !strings.HasPrefix(s.Stop, c.stop) || s.Converged != (c.stop == "median known within") {
			t.Errorf("%s: stopped %v, %+v", c.name, stopped, *s)
		}
	}
}

// TestLowClockIsTold where samples were kept in spite of it, and only there.
func TestLowClockIsTold(t *testing.T) {
	for _, c := range []struct {
		hz    float64
		slept time.Duration
		told  bool
	}{{0.5e9, longestSleep, true}, {0.75e9, longestSleep, false}, {0.9e9, longestSleep, false}} {
		x := collect(0, anHour)
		x.clock.slept = c.slept
		x.add(sample{seconds: 1, window: window{cycles: c.hz, seconds: 1}})
		s := x.end()
		want := fmt.Sprintf("; kept at an SM clock of %.0f MHz, below 750 MHz", c.hz/1e6)
		if s.ClockHz != c.hz || (s.Stop == want) != c.told || !c.told && s.Stop != "" {
			t.Errorf("%v Hz: %+v", c.hz, *s)
		}
	}
}
