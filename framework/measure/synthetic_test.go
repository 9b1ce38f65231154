package measure

import (
	"errors"
	"math"
	"testing"

	"bench/framework"
	"bench/framework/config"
)

// virtualClock runs a poller and advances at once.
type virtualClock struct {
	t    float64
	step func() float64
	due  float64
}

func (c *virtualClock) now() float64 { return c.t }

func (c *virtualClock) sleep(seconds float64) {
	end := c.t + seconds
	for c.step != nil && c.due <= end {
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
// takes the mean power since its last update.
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
	frozen        bool
	averaging     float64 // as told; negative: not told

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

// truth is the energy from t0 to t1, by fine steps.
func (s *synthetic) truth(t0, t1 float64) float64 {
	const n = 2000
	sum, h := 0.0, (t1-t0)/n
	for i := range n {
		sum += s.power(t0+(float64(i)+0.5)*h) * h
	}
	return sum
}

func (s *synthetic) Sample(dst []float64) error {
	s.clock.t += s.cost
	now := s.clock.t
	for next := s.at + s.period; next <= now-s.phase && !s.frozen; next = s.at + s.period {
		const n = 20
		e := 0.0
		for i := range n {
			e += s.power(s.phase+s.at+(float64(i)+0.5)*s.period/n) * s.period / n
		}
		s.energy += e
		s.at = next
		s.value = e / s.period
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

// runFor is a sustain whose runs take that long; load is told when it begins
// and ends.
func runFor(c *virtualClock, run float64, load func(on bool)) func(func(float64) bool) (int64, float64, error) {
	return func(stop func(float64) bool) (int64, float64, error) {
		load(true)
		defer load(false)
		start := c.t
		for runs := int64(1); ; runs++ {
			c.sleep(run)
			if stop(c.t - start) {
				return runs, c.t - start, nil
			}
		}
	}
}

// bench measures a synthetic sensor and returns the energy with the truth over
// the same window.
func bench(t *testing.T, s *synthetic, m config.Measure, run float64) (*Energy, ChannelEnergy, float64) {
	t.Helper()
	c := &virtualClock{t: 1000}
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
	meter, err := newMeter([]framework.Sensor{sensor}, m, c)
	if err != nil {
		t.Fatal(err)
	}
	var from, to float64
	e, err := meter.Measure(func(stop func(float64) bool) (int64, float64, error) {
		from = c.t
		runs, seconds, err := runFor(c, run, func(bool) {})(stop)
		to = c.t
		return runs, seconds, err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Channels) != 1 {
		t.Fatalf("%d channels", len(e.Channels))
	}
	if math.Abs(e.Window-(to-from)) > 1e-9 {
		t.Errorf("window %v s, the run took %v s", e.Window, to-from)
	}
	return e, e.Channels[0], s.truth(from, to)
}
