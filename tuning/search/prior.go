package search

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/plan"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/occupancy"
	"example.org/bench/gpu/cuda/offline"
	"example.org/bench/internal/terminal"
	"example.org/bench/tuning"
	"example.org/bench/tuning/recorded"
)

const (
	// mostModelled is how many points of a space are modelled at most, chosen at random from a larger one.
	mostModelled = 400
	// modelLimit is the time limit of the model for one point. mostUnmodelled is how many points may lack a
	// time before the first has one: a point may not compile.
	modelLimit     = 20 * time.Second
	mostUnmodelled = 8
	// turnWait is the time after which a compiler looks again whether it may model.
	turnWait = 5 * time.Millisecond
)

// PointModel returns the seconds of a point on a GPU with these facts, by a model that may ask workers of
// asker: 0 if the model has no time, and why. sharers is how many points are modelled at the same time.
type PointModel func(ctx context.Context, asker engine.Asker, p plan.Point, facts gpu.Facts, sharers int) (seconds float64, missing string, err error)

// turns shares the compilers: a point is modelled only while fewer are compiled than there are
// compilers.
type turns struct {
	compiling, modelling atomic.Int64
}

func (t *turns) compile() (end func()) {
	t.compiling.Add(1)
	return func() { t.compiling.Add(-1) }
}

// model waits for a turn while may returns true; end is nil if ctx ended before there was one.
func (t *turns) model(ctx context.Context, may func() bool, compilers int) (end func()) {
	for ctx.Err() == nil {
		if may() {
			if t.modelling.Add(1)+t.compiling.Load() <= int64(compilers) {
				return func() { t.modelling.Add(-1) }
			}
			t.modelling.Add(-1)
		}
		select {
		case <-ctx.Done():
		case <-time.After(turnWait):
		}
	}
	return nil
}

// priorTaken is an entry of a search's journal on its prior: what the strategy was told, and after how many
// proposals had ended.
type priorTaken struct {
	Version   string              `json:"version"`
	Processor framework.Processor `json:"processor"`
	Ended     int                 `json:"ended"`
	Points    []tuning.Predicted  `json:"points"`
}

// prior is the prior of a version. The processes that compile make it during the search, or it is read from
// spaces of a model's times.
type prior struct {
	search  *Search
	version *Version
	source  string
	// earlier is from the journal that is resumed, which has the results of so many proposals. Until these
	// have ended, the strategy is told what it was told before, at the same moments.
	earlier []priorTaken
	resumed int

	makers atomic.Int64 // how many processes make it

	mutex   sync.Mutex
	making  tuning.Making
	fresh   []tuning.Predicted
	made    bool               // all that will be
	missing string             // why a point has no time
	step    func(modelled int) // called for each; may be nil
	stop    context.CancelFunc
	wait    sync.WaitGroup
}

// newPrior returns nil if there is nothing to make a prior from: on a CPU or a GPU of OpenCL, for a front,
// and if the power mode is an axis, which the model does not know.
func (s *Search) newPrior(ctx context.Context, v *Version, tasks []tuning.Task) *prior {
	if s.NoPrior || s.Objective == Front || s.modes != nil || s.Strategy.Name != "best" {
		return nil
	}
	p := &prior{search: s, version: v, source: "the model of bench why"}
	if list := recorded.Predicted(s.From, tasks); len(list) > 0 {
		p.source, p.fresh, p.made = "--from", list, true
		return p
	}
	if s.Model == nil || s.compilers == nil || v.Processor != framework.GPU {
		return nil
	}
	var known map[tuning.Proposal]bool
	p.earlier, known = priorsOf(s.journal.Priors(), v)
	for _, list := range s.earlier {
		for _, m := range list {
			if at := m.Result.Point; IsTrial(m.Result) && at.Version == v.Name && at.Processor == v.Processor {
				p.resumed++
			}
		}
	}
	ctx, p.stop = context.WithCancel(ctx)
	p.making.Most = s.compilers.Count()
	p.make(ctx, slices.DeleteFunc(spreadOver(tasks), func(x tuning.Proposal) bool { return known[x] }))
	return p
}

// priorsOf returns a version's entries in a journal, and the points in them.
func priorsOf(lines []json.RawMessage, v *Version) (all []priorTaken, known map[tuning.Proposal]bool) {
	known = map[tuning.Proposal]bool{}
	for _, line := range lines {
		var t priorTaken
		if json.Unmarshal(line, &t) == nil && t.Version == v.Name && t.Processor == v.Processor {
			all = append(all, t)
			for _, x := range t.Points {
				known[tuning.Proposal{Task: x.Task, Point: x.Point}] = true
			}
		}
	}
	return all, known
}

// spreadOver returns at most mostModelled points of each task, in turns: first those known to be good, then
// random ones.
func spreadOver(tasks []tuning.Task) (order []tuning.Proposal) {
	lists, longest := make([][]int, len(tasks)), 0
	for t, task := range tasks {
		all := rand.New(rand.NewPCG(1, uint64(t))).Perm(task.Space.Len())
		all = slices.DeleteFunc(all, func(i int) bool { return slices.Contains(task.Known, i) })
		all = append(slices.Clone(task.Known), all...)
		lists[t] = all[:min(len(all), mostModelled)]
		longest = max(longest, len(lists[t]))
	}
	for i := range longest {
		for t, list := range lists {
			if i < len(list) {
				order = append(order, tuning.Proposal{Task: t, Point: list[i]})
			}
		}
	}
	return order
}

// make has the compilers model points in an order, until ctx ends or too many points have no time.
func (p *prior) make(ctx context.Context, order []tuning.Proposal) {
	s, next := p.search, atomic.Int64{}
	left := atomic.Int64{}
	left.Store(int64(s.compilers.Count()))
	for maker := range left.Load() {
		may := func() bool { return maker < p.makers.Load() }
		p.wait.Go(func() {
			defer func() {
				if left.Add(-1) == 0 {
					p.mutex.Lock()
					p.made = true
					p.mutex.Unlock()
				}
			}()
			for int(next.Load()) < len(order) {
				end := s.turns.model(ctx, may, s.compilers.Count())
				if end == nil {
					return
				}
				i := int(next.Add(1)) - 1
				if i >= len(order) {
					end()
					return
				}
				x, began := order[i], time.Now()
				cost, missing := s.modelled(ctx, p.version.Tasks[x.Task], x.Point)
				end()
				p.mutex.Lock()
				p.making.Made(cost > 0, time.Since(began).Seconds())
				if cost > 0 {
					p.fresh = append(p.fresh, tuning.Predicted{Task: x.Task, Point: x.Point, Cost: cost})
				} else if ctx.Err() == nil {
					p.missing = missing
				}
				if p.step != nil {
					p.step(p.making.Tried)
				}
				enough := p.making.Tried >= mostUnmodelled && p.making.Known == 0
				p.mutex.Unlock()
				if enough {
					return
				}
			}
		})
	}
}

// modelled returns the time of a point by the model, or by launchCost if the model does not know its kernels;
// 0 if neither tells, and why.
func (s *Search) modelled(ctx context.Context, t *Task, point int) (cost float64, missing string) {
	p, facts := codeOf(t.Point(point)), *s.experiment.Facts
	if facts.MemoryClockHz == 0 || facts.MemoryBusBits == 0 {
		return 0, "how fast the GPU's memory is is not known"
	}
	ctx, end := context.WithTimeout(ctx, modelLimit)
	defer end()
	seconds, missing, err := s.Model(ctx, s.compilers, p, facts, s.compilers.Count())
	switch {
	case err != nil && ctx.Err() == context.DeadlineExceeded:
		return 0, "modelling a point takes longer than " + modelLimit.String()
	case err != nil:
		return 0, err.Error()
	case seconds > 0:
		return seconds, ""
	}
	launches, err := s.compilers.One(ctx, p)
	if cost = launchCost(facts, launches); err != nil || cost <= 0 {
		return 0, cmp.Or(missing, "the model has no time of it")
	}
	return cost, missing
}

// launchCost returns, in no unit, what launches take of a GPU beyond what their threads need: lanes of warps
// without a thread, a last wave that is not full, and few warps to hide latency. It is 0 if no kernel is
// launched.
func launchCost(f gpu.Facts, launches []offline.Launch) (cost float64) {
	for _, l := range launches {
		o := occupancy.Of(f, l.Threads, l.Registers, l.SharedBytes)
		if o.Blocks == 0 || f.WarpSize == 0 || f.Multiprocessors == 0 {
			continue
		}
		warps := (l.Threads + f.WarpSize - 1) / f.WarpSize
		waves := math.Ceil(float64(l.Blocks) / float64(o.Blocks*f.Multiprocessors))
		cost += waves * float64(o.Blocks*warps) / math.Sqrt(o.Share)
	}
	return cost
}

// Take implements tuning.Prior. It first writes what it returns to the journal.
func (p *prior) Take(ended int, now time.Duration) []tuning.Predicted {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if len(p.earlier) > 0 && p.earlier[0].Ended <= ended {
		t := p.earlier[0]
		p.earlier = p.earlier[1:]
		p.making.Told += len(t.Points)
		return t.Points
	}
	if ended < p.resumed {
		return nil
	}
	if p.stop != nil && ended > p.resumed {
		p.pace(ended-p.resumed, now)
	}
	if !p.making.Tells(len(p.fresh), p.made) {
		return nil
	}
	more := p.fresh
	p.fresh = nil
	if p.stop != nil { // spaces of --from are the same again
		p.search.mutex.Lock()
		err := p.search.journal.AppendPrior(priorTaken{p.version.Name, p.version.Processor, ended, more})
		p.search.mutex.Unlock()
		if err != nil { // the next trial cannot be kept either
			return nil
		}
	}
	return more
}

// pace has as many processes make the prior as is worth it, after so many trials.
func (p *prior) pace(ended int, now time.Duration) {
	makers, over := p.making.Makers(ended, now)
	p.makers.Store(int64(makers))
	if over {
		p.stop()
		if p.making.Told == 0 {
			p.missing = "trials end too soon for points to be modelled meanwhile"
		}
	}
}

// GiveUp ends the making.
func (p *prior) GiveUp() {
	if p.stop != nil {
		p.stop()
	}
}

// Close ends the making, and waits for it.
func (p *prior) Close() {
	if p == nil {
		return
	}
	p.GiveUp()
	p.wait.Wait()
}

// PriorReport is how a version's search used its prior.
type PriorReport struct {
	Version string `json:"version"` // its name
	// Source is what made the prior: the model of bench why, or --from.
	Source string `json:"source"`
	tuning.Trust
	Missing string `json:"missing,omitempty"` // why points have no time by the model; absent: all that were tried have
}

// report returns nil if the version had no prior.
func (p *prior) report(v *Version) *PriorReport {
	if p == nil || v.Outcome == nil || v.Outcome.Trust == nil {
		return nil
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if v.Outcome.Trust.Predicted == 0 && p.missing == "" { // the search ended sooner
		return nil
	}
	return &PriorReport{Version: v.Name, Source: p.source, Trust: *v.Outcome.Trust, Missing: p.missing}
}

// Text returns the report in a line.
func (r *PriorReport) Text() string {
	if r.Predicted == 0 {
		return "no prior: " + r.Missing
	}
	s := fmt.Sprintf("prior: %s, of %s; it advised %s", r.Source, terminal.Count(r.Predicted, "point"), terminal.Count(r.Advised, "trial"))
	if r.Pairs > 0 {
		s += fmt.Sprintf("; rank correlation with what was measured %.2f", r.Agreement)
	}
	if r.GivenUp > 0 {
		return s + fmt.Sprintf("; given up after %s", terminal.Count(r.GivenUp, "trial"))
	}
	return s + fmt.Sprintf("; trusted for %.0f %% of the trials at the end", 100*r.Share)
}
