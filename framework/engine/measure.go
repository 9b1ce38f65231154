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
	if err != nil {
		return nil, err
	}
	a := &attempt{engine: e, point: p, observer: observer}
	if res, err = a.begin(ctx, facts, refusal); res == nil && err == nil {
		rep, failed := e.ask(ctx, request{Op: "point", Point: &p, Start: a.start}, e.allows(a.start), a.progress)
		res, err = a.result(rep, failed)
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

// attempt is a point on its way to a result.
type attempt struct {
	engine   *Engine
	point    plan.Point
	observer Observer
	start    map[string]float64 // see coolest
	began    time.Time
	started  time.Time // as results tell it
	phase    string    // the worker's last
	switched float64   // seconds that it took to enter the power mode
	absent   error     // why the power mode is not on
}

// begin enters the point's power mode, and ends the worker of another instance. A point that the worker is not asked
// for has its result. The error is ErrInterrupted.
func (a *attempt) begin(ctx context.Context, facts *gpu.Facts, refusal string) (*record.Result, error) {
	e, p := a.engine, a.point
	if p.Skip == "" && refusal == "" {
		if a.switched, a.absent = e.inMode(ctx, p.PowerMode); ctx.Err() != nil {
			return nil, ErrInterrupted
		}
		if p.Instance != e.instance {
			e.instance = p.Instance
			e.end()
		}
	}
	e.calls.Lock()
	a.observer.Started(p)
	e.calls.Unlock()
	if refusal != "" {
		return &record.Result{Point: p, Status: record.Failed, Reason: refusal, Started: record.Now()}, nil
	}
	if a.absent == nil {
		a.start = e.coolest(ctx, p)
	}
	a.began, a.started = now(), record.Now()
	if p.Skip != "" {
		return a.ended(record.Skipped, p.Skip), nil
	}
	if a.absent != nil {
		return a.ended(record.Failed, oneLine(a.absent)), nil
	}
	if why := e.tooLarge(p, facts); why != "" {
		return a.ended(record.Skipped, why), nil
	}
	return nil, nil
}

// progress tells the observer of a phase.
func (a *attempt) progress(r *reply) {
	a.phase = r.Phase
	a.engine.calls.Lock()
	defer a.engine.calls.Unlock()
	a.observer.Phase(a.point, r.Phase)
}

// ended is the result of a point that was not measured.
func (a *attempt) ended(s record.Status, reason string) *record.Result {
	return &record.Result{Point: a.point, Status: s, Reason: reason, Started: a.started, Elapsed: since(a.began), Notes: a.engine.left(), Switched: a.switched, NotEntered: a.absent != nil}
}

// result is that of the worker's reply, or of its absence. The error is ErrInterrupted.
func (a *attempt) result(rep *reply, err error) (*record.Result, error) {
	e, last := a.engine, ""
	if a.phase != "" {
		last = ", in " + a.phase
	}
	switch {
	case errors.Is(err, ErrInterrupted):
		return nil, err
	case errors.Is(err, errTimeout):
		return a.ended(record.Timeout, fmt.Sprintf("no result after %g s (measure.point_timeout_s)%s", e.limit(), last)), nil
	case err != nil:
		return a.ended(record.Failed, brief(err.Error())), nil
	case rep.Result == nil:
		e.drop()
		return a.ended(record.Failed, "the worker gave no result: "+brief(rep.Error)), nil
	}
	if err := check(rep.Result, a.point); err != nil {
		e.drop()
		return a.ended(record.Failed, err.Error()), nil
	}
	rep.Result.Started = a.started // the worker's clock may have been set since
	rep.Result.Notes = append(rep.Result.Notes, rep.again...)
	rep.Result.Switched = a.switched
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
