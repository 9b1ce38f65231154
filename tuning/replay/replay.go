// Package replay measures strategies on recorded spaces, without a device: how
// close to the optimum they come, and after how many evaluations.
package replay

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

	"example.org/bench/framework/pareto"
	"example.org/bench/framework/stats"
	"example.org/bench/tuning"
	"example.org/bench/tuning/recorded"
)

// Quality is the number of evaluations until the median (Standard 1), and until
// the 5th percentile (Standard 2), of the fraction of the optimum reaches the
// target.
const (
	targetFraction = 0.95
	medianShare    = 0.50
	lowShare       = 0.05
)

// Options say how often and how long a strategy searches.
type Options struct {
	Budget  int // evaluations; 0: as many as there are points
	Repeats int
	Seed    uint64
	// Options are the strategy's own.
	Options map[string]float64
	// From are the spaces that teach a strategy; none of them is searched. Spaces of a model's times guide it
	// as a live search's own model does.
	From []*recorded.Space
	// Front is set in searches for the front of time and energy. All spaces must have both.
	Front bool
	// Pending is tuning.Loop.Pending.
	Pending int
	// Compilers is how many points are compiled at a time, for spaces that say how long that takes; 0: each
	// is compiled when it is to be run.
	Compilers int
	// Limit is tuning.Loop.Limit.
	Limit time.Duration
	// Patience is tuning.Loop.Patience.
	Patience *tuning.Patience
	// Switch is the seconds that a change of the spaces' power mode takes, by their clock; 0: strategies do
	// not know of any.
	Switch float64
	// Workers is how many repeats run at once; 0: one per core.
	Workers int

	// found is set if a search ends at the optimum, since nothing that it does then counts.
	found bool
}

// Result is the quality of one strategy on recorded spaces, which are the tasks of one search. For one space,
// the fraction of the optimum is optimum/best found, or in a search for the front the share of its
// hypervolume (pareto.Set). For several spaces it is the harmonic mean of theirs (Φ). It is 0 until every
// space has a valid point.
type Result struct {
	Space    string
	Strategy string
	Budget   int
	Repeats  int
	Spaces   int
	Seed     uint64
	// Median and P05 are those of the fraction after 1, 2, … Budget evaluations.
	Median, P05 []float64
	// EvaluationsMedian and EvaluationsP05 are the evaluations until Median (Standard 1) and P05 (Standard 2)
	// reach 0.95; 0 if the budget did not suffice.
	EvaluationsMedian, EvaluationsP05 int
	// Evaluations and Invalid are means over the repeats.
	Evaluations, Invalid float64
	// OwnSeconds is the strategy's own processor time for one evaluation, its
	// set-up included: the mean over all repeats.
	OwnSeconds float64
	// Clocked is set if the spaces say how long their points take.
	Clocked   bool
	Compilers int
	// SecondsMedian and SecondsP05 are the seconds after which half of the repeats, and 95 % of them, have
	// reached 0.95; 0 if they have not. TotalSeconds is the mean length of the searches. All are by the clock
	// of the spaces, without the strategy's own time.
	SecondsMedian, SecondsP05, TotalSeconds float64
	// Runs are the fractions of every repeat after each of its evaluations.
	Runs [][]float64
	// Costs are those of every repeat's evaluations in order, NaN for an invalid one. Ends is when each
	// ended, by the clock of the spaces if they have one, and with the strategy's own time.
	Costs, Ends [][]float64
	// Fronts are the fronts that the first repeat found, one of each space; nil in other searches.
	Fronts []pareto.Set

	evaluable int // evaluations of the budget that the spaces have points for
}

// Final is the median and 5th percentile at the end of the budget.
func (r *Result) Final() (median, p05 float64) {
	return r.Median[len(r.Median)-1], r.P05[len(r.P05)-1]
}

// Summary is a Result in one line of JSON.
type Summary struct {
	Space string `json:"space"` // names of the recorded spaces
	// Objective is what was minimised; absent: time. With "time,energy", fractions are shares of the front's
	// hypervolume.
	Objective              string  `json:"objective,omitempty"`
	Strategy               string  `json:"strategy"`                        // its name
	Budget                 int     `json:"budget"`                          // evaluations; 0: a time or "auto"
	Repeats                int     `json:"repeats"`                         // searches
	Median                 float64 `json:"median"`                          // fraction of the optimum at the end of the budget, median over the repeats
	P05                    float64 `json:"p05"`                             // the same, 5th percentile
	Standard1              *int    `json:"standard1_evaluations"`           // until the median reaches 0.95; null: never
	Standard2              *int    `json:"standard2_evaluations"`           // until the 5th percentile does; null: never
	OwnMilliseconds        float64 `json:"own_ms_per_evaluation" unit:"ms"` // the strategy's own processor time
	Evaluations            float64 `json:"mean_evaluations"`                // over the repeats
	Invalid                float64 `json:"mean_invalid"`                    // over the repeats
	Seed                   uint64  `json:"seed"`                            // the only source of chance
	Spaces                 int     `json:"spaces"`                          // their number
	HarmonicMeanEfficiency float64 `json:"phi"`                             // mean over the repeats of the harmonic mean of the fractions
	// Compilers is how many points are compiled at a time. This key and the next three are only for spaces
	// that say how long compiling and running took.
	Compilers        *int     `json:"compilers,omitempty"`
	Standard1Seconds *float64 `json:"standard1_s,omitempty"` // until half of the searches have reached 0.95; null: never
	Standard2Seconds *float64 `json:"standard2_s,omitempty"` // until 95 % of them have; null: never
	Seconds          *float64 `json:"mean_s,omitempty"`      // that a search took, over the repeats
}

// Summary is the result at the end of the budget.
func (r *Result) Summary() Summary {
	median, p05 := r.Final()
	reached := func(n int) *int {
		if n == 0 {
			return nil
		}
		return &n
	}
	s := Summary{Space: r.Space, Strategy: r.Strategy, Budget: r.Budget, Repeats: r.Repeats, Median: median, P05: p05,
		Standard1: reached(r.EvaluationsMedian), Standard2: reached(r.EvaluationsP05), OwnMilliseconds: r.OwnSeconds * 1e3,
		Evaluations: r.Evaluations, Invalid: r.Invalid, Seed: r.Seed, Spaces: r.Spaces, HarmonicMeanEfficiency: r.Phi()}
	if r.Clocked {
		s.Compilers, s.Seconds = &r.Compilers, &r.TotalSeconds
		if r.SecondsMedian > 0 {
			s.Standard1Seconds = &r.SecondsMedian
		}
		if r.SecondsP05 > 0 {
			s.Standard2Seconds = &r.SecondsP05
		}
	}
	return s
}

// Run runs the strategy on the spaces, by the same loop as a search on a
// device. The order of each space's points is shuffled in every repeat.
// The same seed gives the same fractions.
func Run(ctx context.Context, spaces []*recorded.Space, strategy tuning.Info, o Options) (*Result, error) {
	if len(spaces) == 0 || o.Budget < 0 || o.Repeats < 1 {
		return nil, errors.New("replay: at least one space, a budget and repeats of at least 1 are needed")
	}
	r := &Result{Strategy: strategy.Name, Budget: o.Budget, Repeats: o.Repeats, Spaces: len(spaces), Seed: o.Seed, Runs: make([][]float64, o.Repeats), Costs: make([][]float64, o.Repeats), Ends: make([][]float64, o.Repeats)}
	names := make([]string, len(spaces))
	for i, s := range spaces {
		names[i] = s.Name
		r.evaluable += s.Space.Len()
	}
	r.Clocked = !slices.ContainsFunc(spaces, func(s *recorded.Space) bool { return s.Compile == nil })
	if o.Budget > 0 {
		r.evaluable = min(r.evaluable, o.Budget)
	}
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
				runs[i] = search(ctx, spaces, strategy, o, uint64(i))
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
		r.Runs[i], r.Costs[i], r.Ends[i] = runs[i].fractions, runs[i].costs, runs[i].ends
		own += runs[i].own
		evaluations += len(runs[i].fractions)
		invalid += runs[i].invalid
	}
	r.Fronts = runs[0].fronts
	r.clock(runs, o)
	r.Evaluations = float64(evaluations) / float64(o.Repeats)
	r.Invalid = float64(invalid) / float64(o.Repeats)
	r.OwnSeconds = own.Seconds() / float64(max(evaluations, 1))
	r.summarize()
	return r, nil
}

// clock sums up when the runs reached the standards.
func (r *Result) clock(runs []run, o Options) {
	if !r.Clocked {
		return
	}
	r.Compilers = o.Compilers
	when := make([]float64, len(runs))
	for i, x := range runs {
		if when[i] = x.reached; x.reached < 0 {
			when[i] = math.Inf(1)
		}
		r.TotalSeconds += x.seconds / float64(len(runs))
	}
	slices.Sort(when)
	reached := func(share float64) float64 {
		if s := when[max(0, int(math.Ceil(share*float64(len(when))))-1)]; !math.IsInf(s, 1) {
			return s
		}
		return 0
	}
	r.SecondsMedian, r.SecondsP05 = reached(1-medianShare), reached(1-lowShare)
}

// Phi is the mean over the repeats of the fraction of the optimum at the end
// of the budget.
func (r *Result) Phi() float64 {
	sum := 0.0
	for _, f := range r.Runs {
		if len(f) > 0 {
			sum += f[len(f)-1]
		}
	}
	return sum / float64(len(r.Runs))
}

func (r *Result) summarize() {
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
		if r.EvaluationsMedian == 0 && r.Median[n] >= targetFraction {
			r.EvaluationsMedian = n + 1
		}
		if r.EvaluationsP05 == 0 && r.P05[n] >= targetFraction {
			r.EvaluationsP05 = n + 1
		}
	}
}

// run is one repeat.
type run struct {
	fractions []float64
	costs     []float64
	ends      []float64
	fronts    []pareto.Set
	invalid   int
	own       time.Duration
	// seconds are the length of the run, and reached the seconds until the fraction was 0.95; -1: never.
	seconds, reached float64
	err              error
}

func search(ctx context.Context, spaces []*recorded.Space, strategy tuning.Info, o Options, repeat uint64) (r run) {
	rnd := rand.New(rand.NewPCG(o.Seed, repeat))
	shuffled := make([]*recorded.Space, len(spaces))
	optimum := make([]float64, len(spaces))
	reached := make([]float64, len(spaces)) // fractions
	fronts := make([]pareto.Set, len(spaces))
	within, stop := context.WithCancel(ctx)
	defer stop()
	loop := tuning.Loop{
		Strategy: strategy, Recorded: true, Limit: o.Limit, Patience: o.Patience,
		Search:  tuning.Search{Front: o.Front, Budget: o.Budget, Rand: rand.New(rand.NewPCG(o.Seed, ^repeat)), Options: o.Options},
		Pending: o.Pending,
		Evaluate: func(_ context.Context, _, number int, p tuning.Proposal) (tuning.Trial, int, error) {
			return shuffled[p.Task].Trial(p.Task, p.Point), number, nil
		},
		Done: func(p tuning.Progress) {
			switch {
			case !p.Improved:
			case o.Front:
				t := p.Trial.Task
				r.fronts[t].Add(pareto.Point{X: p.Trial.Cost, Y: p.Trial.Second})
				reached[t] = fronts[t].Share(r.fronts[t])
			default:
				reached[p.Trial.Task] = optimum[p.Trial.Task] / p.Trial.Cost
			}
			fraction := HarmonicMean(reached)
			r.fractions = append(r.fractions, fraction)
			if r.seconds = p.At.Seconds(); fraction >= targetFraction && r.reached < 0 {
				r.reached = r.seconds
			}
			cost := math.NaN()
			if p.Trial.OK {
				cost = p.Trial.Cost
			}
			r.costs = append(r.costs, cost)
			r.ends = append(r.ends, (p.At + p.Own).Seconds())
			if o.found && fraction == 1 {
				stop()
			}
		},
		Clock: threadTime,
	}
	for i, s := range spaces {
		shuffled[i] = s.Shuffled(rnd)
		loop.Search.Tasks = append(loop.Search.Tasks, tuning.Task{Space: shuffled[i].Space})
		if optimum[i], _ = s.Optimum(); o.Front {
			fronts[i] = s.Front()
			r.fronts = append(r.fronts, nil)
		}
		if s.Compile != nil {
			loop.Compilers = o.Compilers
		}
	}
	if o.Switch > 0 {
		loop.Search.Switching = &tuning.Switching{Parameter: tuning.PowerMode, On: present(spaces), Seconds: o.Switch}
	}
	for _, from := range o.From {
		if from.Modelled() {
			continue
		}
		loop.Search.Lessons = append(loop.Search.Lessons, from.Lesson(loop.Search.Tasks))
	}
	if p := newPrior(o.From, loop.Search.Tasks, o.Compilers, rand.New(rand.NewPCG(o.Seed, repeat))); p != nil {
		loop.Prior = p
	}
	r.reached = -1
	outcome, err := loop.Run(within)
	if ctx.Err() == nil && within.Err() != nil {
		err = nil
	}
	r.invalid, r.own, r.err = outcome.Invalid, outcome.Own, err
	return r
}

// HarmonicMean of efficiencies is the metric Φ of performance portability (Pennycook, Sewall and Lee, "A
// Metric for Performance Portability"): 0 if any of them is.
func HarmonicMean(efficiencies []float64) float64 {
	sum := 0.0
	for _, e := range efficiencies {
		sum += 1 / e // Inf for 0
	}
	return float64(len(efficiencies)) / sum
}
