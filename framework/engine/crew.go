package engine

import (
	"context"
	"errors"
	"slices"
	"sync"

	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/internal/workers"
)

// Crew is several engines that take points from one queue, each when it has finished its last one.
// If there are several, each has a Device.
type Crew []*Engine

// Of returns the engine of a device: the only one, or the one with that Device, or nil.
func (c Crew) Of(device string) *Engine {
	for _, e := range c {
		if e.opt.Device == "" || e.opt.Device == device {
			return e
		}
	}
	return nil
}

// Devices returns the devices that may run a point. For a shared point these are all of the crew's.
func (c Crew) Devices(p plan.Point) (list []string) {
	if p.Shared == "" {
		return []string{p.Device}
	}
	for _, e := range c {
		list = append(list, e.opt.Device)
	}
	return list
}

// Close ends the workers.
func (c Crew) Close() {
	for _, e := range c {
		e.Close()
	}
}

// Together is how many engines measure at the same time.
func (c Crew) Together() int {
	if c[0].opt.InTurn {
		return 1
	}
	return len(c)
}

// Run is Engine.Run with all engines together, or in turn. Each point is run by an engine of its device, in the
// points' order as far as no engine has to wait. The first error ends all.
func (c Crew) Run(ctx context.Context, points []plan.Point, facts *gpu.Facts, done map[string]bool, observer Observer, keeper Keeper) error {
	q := &queue{busy: map[*Engine]string{}, first: c[0].opt.Device}
	for _, p := range points {
		if !done[p.Key()] {
			q.points = append(q.points, queued{p, p.Problem()})
		}
	}
	one := &oneAtATime{Observer: observer, Keeper: keeper}
	if c.Together() == 1 {
		for _, e := range c {
			if err := e.work(ctx, q, facts, one); err != nil {
				return err
			}
		}
		return nil
	}
	return workers.Together(ctx, len(c), func(ctx context.Context, i int) error { return c[i].work(ctx, q, facts, one) })
}

// queue holds the points that engines take.
type queue struct {
	mutex  sync.Mutex
	points []queued
	busy   map[*Engine]string // the problem of the point that each engine took last
	first  string             // device that skipped shared points count for
}

type queued struct {
	plan.Point
	problem string
}

// take returns the first point that an engine may run: one of the problem whose inputs it has, or
// else of one that no other engine has, or else any.
func (q *queue) take(e *Engine) (p plan.Point, ok bool) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	mine, had := q.busy[e]
	taken := map[string]bool{}
	for other, problem := range q.busy {
		taken[problem] = taken[problem] || other != e
	}
	found, rank := -1, 3
	for i, p := range q.points {
		if !e.runs(p.Point) {
			continue
		}
		r := 2
		switch {
		case e.opt.Device == "" || p.Skip != "" || had && p.problem == mine:
			r = 0
		case !taken[p.problem]:
			r = 1
		}
		if r < rank {
			found, rank = i, r
		}
		if r == 0 {
			break
		}
	}
	if found < 0 {
		delete(q.busy, e)
		return p, false
	}
	p = q.points[found].Point
	if p.Skip == "" {
		q.busy[e] = q.points[found].problem
	}
	if p = e.On(p); p.Shared != "" && p.Skip != "" {
		p.Device = q.first
	}
	if found == 0 {
		q.points = q.points[1:]
	} else {
		q.points = slices.Delete(q.points, found, found+1)
	}
	return p, true
}

// On returns the point with the engine's device, if it is shared.
func (e *Engine) On(p plan.Point) plan.Point {
	if p.Shared != "" {
		p.Device = e.opt.Device
	}
	return p
}

// runs reports whether the engine may run a point.
func (e *Engine) runs(p plan.Point) bool {
	return e.opt.Device == "" || p.Shared != "" || p.Skip != "" || p.Device == e.opt.Device
}

// work runs points of the queue until none is left for the engine.
func (e *Engine) work(ctx context.Context, q *queue, facts *gpu.Facts, one *oneAtATime) error {
	r := e.begin(facts, one, one)
	for {
		p, ok := q.take(e)
		if !ok {
			return nil
		}
		if _, err := r.measure(ctx, p); err != nil {
			return err
		}
	}
}

// run is the state that an engine keeps from point to point.
type run struct {
	*Engine
	facts    *gpu.Facts
	observer Observer
	keeper   Keeper
	cool     *cooling
	instance int // of the worker's points
}

func (e *Engine) begin(facts *gpu.Facts, observer Observer, keeper Keeper) *run {
	return &run{Engine: e, facts: facts, observer: observer, keeper: keeper, cool: e.cooling()}
}

// Measure runs one point, as Run does, and returns its result. It informs observer, and passes the
// result to keeper unless that is nil. It returns ErrInterrupted when ctx ends, or the keeper's
// error.
func (e *Engine) Measure(ctx context.Context, p plan.Point, facts *gpu.Facts, observer Observer, keeper Keeper) (record.Result, error) {
	if keeper == nil {
		keeper = Keep(func(record.Result) error { return nil })
	}
	return e.begin(facts, observer, keeper).measure(ctx, e.On(p))
}

// measure runs a point and keeps its result.
func (r *run) measure(ctx context.Context, p plan.Point) (res record.Result, err error) {
	if ctx.Err() != nil {
		return res, ErrInterrupted
	}
	refusal := ""
	if p.Skip == "" {
		if refusal, err = r.keeper.Start(p); err != nil {
			return res, err
		}
	}
	got, err := r.next(ctx, p, refusal)
	if err != nil {
		if p.Skip == "" && refusal == "" && errors.Is(err, ErrInterrupted) {
			err = errors.Join(err, r.keeper.Withdraw(p))
		}
		return res, err
	}
	if err := r.keeper.Append(*got); err != nil {
		return res, err
	}
	r.observer.Done(got)
	return *got, nil
}

// next enters a point's power mode and runs the point. A refusal is why it must not run.
func (r *run) next(ctx context.Context, p plan.Point, refusal string) (*record.Result, error) {
	if refusal != "" {
		r.observer.Started(p)
		return &record.Result{Point: p, Status: record.Failed, Reason: refusal, Started: record.Now()}, nil
	}
	var absent error
	switched := 0.0
	if p.Skip == "" {
		if switched, absent = r.inMode(ctx, p.PowerMode); ctx.Err() != nil {
			return nil, ErrInterrupted
		}
	}
	if p.Instance != r.instance && p.Skip == "" {
		r.instance = p.Instance
		r.end() // each instance has its own process
	}
	r.observer.Started(p)
	var start map[string]float64
	if absent == nil {
		start = r.cool.before(ctx, p)
	}
	res, err := r.one(ctx, p, r.facts, r.observer, absent, start)
	if res != nil {
		res.Switched, res.NotEntered = switched, absent != nil
	}
	return res, err
}

// oneAtATime serializes the calls of several engines to an observer and a keeper.
type oneAtATime struct {
	mutex sync.Mutex
	Observer
	Keeper
}

func (o *oneAtATime) Started(p plan.Point) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.Observer.Started(p)
}

func (o *oneAtATime) Phase(p plan.Point, phase string) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.Observer.Phase(p, phase)
}

func (o *oneAtATime) Start(p plan.Point) (string, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.Keeper.Start(p)
}

func (o *oneAtATime) Withdraw(p plan.Point) error {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.Keeper.Withdraw(p)
}

func (o *oneAtATime) Append(r record.Result) error {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.Keeper.Append(r)
}

func (o *oneAtATime) Done(r *record.Result) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.Observer.Done(r)
}
