package stats

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

const few = 200

// trials is how many series of each kind TestIntervalHoldsTheMedian makes.
var trials = flag.Int("trials", few, "series of each kind and length")

// process makes series whose median is known.
type process struct {
	name   string
	median float64
	start  func(r *rand.Rand) (next func() float64)
}

// processes have a level: the noise lasts for less than a tenth of the shortest
// series that it is tried in.
func processes() []process {
	var all []process
	for _, keep := range []float64{0, 0.3, 0.6, 0.9} {
		all = append(all, process{fmt.Sprintf("autocorrelation %g", keep), 1, func(r *rand.Rand) func() float64 {
			state := r.NormFloat64()
			return func() float64 {
				state = keep*state + math.Sqrt(1-keep*keep)*r.NormFloat64()
				return math.Exp(0.02 * state)
			}
		}})
	}
	// A Pareto tail of infinite variance.
	all = append(all, process{"heavy tail", 1, func(r *rand.Rand) func() float64 {
		return func() float64 { return 1 + 0.01*(math.Pow(1-r.Float64(), -1/1.5)-math.Pow(0.5, -1/1.5)) }
	}})
	// A share of the samples is a tenth slower, some in a row.
	for _, c := range []struct {
		name  string
		share float64
		row   float64
	}{{"bursts of 3", 0.1, 3}, {"two levels, 3 in a row", 0.3, 3}, {"bursts of 10", 0.1, 10}} {
		const sigma = 0.002
		median := 1 + sigma*distuv.UnitNormal.Quantile(0.5/(1-c.share))
		all = append(all, process{c.name, median, func(r *rand.Rand) func() float64 {
			slow := r.Float64() < c.share
			return func() float64 {
				leave := 1 / c.row
				if !slow {
					leave *= c.share / (1 - c.share)
				}
				slow = slow != (r.Float64() < leave)
				x := 1 + sigma*r.NormFloat64()
				if slow {
					x += 0.1
				}
				return x
			}
		}})
	}
	return all
}

// TestIntervalHoldsTheMedian: the 95 % interval holds the median in at least
// 93 % of the series of every process; the binomial interval, for which samples
// are independent, holds it in down to 40 %. The figures of docs/measuring.md
// are printed by -v -trials 2000.
func TestIntervalHoldsTheMedian(t *testing.T) {
	lengths := []int{100, 300}
	if *trials > few {
		lengths = []int{60, 100, 300, 1000, 3000}
	}
	for _, p := range processes() {
		for _, n := range lengths {
			holds, plain, width := 0, 0, 0.0
			for trial := range *trials {
				next := p.start(rand.New(rand.NewPCG(uint64(trial), uint64(n))))
				x := make([]float64, n)
				for i := range x {
					x[i] = next()
				}
				s := Summarize(x)
				if s.Low <= p.median && p.median <= s.High {
					holds++
				}
				width += s.Interval() / float64(*trials)
				sorted := slices.Sorted(slices.Values(x))
				k, _ := MedianRank(n, Confidence)
				if sorted[k-1] <= p.median && p.median <= sorted[n-k] {
					plain++
				}
			}
			share := func(count int) float64 { return 100 * float64(count) / float64(*trials) }
			t.Logf("%s, %d samples: %.1f %%, mean ± %.2g %%; as independent %.1f %%", p.name, n, share(holds), 100*width, share(plain))
			if share(holds) < 93 {
				t.Errorf("%s, %d samples: the interval holds the median in %.1f %%", p.name, n, share(holds))
			}
		}
	}
}
