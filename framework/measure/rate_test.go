package measure

import (
	"errors"
	"math"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
)

// virtualPacer is a pacer on a virtual clock. Each wait ends late by what late says.
type virtualPacer struct {
	c     *virtualClock
	late  func() float64 // seconds; nil: on time
	rests int
}

func (p *virtualPacer) now() int64 { return int64(math.Round(p.c.t * nano)) }
func (p *virtualPacer) until(at int64) {
	wake := float64(at) / nano
	if p.late != nil {
		wake += p.late()
	}
	p.c.sleep(wake - p.c.t)
}
func (p *virtualPacer) rest(int64) { p.rests++ }

// took is a job whose runs take what it says, in seconds, by their number.
func took(c *virtualClock, seconds func(run int) float64) Job {
	n := -1
	return Job{Run: func() error { n++; c.sleep(seconds(n)); return nil }}
}

func always(seconds float64) func(int) float64 { return func(int) float64 { return seconds } }

// planted is a run of 0.2 ms that pauses for 5 ms every thousandth time.
func planted(n int) float64 {
	if n%1000 == 999 {
		return 5.2e-3
	}
	return 0.2e-3
}

func isNear(x, want float64) bool { return math.Abs(x-want) <= 0.002*want }

// TestOverrunMovesNoRelease: what waits for a long run is late by as much, and releases
// stay where they were.
func TestOverrunMovesNoRelease(t *testing.T) {
	c := &virtualClock{t: 3}
	long := func(n int) float64 {
		if n == 15 { // of ten in the lead-in
			return 3.5e-3
		}
		return 0.5e-3
	}
	x, err := releases(&virtualPacer{c: c}, took(c, long), Rate{}, 1000, 10, 20, nil)
	if err != nil {
		t.Fatal(err)
	}
	// 3.5 ms late, and those behind it 3, 2.5, 2, 1.5, 1 and then 0.5 as all others. One
	// that ends with the period meets its deadline.
	var got []float64
	for _, b := range x.Histogram {
		for range b.Count {
			got = append(got, b.Value*1e3)
		}
	}
	want := append(make([]float64, 0, 20), 1, 1.5, 2, 2.5, 3, 3.5)
	for i, v := range want {
		if at := len(got) - len(want) + i; at < 0 || !isNear(got[at], v) {
			t.Fatalf("latencies of %v ms; want the longest to be %v", got, want)
		}
	}
	if len(got) != 20 || x.Misses != 5 || x.Releases != 20 || x.Unserved != 0 || x.Waited != 14 || !isNear(got[0], 0.5) {
		t.Errorf("%d releases of which %d missed and %d were waited for, latencies %v", x.Releases, x.Misses, x.Waited, got)
	}
	if !isNear(x.Worst, 3.5e-3) || !isNear(x.Throughput, 1000) || !isNear(x.Utilisation, (19*0.5+3.5)/20) {
		t.Errorf("worst %v, throughput %v, utilisation %v", x.Worst, x.Throughput, x.Utilisation)
	}
}

// TestWakeupsAreTheirOwn: how late a run begins is told beside its latency and is part of
// it; with a deadline of 1 ms nothing is missed.
func TestWakeupsAreTheirOwn(t *testing.T) {
	c := &virtualClock{}
	n := 0
	p := &virtualPacer{c: c, late: func() float64 { n++; return float64(n%10) * 10e-6 }}
	x, err := releases(p, took(c, always(0.4e-3)), Rate{Deadline: 1e-3}, 100, 10, 1000, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !isNear(x.WorstWakeup, 90e-6) || !isNear(x.Wakeup[0].Value, 40e-6) || !isNear(x.Worst, 0.49e-3) || x.Misses != 0 || x.Deadline != 1e-3 || x.Waited != 1000 || p.rests < 1000 {
		t.Errorf("%+v", x)
	}
	if x.MissLow != 0 || math.Abs(x.MissHigh-0.00368) > 1e-4 { // 1 - 0.025^(1/1000)
		t.Errorf("no miss of 1000: %v to %v", x.MissLow, x.MissHigh)
	}
	if p := x.Latency[3]; p.High != nil || p.Low == 0 {
		t.Errorf("the 99.9th percentile of 1000: %+v; no sample bounds it from above", p)
	}
}

// TestPlantedPause of 5 ms in every thousandth run shows in the 99.9th percentile and in
// misses, and in no other percentile.
func TestPlantedPause(t *testing.T) {
	measured := func(seconds func(int) float64) *Released {
		c := &virtualClock{}
		x, err := releases(&virtualPacer{c: c}, took(c, seconds), Rate{}, 1000, 100, 10000, nil)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	control, paused := measured(always(0.2e-3)), measured(planted)
	for i, share := range Percentiles {
		a, b := control.Latency[i], paused.Latency[i]
		if share < 0.999 {
			if !isNear(b.Value, a.Value) || !isNear(b.Low, a.Low) {
				t.Errorf("percentile %g: %+v; without the pause %+v", 100*share, b, a)
			}
		} else if b.Value < 4e-3 || b.Low <= *a.High {
			t.Errorf("percentile %g: %+v does not show the pause; without it %+v", 100*share, b, a)
		}
	}
	// Nothing else shows it: the wake-ups, the throughput, and the run's share of the period
	// but for the pauses' own 0.5 %.
	for i := range Percentiles {
		if control.Wakeup[i].Value != paused.Wakeup[i].Value {
			t.Errorf("wake-ups %+v; without the pause %+v", paused.Wakeup, control.Wakeup)
		}
	}
	if !isNear(paused.Throughput, control.Throughput) || math.Abs(paused.Utilisation-control.Utilisation-0.005) > 1e-4 {
		t.Errorf("throughput %v, in use %v; without the pause %v, %v", paused.Throughput, paused.Utilisation, control.Throughput, control.Utilisation)
	}
	if control.Misses != 0 || paused.Misses < 10 || paused.Misses > 60 || paused.MissLow <= 0 {
		t.Errorf("%d and %d misses, probability from %g on", control.Misses, paused.Misses, paused.MissLow)
	}
}

// TestBehind: where runs take longer than the period, what was not begun is counted, as
// late as it is by then.
func TestBehind(t *testing.T) {
	c := &virtualClock{}
	x, err := releases(&virtualPacer{c: c}, took(c, always(2e-3)), Rate{}, 1000, 0, 1000, nil)
	if err != nil {
		t.Fatal(err)
	}
	if x.Releases != 1000 || x.Unserved < 490 || x.Unserved > 510 || x.Misses < 999 || !isNear(x.Utilisation, 2) || math.Abs(x.Throughput-500) > 5 || x.Worst < 0.45 {
		t.Errorf("%d releases, %d unserved, %d missed, worst %v, utilisation %v, throughput %v", x.Releases, x.Unserved, x.Misses, x.Worst, x.Utilisation, x.Throughput)
	}
}

var rateDefaults = config.Measure{Releases: 2000, MinSamples: 10, MinTime: 0.1, Timeout: 15}

// TestHighestRate of runs that take 1 ms is 1 kHz; of one with a planted pause as much
// lower as the pause asks, unless some misses are allowed.
func TestHighestRate(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one thread")
	}
	for _, c := range []struct {
		name       string
		seconds    func(int) float64
		rate       Rate
		share      float64
		least, max float64
	}{
		{"1 ms", always(1e-3), Rate{}, 0, 978, 1000},
		{"deadline before the period", always(1e-3), Rate{Deadline: 0.9e-3}, 0.01, 0, 0},
		{"pause", planted, Rate{}, 0, 180, 1 / 5.2e-3},
		{"pause, allowed", planted, Rate{}, 0.02, 2200, 2350},
		{"long deadline", planted, Rate{Deadline: 20e-3}, 0, 4600, 1000 / 0.205},
	} {
		clock := &virtualClock{}
		m := rateDefaults
		m.MissShare = c.share
		x, err := highest(&virtualPacer{c: clock}, took(clock, c.seconds), c.rate, m)
		if c.max == 0 {
			if !errors.Is(err, errNoRate) || !strings.Contains(err.Error(), "in 30 s: at") || !strings.Contains(err.Error(), "measure.miss_share") {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		h := x.Highest
		if x.Rate < c.least || x.Rate > c.max*1.0001 || x.Rate != h.Low || h.High <= h.Low || c.name == "1 ms" && h.High > rateStep*h.Low || h.Trials < 3 || float64(x.Misses) > c.share*float64(x.Releases) {
			t.Errorf("%s: %.5g Hz, between %.5g and %.5g, %d of %d missed; want %g to %g", c.name, x.Rate, h.Low, h.High, x.Misses, x.Releases, c.least, c.max)
		}
	}
}

// TestRateErrors end a series, and what a run changes is restored between runs.
func TestRateErrors(t *testing.T) {
	c := &virtualClock{}
	fault := errors.New("no")
	runs, rests := 0, 0
	job := Job{Run: func() error {
		if runs++; runs == 30 {
			return fault
		}
		return nil
	}, Rest: func() error { rests++; return nil }}
	if _, err := releases(&virtualPacer{c: c}, job, Rate{}, 1000, 10, 100, nil); err != fault || rests != 30 {
		t.Errorf("%v after %d rests", err, rests)
	}
	job.Rest = func() error { return fault }
	if _, err := releases(&virtualPacer{c: c}, job, Rate{}, 1000, 10, 100, nil); err != fault {
		t.Errorf("%v", err)
	}
	if _, _, err := sustainAt(&virtualPacer{c: c}, job, 10, func(float64, int64) bool { return true }); err != fault {
		t.Errorf("%v", err)
	}
}

// TestEnergyOfAFrame: of a known waveform the meter gives the energy of a period, idle
// time included and left out, within 2 %; its windows hold whole periods.
func TestEnergyOfAFrame(t *testing.T) {
	const idle, more = 10.0, 40.0 // watts, and how many more a run takes
	for _, c := range []struct {
		hz, seconds float64
		counter     bool
	}{
		{10, 8e-3, false}, {10, 8e-3, true}, {100, 2e-3, false}, {1000, 0.3e-3, false}, {1000, 0.3e-3, true},
	} {
		clock := &virtualClock{t: 1000}
		var begins []float64
		s := &synthetic{clock: clock, at: clock.t, period: 20e-3, phase: 3e-3, cost: 20e-6, averaging: 20e-3, role: framework.Total, counter: c.counter}
		s.cumulative = func(t float64) float64 {
			n := len(begins)
			for n > 0 && begins[n-1] > t {
				n--
			}
			busy := float64(n) * c.seconds
			if n > 0 {
				busy -= max(0, begins[n-1]+c.seconds-t)
			}
			return idle*t + more*busy
		}
		meter, err := newMeter([]framework.Sensor{averagingSensor{s}}, powerDefaults, Knowledge{}, clock)
		if err != nil {
			t.Fatal(err)
		}
		job := Job{Run: func() error {
			begins = append(begins, clock.t)
			clock.sleep(c.seconds)
			return nil
		}}
		e, err := meter.Measure(func(stop func(float64, int64) bool) (int64, float64, error) {
			return sustainAt(&virtualPacer{c: clock}, job, c.hz, stop)
		})
		if err != nil {
			t.Fatal(err)
		}
		if periods := e.Window * c.hz; math.Abs(periods-float64(e.Runs)) > 1e-6*periods {
			t.Errorf("%+v: a window of %v s has %v periods and %d runs", c, e.Window, periods, e.Runs)
		}
		ch := e.Channels[0]
		frame := ch.Energy / float64(e.Runs)
		above := frame - ch.Idle*e.Window/float64(e.Runs)
		if want := idle/c.hz + more*c.seconds; math.Abs(frame/want-1) > 0.02 {
			t.Errorf("%+v: %v J a frame; want %v", c, frame, want)
		}
		if want := more * c.seconds; math.Abs(above/want-1) > 0.02 {
			t.Errorf("%+v: %v J above idle; want %v", c, above, want)
		}
	}
}

func TestRateOf(t *testing.T) {
	if _, ok := RateOf(framework.Values{"N": framework.IntValue(3)}); ok {
		t.Error("a rate of none")
	}
	r, ok := RateOf(framework.Values{framework.RateParam: framework.TextValue("max"), framework.DeadlineParam: framework.FloatValue(0.25), framework.WaitParam: framework.TextValue("spin")})
	if !ok || r != (Rate{0, 0.25, true}) || r.deadline(1000) != 250e6 {
		t.Errorf("%+v", r)
	}
	r, _ = RateOf(framework.Values{framework.RateParam: framework.FloatValue(8), framework.DeadlineParam: framework.TextValue("period"), framework.WaitParam: framework.TextValue("sleep")})
	if r != (Rate{Hz: 8}) || r.deadline(8) != 125e6 {
		t.Errorf("%+v", r)
	}
	for _, c := range []struct {
		hz   float64
		want int64
	}{{10, 150}, {1000, 2000}, {1e5, 10000}, {0.1, 10}} {
		if got := Releases(rateDefaults, c.hz); got != c.want {
			t.Errorf("%d releases at %g Hz; want %d", got, c.hz, c.want)
		}
	}
}
