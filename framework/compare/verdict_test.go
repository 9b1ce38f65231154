package compare

import (
	"math/rand/v2"
	"slices"
	"testing"

	"example.org/bench/framework/record"
)

func TestGate(t *testing.T) {
	normal := noises[0].make
	for _, test := range []struct {
		name    string
		factor  float64
		samples int
		want    Verdict
	}{
		{"equal", 1, 200, NoWorse},
		{"3 % slower", 1.03, 200, NoWorse},
		{"10 % slower", 1.10, 200, Worse},
		{"at the tolerance", 1.05, 200, Inconclusive},
		{"too few samples", 1, 2, Inconclusive},
		{"faster", 0.8, 200, NoWorse},
	} {
		rng := rand.New(rand.NewPCG(5, 6))
		gate := 0.05
		c := compared(t, pairOf(rng, normal, 5, test.samples, test.factor), Options{By: ByRun, Gate: &gate})
		if c.Gate.Verdict != test.want {
			t.Errorf("%s: %s, want %s", test.name, c.Gate, test.want)
		}
	}
}

func TestGateDirections(t *testing.T) {
	gate := 0.05
	spots := func(energy float64) []spot {
		return []spot{{version: "v", n: 1, energy: energy, uncertainty: 0.005 * energy}}
	}
	runs := []Run{synthetic("a", spots(1)), synthetic("b", spots(0.8))}
	for metric, want := range map[string]Verdict{"energy": NoWorse, "power": NoWorse, "efficiency": NoWorse} {
		for _, reverse := range []bool{false, true} {
			pair := slices.Clone(runs)
			if reverse {
				slices.Reverse(pair)
				want = Worse
			}
			c := compared(t, pair, Options{By: ByRun, Metrics: []string{metric}, Gate: &gate})
			if c.Gate.Verdict != want {
				t.Errorf("%s, reversed %v: %s, want %s", metric, reverse, c.Gate, want)
			}
		}
	}
	// Figures without uncertainty show nothing.
	bare := func(energy float64) []spot { return []spot{{version: "v", n: 1, energy: energy}} }
	c := compared(t, []Run{synthetic("a", bare(1)), synthetic("b", bare(2))}, Options{By: ByRun, Gate: &gate})
	if c.Gate.Verdict != Inconclusive {
		t.Errorf("without uncertainty: %s, want inconclusive", c.Gate)
	}
}

// TestGateLostPoints: a point that broke is worse; one that is not there is
// inconclusive.
func TestGateLostPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	gate := 0.05
	good := func(n int64) spot { return spot{version: "v", n: n, samples: noises[0].make(rng, 200, 1e-3)} }
	broken := good(2)
	broken.status = record.Wrong
	for _, test := range []struct {
		after []spot
		want  Verdict
	}{
		{[]spot{good(1), good(2)}, NoWorse},
		{[]spot{good(1), broken}, Worse},
		{[]spot{good(1)}, Inconclusive},
	} {
		c := compared(t, []Run{synthetic("a", []spot{good(1), good(2)}), synthetic("b", test.after)}, Options{By: ByRun, Gate: &gate})
		if c.Gate.Verdict != test.want {
			t.Errorf("%d points after: %s, want %s", len(test.after), c.Gate, test.want)
		}
	}
}

// TestGateOfRates: where more is better, 5 % worse is a ratio of 1/1.05.
func TestGateOfRates(t *testing.T) {
	gate := 0.05
	for energy, want := range map[float64]string{
		1.04: "gate 5 %: no worse (0 worse, 0 inconclusive, 1 no worse)", 1.06: "gate 5 %: worse (1 worse, 0 inconclusive, 0 no worse)",
		1.0501: "gate 5 %: inconclusive (0 worse, 1 inconclusive, 0 no worse)",
	} {
		spots := func(e float64) []spot { return []spot{{version: "v", n: 1, energy: e, uncertainty: 1e-3 * e}} }
		c := compared(t, []Run{synthetic("a", spots(1)), synthetic("b", spots(energy))}, Options{By: ByRun, Metrics: []string{"efficiency"}, Gate: &gate})
		if got := c.Gate.String(); got != want {
			t.Errorf("efficiency by 1/%v: %s, want %s", energy, got, want)
		}
	}
}

// TestRealDifferences: 5 % slower and 5 % faster are found, with the right
// sign, in every one of ten points and of 20 tables.
func TestRealDifferences(t *testing.T) {
	for _, n := range noises {
		rng := rand.New(rand.NewPCG(3, 4))
		for _, want := range []struct {
			factor  float64
			verdict Verdict
		}{{1.05, Worse}, {1 / 1.05, Better}} {
			missed, outside, ratios := 0, 0, 0
			for range 10 {
				c := compared(t, pairOf(rng, n.make, 10, 200, want.factor), Options{By: ByRun})
				c.ratios(func(_ Metric, _ Cell, r *Ratio) {
					ratios++
					if r.Verdict != want.verdict {
						missed++
					}
					if r.Low == nil || *r.Low > want.factor || *r.High < want.factor {
						outside++
					}
				})
			}
			if ratios != 100 || missed > 0 {
				t.Errorf("%s: %d of %d differences of %.3g were not told as %s", n.name, missed, ratios, want.factor, want.verdict)
			}
			// 100 intervals of 95 % miss more than 13 times with probability 0.1 %.
			if outside > 13 {
				t.Errorf("%s: %d of %d intervals do not hold the true ratio %.3g", n.name, outside, ratios, want.factor)
			}
		}
	}
}

// TestGateFalseAlarms: at exactly the tolerance nothing is worse than it; a
// gate may fail with probability 5 % at most.
func TestGateFalseAlarms(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	gate, failed := 0.05, 0
	for range 300 {
		c := compared(t, pairOf(rng, noises[1].make, 5, 100, 1.05), Options{By: ByRun, Gate: &gate})
		if c.Gate.Verdict == Worse {
			failed++
		}
	}
	if failed > 27 { // probability 0.1 % at a true rate of 5 %
		t.Errorf("the gate failed %d of 300 times", failed)
	}
}

// TestFalseAlarms: of tables of ten equal points each, at most 5 % may tell of
// any difference, whatever the noise and the number of samples. At a true rate
// of 5 % more than 14 of 120 tables, or 7 of 40, have an alarm with a probability
// of at most 0.2 %.
func TestFalseAlarms(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one thread")
	}
	for _, n := range noises {
		for _, samples := range []int{12, 80, 250} {
			if n.name == "slow drift" && samples < 80 {
				continue // they show too little of it to be known for drift: docs/comparing.md
			}
			tables, most := 120, 14
			if samples == 250 { // which take the longest
				tables, most = 40, 7
			}
			rng := rand.New(rand.NewPCG(1, 2))
			alarms := 0
			for range tables {
				c := compared(t, pairOf(rng, n.make, 10, samples, 1), Options{By: ByRun, Metrics: []string{"time"}})
				alarm := false
				c.ratios(func(_ Metric, _ Cell, r *Ratio) { alarm = alarm || r.Verdict != NotTold })
				if alarm {
					alarms++
				}
			}
			t.Logf("%s, %d samples: %d of %d tables", n.name, samples, alarms, tables)
			if alarms > most {
				t.Errorf("%s, %d samples: a difference was told in %d of %d tables without any", n.name, samples, alarms, tables)
			}
		}
	}
}
