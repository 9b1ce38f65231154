package why

import (
	"context"

	"example.org/bench/analysis/bound"
	"example.org/bench/framework"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/judge"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/framework/stats"
	"example.org/bench/gpu"
)

// Judged implements judge.Explain.
func Judged(ctx context.Context, e *engine.Engine, facts gpu.Facts, ceilings judge.Ceilings, res record.Result) judge.Bound {
	in := bound.Input{Work: res.Work, Facts: facts, Ceilings: ceilings.Ceilings, Missing: ceilings.Missing}
	if res.Cold != nil {
		in.Time, in.Clock = stats.Median(res.Cold.Samples), res.Cold.ClockHz
	}
	w, err := Of(ctx, e, res.Point, in)
	if err != nil {
		return judge.Bound{Class: string(bound.Unknown), Missing: err.Error()}
	}
	b := judge.Bound{Class: string(w.Class), Share: w.Share, Missing: w.Missing}
	if len(w.Changes) > 0 {
		b.Change, b.Gain = w.Changes[0].Text, w.Changes[0].Gain
	}
	return b
}

// Seconds implements search.PointModel: it returns the time of a point by the model, or why there is none.
func Seconds(ctx context.Context, asker engine.Asker, p plan.Point, facts gpu.Facts, sharers int) (seconds float64, missing string, err error) {
	in := bound.Input{Timed: true, Sharers: sharers, Facts: facts, Double: record.IsDouble(framework.SettingsOf(p.Params, nil))}
	w, err := Of(ctx, asker, p, in)
	return w.Model, w.Missing, err
}
