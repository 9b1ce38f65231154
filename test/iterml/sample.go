package iterml

import (
	"math"
	"sort"
)

// mostThreads is what a thread block may have.
const mostThreads = 1024

// Whole is the number of blocks with X and Y from 1 to 1024 and no more threads.
func Whole() int {
	n := 0
	for x := 1; x <= mostThreads; x++ {
		n += mostThreads / x
	}
	return n
}

// Interval is of how many good points a space of that many has, if a sample
// drawn from it without replacement has good ones: the numbers that two
// one-sided tests at 2.5 % do not refuse.
func Interval(good, drawn, of int) (low, high int) {
	const tail = 0.025
	most := of - (drawn - good)
	low = good + sort.Search(most-good, func(i int) bool { return 1-below(good-1, good+i, drawn, of) > tail })
	high = good + sort.Search(most-good, func(i int) bool { return below(good, good+i+1, drawn, of) < tail })
	return low, high
}

// Share is how much of the whole space is within 5 % of the sample's optimum, with
// its 95 % interval.
func (s Space) Share() (share, low, high float64) {
	good, n, whole := s.Within(0.95), len(s.Fraction), Whole()
	least, most := Interval(good, n, whole)
	return float64(good) / float64(n), float64(least) / float64(whole), float64(most) / float64(whole)
}

// below is the probability that a sample has at most k of a space's good points.
func below(k, good, drawn, of int) float64 {
	sum := 0.0
	for i := max(0, drawn-(of-good)); i <= min(k, good, drawn); i++ {
		sum += math.Exp(choose(good, i) + choose(of-good, drawn-i) - choose(of, drawn))
	}
	return min(sum, 1)
}

// choose is the logarithm of a binomial coefficient.
func choose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}

// RandomSamples is how many points, drawn at random without any repeated, have
// with that probability one that reaches 0.95 of the optimum: Standard 1 for
// probability 0.5, Standard 2 for 0.95.
func (s Space) RandomSamples(probability float64) int {
	n, good := len(s.Fraction), s.Within(0.95)
	miss := 1.0
	for k := 1; k <= n; k++ {
		miss *= float64(n-good-k+1) / float64(n-k+1)
		if 1-miss >= probability {
			return k
		}
	}
	return n
}

// RandomBest is the median of the best fraction of so many points drawn at random:
// the greatest that half of the draws reach.
func (s Space) RandomBest(samples int) float64 {
	list := s.fractions()
	n := len(list)
	miss := 1.0
	for better := 1; better <= n; better++ {
		miss *= float64(n-samples-better+1) / float64(n-better+1)
		if 1-miss >= 0.5 {
			return list[n-better]
		}
	}
	return list[0]
}
