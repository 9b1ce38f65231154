package measure

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestLevelErrors: of level series at most 5 % are called changed, and a change
// of three times the scatter, in the first half, is found in at least 90 %.
func TestLevelErrors(t *testing.T) {
	const trials = 4000
	for _, n := range []int{6, 8, 10, 16, 20} {
		r := rand.New(rand.NewPCG(uint64(n), 5))
		wrong, missed := 0, 0
		for range trials {
			x := make([]float64, n)
			for i := range x {
				x[i] = 1 + 0.5*r.NormFloat64() // what matters is exceeded by chance
			}
			if changed(x) {
				wrong++
			}
			at := 1 + r.IntN(n/2)
			for i := range x {
				x[i] = 1 + 0.1*r.NormFloat64()
				if i < at {
					x[i] -= 0.6
				}
			}
			if n >= 16 && at > 1 && !changed(x) {
				missed++
			}
		}
		if wrong > trials/18 {
			t.Errorf("%d values: %d of %d level series are called changed", n, wrong, trials)
		}
		if missed > trials/10 {
			t.Errorf("%d values: %d of %d changes are missed", n, missed, trials)
		}
	}
	small := make([]float64, 16)
	for i := range small {
		small[i] = 100 + 1.5*math.Floor(float64(i)/8)
	}
	if changed(small) {
		t.Error("a change of 1.5 % counts")
	}
	small[0], small[1] = 40, 60
	if !changed(small) {
		t.Error("a start at half the power does not count")
	}
	if changed(small[:5]) || changed(nil) {
		t.Error("too few values to tell are called changed")
	}
}

// TestWindowBeginsLevel: power that swings after the load began, and falls after
// it ended, is neither in the window nor in idle power.
func TestWindowBeginsLevel(t *testing.T) {
	// By the period the last update of a span is seen a little or long before its end.
	for _, c := range []struct {
		counter bool
		period  float64
	}{{false, 20e-3}, {true, 20e-3}, {true, 17.3e-3}, {true, 19.97e-3}, {true, 20.03e-3}, {true, 20.26e-3}, {true, 23.9e-3}, {true, 26.1e-3}} {
		r := rand.New(rand.NewPCG(8, 1))
		noise := make([]float64, 4096)
		for i := range noise {
			noise[i] = r.NormFloat64()
		}
		var s *synthetic
		on, since := false, math.Inf(-1)
		s = &synthetic{period: c.period, counter: c.counter, averaging: c.period}
		s.power = func(t float64) float64 {
			p := 124 + noise[int(t*150)%len(noise)]
			switch after := t - since; {
			case on && after < 0.4:
				p += 650
			case on && after < 1:
				p += 370
			case on:
				p += 646
			case t < 1001.5: // a load before, still warm
				p += 640 * math.Exp(-(t-1000.3)/0.4)
			}
			return p
		}
		e, ch, _ := benchLoad(t, s, powerDefaults, Knowledge{}, 2e-3, func(now bool) { on, since = now, s.clock.t })
		if math.Abs(ch.Idle/124-1) > 0.03 || math.Abs(ch.Power/770-1) > 0.01 {
			t.Errorf("%+v: idle %v W, running %v W, want 124 and 770", c, ch.Idle, ch.Power)
		}
		if len(e.Notes) > 0 {
			t.Errorf("%+v: %q", c, e.Notes)
		}
	}
	// What never becomes level is measured all the same, and told.
	s := &synthetic{period: 20e-3, averaging: 20e-3, power: func(t float64) float64 { return 10 + 50*math.Floor(t-1000) + 0.1*math.Sin(900*t) }}
	e, ch, truth := bench(t, s, powerDefaults, 2e-3)
	if len(e.Notes) != 1 || math.Abs(ch.Energy/truth-1) > 0.02 {
		t.Errorf("power that rises for ever: notes %q, %v J, truth %v J", e.Notes, ch.Energy, truth)
	}
}
