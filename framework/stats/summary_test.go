package stats

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestSummarizeFewSamples(t *testing.T) {
	none := Summarize(nil)
	if none.Count != 0 {
		t.Errorf("count of nothing is %d", none.Count)
	}
	for name, v := range map[string]float64{
		"median": none.Median, "q1": none.Q1, "q3": none.Q3, "min": none.Min, "max": none.Max,
		"mean": none.Mean, "stdev": none.Stdev, "low": none.Low, "high": none.High,
	} {
		if !math.IsNaN(v) {
			t.Errorf("%s of nothing is %v, want NaN", name, v)
		}
	}
	one := Summarize([]float64{3})
	if one.Median != 3 || one.Q1 != 3 || one.Q3 != 3 || one.Min != 3 || one.Max != 3 || one.Mean != 3 {
		t.Errorf("one sample of 3: %+v", one)
	}
	if !math.IsNaN(one.Stdev) || !math.IsNaN(one.Low) || !math.IsNaN(one.High) {
		t.Errorf("one sample has no stdev and no interval: %+v", one)
	}
	two := Summarize([]float64{4, 2})
	if two.Median != 3 || two.Q1 != 2.5 || two.Q3 != 3.5 || two.Mean != 3 || math.Abs(two.Stdev-math.Sqrt2) > 1e-15 {
		t.Errorf("samples 4, 2: %+v", two)
	}
	if five := Summarize([]float64{1, 2, 3, 4, 5}); !math.IsNaN(five.Low) {
		t.Errorf("five samples cannot give a 95 %% interval, got from %v", five.Low)
	}
	if six := Summarize([]float64{6, 5, 4, 3, 2, 1}); six.Low != 1 || six.High != 6 {
		t.Errorf("six samples: interval %v to %v, want 1 to 6", six.Low, six.High)
	}
}

func TestSummarizeKnownValues(t *testing.T) {
	in := []float64{9, 1, 8, 2, 7, 3, 6, 4, 5, 10}
	s := Summarize(in)
	want := Summary{Count: 10, Median: 5.5, Q1: 3.25, Q3: 7.75, Min: 1, Max: 10, Mean: 5.5,
		Stdev: 3.0276503540974917, Low: 2, High: 9}
	if math.Abs(s.Stdev-want.Stdev) > 1e-14 {
		t.Errorf("stdev %v, want %v", s.Stdev, want.Stdev)
	}
	s.Stdev = want.Stdev
	if s != want {
		t.Errorf("got  %+v\nwant %+v", s, want)
	}
	if in[0] != 9 || in[9] != 10 {
		t.Error("Summarize reordered its argument")
	}
}

// TestMedianRankIsExact compares the ranks with whole-number arithmetic.
func TestMedianRankIsExact(t *testing.T) {
	for _, level := range []float64{0.95, 0.99} {
		for _, n := range []int{1, 2, 5, 6, 7, 8, 10, 15, 20, 50, 101, 500, 2000} {
			// 2·(number of subsets smaller than k) <= (1-level)·2^n
			bound, _ := new(big.Float).Mul(big.NewFloat((1-level)/2), new(big.Float).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(n)))).Int(nil)
			sum, want := new(big.Int), 0
			for i := 0; i < n; i++ {
				sum.Add(sum, new(big.Int).Binomial(int64(n), int64(i)))
				if sum.Cmp(bound) > 0 {
					break
				}
				want = i + 1
			}
			if k, ok := MedianRank(n, level); k != want || ok != (want > 0) {
				t.Errorf("n=%d level=%v: rank %d ok=%v, want %d", n, level, k, ok, want)
			}
		}
	}
}

// A rank whose confidence is exactly what is asked for counts: both of two
// samples are on one side of the median with probability 1/2.
func TestMedianRankAtTheConfidence(t *testing.T) {
	for n, confidence := range map[int]float64{2: 0.5, 3: 0.75} {
		if k, ok := MedianRank(n, confidence); k != 1 || !ok {
			t.Errorf("n=%d level=%v: rank %d, %v, want 1", n, confidence, k, ok)
		}
	}
}

// TestMedianIntervalCovers counts how often the interval holds the median of
// skewed samples.
func TestMedianIntervalCovers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const trials = 4000
	for _, n := range []int{6, 10, 37} {
		hit := 0
		for range trials {
			x := make([]float64, n)
			for i := range x {
				x[i] = math.Exp(r.NormFloat64()) // median 1
			}
			if s := Summarize(x); s.Low <= 1 && 1 <= s.High {
				hit++
			}
		}
		// Three standard errors of a share of 0.95 over 4000 trials are 0.010.
		if share := float64(hit) / trials; share < 0.94 {
			t.Errorf("n=%d: interval holds the median in %.3f of the trials, want at least 0.95", n, share)
		}
	}
}
