package measure

import (
	"errors"
	"math"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
)

// virtualClock runs a poller and advances at once.
type virtualClock struct {
	t        float64
	computed float64 // of processor time
	step     func() float64
	due      float64
	starved  span // while the poller does not run
}

func (c *virtualClock) now() float64        { return c.t }
func (c *virtualClock) processor() float64  { return c.computed }
func (c *virtualClock) nap(seconds float64) { c.t += seconds }

func (c *virtualClock) sleep(seconds float64) {
	end := c.t + seconds
	for c.step != nil && c.due <= end {
		if c.starved.from < c.due && c.due < c.starved.to {
			c.due = c.starved.to
			continue
		}
		c.t = max(c.t, c.due)
		c.due = c.step()
	}
	c.t = max(c.t, end)
}

func (c *virtualClock) poll(step func() float64) func() {
	c.step, c.due = step, c.t
	return func() { c.step = nil }
}

// synthetic is a sensor with a known truth. Every period from phase on it
// takes the mean power since its last update, of a part of the period before, or
// of longer.
type synthetic struct {
	clock         *virtualClock
	power         func(t float64) float64
	period, phase float64
	cost          float64 // of a reading
	step          float64 // of the power, or of the counter; 0: none
	wrapsAt       float64 // of the counter; 0: never
	counter       bool
	role          framework.Role
	lost          func(t float64) bool // gives NaN
	fails         func(t float64) bool // gives an error
	cause         error                // of what is lost, as told; nil: not told
	frozen        bool
	averaging     float64 // as told; negative: not told
	// sees is over how many seconds before an update the power is averaged; 0: since
	// the last. gain and offset are added, late is by how much an update comes
	// late, and repeats is whether it gives the value before again.
	sees, gain, offset float64
	late               func(update int) float64
	repeats            func(update int) bool
	updates            int
	// recursive is the time constant of an average that each update moves by a part of
	// its difference; 0: none.
	recursive float64
	starved   span // while benchLoad's poller does not run
	// cumulative is the integral of power, where it is known exactly.
	cumulative func(t float64) float64

	at, energy, value float64 // of the last update
}

func (s *synthetic) Name() string { return "synthetic" }
func (s *synthetic) Channels() []framework.Channel {
	if s.counter {
		return []framework.Channel{{Name: "energy", Unit: "J", Role: s.role, Counter: true, WrapsAt: s.wrapsAt}}
	}
	return []framework.Channel{{Name: "power", Unit: "W", Role: s.role}}
}
func (s *synthetic) Notes() []string { return nil }
func (s *synthetic) Close() error    { return nil }
func (s *synthetic) Failure(int) error {
	return s.cause
}

// truth is the energy from t0 to t1, by fine steps.
func (s *synthetic) truth(t0, t1 float64) float64 {
	if s.cumulative != nil {
		return s.cumulative(t1) - s.cumulative(t0)
	}
	n := max(2000, int((t1-t0)/0.5e-3))
	sum, h := 0.0, (t1-t0)/float64(n)
	for i := range n {
		sum += s.power(t0+(float64(i)+0.5)*h) * h
	}
	return sum
}

// mean is the mean power over so many seconds from then on.
func (s *synthetic) mean(from, seconds float64) float64 {
	if s.cumulative != nil {
		return (s.cumulative(from+seconds) - s.cumulative(from)) / seconds
	}
	n := max(20, int(seconds/1e-3))
	e := 0.0
	for i := range n {
		e += s.power(from+(float64(i)+0.5)*seconds/float64(n)) / float64(n)
	}
	return e
}

// due is when the update of that moment comes.
func (s *synthetic) due(update float64) float64 {
	if s.late == nil {
		return update
	}
	return update + s.late(s.updates)
}

func (s *synthetic) Sample(dst []float64) error {
	s.clock.t += s.cost
	now := s.clock.t
	for next := s.at + s.period; s.due(next) <= now-s.phase && !s.frozen; next = s.at + s.period {
		e := s.mean(s.phase+s.at, s.period)
		s.energy += (e*(1+s.gain) + s.offset) * s.period
		s.at = next
		if s.updates++; s.repeats != nil && s.repeats(s.updates) {
			continue
		}
		if s.sees > 0 {
			e = s.mean(s.phase+s.at-s.sees, s.sees)
		}
		if e = e*(1+s.gain) + s.offset; s.recursive > 0 && s.updates > 1 {
			e = s.value + (e-s.value)*s.period/s.recursive
		}
		s.value = e
	}
	v := s.value
	if s.counter {
		v = s.energy
	}
	if s.step > 0 {
		v = math.Floor(v/s.step) * s.step
	}
	if s.counter && s.wrapsAt > 0 {
		v = math.Mod(v, s.wrapsAt)
	}
	dst[0] = v
	if s.lost != nil && s.lost(now) {
		dst[0] = math.NaN()
	}
	if s.fails != nil && s.fails(now) {
		return errors.New("resource temporarily unavailable")
	}
	return nil
}

type averagingSensor struct{ *synthetic }

func (s averagingSensor) Averaging() float64 { return s.averaging }

// updatingSensor also tells how often it has a new reading.
type updatingSensor struct{ averagingSensor }

func (s updatingSensor) ChannelUpdates(int) float64 { return s.period }

// runFor is a sustain whose runs take that long; load is told when it begins
// and ends.
func runFor(c *virtualClock, run float64, load func(on bool)) Sustain {
	return func(stop func(float64, int64) bool) (int64, float64, error) {
		load(true)
		defer load(false)
		start, batch := c.t, int64(max(1, 1e-3/run)) // asked about at most each millisecond
		for runs := batch; ; runs += batch {
			c.sleep(run * float64(batch))
			if stop(c.t-start, runs) {
				return runs, c.t - start, nil
			}
		}
	}
}

// bench measures a synthetic sensor and returns the energy with the truth over
// the same window.
func bench(t *testing.T, s *synthetic, m config.Measure, run float64) (*Energy, ChannelEnergy, float64) {
	t.Helper()
	return benchLoad(t, s, m, Knowledge{}, run, func(bool) {})
}

// benchLoad is bench of a load that is told when it begins and ends.
func benchLoad(t *testing.T, s *synthetic, m config.Measure, known Knowledge, run float64, load func(on bool)) (*Energy, ChannelEnergy, float64) {
	t.Helper()
	c := &virtualClock{t: 1000, starved: s.starved}
	s.clock, s.at = c, c.t-s.phase
	if s.cost == 0 {
		s.cost = 20e-6
	}
	if s.role == "" {
		s.role = framework.Total
	}
	var sensor framework.Sensor = s
	if s.averaging >= 0 {
		sensor = averagingSensor{s}
	}
	meter, err := newMeter([]framework.Sensor{sensor}, m, known, c)
	if err != nil {
		t.Fatal(err)
	}
	var loaded span
	e, err := meter.Measure(func(stop func(float64, int64) bool) (int64, float64, error) {
		loaded.from = c.t
		runs, seconds, err := runFor(c, run, load)(stop)
		loaded.to = c.t
		return runs, seconds, err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Channels) != 1 {
		t.Fatalf("%d channels", len(e.Channels))
	}
	from := windowStart(meter, e)
	if len(e.Samples) > 0 && (from < loaded.from-1e-9 || from+e.Window > loaded.to+1e-9) {
		t.Errorf("window of %v s from %v s on, the load was %v", e.Window, from, loaded)
	}
	return e, e.Channels[0], s.truth(from, from+e.Window)
}

// windowStart is when the window of e began: samples are told by that.
func windowStart(m *Meter, e *Energy) float64 {
	if len(e.Samples) == 0 {
		return 0
	}
	return m.sensors[0].series(0).times[0] - e.Samples[0].Time
}
