package measure

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
)

// probing is a load of a synthetic sensor: its power follows with a lag, a share of it
// behind a longer one, and noise is added.
type probing struct {
	name           string
	period, sees   float64
	cost           float64 // of a reading
	lag            float64 // of the power behind the load
	leaks, leakLag float64 // W, that come and go more slowly
	noise          float64 // of a reading, W
	late           float64 // of an update, at most
	unlike         bool    // the load does not show
	within         float64 // of the window, by share; 0: a tenth
}

func (c probing) sensor(clk *virtualClock, r *rand.Rand) (*synthetic, func(seconds float64) error) {
	var on []span
	s := &synthetic{clock: clk, period: c.period, sees: c.sees, at: clk.t, cost: c.cost, role: framework.Total}
	if c.late > 0 {
		s.late = func(int) float64 { return c.late * r.Float64() }
	}
	began := math.Inf(1)
	s.cumulative = func(t float64) float64 {
		e := 50*t + 0.3*math.Sin(40*t) + c.noise*c.sees*math.Sin(1e5*t)
		if c.unlike {
			return e
		}
		spans := slices.Clone(on)
		if t > began {
			spans = append(spans, span{began, t})
		}
		return e + 400*newLagging(spans, c.lag).until(t) + c.leaks*newLagging(spans, c.leakLag).until(t)
	}
	return s, func(seconds float64) error {
		began = clk.t
		clk.sleep(seconds)
		on, began = append(on, span{began, clk.t}), math.Inf(1)
		return nil
	}
}

// TestDutyCycle finds the part of a period that a sensor sees: of sensors that take long
// to read, and of boards whose power follows the load slowly.
func TestDutyCycle(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one thread")
	}
	for _, c := range []probing{
		{name: "a quarter", period: 0.1, sees: 0.025, cost: 1e-4},
		{name: "longer", period: 0.1, sees: 0.43, cost: 1e-4},
		{name: "of 20 ms", period: 0.02, sees: 0.005, cost: 1e-4},
		{name: "noise", period: 0.1, sees: 0.025, cost: 1e-4, noise: 30},
		{name: "slow to read", period: 0.1, sees: 0.025, cost: 4e-3},
		{name: "very slow to read", period: 0.1, sees: 0.025, cost: 15e-3, within: 0.15},
		{name: "power ramps", period: 0.1, sees: 0.025, cost: 4e-3, lag: 0.01, within: 0.2},
		{name: "power ramps slowly", period: 0.1, sees: 0.025, cost: 1e-4, lag: 0.03, within: 0.2},
		{name: "idle takes time", period: 0.1, sees: 0.025, cost: 4e-3, leaks: 150, leakLag: 0.3},
		{name: "idle takes long", period: 0.1, sees: 0.05, cost: 4e-3, leaks: 200, leakLag: 1},
		{name: "longer, and idle takes time", period: 0.1, sees: 0.43, cost: 1e-4, leaks: 100, leakLag: 1, within: 0.15},
		{name: "late updates", period: 0.1, sees: 0.05, cost: 1e-4, late: 0.01},
		{name: "another device", period: 0.1, sees: 0.025, cost: 1e-4, unlike: true},
	} {
		clk := &virtualClock{t: 100}
		r := rand.New(rand.NewPCG(9, 3))
		s, load := c.sensor(clk, r)
		found, err := dutyCycle(s, load, clk, r)
		if c.unlike {
			if err == nil || !strings.Contains(err.Error(), "do not follow the load") {
				t.Errorf("%s: %+v, %v", c.name, found, err)
			}
			continue
		}
		x, within := found["power"], cmp.Or(c.within, 0.1)
		if err != nil || math.Abs(x.Window/c.sees-1) > within || math.Abs(x.Period/c.period-1) > 0.15 || x.Explained < 0.9 {
			t.Errorf("%s: %+v, %v, want %v s seen", c.name, x, err, c.sees)
		}
	}
}

// TestDutyCycleFails where the load does, or the sensor.
func TestDutyCycleFails(t *testing.T) {
	clk := &virtualClock{}
	broken := errors.New("no kernel")
	s := &synthetic{clock: clk, period: 0.1, power: func(t float64) float64 { return t }, cost: 1e-4, role: framework.Total}
	if _, err := dutyCycle(s, func(float64) error { return broken }, clk, rand.New(rand.NewPCG(1, 1))); !errors.Is(err, broken) {
		t.Errorf("a load that fails: %v", err)
	}
	s.frozen = true
	if _, err := dutyCycle(s, func(float64) error { return nil }, clk, rand.New(rand.NewPCG(1, 1))); err == nil {
		t.Error("a frozen sensor is probed")
	}
}
