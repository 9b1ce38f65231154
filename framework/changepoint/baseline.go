package changepoint

import (
	"math"

	"example.org/bench/framework/stats"
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
	// own is the variance within a typical run.
	own float64
	// sums are of the clipped values; fewer is how many values count as one, because
	// they resemble their neighbours.
	sums   [len(resemblances)]sums
	fewer  float64
	values []Value
}

// baselineOf is that of values, at least two.
func baselineOf(values []Value) *baseline {
	x, errors := make([]float64, len(values)), make([]float64, len(values))
	for i, v := range values {
		x[i], errors[i] = v.X, v.Sigma*v.Sigma
	}
	b := &baseline{centre: stats.Median(x), n: float64(len(values)), values: values}
	for i := range x {
		x[i] = math.Abs(x[i] - b.centre)
	}
	b.own = stats.Median(errors)
	b.between = betweenOf(x, errors)
	b.scale2 = b.between + b.own
	var sum, squares float64
	for _, v := range values {
		w := b.weightOf(v)
		b.weight += w
		sum += w * b.clipped(v)
	}
	b.mean = sum / b.weight
	for _, v := range values {
		w, y := math.Sqrt(b.weightOf(v)), b.clipped(v)
		squares += w * w * (y - b.mean) * (y - b.mean)
		for i, r := range resemblances {
			b.sums[i].add(r, w, 0, w*(y-b.centre))
		}
	}
	b.variance = max(squares/(b.n-1), b.own)
	b.fewer = fewerOf(&b.sums)
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

// weightOf is that of a value relative to a typical one.
func (b *baseline) weightOf(v Value) float64 {
	if all := b.between + v.Sigma*v.Sigma; all > 0 {
		return b.scale2 / all
	}
	return 1
}

// clipped is a value, or the end of what the baseline lets count.
func (b *baseline) clipped(v Value) float64 {
	reach := clip * math.Sqrt(b.between+v.Sigma*v.Sigma)
	if reach == 0 { // all values before are equal
		return v.X
	}
	return max(b.centre-reach, min(b.centre+reach, v.X))
}
