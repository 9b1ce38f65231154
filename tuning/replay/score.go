package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"example.org/bench/framework/stats"
	"example.org/bench/tuning"
	"example.org/bench/tuning/recorded"
)

// The score is that of "A Methodology for Comparing Optimization Algorithms for
// Auto-Tuning" (Willemsen, Schoonhoven, Filipovič and others) and of the software with it,
// over evaluations or over seconds.
//
// A search's curve is the best that its runs have found so far, by the rank among the valid points: the
// median over the runs after each evaluation, or the mean at each moment. On the score's scale random
// search's expected curve is 0 and the optimum is 1. The score is the mean of the curve from where random
// search is expected to have come 1 % of the way from the median point to the optimum, to where it is
// expected to have come 95 %.
const (
	scoreFrom  = 0.01
	scoreUntil = 0.95
	// scoreMoments is the number of moments over which a score over seconds is the mean.
	scoreMoments = 1000
)

// Axis is the quantity over which a score is taken.
type Axis string

// The axes.
const (
	Evaluations Axis = "evaluations"
	Seconds     Axis = "seconds"
)

// Check refuses other axes.
func (a Axis) Check() error {
	if a != Evaluations && a != Seconds {
		return fmt.Errorf("%q: want %s or %s", string(a), Evaluations, Seconds)
	}
	return nil
}

// Scale is the scale of a space's scores.
type Scale struct {
	// First and Last are the evaluations between which the score is the mean.
	First, Last int
	costs       []float64 // of valid points, ascending
	// usual is the median of the seconds of a point: First and Last are multiplied by it. perRandom is the
	// seconds of an evaluation of random search. Both are 0 for a score over evaluations.
	usual, perRandom float64
}

// NewScale refuses a space where random search begins at the goal, and over seconds a space without a clock.
func NewScale(space *recorded.Space, axis Axis) (*Scale, error) {
	s := &Scale{}
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
	if axis == Evaluations {
		return s, nil
	}
	if space.Compile == nil {
		return nil, fmt.Errorf("%s: it has no compile_s and run_s; a score over seconds needs them", space.Name)
	}
	s.clock(space)
	if s.usual == 0 {
		return nil, fmt.Errorf("%s: half of its points take no time; a score over seconds needs what they took", space.Name)
	}
	return s, nil
}

// clock sets the mean time of random search's evaluations as the software does: that of valid points, and
// that of invalid ones by their share.
func (s *Scale) clock(space *recorded.Space) {
	var all []float64
	var valid, invalid float64
	for i, c := range space.Costs {
		took := space.Compile[i] + space.Run[i]
		all = append(all, took)
		if math.IsNaN(c) {
			invalid += took / float64(len(space.Costs))
		} else {
			valid += took / float64(len(s.costs))
		}
	}
	slices.Sort(all)
	s.usual, s.perRandom = stats.Quantile(all, 0.5), valid+invalid
}

// Limit returns the seconds until which a score over seconds looks at a search; 0 for a score over
// evaluations.
func (s *Scale) Limit() float64 { return float64(s.Last) * s.usual }

// cutoff returns after how many evaluations random search is expected to have come that share of the way from
// the median to the optimum.
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

// random returns the expected best cost of random search among valid points.
func (s *Scale) random(evaluations int) float64 {
	n := len(s.costs)
	rank := int(math.RoundToEven(float64(evaluations) * float64(n+1) / float64(evaluations+1)))
	return s.costs[n-1-min(n-1, rank)]
}

// randomAt returns the expected best cost after seconds, interpolated between evaluations.
func (s *Scale) randomAt(seconds float64) float64 {
	done := max(1, seconds/s.perRandom)
	n := math.Floor(done)
	return s.random(int(n)) + (done-n)*(s.random(int(n)+1)-s.random(int(n)))
}

// rank returns the rank of a cost among the valid points.
func (s *Scale) rank(cost float64) int {
	rank, _ := slices.BinarySearch(s.costs, cost*(1-1e-9)) // another program may write a time with fewer digits
	return min(rank, len(s.costs)-1)
}

// Score returns the score of runs. A run that ends early keeps its best; before its first valid evaluation it
// does not count.
func (s *Scale) Score(runs Searches) float64 {
	if s.usual > 0 {
		return s.overSeconds(runs)
	}
	return s.overEvaluations(runs.Runs)
}

func (s *Scale) overEvaluations(runs [][]float64) float64 {
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
				ranks = append(ranks, s.rank(best[i]))
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

func (s *Scale) overSeconds(runs Searches) float64 {
	next, best := make([]int, len(runs.Runs)), make([]int, len(runs.Runs)) // ranks
	for i := range best {
		best[i] = -1
	}
	from, until := float64(s.First)*s.usual, s.Limit()
	sum, counted := 0.0, 0
	for moment := range scoreMoments {
		now := from + (until-from)*float64(moment)/(scoreMoments-1)
		ranks, found := 0, 0
		for i, run := range runs.Runs {
			for ; next[i] < len(run) && runs.Ends[i][next[i]] <= now; next[i]++ {
				if cost := run[next[i]]; !math.IsNaN(cost) && (best[i] < 0 || s.rank(cost) < best[i]) {
					best[i] = s.rank(cost)
				}
			}
			if best[i] >= 0 {
				ranks += best[i]
				found++
			}
		}
		random := s.randomAt(now)
		if random == s.costs[0] {
			continue
		}
		reached := s.costs[len(s.costs)-1]
		if found > 0 {
			reached = s.costs[int(math.RoundToEven(float64(ranks)/float64(found)))]
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
	Budget int `json:"budget,omitempty"`
	// BudgetSeconds is how long these evaluations take, for a score over seconds.
	BudgetSeconds float64 `json:"budget_s,omitempty" unit:"s"`
	Repeats       int     `json:"repeats,omitempty"` // searches
	// Score is 0 for random search and 1 for the optimum from the start; for a strategy it is the mean over
	// the spaces.
	Score float64 `json:"score"`
	// Low is the lower end of the 95 % interval of a mean by a bootstrap of the spaces; absent for one space.
	Low  float64 `json:"low,omitempty"`
	High float64 `json:"high,omitempty"` // the upper end
}

// NewScales returns the scales of spaces, in their order.
func NewScales(spaces []*recorded.Space, axis Axis) (scales []*Scale, err error) {
	if err := axis.Check(); err != nil {
		return nil, err
	}
	for _, space := range spaces {
		s, err := NewScale(space, axis)
		if err != nil {
			return nil, err
		}
		scales = append(scales, s)
	}
	return scales, nil
}

// ScoreAll searches each space by itself with every strategy, for as many evaluations or seconds as its scale
// has. It scores these searches, ours, and the others on it, space by space. The budget of the options does
// not count.
func ScoreAll(ctx context.Context, spaces []*recorded.Space, scales []*Scale, strategies []tuning.Info, others []Searches, o Options) (all []Scored, ours []Searches, err error) {
	for i, space := range spaces {
		scale := scales[i]
		o := o
		o.found = true
		if scale.usual > 0 {
			o.Budget, o.Limit = 0, time.Duration(scale.Limit()*float64(time.Second))
		} else {
			o.Budget, o.Compilers = scale.Last, 0
		}
		add := func(s Searches) error {
			if scale.usual > 0 && s.Ends == nil {
				return fmt.Errorf("%s on %s has no column seconds; a score over seconds needs it", s.Strategy, s.Space)
			}
			all = append(all, Scored{Space: s.Space, Strategy: s.Strategy, Budget: scale.Last, BudgetSeconds: scale.Limit(), Repeats: len(s.Runs), Score: scale.Score(s)})
			return nil
		}
		for _, s := range strategies {
			r, err := Run(ctx, []*recorded.Space{space}, s, o)
			if err != nil {
				return nil, nil, err
			}
			ours = append(ours, Searches{Space: space.Name, Strategy: s.Name, Runs: r.Costs, Ends: r.Ends})
			if err := add(ours[len(ours)-1]); err != nil {
				return nil, nil, err
			}
		}
		for _, s := range others {
			if s.Space != space.Name {
				continue
			}
			if err := add(s); err != nil {
				return nil, nil, err
			}
		}
	}
	return all, ours, nil
}

// Totals returns the means, the best first. A strategy that lacks a space has none.
func Totals(all []Scored) []Scored {
	var totals []Scored
	scores := map[string][]float64{} // of a strategy, by space
	spaces := map[string]bool{}
	for _, s := range all {
		spaces[s.Space] = true
		if scores[s.Strategy] == nil {
			totals = append(totals, Scored{Strategy: s.Strategy})
		}
		scores[s.Strategy] = append(scores[s.Strategy], s.Score)
	}
	totals = slices.DeleteFunc(totals, func(t Scored) bool { return len(scores[t.Strategy]) < len(spaces) })
	for i := range totals {
		t := &totals[i]
		t.Spaces, t.Score = len(spaces), mean(scores[t.Strategy])
		if t.Spaces > 1 {
			t.Low, t.High = interval(scores[t.Strategy])
		}
	}
	slices.SortStableFunc(totals, func(a, b Scored) int { return cmp.Compare(b.Score, a.Score) })
	return totals
}

func mean(scores []float64) float64 {
	sum := 0.0
	for _, s := range scores {
		sum += s
	}
	return sum / float64(len(scores))
}

// interval returns the interval of the mean, by the percentiles of the means of samples as large, drawn with
// repetition.
func interval(scores []float64) (low, high float64) {
	chance := rand.New(rand.NewPCG(1, 1))
	means, drawn := make([]float64, 10_000), make([]float64, len(scores))
	for i := range means {
		for j := range drawn {
			drawn[j] = scores[chance.IntN(len(scores))]
		}
		means[i] = mean(drawn)
	}
	slices.Sort(means)
	return stats.Quantile(means, 0.025), stats.Quantile(means, 0.975)
}

var errNoRuns = errors.New("no rows: one for each evaluation is needed")
