package compare

import (
	"math"
	"slices"

	"example.org/bench/framework/stats"
)

// normal95 is the normal distribution's 97.5 % quantile.
const normal95 = 1.959964

// Estimate is one value and how well it is known.
type Estimate struct {
	Value   float64  `json:"value" unit:"the metric's"`          // the figure
	Low     *float64 `json:"low,omitempty" unit:"the metric's"`  // lower end of its 95 % interval; absent: unknown
	High    *float64 `json:"high,omitempty" unit:"the metric's"` // upper end of it
	Samples int      `json:"samples,omitempty"`                  // that the value is the median of; absent: it is none
	// Instances is how many instances of the point, each with its own process and memory, the value is the
	// geometric mean of; absent: of one.
	Instances int `json:"instances,omitempty"`

	// logs are the logarithms of the instances' medians; nil for one instance.
	logs []float64
	// levels are the lowest and the highest level that a doubtful median of one instance may be on
	// (record.Statistics.Doubtful); nil for others.
	levels *[2]float64

	sorted []float64 // the samples, ascending
	// autocorrelation is the correlation of a sample's rank with the one before.
	autocorrelation float64
	// blocks are the logarithms of the medians of consecutive blocks of
	// samples; nil for too few samples.
	blocks []float64
	// sigma is the standard uncertainty of the value's logarithm if there are
	// no samples; 0: unknown.
	sigma float64
}

// fromSamples returns the median with its interval, as in the tables of a run.
func fromSamples(x []float64) Estimate {
	series := stats.NewSeries(x)
	e := Estimate{Value: series.Median(), Samples: len(x), blocks: series.BlockLogs(), autocorrelation: series.RankAutocorrelation(), sorted: series.Sorted}
	if low, high, ok := series.MedianInterval(stats.Confidence); ok {
		e.Low, e.High = &low, &high
	}
	return e
}

// bare returns the estimate without its samples, which take most of a comparison's memory if it has
// many points.
func (e Estimate) bare() Estimate {
	e.sorted, e.blocks = nil, nil
	return e
}

// fromInstances returns the geometric mean of the instances' values (stats.Instances). series are
// their samples, if there are any.
func fromInstances(values []float64, series [][]float64) Estimate {
	e := Estimate{Instances: len(values)}
	for _, x := range series {
		e.Samples += len(x)
	}
	for _, v := range values {
		e.logs = append(e.logs, math.Log(v))
	}
	value, low, high := stats.Instances(values, stats.Confidence)
	e.Value, e.Low, e.High = value, &low, &high
	return e
}

// atLeast widens the interval to what the standard uncertainty of each value's logarithm says.
func (e Estimate) atLeast(sigma float64) Estimate {
	if e.sigma = sigma; sigma > 0 {
		low, high := min(*e.Low, e.Value*math.Exp(-normal95*sigma)), max(*e.High, e.Value*math.Exp(normal95*sigma))
		e.Low, e.High = &low, &high
	}
	return e
}

// medians returns the medians of each instance's samples.
func medians(series [][]float64) []float64 {
	list := make([]float64, len(series))
	for i, x := range series {
		list[i] = stats.Median(x)
	}
	return list
}

// EstimateOf returns a value with its 95 % interval; low and high are 0 if that is unknown.
func EstimateOf(value, low, high float64) Estimate { return fromInterval(value, low, high) }

// RatioOf returns the ratio of the level's value to the baseline's, without a verdict.
func RatioOf(base, level Estimate) *Ratio { return ratio(base, level) }

// fromInterval returns a value with only a 95 % interval.
func fromInterval(value, low, high float64) Estimate {
	if !(low > 0) || !(high > low) {
		return Estimate{Value: value}
	}
	return Estimate{Value: value, Low: &low, High: &high, sigma: math.Log(high/low) / (2 * normal95)}
}

// fromUncertainty returns a value whose 95 % interval is ± relative.
func fromUncertainty(value, relative float64) Estimate {
	if !(relative > 0) || relative >= 1 {
		return Estimate{Value: value}
	}
	low, high := value*(1-relative), value*(1+relative)
	return Estimate{Value: value, Low: &low, High: &high, sigma: relative / normal95}
}

// Ratio is a level's value divided by the baseline's.
type Ratio struct {
	Value    float64  `json:"value"`                // the ratio
	Low      *float64 `json:"low,omitempty"`        // lower end of its 95 % interval; absent: unknown
	High     *float64 `json:"high,omitempty"`       // upper end of it
	P        *float64 `json:"p,omitempty"`          // probability of such a ratio where there is no difference; absent: unknown
	Adjusted *float64 `json:"p_adjusted,omitempty"` // the same for all ratios together (Holm)
	Verdict  Verdict  `json:"verdict,omitempty"`    // "better", "worse" or "no difference told"
	Gate     Verdict  `json:"gate,omitempty"`       // "worse", "inconclusive" or "no worse", with --gate
	// Because is why times of a GPU differ, with --why (docs/comparing.md#why).
	Because *Because `json:"because,omitempty"`

	// sides are the values of the ratio; nil once no test needs them.
	sides *sides
	// sampled is set if both sides are samples of one instance, uncertain if one of them is
	// doubtful.
	sampled, uncertain bool
	// disturbance is what others had of the machine at one of the sides, if that has only one run;
	// empty for little.
	disturbance string
	// shared is the signs that others used the GPU at one of the sides; empty if there are none.
	shared string
}

// sides are the values of a ratio.
type sides struct{ base, level Estimate }

// ratio returns the ratio with the interval that the two values' intervals give on a logarithmic
// scale by the method of variance estimates recovery (Zou and Donner, "Construction of confidence
// intervals about effect measures: a simple approach").
func ratio(base, level Estimate) *Ratio {
	r := &Ratio{Value: level.Value / base.Value, sides: &sides{base, level}, uncertain: base.levels != nil || level.levels != nil,
		sampled: base.Samples > 0 && level.Samples > 0 && base.logs == nil && level.logs == nil}
	if d, ok := r.difference(); ok {
		low, high := math.Exp(d.Mean-d.Half(stats.Confidence)), math.Exp(d.Mean+d.Half(stats.Confidence))
		r.Low, r.High = &low, &high
	} else if base.Low != nil && level.Low != nil {
		below := math.Hypot(math.Log(level.Value / *level.Low), math.Log(*base.High/base.Value))
		above := math.Hypot(math.Log(*level.High/level.Value), math.Log(base.Value / *base.Low))
		low, high := r.Value*math.Exp(-below), r.Value*math.Exp(above)
		r.Low, r.High = &low, &high
	}
	if t, ok := r.tails(1); ok {
		p := t.TwoSided()
		r.P = &p
	}
	return r
}

// tails returns the probabilities of a ratio as high, and as low, as was found if the true one is x. Times
// are compared by the Mann-Whitney U test of the samples, scaled by x, and by Welch's t test of the medians
// of their blocks; the larger probability counts. If samples resemble their neighbours, the U test's deviate
// is reduced as for fewer samples. That test then uses only the order and hardly reacts to the size of a
// difference, so the probability from the logarithm of the ratio and its widened interval may replace it.
// Other values are taken as log-normal. If a level has several instances, only their medians count, by a t
// test of the logarithms.
func (r *Ratio) tails(x float64) (t stats.Tails, ok bool) {
	a, b := r.sides.base, r.sides.level
	if d, ok := r.difference(); ok {
		t = d.Tails(math.Log(x))
		if a.sigma > 0 && b.sigma > 0 {
			t = t.Larger(stats.NormalTest(math.Log(r.Value/x), math.Hypot(a.sigma, b.sigma)))
		}
		return t, true
	}
	switch {
	case a.Samples > 0 && b.Samples > 0:
		scaled := slices.Clone(b.sorted)
		for i := range scaled {
			scaled[i] /= x
		}
		t = stats.MannWhitney(a.sorted, scaled)
		if c := max(a.autocorrelation, b.autocorrelation); c > 0 {
			weak := t.Weaken(math.Sqrt((1 - c) / (1 + c)))
			if sa, sb := a.sigmaOr(), b.sigmaOr(); sa > 0 && sb > 0 {
				weak = weak.Smaller(stats.NormalTest(math.Log(r.Value/x), math.Hypot(sa, sb)))
			}
			t = t.Larger(weak)
		}
		if a.blocks != nil && b.blocks != nil {
			t = t.Larger(stats.Welch(a.blocks, b.blocks, math.Log(x)))
		}
		return t, true
	case a.sigmaOr() > 0 && b.sigmaOr() > 0:
		return stats.NormalTest(math.Log(r.Value/x), math.Hypot(a.sigmaOr(), b.sigmaOr())), true
	}
	return t, false
}

// difference returns the difference of the logarithms of the instances; ok is false if both levels
// have one. A level with one instance is assumed to vary as the other's do.
func (r *Ratio) difference() (d stats.Difference, ok bool) {
	a, b := r.sides.base.logs, r.sides.level.logs
	if a == nil && b == nil {
		return d, false
	}
	if a == nil {
		a = []float64{math.Log(r.sides.base.Value)}
	}
	if b == nil {
		b = []float64{math.Log(r.sides.level.Value)}
	}
	return stats.DifferenceOf(a, b), true
}

// sigmaOr returns sigma, or the one that follows from the interval of a median.
func (e Estimate) sigmaOr() float64 {
	if e.sigma == 0 && e.Low != nil {
		return math.Log(*e.High / *e.Low) / (2 * normal95)
	}
	return e.sigma
}
