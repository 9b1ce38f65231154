package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"strings"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/bound"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/trace"
)

// whyLimit is the limit for the explanation of one point.
const whyLimit = 10 * time.Minute

// whyShare is the share of the free memory in which kernels are executed.
const whyShare = 0.6

// Why explains a point that was measured. It executes some blocks of its kernels on the CPU, for
// the GPU with these facts, which need not be present. in is what is known of the point, without
// its launches.
func (e *Engine) Why(ctx context.Context, p plan.Point, facts gpu.Facts, in bound.Input) (bound.Why, error) {
	rep, err := e.ask(ctx, request{Op: "why", Point: &p, Facts: &facts, Why: &in}, whyLimit, func(*reply) {})
	switch {
	case err != nil:
		return bound.Why{}, err
	case rep.Error != "":
		return bound.Why{}, errors.New(rep.Error)
	}
	return *rep.Why, nil
}

// why explains a point.
func (w *worker) why(p plan.Point, facts gpu.Facts, in bound.Input) bound.Why {
	if in.Missing == "" {
		var err error
		if in.Launches, err = w.traced(p, facts, in.Sharers); err != nil {
			in.Launches, in.Missing = nil, shortly(err)
		}
	}
	return bound.Explain(in)
}

// traced takes a point up to its first Run on a device that executes some blocks of each
// launch, in a part of the free memory.
func (w *worker) traced(p plan.Point, facts gpu.Facts, sharers int) (launches []*trace.Launch, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v (%s)", r, firstFrame(debug.Stack()))
		}
	}()
	switch using := p.Using(); {
	case w.setup.Config.Executable != "" || w.setup.Config.Command != nil: // which a run that somebody sent may name, too
		return nil, errors.New("it is a program's: its code is not known, and it is not started")
	case p.Peer:
		return nil, errors.New("it is a library's: its code is not known")
	case using.Text(framework.TimedParam) == framework.AnswerTimed:
		return nil, errors.New("its copies are timed too")
	}
	if w.traces == nil {
		if w.traces, err = trace.Open(facts, whyRoom(machineMemory())/int64(max(1, sharers))); err != nil {
			return nil, err
		}
	}
	if err := w.plugin(); err != nil {
		return nil, err
	}
	// A problem keeps its device.
	w.forget(len(w.problems))
	defer func() { w.forget(len(w.problems)) }()
	env := w.env(&record.Result{})
	env.Device = w.traces
	alg, err := w.version(p, env)
	if err != nil {
		return nil, err
	}
	w.traces.Launches()
	if err = alg.PreRun(); err == nil {
		w.traces.Launches() // what prepares is not timed
		err = alg.Run()
	}
	return w.traces.Launches(), errors.Join(err, alg.PostRun())
}

// whyRoom is how many bytes kernels that are executed may take; where it is not known
// what is free, they are not bound.
func whyRoom(m memory) int64 {
	if m.total == 0 {
		return math.MaxInt64
	}
	return int64(whyShare * float64(m.free))
}

// shortly is the begin of an error: a compiler's has many lines.
func shortly(err error) string {
	const most = 200 // bytes
	text := oneLine(err)
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
