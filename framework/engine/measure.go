package engine

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
)

// Measure measures a point. It informs observer, and passes the result to keeper if that is not nil. An error
// beside a result is the keeper's. An error without a result is the keeper's, or ErrInterrupted when ctx
// ends.
func (e *Engine) Measure(ctx context.Context, p plan.Point, facts *gpu.Facts, observer Observer, keeper Keeper) (res *record.Result, err error) {
	if ctx.Err() != nil {
		return nil, ErrInterrupted
	}
	if keeper == nil {
		keeper = Keep(func(record.Result) error { return nil })
	}
	p = e.On(p)
	refusal := ""
	if p.Skip == "" {
		e.calls.Lock()
		refusal, err = keeper.Start(p)
		e.calls.Unlock()
	}
	switch {
	case err != nil:
		return nil, err
	case refusal != "":
		e.calls.Lock()
		observer.Started(p)
		e.calls.Unlock()
		res = &record.Result{Point: p, Status: record.Failed, Reason: refusal, Started: record.Now()}
	default:
		res, err = e.point(ctx, p, facts, observer)
	}
	e.calls.Lock()
	defer e.calls.Unlock()
	switch {
	case err == nil:
	case p.Skip == "":
		return nil, errors.Join(err, keeper.Withdraw(p))
	default:
		return nil, err
	}
	if err := keeper.Append(*res); err != nil {
		return res, err
	}
	observer.Done(res)
	return res, nil
}

// point has the worker measure a point, in its power mode and with a process of its own for each instance.
// The error is ErrInterrupted.
func (e *Engine) point(ctx context.Context, p plan.Point, facts *gpu.Facts, observer Observer) (*record.Result, error) {
	var absent error // why the power mode is not on
	var start map[string]float64
	switched := 0.0
	if p.Skip == "" {
		if switched, absent = e.inMode(ctx, p.PowerMode); ctx.Err() != nil {
			return nil, ErrInterrupted
		}
		if p.Instance != e.instance {
			e.instance = p.Instance
			e.end()
		}
	}
	e.calls.Lock()
	observer.Started(p)
	e.calls.Unlock()
	if absent == nil {
		start = e.coolest(ctx, p)
	}
	began, started := now(), record.Now()
	end := func(s record.Status, reason string) *record.Result {
		return &record.Result{Point: p, Status: s, Reason: reason, Started: started, Elapsed: since(began), Notes: e.left(), Switched: switched, NotEntered: absent != nil}
	}
	if p.Skip != "" {
		return end(record.Skipped, p.Skip), nil
	}
	if absent != nil {
		return end(record.Failed, oneLine(absent)), nil
	}
	if why := e.tooLarge(p, facts); why != "" {
		return end(record.Skipped, why), nil
	}
	last := ""
	rep, err := e.ask(ctx, request{Op: "point", Point: &p, Start: start}, e.allows(start), func(r *reply) {
		last = ", in " + r.Phase
		e.calls.Lock()
		defer e.calls.Unlock()
		observer.Phase(p, r.Phase)
	})
	switch {
	case errors.Is(err, ErrInterrupted):
		return nil, err
	case errors.Is(err, errTimeout):
		return end(record.Timeout, fmt.Sprintf("no result after %g s (measure.point_timeout_s)%s", e.limit(), last)), nil
	case err != nil:
		return end(record.Failed, brief(err.Error())), nil
	case rep.Result == nil:
		e.drop()
		return end(record.Failed, "the worker gave no result: "+brief(rep.Error)), nil
	}
	if err := check(rep.Result, p); err != nil {
		e.drop()
		return end(record.Failed, err.Error()), nil
	}
	rep.Result.Started = started // the worker's clock may have been set since
	rep.Result.Notes = append(rep.Result.Notes, rep.again...)
	rep.Result.Switched = switched
	return rep.Result, nil
}

// staged reports whether points are measured with their stages.
func (e *Engine) staged() bool {
	return e.opt.Config.Measure.Stages && !e.opt.Trial && !e.opt.Series && !e.opt.VerifyOnly
}

// limit returns the seconds that a point may take without its cool-down: what the config says, and as long
// again for stages.
func (e *Engine) limit() float64 {
	if e.staged() {
		return 2 * e.opt.Config.Measure.PointTimeout
	}
	return e.opt.Config.Measure.PointTimeout
}

// allows returns the time that a point may take: its limit, and its cool-down if there are
// temperatures to cool down to.
func (e *Engine) allows(start map[string]float64) time.Duration {
	seconds := e.limit()
	if len(start) > 0 {
		seconds += e.opt.Config.Measure.CoolDown
	}
	return time.Duration(seconds * float64(time.Second))
}

// check refuses a result that is missing or belongs to another point.
func check(r *record.Result, p plan.Point) error {
	if r.Point.ID != p.ID || r.Point.Key() != p.Key() {
		return fmt.Errorf("the worker gave the result of another point: %s", brief(r.Point.Key()))
	}
	switch r.Status {
	case record.OK, record.Wrong, record.Impossible, record.Failed, record.Timeout:
	default:
		return fmt.Errorf("the worker gave a result of status %s", brief(strconv.Quote(string(r.Status))))
	}
	r.Point, r.Reason = p, brief(r.Reason)
	return nil
}

// brief shortens a text of the worker to what a line may have.
func brief(s string) string {
	const most = 4000 // bytes
	if s = strings.Join(strings.Fields(s), " "); len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
