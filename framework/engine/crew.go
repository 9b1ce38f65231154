package engine

import (
	"context"
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

// Run measures the points that are not in done with all engines together, or in turn, and returns the
// results, also beside an error. Each point is measured by an engine of its device, in the points' order as
// far as no engine has to wait. The first error ends all: ErrInterrupted when ctx ends, or the keeper's.
func (c Crew) Run(ctx context.Context, points []plan.Point, facts *gpu.Facts, done map[string]bool, observer Observer, keeper Keeper) (results []record.Result, err error) {
	q := &queue{busy: map[*Engine]string{}, first: c[0].opt.Device}
	for _, p := range points {
		if !done[p.Key()] {
			q.points = append(q.points, queued{p, p.Problem()})
		}
	}
	for _, e := range c {
		e.calls = c[0].calls
	}
	measure := func(ctx context.Context, e *Engine) error {
		for {
			p, ok := q.take(e)
			if !ok {
				return nil
			}
			r, err := e.Measure(ctx, p, facts, observer, keeper)
			if r != nil {
				e.calls.Lock()
				results = append(results, *r)
				e.calls.Unlock()
			}
			if err != nil {
				return err
			}
		}
	}
	if c.Together() > 1 {
		err = workers.Together(ctx, len(c), func(ctx context.Context, i int) error { return measure(ctx, c[i]) })
		return results, err
	}
	for _, e := range c {
		if err := measure(ctx, e); err != nil {
			return results, err
		}
	}
	return results, nil
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

// On returns the point with the engine's device, if it is shared and not skipped.
func (e *Engine) On(p plan.Point) plan.Point {
	if p.Shared != "" && p.Skip == "" {
		p.Device = e.opt.Device
	}
	return p
}

// runs reports whether the engine may run a point.
func (e *Engine) runs(p plan.Point) bool {
	return e.opt.Device == "" || p.Shared != "" || p.Skip != "" || p.Device == e.opt.Device
}
