package measure

import (
	"math"
	"runtime"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
)

// TestPowerTimeByHand: lead-in, idle time, lead-in, window and one update.
func TestPowerTimeByHand(t *testing.T) {
	for _, c := range []struct{ window, period, averaging, want float64 }{
		{0.5, 0.1, 0, 0.25 + 1 + 0.25 + 2 + 0.1}, {0.1, 0.005, 0.43, 1.505 + 0.5 + 1.505 + 0.86 + 0.005},
		{0.5, 0.01, -1, 1.5 + 0.5 + 1.5 + 2 + 0.01}, {0, 1, -1, 2 + 10 + 2 + 20 + 1}, {10, 0, 0, 0.25 + 2.5 + 0.25 + 10}, {0, 1, 0.1, 2 + 10 + 2 + 20 + 1},
	} {
		if got := PowerTime(c.window, c.period, c.averaging); !same(got, c.want) {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// telling is a sensor that never changes, and tells its update period.
type telling struct{ averagingSensor }

func (s telling) ChannelUpdates(int) float64 { return s.period }

// TestMeterTimes are those that PowerTime says, and there is room for twice as many readings.
func TestMeterTimes(t *testing.T) {
	for _, c := range []struct {
		period, averaging, asked           float64
		window, idle, lead, tail, interval float64
	}{
		{0.1, 0.43, 1, 2, 1, 1.505, 0.1, 0.02},
		{0.01, 0, 8, 8, 2, 0.25, 0.01, 0.005},
		{0.002, 0.5, 0.5, 1, 0.5, 1.75, 0.002, 0.001},
		{0.4, -1, 0.5, 8, 4, 1.5, 0.4, 0.02},
		{0, -1, 0.5, 2, 0.5, 1.5, 0.02, 0.01}, // not known
	} {
		clock := &virtualClock{}
		s := telling{averagingSensor{&synthetic{clock: clock, frozen: true, period: c.period, averaging: c.averaging, cost: 5e-5, role: framework.Total}}}
		m, err := newMeter([]framework.Sensor{s}, config.Measure{PowerWindow: c.asked}, Knowledge{}, clock)
		if err != nil {
			t.Fatal(err)
		}
		p := m.sensors[0]
		if !same(m.window, c.window) || !same(m.idle, c.idle) || !same(m.lead, c.lead) || !same(m.tail, c.tail) || !same(p.interval, c.interval) || p.periods[0] != c.period {
			t.Errorf("%+v: window %v, idle %v, lead %v, tail %v, interval %v, period %v", c, m.window, m.idle, m.lead, m.tail, p.interval, p.periods)
		}
		rows := int(2*(c.idle+2*c.lead+c.window+c.tail)/c.interval+1e-6) + 64
		if d := len(p.times) - rows; d < -1 || d > 0 || len(p.values) != len(p.times) { // a whole one may be off by rounding
			t.Errorf("%+v: room for %d and %d readings, want %d", c, len(p.times), len(p.values), rows)
		}
	}
}

// TestBound: what a sensor tells of its updates holds where longer ones were seen, or none.
func TestBound(t *testing.T) {
	p := &polled{sensor: telling{averagingSensor{&synthetic{period: 0.1}}}, periods: []float64{0, 0.02, 0.1, 0.3}}
	p.bound()
	for i, want := range []float64{0.1, 0.02, 0.1, 0.1} {
		if p.periods[i] != want {
			t.Errorf("channel %d: %v, want %v", i, p.periods[i], want)
		}
	}
	p.sensor, p.periods = telling{averagingSensor{&synthetic{}}}, []float64{0.3}
	if p.bound(); p.periods[0] != 0.3 {
		t.Errorf("not told: %v", p.periods)
	}
}

// TestStepReadsWhatIsDue, and tells when the next is.
func TestStepReadsWhatIsDue(t *testing.T) {
	clock := &virtualClock{t: 5}
	m := &Meter{clock: clock}
	for _, due := range []float64{4, 5, 6} {
		m.sensors = append(m.sensors, &polled{sensor: &counting{clock: &virtualClock{}}, channels: make([]framework.Channel, 2), interval: 2, due: due, times: make([]float64, 8), values: make([]float64, 16)})
	}
	next := m.step()
	for i, want := range []struct {
		n   int
		due float64
	}{{1, 6}, {1, 7}, {0, 6}} {
		if p := m.sensors[i]; p.n != want.n || p.due != want.due {
			t.Errorf("sensor %d: %d readings, due at %v", i, p.n, p.due)
		}
	}
	if next != 6 {
		t.Errorf("next at %v", next)
	}
}

// TestProcessorTimeOfReadings is their own: what was computed before does not count.
func TestProcessorTimeOfReadings(t *testing.T) {
	clock := &virtualClock{t: 50, computed: 30}
	s := onBus{&synthetic{clock: clock, frozen: true, period: 1, cost: 2e-3, role: framework.Total}, 1e-3}
	p := newPolled(s)
	p.probe(clock, 0.1)
	if math.Abs(p.compute-1e-3) > 1e-6 || math.Abs(p.cost-2e-3) > 3e-5 {
		t.Errorf("%v s a reading, of which %v s are computed", p.cost, p.compute)
	}
}

// TestRealClock: a thread has run for no longer than the clock says; sleep and poll take the
// time that is asked for.
func TestRealClock(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c := realClock{time.Now().Add(-time.Hour)}
	begin, before := c.now(), c.processor()
	for c.processor() < before+2e-3 {
	}
	if passed := c.now() - begin; passed < 2e-3 || before > begin-3000 {
		t.Errorf("2 ms of processor time after %v s of it within %v s", before, passed)
	}
	begin = c.now()
	if c.sleep(0.02); c.now()-begin < 0.02 {
		t.Errorf("slept for %v s", c.now()-begin)
	}
	steps, times, due := make(chan float64), 0, 0.0
	stop := c.poll(func() float64 {
		now := c.now()
		if now < due {
			return due // a signal has ended its sleep
		}
		if times++; times <= 4 {
			due = now + 0.01
			steps <- now
		}
		return due
	})
	last := <-steps
	for range 3 {
		now := <-steps
		if now-last < 0.01 {
			t.Errorf("polled again after %v s", now-last)
		}
		last = now
	}
	stop()
}

// TestKnowledgeOfChannels is that of the channel, else of its sensor, else what the sensor says.
func TestKnowledgeOfChannels(t *testing.T) {
	half := framework.Calibration{Gain: 0.5, Source: "half"}
	ten := framework.Calibration{Gain: 0.1, Source: "ten"}
	p := &polled{sensor: &synthetic{}, channels: []framework.Channel{{Name: "power"}, {Name: "other"}}, averagings: []float64{-1, 0.3}}
	p.know(Knowledge{Calibrations: map[string]framework.Calibration{"synthetic": half, "synthetic power": ten}, Seen: map[string]float64{"synthetic power": 0.02}})
	if p.calibrations[0] != ten || p.calibrations[1] != half || p.window[0] != 0.02 || p.window[1] != 0 {
		t.Errorf("%+v, %v", p.calibrations, p.window)
	}
	if a, b := p.seen(0, 0.1), p.seen(1, 0.1); a != 0.02 || b != 0.3 {
		t.Errorf("seen %v and %v s", a, b)
	}
	p.averagings, p.window[0] = []float64{-1, 0}, 0
	if a, b := p.seen(0, 0.5), p.seen(1, 0.5); a != 0.125 || b != 0.125 {
		t.Errorf("not known: %v and %v s", a, b)
	}
}

// TestCombined: 12 J with twice the 2.5 J of a gain of 1 % of 200 J and 0.15 W for 10 s.
func TestCombined(t *testing.T) {
	p := &polled{calibrations: []framework.Calibration{{Gain: 0.01, Offset: 0.15, Source: "sheet"}, {}}}
	for name, c := range map[string]struct {
		channel int
		e       ChannelEnergy
		want    float64
	}{
		"known": {0, ChannelEnergy{Energy: 200, Uncertainty: 12}, 13}, "no calibration": {1, ChannelEnergy{Energy: 200, Uncertainty: 12}, 0},
		"no energy": {0, ChannelEnergy{Energy: math.NaN(), Uncertainty: 12}, 0}, "no uncertainty": {0, ChannelEnergy{Energy: 200}, 0},
	} {
		half, source := p.combined(c.channel, c.e, span{5, 15})
		if !same(half, c.want) || (source == "sheet") != (c.want > 0) {
			t.Errorf("%s: %v, %q", name, half, source)
		}
	}
}

// TestReadingsByUnit: temperatures and clocks are read by their unit.
func TestReadingsByUnit(t *testing.T) {
	s := &counting{clock: &virtualClock{}, n: 3}
	m := &Meter{clock: s.clock, sensors: []*polled{{sensor: named{s}, channels: []framework.Channel{{Name: "die", Unit: "degC"}, {Name: "sm", Unit: "Hz"}}}}}
	if got := m.Temperatures(); len(got) != 1 || got["x die"] != 3 {
		t.Errorf("temperatures %v", got)
	}
	if got := m.Clocks(); len(got) != 1 || got["x sm"] != 40 {
		t.Errorf("clocks %v", got)
	}
	s.fails = true
	if got := m.Clocks(); !math.IsNaN(got["x sm"]) || m.sensors[0].errs != 1 || m.sensors[0].err == nil {
		t.Errorf("a failed reading: %v", got)
	}
}

type named struct{ *counting }

func (named) Name() string { return "x" }
