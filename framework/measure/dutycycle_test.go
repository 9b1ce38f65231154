package measure

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bench/framework"
)

// TestDutyCycle finds the part of a period that a sensor sees.
func TestDutyCycle(t *testing.T) {
	for _, c := range []struct {
		name                string
		period, sees, noise float64
		unlike              bool // the load does not show
	}{
		{"a quarter", 0.1, 0.025, 0.02, false}, {"half", 0.1, 0.05, 0.02, false}, {"all", 0.1, 0.1, 0.02, false}, {"longer", 0.1, 0.43, 0.01, false},
		{"of 20 ms", 0.02, 0.005, 0, false}, {"another device", 0.1, 0.025, 0.02, true},
	} {
		r := rand.New(rand.NewPCG(9, 3))
		clk := &virtualClock{t: 100}
		var on []span
		since := math.Inf(1)
		s := &synthetic{clock: clk, period: c.period, sees: c.sees, at: clk.t, cost: 100e-6, role: framework.Total}
		s.cumulative = func(t float64) float64 {
			e := 50*t + 0.3*math.Sin(40*t)
			if c.unlike {
				return e
			}
			for _, o := range on {
				e += 400 * max(0, min(t, o.to)-o.from)
			}
			return e + 400*max(0, t-since)
		}
		found, err := dutyCycle(s, func(seconds float64) error {
			since = clk.t
			clk.sleep(seconds)
			on, since = append(on, span{since, clk.t}), math.Inf(1)
			return nil
		}, clk, r)
		if c.unlike {
			if err == nil || !strings.Contains(err.Error(), "do not follow the load") {
				t.Errorf("%s: %+v, %v", c.name, found, err)
			}
			continue
		}
		x := found["power"]
		if err != nil || math.Abs(x.Window/c.sees-1) > 0.1 || math.Abs(x.Period/c.period-1) > 0.1 || x.Explained < 0.95 {
			t.Errorf("%s: %+v, %v, want %v s seen", c.name, x, err, c.sees)
		}
	}
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
