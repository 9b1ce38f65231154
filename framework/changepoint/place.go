package changepoint

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"example.org/bench/framework/stats"
)

// place finds the change's place again, from all values until the next change: that
// with the least sum of distances from the medians of both sides. A place is as likely
// as that sum is small, to the power of the number of values (noise of Laplace's
// distribution and unknown width). start is the baseline's first value.
func (c *Change) place(values []Value, start int) {
	last := max(c.At, min(c.Found, len(values)-1)-After+1)
	sums := map[int]float64{}
	least := math.Inf(1)
	for k := start + Before; k <= last; k++ {
		sums[k] = scatter(values, start, k, len(values))
		if sums[k] < least {
			least, c.At = sums[k], k
		}
	}
	c.First, c.Last = c.At, c.At
	for k, s := range sums {
		if float64(len(values)-start)*math.Log(s/least) < surelyWithin {
			c.First, c.Last = min(c.First, k), max(c.Last, k)
		}
	}
}

// scatter is the sum of distances of the values from their medians, before at and from
// there on.
func scatter(values []Value, from, at, to int) (sum float64) {
	for _, side := range [][]Value{values[from:at], values[at:to]} {
		if len(side) == 0 {
			continue
		}
		middle := medianOf(side)
		for _, v := range side {
			sum += math.Abs(v.X - middle)
		}
	}
	return sum
}

// measure finds how large the change is.
func (c *Change) measure(values []Value, start int) {
	before, behind := baselineOf(values[start:c.At]), baselineOf(values[c.At:])
	c.Size = behind.mean - before.mean
	freedom := before.n + behind.n - 2
	variance := max(behind.variance, before.variance*(before.n-1)/freedom)
	error2 := before.variance*before.fewer/before.weight + variance*behind.fewer/behind.weight
	half := distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile(0.975) * math.Sqrt(error2)
	c.Low, c.High = c.Size-half, c.Size+half
}

// line is the slope of the line of Theil and Sen, which outliers do not bend, and the
// sum of the values' distances from it.
func line(values []Value) (slope, sum float64) {
	var slopes []float64
	stride := max(1, len(values)/farthest)
	for i := 0; i < len(values); i += stride {
		for j := i + stride; j < len(values); j += stride {
			slopes = append(slopes, (values[j].X-values[i].X)/float64(j-i))
		}
	}
	slope = stats.Median(slopes)
	level := make([]Value, len(values))
	for i, v := range values {
		level[i].X = v.X - slope*float64(i)
	}
	return slope, scatter(level, 0, 0, len(level))
}

// hinges are how many places a drift may begin at that are tried.
const hinges = 8

// bendable is how many values behind a single change tell a step from a drift that
// begins before it.
const bendable = 15

// bent is the slope of a drift, over all values, and the sum of their distances from it.
// Hinged, it may begin later than the values, at the first change at the latest, and
// rises from the median of those before.
func bent(values []Value, change int, hinged bool) (slope, sum float64) {
	slope, sum = line(values)
	for i := 1; hinged && i <= hinges; i++ {
		at := change * i / hinges
		level, rest := medianOf(values[:at]), values[at:]
		slopes := make([]float64, len(rest))
		for k, v := range rest {
			slopes[k] = (v.X - level) / float64(k+1)
		}
		steep := stats.Median(slopes)
		off := scatter(values, 0, at, at)
		for k, v := range rest {
			off += math.Abs(v.X - level - steep*float64(k+1))
		}
		if off < sum {
			slope, sum = steep*float64(len(rest))/float64(len(values)-1), off
		}
	}
	return slope, sum
}

func medianOf(values []Value) float64 {
	x := make([]float64, len(values))
	for i, v := range values {
		x[i] = v.X
	}
	return stats.Median(x)
}
