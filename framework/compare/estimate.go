package compare

import (
	"cmp"
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// confidence is the level of the intervals that are shown.
const confidence = 0.95

// normal95 is the normal distribution's 97.5 % quantile.
const normal95 = 1.959964

// blocks is into how many consecutive blocks samples are cut to see noise
// that lasts longer than a sample, and leastBlock their least length.
const (
	blocks     = 12
	leastBlock = 5
)

// Estimate is one value and how well it is known.
type Estimate struct {
	Value float64 `json:"value"`
	// Low and High bound the 95 % interval; nil where nothing says how well the
	// value is known.
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
	// Samples is how many the value is the median of; 0 where it is none.
	Samples int `json:"samples,omitempty"`

	sorted []float64 // the samples, ascending
	// memory is the correlation of a sample's rank with the one before, at
	// least 0.
	memory float64
	// blocks are the logarithms of the medians of consecutive blocks of
	// samples; nil for too few samples.
	blocks []float64
	// sigma is the standard uncertainty of the value's logarithm, where there
	// are no samples; 0: unknown.
	sigma float64
}

// fromSamples is the median. Its interval is the wider of two: that of order
// statistics (benchmath.AssumeNothing), widened as for fewer samples where each
// resembles the one before; and Student's of the medians of consecutive blocks,
// which counts noise that lasts for many samples ("batch means" of simulation
// output analysis).
func fromSamples(x []float64) Estimate {
	e := Estimate{Samples: len(x), blocks: blockLogs(x), memory: memory(x), sorted: slices.Clone(x)}
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(e.sorted, &benchmath.DefaultThresholds), confidence)
	e.Value = s.Center
	if math.IsInf(s.Lo, 0) || math.IsInf(s.Hi, 0) {
		return e
	}
	wider := math.Sqrt((1 + e.memory) / (1 - e.memory))
	low, high := e.Value*math.Pow(s.Lo/e.Value, wider), e.Value*math.Pow(s.Hi/e.Value, wider)
	if e.blocks != nil {
		t := distuv.StudentsT{Sigma: 1, Nu: blocks - 1}.Quantile(0.5 + confidence/2)
		half := t * stat.StdDev(e.blocks, nil) / math.Sqrt(blocks)
		low, high = math.Min(low, e.Value*math.Exp(-half)), math.Max(high, e.Value*math.Exp(half))
	}
	e.Low, e.High = &low, &high
	return e
}

// blockLogs cuts x, in the order taken, into blocks.
func blockLogs(x []float64) []float64 {
	size := len(x) / blocks
	if size < leastBlock {
		return nil
	}
	logs := make([]float64, blocks)
	for i := range logs {
		b := slices.Sorted(slices.Values(x[i*size : (i+1)*size]))
		logs[i] = math.Log((b[(size-1)/2] + b[size/2]) / 2)
	}
	return logs
}

// memory is the first serial correlation of the ranks, between 0 and 0.98:
// samples of a first-order autoregressive process with correlation r tell of
// their mean what (1-r)/(1+r) as many independent ones would (Box, Jenkins and
// Reinsel, "Time Series Analysis").
func memory(x []float64) float64 {
	const most = 0.98
	if len(x) < 2*leastBlock {
		return 0
	}
	ranks := ranksOf(x)
	mean, product, square := float64(len(x)+1)/2, 0.0, 0.0
	for i, r := range ranks {
		square += (r - mean) * (r - mean)
		if i > 0 {
			product += (r - mean) * (ranks[i-1] - mean)
		}
	}
	if square == 0 {
		return 0
	}
	// The estimate is too low by about (1 + 4r)/n (Kendall, "Note on Bias in the
	// Estimation of Autocorrelation").
	n := float64(len(x))
	return math.Min(most, math.Max(0, (product/square+1/n)/(1-4/n)))
}

// ranksOf counts from 1; equal samples share their mean rank.
func ranksOf(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	ranks := make([]float64, len(x))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && x[order[j]] == x[order[i]] {
			j++
		}
		for _, k := range order[i:j] {
			ranks[k] = float64(i+1+j) / 2
		}
		i = j
	}
	return ranks
}

// fromInterval is a value with a 95 % interval and nothing more.
func fromInterval(value, low, high float64) Estimate {
	if !(low > 0) || !(high > low) {
		return Estimate{Value: value}
	}
	return Estimate{Value: value, Low: &low, High: &high, sigma: math.Log(high/low) / (2 * normal95)}
}

// fromUncertainty is a value whose 95 % interval is ± relative.
func fromUncertainty(value, relative float64) Estimate {
	if !(relative > 0) || relative >= 1 {
		return Estimate{Value: value}
	}
	low, high := value*(1-relative), value*(1+relative)
	return Estimate{Value: value, Low: &low, High: &high, sigma: relative / normal95}
}

// Ratio is a level's value by the baseline's.
type Ratio struct {
	Value float64 `json:"value"`
	// Low and High bound its 95 % interval, of this ratio alone; nil for none.
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
	// P is the probability of a difference as large, either way, where there is
	// none; Adjusted accounts for the number of ratios in the comparison. Nil
	// where nothing says how well the values are known.
	P        *float64 `json:"p,omitempty"`
	Adjusted *float64 `json:"p_adjusted,omitempty"`
	Verdict  Verdict  `json:"verdict,omitempty"`
	// Gate is the verdict about the tolerated worsening, where one is asked
	// for.
	Gate Verdict `json:"gate,omitempty"`

	base, level Estimate
}

// ratio has the interval that the two values' intervals give on a logarithmic
// scale by the method of variance estimates recovery (Zou and Donner,
// "Construction of confidence intervals about effect measures: a simple
// approach").
func ratio(base, level Estimate) *Ratio {
	r := &Ratio{Value: level.Value / base.Value, base: base, level: level}
	if base.Low != nil && level.Low != nil {
		below := math.Hypot(math.Log(level.Value / *level.Low), math.Log(*base.High/base.Value))
		above := math.Hypot(math.Log(*level.High/level.Value), math.Log(base.Value / *base.Low))
		low, high := r.Value*math.Exp(-below), r.Value*math.Exp(above)
		r.Low, r.High = &low, &high
	}
	if more, less, ok := r.tails(1); ok {
		p := math.Min(1, 2*math.Min(more, less))
		r.P = &p
	}
	return r
}

// tails are the probabilities of a ratio as high, and as low, as was found
// where the true one is x. Times are compared by the Mann-Whitney U test of
// the samples, scaled by x, and by Welch's t test of the medians of their
// blocks; the larger probability counts. Where samples resemble their
// neighbours, the U test's deviate is reduced as for fewer samples. It then
// knows order alone and says little about whatever difference, so that of the
// logarithm of the ratio by its widened interval may stand in. Other values
// are taken as log-normal.
func (r *Ratio) tails(x float64) (more, less float64, ok bool) {
	a, b := r.base, r.level
	switch {
	case a.Samples > 0 && b.Samples > 0:
		more, less = rankTails(a.sorted, b.sorted, x)
		if m := math.Max(a.memory, b.memory); m > 0 {
			weakMore, weakLess := weaken(more, less, math.Sqrt((1-m)/(1+m)))
			if sa, sb := a.sigmaOr(), b.sigmaOr(); sa > 0 && sb > 0 {
				m, l := zTails(math.Log(r.Value/x), math.Hypot(sa, sb))
				weakMore, weakLess = math.Min(weakMore, m), math.Min(weakLess, l)
			}
			more, less = math.Max(more, weakMore), math.Max(less, weakLess)
		}
		if a.blocks != nil && b.blocks != nil {
			m, l := welchTails(a.blocks, b.blocks, math.Log(x))
			more, less = math.Max(more, m), math.Max(less, l)
		}
		return more, less, true
	case a.sigmaOr() > 0 && b.sigmaOr() > 0:
		more, less = zTails(math.Log(r.Value/x), math.Hypot(a.sigmaOr(), b.sigmaOr()))
		return more, less, true
	}
	return 0, 0, false
}

// sigmaOr is sigma, or what the interval of a median gives.
func (e Estimate) sigmaOr() float64 {
	if e.sigma == 0 && e.Low != nil {
		return math.Log(*e.High / *e.Low) / (2 * normal95)
	}
	return e.sigma
}

// weaken multiplies the normal deviate that belongs to the tails.
func weaken(more, less, by float64) (float64, float64) {
	p := distuv.UnitNormal.CDF(distuv.UnitNormal.Quantile(math.Min(more, less)) * by)
	if more < less {
		return p, 1 - p
	}
	return 1 - p, p
}

func zTails(distance, sigma float64) (more, less float64) {
	n := distuv.UnitNormal
	return n.Survival(distance / sigma), n.CDF(distance / sigma)
}

// rankTails is the U test of b/x against a.
func rankTails(a, b []float64, x float64) (more, less float64) {
	scaled := make([]float64, len(b))
	for i := range b {
		scaled[i] = b[i] / x
	}
	t := &benchmath.DefaultThresholds
	p := benchmath.AssumeNothing.Compare(benchmath.NewSample(slices.Clone(a), t), benchmath.NewSample(scaled, t)).P
	if rankSum(a, scaled) > 0 {
		return p / 2, 1 - p/2
	}
	return 1 - p/2, p / 2
}

// rankSum is how many pairs have b above a, less how many below; both are
// ascending.
func rankSum(a, b []float64) (sum int) {
	for _, v := range b {
		below, found := slices.BinarySearch(a, v)
		equal := 0
		if found {
			after, _ := slices.BinarySearch(a, math.Nextafter(v, math.Inf(1)))
			equal = after - below
		}
		sum += below - (len(a) - below - equal)
	}
	return sum
}

// welchTails is Welch's t test of b less a less shift.
func welchTails(a, b []float64, shift float64) (more, less float64) {
	ma, va := stat.MeanVariance(a, nil)
	mb, vb := stat.MeanVariance(b, nil)
	va, vb = va/float64(len(a)), vb/float64(len(b))
	difference := mb - ma - shift
	if va+vb == 0 {
		switch {
		case difference > 0:
			return 0, 1
		case difference < 0:
			return 1, 0
		}
		return 0.5, 0.5
	}
	nu := (va + vb) * (va + vb) / (va*va/float64(len(a)-1) + vb*vb/float64(len(b)-1))
	t := distuv.StudentsT{Sigma: 1, Nu: nu}
	z := difference / math.Sqrt(va+vb)
	return t.Survival(z), t.CDF(z)
}
