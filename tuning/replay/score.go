package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"example.org/bench/tuning"
	"example.org/bench/tuning/recorded"
)

// The score is that of "A Methodology for Comparing Optimization Algorithms for
// Auto-Tuning" (Willemsen, Schoonhoven, Filipovič and others) and of the software with it,
// over evaluations in place of time: most recorded spaces say how long a point runs,
// and not how long it compiles.
//
// A search's curve is the value of the median rank of the best found by its runs. Random
// search's expected curve is 0 of the score and the optimum is 1. The score is the mean
// over the evaluations from where random search is expected to have come 1 % of the way
// from the median point to the optimum, to where it has come 95 % of it.
const (
	scoreFrom  = 0.01
	scoreUntil = 0.95
)

// Scale is what a space's searches are scored on.
type Scale struct {
	Space string
	// First and Last are the evaluations between which the score is the mean.
	First, Last int
	costs       []float64 // of valid points, ascending
}

// NewScale refuses a space where random search begins with the goal.
func NewScale(space *recorded.Space) (*Scale, error) {
	s := &Scale{Space: space.Name}
	for _, c := range space.Costs {
		if !math.IsNaN(c) {
			s.costs = append(s.costs, c)
		}
	}
	slices.Sort(s.costs)
	switch n := len(s.costs); {
	case n < 3:
		return nil, fmt.Errorf("%s: it has %d valid points; a score needs three or more", space.Name, n)
	case s.costs[0] == s.costs[n-1]:
		return nil, fmt.Errorf("%s: all %d valid points cost the same, so that every search is as good; a score needs points that differ", space.Name, n)
	}
	s.First, s.Last = s.cutoff(scoreFrom), s.cutoff(scoreUntil)
	return s, nil
}

// cutoff is after how many evaluations random search is expected to have come that share
// of the way from the median to the optimum.
func (s *Scale) cutoff(share float64) int {
	n := len(s.costs)
	median := (s.costs[(n-1)/2] + s.costs[n/2]) / 2
	target := s.costs[0] + (median-s.costs[0])*(1-share)
	worse := n
	for worse > 0 && s.costs[n-worse] <= target {
		worse--
	}
	return int(math.Ceil(float64(worse) / float64(n+1-worse)))
}

// random is the expected best cost of random search, of valid points alone.
func (s *Scale) random(evaluations int) float64 {
	n := len(s.costs)
	rank := int(math.RoundToEven(float64(evaluations) * float64(n+1) / float64(evaluations+1)))
	return s.costs[n-1-min(n-1, rank)]
}

// Score is of runs, each the costs of its evaluations in order, NaN where invalid. A run
// that ends early keeps its best; evaluations before a run's first valid one do not count.
func (s *Scale) Score(runs [][]float64) float64 {
	best := make([]float64, len(runs)) // of each run so far
	for i := range best {
		best[i] = math.NaN()
	}
	sum, counted := 0.0, 0
	for n := range s.Last {
		var ranks []int
		for i, run := range runs {
			if n < len(run) && !math.IsNaN(run[n]) && !(best[i] <= run[n]) {
				best[i] = run[n]
			}
			if !math.IsNaN(best[i]) {
				rank, _ := slices.BinarySearch(s.costs, best[i]*(1-1e-9)) // another program may write a time with fewer digits
				ranks = append(ranks, min(rank, len(s.costs)-1))
			}
		}
		random := s.random(n + 1)
		if n+1 < s.First || random == s.costs[0] {
			continue
		}
		reached := s.costs[len(s.costs)-1]
		if k := len(ranks); k > 0 {
			slices.Sort(ranks)
			reached = s.costs[int(math.RoundToEven(float64(ranks[(k-1)/2]+ranks[k/2])/2))]
		}
		sum += (random - reached) / (random - s.costs[0])
		counted++
	}
	return sum / float64(max(counted, 1))
}

// Scored is a strategy's score on a space, or its mean over several.
type Scored struct {
	Space    string `json:"space,omitempty"`  // name of the recorded space
	Spaces   int    `json:"spaces,omitempty"` // of a strategy, their number
	Strategy string `json:"strategy"`         // its name
	// Budget is the evaluations until random search is expected to have come 95 % of the way from the median
	// to the optimum.
	Budget  int `json:"budget,omitempty"`
	Repeats int `json:"repeats,omitempty"` // searches
	// Score is 0 for random search and 1 for the optimum from the start; of a strategy, the mean over the
	// spaces.
	Score float64 `json:"score"`
}

// NewScales are those of spaces, in their order.
func NewScales(spaces []*recorded.Space) (scales []*Scale, err error) {
	for _, space := range spaces {
		s, err := NewScale(space)
		if err != nil {
			return nil, err
		}
		scales = append(scales, s)
	}
	return scales, nil
}

// ScoreAll searches each space by itself with every strategy, for as many evaluations as its
// scale has, and scores these searches and the others on it, space by space. The options'
// budget does not count.
func ScoreAll(ctx context.Context, spaces []*recorded.Space, scales []*Scale, strategies []tuning.Info, others []Searches, o Options) (all []Scored, err error) {
	for i, space := range spaces {
		o.Budget = scales[i].Last
		for _, s := range strategies {
			r, err := Run(ctx, []*recorded.Space{space}, s, o)
			if err != nil {
				return nil, err
			}
			all = append(all, Scored{Space: space.Name, Strategy: s.Name, Budget: o.Budget, Repeats: o.Repeats, Score: scales[i].Score(r.Costs)})
		}
		for _, s := range others {
			if s.Space == space.Name {
				all = append(all, Scored{Space: space.Name, Strategy: s.Strategy, Budget: o.Budget, Repeats: len(s.Runs), Score: scales[i].Score(s.Runs)})
			}
		}
	}
	return all, nil
}

// Totals are the means, the best first; of a strategy that lacks a space there is none.
func Totals(all []Scored) []Scored {
	var totals []Scored
	spaces := map[string]bool{}
	for _, s := range all {
		spaces[s.Space] = true
		at := slices.IndexFunc(totals, func(t Scored) bool { return t.Strategy == s.Strategy })
		if at < 0 {
			at = len(totals)
			totals = append(totals, Scored{Strategy: s.Strategy})
		}
		totals[at].Spaces++
		totals[at].Score += s.Score
	}
	for i := range totals {
		totals[i].Score /= float64(totals[i].Spaces)
	}
	totals = slices.DeleteFunc(totals, func(t Scored) bool { return t.Spaces < len(spaces) })
	slices.SortStableFunc(totals, func(a, b Scored) int { return cmp.Compare(b.Score, a.Score) })
	return totals
}

var errNoRuns = errors.New("no rows: one for each evaluation is needed")
