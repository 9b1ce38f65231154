package measure

import (
	"errors"
	"math"
	"slices"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
)

// counting is a sensor whose two channels hold the number of the reading, and
// ten times that.
type counting struct {
	framework.Sensor
	clock *virtualClock
	n     float64
	fails bool
}

func (s *counting) Sample(dst []float64) error {
	s.clock.t += 0.2
	dst[0], dst[1] = s.n, 10*s.n
	s.n++
	if s.fails {
		return errors.New("broke")
	}
	return nil
}

// TestRecordThinsOut: where the room is used up every second reading goes, of
// all channels, and readings are taken half as often.
func TestRecordThinsOut(t *testing.T) {
	c := &virtualClock{}
	s := &counting{clock: c}
	p := &polled{sensor: s, channels: make([]framework.Channel, 2), interval: 1, times: make([]float64, 5), values: make([]float64, 10)}
	for _, want := range []struct {
		first         []float64 // channel
		interval, due float64
	}{
		{[]float64{0}, 1, 1}, {[]float64{0, 1}, 1, 2}, {[]float64{0, 1, 2}, 1, 3}, {[]float64{0, 1, 2, 3}, 1, 4}, {[]float64{0, 1, 2, 3, 4}, 1, 5},
		{[]float64{0, 2, 4, 5}, 2, 7}, {[]float64{0, 2, 4, 5, 6}, 2, 9}, {[]float64{0, 4, 6, 7}, 4, 13},
	} {
		c.t = p.due
		p.record(c)
		if p.n != len(want.first) || p.interval != want.interval || !same(p.due, want.due) {
			t.Fatalf("%d readings, interval %v s, due at %v s; want %+v", p.n, p.interval, p.due, want)
		}
		for i, v := range want.first {
			taken := v + 0.1 // in the middle of its call
			if v == 7 {
				taken = 9.1
			}
			if !slices.Equal(p.row(i), []float64{v, 10 * v}) || v < 6 && !same(p.times[i], taken) {
				t.Errorf("reading %d of %d: %v at %v s, want number %v", i, p.n, p.row(i), p.times[i], v)
			}
		}
	}
	// One that comes late does not have to be made up for.
	c.t = 100
	if p.record(c); !same(p.due, 100.2) {
		t.Errorf("due at %v s after a late reading", p.due)
	}
	s.fails = true
	if p.record(c); p.errs != 1 || p.err == nil || !math.IsNaN(p.row(p.n - 1)[0]) || !math.IsNaN(p.row(p.n - 1)[1]) {
		t.Errorf("a failed reading: %v, %d errors, %v", p.row(p.n-1), p.errs, p.err)
	}
}

// TestProbe: a sensor is watched until twelve intervals between changes were
// seen, or for as long as may be.
func TestProbe(t *testing.T) {
	for _, c := range []struct {
		name                string
		frozen              bool
		period, least, most float64 // seconds watched
	}{
		{"changes", false, 0.05, 0.65, 0.66}, {"slow", false, 0.4, 1.5, 1.501}, {"frozen", true, 0, 1.5, 1.501},
	} {
		clock := &virtualClock{}
		s := &synthetic{clock: clock, power: func(t float64) float64 { return t }, period: max(c.period, 1), role: framework.Total, cost: 1e-3, frozen: c.frozen}
		if c.period > 0 {
			s.period = c.period
		}
		p := newPolled(s)
		p.probe(clock, 1.5)
		if clock.t < c.least || clock.t > c.most || math.Abs(p.cost-1e-3) > 1e-5 || math.Abs(p.periods[0]-c.period) > 2e-3 {
			t.Errorf("%s: watched for %v s, %v s a reading, update period %v s", c.name, clock.t, p.cost, p.periods)
		}
	}
}

// TestProbeRests: what is read fast is looked at every 100 µs, and the rest between is no
// part of its cost; what is read slowly is read back to back.
func TestProbeRests(t *testing.T) {
	for _, c := range []struct{ cost, each float64 }{{1e-5, 100e-6}, {1e-3, 1e-3}} {
		clock := &virtualClock{}
		s := onBus{&synthetic{clock: clock, frozen: true, period: 1, cost: c.cost, role: framework.Total}, 1} // each computes, so that they are counted
		p := newPolled(s)
		p.probe(clock, 1.5)
		if want := 1.5 / c.each; math.Abs(clock.computed/want-1) > 0.1 || math.Abs(p.cost/c.cost-1) > 0.01 {
			t.Errorf("%v s a reading: %v in 1.5 s, want %v; their cost is found as %v s", c.cost, clock.computed, want, p.cost)
		}
	}
}

// TestObserverIsBounded: reading takes a tenth of the poller's time at most, and
// no sensor is read more often than every millisecond or less than every 20.
func TestObserverIsBounded(t *testing.T) {
	for _, c := range []struct{ period, cost, interval float64 }{
		{0.01, 1e-5, 0.005}, {1e-3, 1e-5, 1e-3}, {0.3, 1e-5, 0.02}, {0.01, 1.5e-3, 0.015}, {0, 1e-4, 0.01},
	} {
		clock := &virtualClock{}
		s := &synthetic{clock: clock, power: func(t float64) float64 { return t }, period: c.period, role: framework.Total, cost: c.cost, frozen: c.period == 0}
		m, err := newMeter([]framework.Sensor{s}, powerDefaults, Knowledge{}, clock)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.sensors[0].interval; math.Abs(got/c.interval-1) > 0.1 {
			t.Errorf("%+v: polled every %v s", c, got)
		}
	}
}

// onBus is a sensor whose readings wait for a bus, and compute for a part of the time.
type onBus struct {
	*synthetic
	compute float64
}

func (onBus) WaitsForBus() bool { return true }

func (s onBus) Sample(dst []float64) error {
	s.clock.computed += s.compute
	return s.synthetic.Sample(dst)
}

// TestPollsWaitForTheBus: a sensor behind a slow bus is read for half of the time, but
// computing takes a tenth at most.
func TestPollsWaitForTheBus(t *testing.T) {
	for _, c := range []struct{ cost, compute, interval float64 }{
		{4.4e-3, 1e-4, 0.01}, {30e-3, 1e-4, 0.06}, {4.4e-3, 4.4e-3, 0.044}, {1e-5, 1e-5, 0.01},
	} {
		clock := &virtualClock{}
		s := onBus{&synthetic{clock: clock, power: func(t float64) float64 { return t }, role: framework.Total, period: 1, cost: c.cost, frozen: true}, c.compute}
		m, err := newMeter([]framework.Sensor{s}, powerDefaults, Knowledge{}, clock)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.sensors[0].interval; math.Abs(got/c.interval-1) > 0.1 {
			t.Errorf("%+v: polled every %v s", c, got)
		}
	}
}

// TestPeriodOfTheTotal: what is part of a total has no say, and neither has a
// sensor's own averaging, which makes the edges of the window uncertain.
func TestPeriodOfTheTotal(t *testing.T) {
	ramp := func(t float64) float64 { return 10 + 3*(t-1000) }
	for role, want := range map[framework.Role]float64{framework.Total: 0.01, framework.Part: 0} {
		if e, _, _ := bench(t, &synthetic{power: ramp, period: 0.01, role: role, averaging: 0}, powerDefaults, 0.01); math.Abs(e.Period-want) > 2e-3 {
			t.Errorf("%s: update period %v s, want %v", role, e.Period, want)
		}
	}
	_, quick, _ := bench(t, &synthetic{power: ramp, period: 0.01, averaging: 0.01}, powerDefaults, 0.01)
	_, slow, _ := bench(t, &synthetic{power: ramp, period: 0.01, averaging: 1}, powerDefaults, 0.01)
	// Both edges are 3 W from the mean, for a second or for 15 ms.
	if slow.Uncertainty < 6 || quick.Uncertainty > 0.5 {
		t.Errorf("averaged over a second ± %v J, else ± %v J", slow.Uncertainty, quick.Uncertainty)
	}
}

// TestRunThatNeverAsks whether to stop is measured over the time that it says.
func TestRunThatNeverAsks(t *testing.T) {
	clock := &virtualClock{t: 10}
	s := &synthetic{clock: clock, power: func(t float64) float64 { return t }, period: 0.01, role: framework.Total, cost: 1e-5, at: 10}
	m, err := newMeter([]framework.Sensor{averagingSensor{s}}, config.Measure{PowerWindow: 0.5}, Knowledge{}, clock)
	if err != nil {
		t.Fatal(err)
	}
	var from float64
	e, err := m.Measure(func(func(float64, int64) bool) (int64, float64, error) {
		from = clock.t
		clock.sleep(3)
		return 7, 3, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if truth := s.truth(from, from+3); e.Runs != 7 || e.Window != 3 || !(math.Abs(e.Channels[0].Energy/truth-1) <= 0.005) {
		t.Errorf("%d runs in %v s, %v J, want 7 in 3 s, %v J", e.Runs, e.Window, e.Channels[0].Energy, truth)
	}
}

// TestLookOfATellingSensor: a sensor that tells its update period is not watched for as long as others.
func TestLookOfATellingSensor(t *testing.T) {
	for _, c := range []struct{ period, want float64 }{{0.005, 0.24}, {0.02, 0.96}, {0.1, 1.5}, {0, 1.5}} {
		clock := &virtualClock{}
		s := telling{averagingSensor{&synthetic{clock: clock, frozen: true, period: c.period, cost: 1e-4, role: framework.Total}}}
		m, err := newMeter([]framework.Sensor{s}, config.Measure{PowerWindow: 1}, Knowledge{}, clock)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(clock.t-c.want) > 1e-3 || m.sensors[0].periods[0] != c.period {
			t.Errorf("%+v: watched for %v s, period %v", c, clock.t, m.sensors[0].periods)
		}
	}
}
