package measure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"example.org/bench/framework/config"
	"example.org/bench/framework/stats"
)

// settledAs runs the rule, which looks first at 300 samples, on a stream, and tells
// whether a table marks the median: its interval is wider than 5 %, or the level
// moved by more.
func settledAs(next func(n int) float64) (marked bool, moved float64) {
	elapsed := 0.0
	rule := newRule(config.Measure{MinSamples: 300, Noise: 0.005, Timeout: 2}, func() float64 { return elapsed })
	rule.Clock(1, 1e-9)
	var all []float64
	for {
		x := next(len(all))
		all = append(all, x)
		elapsed += x
		rule.Add(x)
		if stop, _, _ := rule.Done(); stop {
			return stats.Summarize(all).Interval() > 0.05 || math.Abs(rule.Moved()) > 0.05, rule.Moved()
		}
	}
}

// TestStationaryStreamsAreNotMarked: at most 5 % of them.
func TestStationaryStreamsAreNotMarked(t *testing.T) {
	const trials = 40
	streams := map[string]func(r *rand.Rand) func(int) float64{
		"heavy tail": func(r *rand.Rand) func(int) float64 {
			return func(int) float64 { return level * (1 + 0.01*(math.Pow(1-r.Float64(), -1/1.5)-1)) }
		},
		"bursts": func(r *rand.Rand) func(int) float64 {
			left := 0
			return func(int) float64 {
				if left--; left < 0 && r.Float64() < 0.01 {
					left = 10
				}
				if left > 0 {
					return 1.5 * level
				}
				return level * (1 + 0.003*r.NormFloat64())
			}
		},
	}
	for _, keep := range []float64{0, 0.3, 0.6, 0.9} {
		streams[fmt.Sprintf("autocorrelation %g", keep)] = func(r *rand.Rand) func(int) float64 {
			state := r.NormFloat64()
			return func(int) float64 {
				state = keep*state + math.Sqrt(1-keep*keep)*r.NormFloat64()
				return level * math.Exp(0.02*state)
			}
		}
	}
	for name, stream := range streams {
		count := 0
		for trial := range trials {
			if marked, _ := settledAs(stream(rand.New(rand.NewPCG(uint64(trial), 5)))); marked {
				count++
			}
		}
		if t.Logf("%s: %d of %d marked", name, count, trials); count > trials/20 {
			t.Errorf("%s: %d of %d streams are marked", name, count, trials)
		}
	}
}

// TestMovedLevelsAreMarked: a step and a drift of 15 % are, by their size.
func TestMovedLevelsAreMarked(t *testing.T) {
	for name, at := range map[string]func(n int) float64{
		"step":  func(n int) float64 { return 1 + 0.15*float64(min(1, n/200)) },
		"drift": func(n int) float64 { return 1 + 0.15*float64(n)/300 },
	} {
		r := rand.New(rand.NewPCG(1, 5))
		if marked, moved := settledAs(func(n int) float64 { return level * at(n) * (1 + 0.003*r.NormFloat64()) }); !marked || name == "step" && math.Abs(moved-0.15) > 0.01 {
			t.Errorf("%s: marked %v, moved by %v", name, marked, moved)
		}
	}
}
