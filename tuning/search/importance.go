package search

import (
	"cmp"
	"math"
	"slices"

	"example.org/bench/tuning"
)

// Importance returns, for each parameter, the share of the variance of the costs' logarithms that its values
// explain. The shares are found stepwise: the next parameter is the one that explains most of the variance
// that is left, and its effect is then removed. What as many groups would explain by chance is subtracted
// (ω², Hays, "Statistics"). Points and costs are those of the valid trials.
func Importance(s *tuning.Space, points []int, costs []float64) []float64 {
	shares, _, _ := stepwise(s, points, costs)
	return shares
}

// stepwise returns the shares of Importance, the part of the logarithms that no parameter explains, and the
// sum of squares of all logarithms.
func stepwise(s *tuning.Space, points []int, costs []float64) (shares, left []float64, total float64) {
	shares = make([]float64, len(s.Parameters))
	if len(points) < 3 {
		return shares, nil, 0
	}
	left = make([]float64, len(costs)) // logarithms less the effects found
	mean := 0.0
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
			sum, means := between(len(s.Parameters[d].Values), left, func(i int) int { return int(s.Indexes(points[i])[d]) }, 1)
			if sum > most {
				best, most, effect = d, sum, means
			}
		}
		if best < 0 {
			return shares, left, total
		}
		done[best], shares[best] = true, most/total
		for i, p := range points {
			left[i] -= effect[s.Indexes(p)[best]]
		}
	}
}

// between returns the sum of squares that groups explain beyond chance, and the mean of each. taken is the
// degrees of freedom that other effects of the groups have used, the mean's included.
func between(groups int, values []float64, of func(i int) int, taken int) (sum float64, means []float64) {
	means = make([]float64, groups)
	counts := make([]float64, groups)
	total := 0.0
	for i, v := range values {
		g := of(i)
		means[g] += v
		counts[g]++
		total += v * v
	}
	explained, found := 0.0, 0
	for g, c := range counts {
		if c > 0 {
			means[g] /= c
			explained += means[g] * means[g] * c
			found++
		}
	}
	if found <= taken || found >= len(values) {
		return 0, means
	}
	within := (total - explained) / float64(len(values)-found) // mean square
	return explained - float64(found-taken)*within, means
}

// Interaction is how much two tunables matter together.
type Interaction struct {
	A string `json:"a"` // a tunable
	B string `json:"b"` // another
	// Share is of the variance of the costs' logarithms: what the pairs of values explain beyond chance (ω²)
	// and no tunable alone does. It may be partly another pair's.
	Share float64 `json:"share"`
}

// leastShare is the least share of the variance that is reported.
const leastShare = 0.01

// Interactions returns the pairs of parameters that explain a share of the variance, the largest share first.
func Interactions(s *tuning.Space, points []int, costs []float64) (list []Interaction) {
	_, left, total := stepwise(s, points, costs)
	if !(total > 0) {
		return nil
	}
	occurring := func(d int) int {
		seen := map[uint16]bool{}
		for _, p := range points {
			seen[s.Indexes(p)[d]] = true
		}
		return len(seen)
	}
	for a := range s.Parameters {
		for b := range a {
			na, nb := occurring(a), occurring(b)
			if na < 2 || nb < 2 {
				continue
			}
			columns := len(s.Parameters[b].Values)
			sum, _ := between(len(s.Parameters[a].Values)*columns, left, func(i int) int {
				row := s.Indexes(points[i])
				return int(row[a])*columns + int(row[b])
			}, na+nb-1)
			if share := sum / total; share >= leastShare {
				list = append(list, Interaction{s.Parameters[b].Name, s.Parameters[a].Name, share})
			}
		}
	}
	slices.SortStableFunc(list, func(x, y Interaction) int { return cmp.Compare(y.Share, x.Share) })
	return list
}
