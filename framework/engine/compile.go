package engine

import (
	"context"
	"errors"
	"time"

	"example.org/bench/framework/plan"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/offline"
)

// CannotRun is why a point fails on every device with the facts that it was compiled for: its
// kernel does not compile, or its launch exceeds the device's limits.
type CannotRun string

func (c CannotRun) Error() string { return string(c) }

// Compile compiles a GPU point's kernels into the compiler's disk cache, for a device with these
// facts, which need not be present. It returns the resources of each launch, or CannotRun for a
// point that cannot run. An engine that compiles must not run points, because a problem may keep
// its device.
func (e *Engine) Compile(ctx context.Context, p plan.Point, facts gpu.Facts) ([]offline.Launch, error) {
	timeout := time.Duration(e.opt.Config.Measure.PointTimeout * float64(time.Second))
	rep, err := e.ask(ctx, request{Op: "compile", Point: &p, Facts: &facts}, timeout, func(*reply) {})
	switch {
	case err != nil:
		return nil, err
	case rep.CannotRun:
		return nil, CannotRun(brief(rep.Error))
	case rep.Error != "":
		return nil, errors.New(rep.Error)
	}
	return rep.Launches, nil
}

// compile takes a point up to its first Run on a device that executes nothing.
func (w *worker) compile(req request, rep *reply) (err error) {
	if w.offline == nil {
		if w.offline, err = offline.Open(*req.Facts); err != nil {
			return err
		}
	}
	err = w.runOn(w.offline, *req.Point, func() { w.offline.Launches() }, func() {})
	launches := w.offline.Launches()
	if err != nil {
		var refusal offline.Refusal
		rep.CannotRun = errors.As(err, &refusal)
		return err
	}
	rep.Launches = launches
	return nil
}
