package search

import (
	"math"

	"bench/tuning"
)

// Importance is, for each parameter, the share of the variance of the costs'
// logarithms that its values explain, found stepwise: of the parameters that are
// left, that which explains most of what is left comes next, and its effect is
// taken away. From what a parameter explains is subtracted what as many groups
// would explain by chance (ω², Hays, "Statistics"). Points and costs are the
// valid trials.
func Importance(s *tuning.Space, points []int, costs []float64) []float64 {
	shares := make([]float64, len(s.Parameters))
	if len(points) < 3 {
		return shares
	}
	left := make([]float64, len(costs)) // logarithms less the effects found
	mean, total := 0.0, 0.0
	for i, c := range costs {
		left[i] = math.Log(c)
		mean += left[i] / float64(len(costs))
	}
	for i := range left {
		left[i] -= mean
		total += left[i] * left[i]
	}
	done := make([]bool, len(s.Parameters))
	for {
		best, most := -1, 0.0
		var effect []float64
		for d := range s.Parameters {
			if done[d] {
				continue
			}
			if share, means := explained(s, d, points, left); share > most {
				best, most, effect = d, share, means
			}
		}
		if best < 0 {
			return shares
		}
		done[best], shares[best] = true, most/total
		for i, p := range points {
			left[i] -= effect[s.Indexes(p)[best]]
		}
	}
}

// explained is the sum of squares that a parameter explains beyond chance, and
// the mean at each of its values.
func explained(s *tuning.Space, d int, points []int, values []float64) (sum float64, means []float64) {
	n := len(s.Parameters[d].Values)
	means = make([]float64, n)
	counts := make([]float64, n)
	total := 0.0
	for i, p := range points {
		v := s.Indexes(p)[d]
		means[v] += values[i]
		counts[v]++
		total += values[i] * values[i]
	}
	between, groups := 0.0, 0.0
	for v, c := range counts {
		if c > 0 {
			means[v] /= c
			between += means[v] * means[v] * c
			groups++
		}
	}
	if groups < 2 || groups >= float64(len(points)) {
		return 0, means
	}
	within := (total - between) / (float64(len(points)) - groups) // mean square
	return between - (groups-1)*within, means
}
