package why

import (
	"context"
	"errors"
	"strings"
	"time"

	"example.org/bench/analysis/bound"
	"example.org/bench/analysis/trace"
	"example.org/bench/framework"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/plan"
)

const (
	// pointLimit is the limit for the explanation of one point.
	pointLimit = 10 * time.Minute
	// memoryShare is the share of the free memory in which kernels are executed.
	memoryShare = 0.6
	operation   = "why"
)

// Operation returns the workers' part of explaining: they execute some blocks of a point's kernels on the
// CPU, for the GPU of the input, which need not be present.
func Operation() engine.Operation {
	return engine.Operation{Name: operation, New: func() engine.Operate {
		x := executor{}
		return x.explain
	}}
}

// Of explains a point that was measured. in is what is known of it, without its launches.
func Of(ctx context.Context, asker engine.Asker, p plan.Point, in bound.Input) (w bound.Why, err error) {
	err = asker.Ask(ctx, operation, p, pointLimit, in, &w)
	return w, err
}

// executor executes kernels in a worker.
type executor struct {
	device *trace.Device // nil until first needed
}

func (x *executor) explain(a *engine.Asked) (any, error) {
	var in bound.Input
	if err := a.Input(&in); err != nil {
		return nil, err
	}
	if in.Missing == "" {
		var err error
		if in.Launches, err = x.launches(a, in); err != nil {
			in.Launches, in.Missing = nil, shortly(err)
		}
	}
	return bound.Explain(in), nil
}

// launches returns the launches of one run of a point, with some blocks of each executed.
func (x *executor) launches(a *engine.Asked, in bound.Input) (launches []*trace.Launch, err error) {
	switch using := a.Point.Using(); {
	case a.Config.Executable != "" || a.Config.Command != nil: // a run from elsewhere may name them too
		return nil, errors.New("it is a program's: its code is not known, and it is not started")
	case a.Point.Peer:
		return nil, errors.New("it is a library's: its code is not known")
	case using.Text(framework.TimedParam) == framework.AnswerTimed:
		return nil, errors.New("its copies are timed too")
	}
	if x.device == nil {
		if x.device, err = trace.Open(in.Facts, room(a.Free(), in.Sharers)); err != nil {
			return nil, err
		}
	}
	x.device.Launches()
	err = a.RunOn(x.device, func() { x.device.Launches() }) // preparations are not timed
	return x.device.Launches(), err
}

// room returns how many of the free bytes each of the sharers may take.
func room(free int64, sharers int) int64 {
	return int64(memoryShare*float64(free)) / int64(max(1, sharers))
}

// shortly returns the beginning of an error: a compiler's has many lines.
func shortly(err error) string {
	const most = 200 // bytes
	text := strings.Join(strings.Fields(err.Error()), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
