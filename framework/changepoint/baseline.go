package changepoint

import (
	"math"

	"bench/framework/stats"
)

// Value is one measurement, of what has additive noise: the logarithm of a time.
type Value struct {
	X float64
	// Sigma is its own standard error, without what differs from one run to the next;
	// 0: unknown.
	Sigma float64
}

const (
	// normalMAD is the standard deviation of a normal distribution by its median
	// absolute deviation.
	normalMAD = 1.482602
	// halvings narrow the variance between runs to a millionth of the largest.
	halvings = 20
	// largestT2 stands for those without noise.
	largestT2 = 1e12
)

// baseline is what the values before a place say. It depends on no later value.
type baseline struct {
	centre float64 // median
	// between is the variance beyond the values' own errors, scale2 the variance of a
	// typical value.
	between, scale2 float64
	// n is the number of values; weight, mean and variance are of the clipped values.
	n, weight, mean, variance float64
	// fewer is how many values that resemble their neighbours count as one.
	fewer  float64
	values []Value
}

// baselineOf is that of values, at least two.
func baselineOf(values []Value) baseline {
	x, errors := make([]float64, len(values)), make([]float64, len(values))
	for i, v := range values {
		x[i], errors[i] = v.X, v.Sigma*v.Sigma
	}
	b := baseline{centre: stats.Median(x), fewer: 1, n: float64(len(values)), values: values}
	for i := range x {
		x[i] = math.Abs(x[i] - b.centre)
	}
	own := stats.Median(errors)
	b.between = betweenOf(x, errors)
	b.scale2 = b.between + own
	var sum, squares float64
	for _, v := range values {
		w := b.weightOf(v)
		b.weight += w
		sum += w * b.clipped(v)
	}
	b.mean = sum / b.weight
	for i, v := range values {
		x[i] = math.Sqrt(b.weightOf(v)) * (b.clipped(v) - b.mean)
		squares += x[i] * x[i]
	}
	b.variance = max(squares/(b.n-1), own)
	b.fewer = resemblance(x)
	return b
}

// betweenOf is the variance of runs beyond that of their own errors, from distances from
// the median: the one with which half of the distances are as small as half of a normal
// distribution's. It is as large as the small errors at least (their harmonic mean): something
// always differs between runs.
func betweenOf(distances, errors []float64) float64 {
	middle := normalMAD * stats.Median(distances)
	if middle == 0 { // half of the values are equal
		for _, d := range distances {
			middle += d / float64(len(distances))
		}
	}
	high := 0.0
	for _, e := range errors {
		high = max(high, e)
	}
	all := middle * middle
	if high == 0 {
		return all
	}
	inverse, known := 0.0, 0.0
	for _, e := range errors {
		if e > 0 {
			inverse, known = inverse+1/e, known+1
		}
	}
	if all == 0 {
		return known / inverse
	}
	standard := make([]float64, len(distances))
	least, most := 0.0, all
	for range halvings {
		between := (least + most) / 2
		for i, d := range distances {
			standard[i] = d / math.Sqrt(between+errors[i])
		}
		if normalMAD*stats.Median(standard) > 1 {
			least = between
		} else {
			most = between
		}
	}
	return max(most, known/inverse)
}

// resemblance is by how much the variance of a mean is larger than that of as many
// independent values: 1 unless the first autocorrelation, about the line through the
// residuals, is larger than chance has it. A drift is no noise.
func resemblance(residuals []float64) float64 {
	n := float64(len(residuals))
	middle, tilt, mean := (n-1)/2, 0.0, 0.0
	for i, x := range residuals {
		tilt += (float64(i) - middle) * x
		mean += x / n
	}
	tilt /= n * (n*n - 1) / 12
	level := func(i int) float64 { return residuals[i] - mean - tilt*(float64(i)-middle) }
	var squares, first, second, last, before float64
	for i := range residuals {
		x := level(i)
		squares += x * x
		first += x * last
		second += x * before
		last, before = x, last
	}
	if !(squares > 0) {
		return 1
	}
	// Estimates from few values are too low, by (1+4ρ)/n about a mean (Kendall, "Note
	// on bias in the estimation of autocorrelation") and by about one more 1/n about a line.
	first, second = first/squares, second/squares
	first += (2 + 4*first) / n
	second += (2 + 4*second) / n
	if first < leastResemblance {
		return 1
	}
	// A slow change of level beneath noise shows in the second more than in the first.
	r := min(max(first, math.Sqrt(max(0, second)))+margin/math.Sqrt(n), largestResemblance)
	return (1 + r) / (1 - r)
}

// weightOf is that of a value relative to a typical one.
func (b baseline) weightOf(v Value) float64 {
	if all := b.between + v.Sigma*v.Sigma; all > 0 {
		return b.scale2 / all
	}
	return 1
}

// clipped is a value, or the end of what the baseline lets count.
func (b baseline) clipped(v Value) float64 {
	reach := clip * math.Sqrt(b.between+v.Sigma*v.Sigma)
	if reach == 0 { // all values before are equal
		return v.X
	}
	return max(b.centre-reach, min(b.centre+reach, v.X))
}

// evidence is the logarithm of the Bayes factor of another level behind the baseline
// against none.
func (b baseline) evidence(behind []Value) float64 {
	var weight, sum, squares float64
	for _, v := range behind {
		w, x := b.weightOf(v), b.clipped(v)-b.centre
		weight += w
		sum += w * x
		squares += w * x * x
	}
	mean, n := sum/weight, float64(len(behind))
	within := max(0, squares-sum*mean)
	variance := max(b.variance, (priorValues*b.variance+within)/(priorValues+n-1))
	distance := mean + b.centre - b.mean
	size := b.weight * weight / (b.weight + weight) / b.fewer
	t2 := largestT2
	if x := distance * distance * size; x < largestT2*variance {
		t2 = x / variance
	} else if x == 0 {
		t2 = 0
	}
	return max(logBayes(t2, size, b.n+n-2)-few/min(b.n, many)-fewBehind/n, b.apart(behind))
}

// apart is the evidence of values behind the baseline that all lie far off it, on one
// side: by how much less likely it is, of exchangeable values, that so many in a row lie
// where so few of the baseline's do (Laplace's rule of succession). Where the baseline's
// do is beyond half of the way to the nearest of them. Unlike that of the means it
// grows with the values alone and not with their distance, and asks nothing of the noise.
func (b baseline) apart(behind []Value) float64 {
	side, nearest := 1.0, math.Inf(1)
	if behind[0].X < b.centre {
		side = -1
	}
	for _, v := range behind {
		off := side * (v.X - b.centre)
		if !(off > apartBy*math.Sqrt((b.between+v.Sigma*v.Sigma)*b.fewer)) {
			return math.Inf(-1)
		}
		nearest = min(nearest, off)
	}
	there := 0.0
	for _, v := range b.values {
		if side*(v.X-b.centre) > nearest/2 {
			there++
		}
	}
	e := -apartCosts
	for i := range behind {
		e += math.Log((b.n + 2 + float64(i)) / (there + 1 + float64(i)))
	}
	return e
}

// logBayes is the logarithm of the Bayes factor of a two-sample t test with square t2,
// effective size and degrees of freedom: size in standard deviations is normal around 0
// with standard deviation priorSize.
func logBayes(t2, size, freedom float64) float64 {
	wider := 1 + size*priorSize*priorSize
	return (freedom+1)/2*(math.Log1p(t2/freedom)-math.Log1p(t2/(freedom*wider))) - math.Log(wider)/2
}
