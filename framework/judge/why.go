package judge

import (
	"context"

	"example.org/bench/framework/engine"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
)

// Explain says what bounds a kernel at a problem. res is the result of the candidate timed alone.
// The Bound's Problem may be empty.
type Explain func(ctx context.Context, e *engine.Engine, facts gpu.Facts, ceilings Ceilings, res record.Result) Bound

// Ceilings are the GPU's ceilings; Missing says why there are none.
type Ceilings struct {
	record.Ceilings
	Missing string
}

// why returns what bounds a kernel at each problem that is not hidden. results are those of the
// candidate timed alone. Where a bound cannot be explained, its Missing says why.
func (r *referee) why(ctx context.Context, x *experiment.Experiment, results []record.Result) (list []Bound) {
	if r.task.c || x.Facts == nil || r.opt.Explain == nil {
		return nil
	}
	r.step("why", "explaining")
	var ceilings Ceilings
	if x.Config.Measure.Ceilings {
		about, _, err := x.Engine.Ceilings(ctx, r.opt.Device)
		if ceilings.Ceilings = about.Ceilings; err != nil {
			ceilings.Missing = err.Error()
		}
	}
	if !r.energyCounts() && !r.series(r.opt.Device) {
		r.task.warm(r.opt) // nothing is measured from here on
	}
	for _, res := range results {
		if r.isHidden(res.Point, r.subject.Hidden()) {
			continue
		}
		b := r.opt.Explain(ctx, x.Engine, *x.Facts, ceilings, res)
		b.Problem, b.Missing = res.Point.Settings(), r.tidy(b.Missing)
		list = append(list, b)
	}
	return list
}
