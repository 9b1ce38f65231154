package tuning

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"bench/framework/stats"
)

// The standards of a search's quality: the number of evaluations until the
// median (1), and until the 5th percentile (2), of the fraction of the
// optimum reaches standardFraction.
const (
	standardFraction = 0.95
	medianShare      = 0.50
	lowShare         = 0.05
)

// maxRepeated is how many known points in a row a strategy may propose before
// the replay takes it for stuck.
const maxRepeated = 100_000

// ReplayOptions say how often and how long a strategy searches.
type ReplayOptions struct {
	Budget  int
	Repeats int
	Seed    uint64
	// Options are the strategy's own.
	Options map[string]float64
	// Workers is how many repeats run at once; 0: one a core.
	Workers int
}

// Replay is the quality of one strategy on recorded spaces, which are the
// tasks of one search. The fraction of the optimum is, for one space,
// optimum/best found; for several, the harmonic mean of theirs (Φ). It is 0 until every
// space has a valid point.
type Replay struct {
	Space    string
	Strategy string
	Budget   int
	Repeats  int
	// Median and P05 are the fraction's after 1, 2, … Budget evaluations.
	Median, P05 []float64
	// Standard1 and Standard2 are numbers of evaluations, 0 where the budget
	// did not suffice.
	Standard1, Standard2 int
	// Evaluations and Invalid are means over the repeats.
	Evaluations, Invalid float64
	// OwnTime_s is the strategy's own processor time for one evaluation, its
	// set-up included: the mean over all repeats.
	OwnTime_s float64
	// Runs are the fractions of every repeat after each of its evaluations.
	Runs [][]float64

	evaluable int // evaluations of the budget that the spaces have points for
}

// Final is the median and 5th percentile at the end of the budget.
func (r *Replay) Final() (median, p05 float64) {
	return r.Median[len(r.Median)-1], r.P05[len(r.P05)-1]
}

// CheckReplay refuses spaces that are not the sizes of one kernel's search, in
// any order of their parameters, and one without an optimum to come close to.
func CheckReplay(spaces []*Recorded) error {
	for _, r := range spaces {
		if !slices.Equal(slices.Sorted(slices.Values(parameterNames(r.Space))), slices.Sorted(slices.Values(parameterNames(spaces[0].Space)))) {
			return otherKernel(spaces[0], r)
		}
		if _, ok := r.Optimum(); !ok {
			return noValidPoint(r)
		}
	}
	return nil
}

// NewReplay runs the strategy on the spaces. An evaluation is a point that was not
// evaluated before, valid or not; proposing a known point again costs
// nothing. The order of each space's points is shuffled in every repeat.
// The same seed gives the same fractions.
func NewReplay(ctx context.Context, spaces []*Recorded, strategy Info, o ReplayOptions) (*Replay, error) {
	if len(spaces) == 0 || o.Budget < 1 || o.Repeats < 1 {
		return nil, errors.New("replay: at least one space, a budget and repeats of at least 1 are needed")
	}
	r := &Replay{Strategy: strategy.Name, Budget: o.Budget, Repeats: o.Repeats, Runs: make([][]float64, o.Repeats)}
	names := make([]string, len(spaces))
	for i, s := range spaces {
		names[i] = s.Name
		r.evaluable += s.Space.Len()
	}
	r.evaluable = min(r.evaluable, o.Budget)
	o.Budget = r.evaluable
	r.Space = strings.Join(names, "+")

	workers := o.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	runs := make([]run, o.Repeats)
	next := make(chan int)
	var group sync.WaitGroup
	for range min(workers, o.Repeats) {
		group.Go(func() {
			// The clock counts this thread's processor time.
			runtime.LockOSThread()
			for i := range next {
				runs[i] = replay(spaces, strategy, o, uint64(i))
			}
		})
	}
	for i := range runs {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	group.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}

	var own time.Duration
	evaluations, invalid := 0, 0
	for i := range runs {
		if err := runs[i].err; err != nil {
			return nil, fmt.Errorf("replay: %s on %s, repeat %d: %w", strategy.Name, r.Space, i, err)
		}
		r.Runs[i] = runs[i].fractions
		own += runs[i].own
		evaluations += len(runs[i].fractions)
		invalid += runs[i].invalid
	}
	r.Evaluations = float64(evaluations) / float64(o.Repeats)
	r.Invalid = float64(invalid) / float64(o.Repeats)
	r.OwnTime_s = own.Seconds() / float64(max(evaluations, 1))
	r.summarize()
	return r, nil
}

// Phi is the mean over the repeats of the fraction of the optimum at the end
// of the budget.
func (r *Replay) Phi() float64 {
	sum := 0.0
	for _, f := range r.Runs {
		if len(f) > 0 {
			sum += f[len(f)-1]
		}
	}
	return sum / float64(len(r.Runs))
}

func (r *Replay) summarize() {
	column := make([]float64, len(r.Runs))
	for n := range r.evaluable {
		for i, f := range r.Runs {
			column[i] = 0
			if len(f) > 0 {
				column[i] = f[min(n, len(f)-1)]
			}
		}
		slices.Sort(column)
		r.Median = append(r.Median, stats.Quantile(column, medianShare))
		r.P05 = append(r.P05, stats.Quantile(column, lowShare))
		if r.Standard1 == 0 && r.Median[n] >= standardFraction {
			r.Standard1 = n + 1
		}
		if r.Standard2 == 0 && r.P05[n] >= standardFraction {
			r.Standard2 = n + 1
		}
	}
}

// run is one repeat.
type run struct {
	fractions []float64
	invalid   int
	own       time.Duration
	err       error
}

func replay(spaces []*Recorded, strategy Info, o ReplayOptions, repeat uint64) (r run) {
	rnd := rand.New(rand.NewPCG(o.Seed, repeat))
	tasks := make([]Task, len(spaces))
	shuffled := make([]*Recorded, len(spaces))
	optimum := make([]float64, len(spaces))
	best := make([]float64, len(spaces))
	known := make([][]bool, len(spaces))
	for i, s := range spaces {
		shuffled[i] = s.Shuffled(rnd)
		tasks[i] = Task{Space: shuffled[i].Space}
		optimum[i], _ = s.Optimum()
		best[i] = math.Inf(1)
		known[i] = make([]bool, s.Space.Len())
	}
	search := Search{Tasks: tasks, Budget: o.Budget, Rand: rand.New(rand.NewPCG(o.Seed, ^repeat)), Options: o.Options}

	start := threadTime()
	s, err := strategy.New(search)
	r.own += threadTime() - start
	if err != nil {
		return run{err: err}
	}
	repeated := 0
	for len(r.fractions) < o.Budget {
		start = threadTime()
		task, point, ok := s.Next()
		r.own += threadTime() - start
		if !ok {
			return r
		}
		if task < 0 || task >= len(spaces) || point < 0 || point >= len(known[task]) {
			return run{err: fmt.Errorf("point %d of task %d is outside the space", point, task)}
		}
		trial := shuffled[task].Trial(task, point)
		start = threadTime()
		s.Tell(trial)
		r.own += threadTime() - start
		if known[task][point] {
			if repeated++; repeated > maxRepeated {
				return run{err: fmt.Errorf("%d proposals in a row were known points", repeated)}
			}
			continue
		}
		repeated = 0
		known[task][point] = true
		if trial.OK {
			best[task] = min(best[task], trial.Cost)
		} else {
			r.invalid++
		}
		r.fractions = append(r.fractions, HarmonicMean(efficiencies(optimum, best)))
	}
	return r
}

func efficiencies(optimum, best []float64) []float64 {
	e := make([]float64, len(best))
	for i := range e {
		if !math.IsInf(best[i], 1) {
			e[i] = optimum[i] / best[i]
		}
	}
	return e
}

// HarmonicMean of efficiencies is the metric Φ of performance portability
// (Pennycook, Sewall and Lee, "A Metric for Performance Portability"): 0
// where any of them is.
func HarmonicMean(efficiencies []float64) float64 {
	sum := 0.0
	for _, e := range efficiencies {
		sum += 1 / e // Inf for 0
	}
	return float64(len(efficiencies)) / sum
}
