package strategy

import (
	"math"
	"slices"

	"example.org/bench/tuning"
)

var best = tuning.Info{
	Name:    "best",
	Doc:     "a Gaussian process made for tunables: coupled parameters, divisibility, margins in turn; the default",
	Learns:  true,
	Fronts:  true,
	Weighs:  true,
	Options: []tuning.Option{trust},
	New:     newBest,
}

// Settings of the search; results/tuning-replay/README.md says what other values gave.
const (
	// designPoints is how many points are spread over the tasks before anything is modelled, at least one for
	// each.
	designPoints = 5
	// designTries is the number of random points of which the farthest from the others is taken.
	designTries = 2000
	// laterTries is the same for a point far from the others that is wanted later.
	laterTries = 30
	// leastEach is how many evaluations each task gets before the tasks compete,
	// and marginBehind the margin until then.
	leastEach    = 3
	marginBehind = 0.5
	// leastValid is how many valid points a model needs.
	leastValid = 3
	// faultTarget is the cost of an invalid point to the model, in standard deviations above the mean.
	faultTarget = 1.0
	// bendAt is the target above which costs count by bendSlope only: how bad the bad points are says little
	// of the good ones.
	bendAt, bendSlope = 0.5, 0.3
	// refineEvery is how often only neighbours of the best points are considered.
	refineEvery = 4
	// leastFeasible is the least weight of a point that is probably invalid.
	leastFeasible = 0.02
	// fitPoints bounds the points to which rates are fitted.
	fitPoints = 100
	// poolWork bounds the pool: pool×points stays below it.
	poolWork = 200_000
	// poolMost is the largest pool, from the start on.
	poolMost = 4000
	// optimism is how many deviations below the mean a bound lies.
	optimism = 2
	// hopefulShare is the share of the pool that comes from the last model; the rest is new.
	hopefulShare = 0.7
	// neighbours is the number of best points whose neighbours are all candidates.
	neighbours = 5
)

// margins are what an improvement must exceed the best found by, in standard deviations of the targets, in
// turn: the small one refines, the large ones explore.
var margins = []float64{0.1, 0.5, 1}

// searcher is the strategy best. A candidate is a point of a task. The candidates of all tasks are numbered
// one after another.
type searcher struct {
	search tuning.Search
	first  []int // candidate of each task's point 0, and the number of all
	kernel *packed
	rates  []float64
	design []int // candidates

	done   []bool // proposed
	left   int
	trials []int     // number of proposed candidates of each task
	points []int     // evaluated candidates
	costs  []float64 // their logarithms, NaN if invalid
	// efforts are the logarithms of the seconds that compiling the points took, NaN if unknown. usual is
	// their mean at the last fit. ran are the seconds for which the points that ran held a device.
	efforts []float64
	usual   float64
	ran     []float64
	// pending are the candidates that are proposed and not evaluated.
	pending []int
	least   []float64 // of each task, +Inf if none is valid

	model *process
	refit int // number of points at which the model is made anew
	// target = (log cost - base of its task - shift) / scale
	base         []float64
	shift, scale float64
	lowest       []float64 // of each task, the least target

	settings []float64 // of search.Switching, by candidate; nil: no parameter takes time to change

	taught *taught // nil without lessons
	second *second // nil in a search for the least cost
}

func newSearcher(s tuning.Search) *searcher {
	b := &searcher{search: s, first: []int{0}}
	for _, t := range s.Tasks {
		b.first = append(b.first, b.first[len(b.first)-1]+t.Space.Len())
	}
	b.settings = s.Switching.Values(s.Tasks)
	b.begin()
	if b.left == 0 {
		return b
	}
	if s.Front {
		b.second = newSecond(len(s.Tasks))
	}
	columns := columnsOf(s.Tasks)
	b.kernel = pack(columns)
	for _, c := range columns {
		b.rates = append(b.rates, c.rate)
	}
	b.spread()
	return b
}

// begin prepares the search before any proposal.
func (b *searcher) begin() {
	n := b.first[len(b.first)-1]
	b.done, b.left = make([]bool, n), n
	b.trials = make([]int, len(b.search.Tasks))
	for range b.search.Tasks {
		b.least = append(b.least, math.Inf(1))
	}
}

func (b *searcher) task(candidate int) int {
	at, found := slices.BinarySearch(b.first, candidate)
	if !found {
		return at - 1
	}
	for b.first[at+1] == candidate { // empty tasks begin at the same number
		at++
	}
	return at
}

func (b *searcher) Next() (task, point int, ok bool) {
	if b.left == 0 {
		return 0, 0, false
	}
	c := b.choose()
	task = b.task(c)
	b.done[c] = true
	b.left--
	b.trials[task]++
	b.pending = append(b.pending, c)
	if b.model != nil {
		b.model.expect(c)
	}
	return task, c - b.first[task], true
}

func (b *searcher) choose() int {
	for len(b.design) > 0 {
		if c := b.design[0]; !b.done[c] {
			return c
		}
		b.design = b.design[1:]
	}
	if c := b.advised(); c >= 0 {
		return c
	}
	// A task without a valid point has no cost to improve on. It gets every other
	// evaluation, so that one that has none does not take them all.
	if b.proposed()%2 == 0 {
		for t := range b.least {
			if math.IsInf(b.least[t], 1) {
				if c := b.transferred(t); c >= 0 {
					return c
				}
			}
		}
	}
	valid := 0
	for _, y := range b.costs {
		if !math.IsNaN(y) {
			valid++
		}
	}
	if valid >= leastValid || b.taught != nil && valid > 0 {
		if b.model == nil || len(b.points) >= b.refit {
			b.fit()
		}
		behind := b.behind()
		if c := b.promising(behind); c >= 0 {
			return c
		}
		b.model = nil // its pool is used up
		b.fit()
		if c := b.promising(behind); c >= 0 {
			return c
		}
	}
	for t := range b.least {
		if b.first[t] < b.first[t+1] {
			if c := b.farthest(t, laterTries); c >= 0 {
				return c
			}
		}
	}
	return slices.Index(b.done, false)
}

// proposed returns how many candidates were proposed.
func (b *searcher) proposed() int { return len(b.points) + len(b.pending) }

// behind returns the task whose turn it is if one of several has fewer trials than leastEach, else -1.
func (b *searcher) behind() int {
	if t := b.fewest(b.trials); t >= 0 && len(b.trials) > 1 && b.trials[t] < leastEach {
		return t
	}
	return -1
}

// transferred returns the best configuration of other tasks that a task has and has not evaluated, else a
// configuration far from those that it has evaluated; -1 if none is left.
func (b *searcher) transferred(task int) int {
	if b.first[task] == b.first[task+1] {
		return -1
	}
	found, least := -1, math.Inf(1)
	for i, p := range b.points {
		from := b.task(p)
		if relative := b.costs[i] - b.least[from]; from != task && relative < least {
			if c := b.counterpart(p, from, task); c >= 0 && !b.done[c] {
				found, least = c, relative
			}
		}
	}
	if found >= 0 {
		return found
	}
	return b.farthest(task, laterTries)
}

// counterpart returns the candidate of task to with the same values, or -1.
func (b *searcher) counterpart(candidate, from, to int) int {
	s, t := b.search.Tasks[from].Space, b.search.Tasks[to].Space
	row := make([]uint16, len(t.Parameters))
	for d, p := range t.Parameters {
		at := slices.IndexFunc(s.Parameters, func(q tuning.Parameter) bool { return q.Name == p.Name })
		if at < 0 {
			return -1
		}
		v := slices.Index(p.Values, s.Value(candidate-b.first[from], at))
		if v < 0 {
			return -1
		}
		row[d] = uint16(v)
	}
	point := t.Find(row)
	if point < 0 {
		return -1
	}
	return b.first[to] + point
}

func (b *searcher) Tell(t tuning.Trial) {
	c := b.first[t.Task] + t.Point
	b.pending = slices.DeleteFunc(b.pending, func(p int) bool { return p == c })
	y := math.NaN()
	if t.OK && t.Cost > 0 && !math.IsInf(t.Cost, 1) {
		y = math.Log(t.Cost)
		b.least[t.Task] = min(b.least[t.Task], y)
	}
	b.points = append(b.points, c)
	b.costs = append(b.costs, y)
	b.second.take(t, y)
	effort := math.NaN()
	if t.CompileSeconds > 0 {
		effort = math.Log(t.CompileSeconds)
	}
	b.efforts = append(b.efforts, effort)
	if t.RunSeconds > 0 {
		b.ran = append(b.ran, t.RunSeconds)
	}
	if b.model == nil {
		return
	}
	if !math.IsNaN(y) && math.IsInf(b.base[t.Task], 1) {
		b.refit = 0 // a task's first valid point: targets need its base
		return
	}
	o := b.outcome(len(b.points) - 1)
	b.model.learn(slices.Index(b.model.points, c), o)
	if o.fault == 0 {
		b.lowest[t.Task] = min(b.lowest[t.Task], o.target)
		b.second.extend(t.Task, o)
	}
}

// outcome returns what the model is told of a trial.
func (b *searcher) outcome(trial int) outcome {
	y, task := b.costs[trial], b.task(b.points[trial])
	o := outcome{effort: b.efforts[trial] - b.usual}
	if math.IsNaN(y) {
		o.target, o.second, o.fault = faultTarget, faultTarget, 1
		return o
	}
	o.target = bent((y - b.base[task] - b.shift) / b.scale)
	o.second = b.second.target(trial, task)
	return o
}

func bent(target float64) float64 { return min(target, bendAt+bendSlope*(target-bendAt)) }
