package judge

import (
	"context"

	"example.org/bench/framework/bound"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/record"
	"example.org/bench/framework/stats"
)

// why returns what bounds a kernel at each problem, in short. The results are of the candidate
// timed alone. A bound that cannot be explained has the reason.
func (r *referee) why(ctx context.Context, x *experiment.Experiment, results []record.Result) (list []Bound) {
	if r.task.c || x.Facts == nil {
		return nil
	}
	r.step("why", "explaining")
	var about record.Device
	var err error
	if x.Config.Measure.Ceilings {
		about, _, err = x.Engine.Ceilings(ctx, r.opt.Device)
	}
	if !r.energyCounts() && !r.series(r.opt.Device) {
		r.task.warm(r.opt) // nothing is measured from here on
	}
	for _, res := range results {
		b := Bound{Problem: res.Point.Settings()}
		if r.isHidden(res.Point, r.subject.Hidden()) {
			continue
		}
		in := bound.Input{Work: res.Work, Facts: *x.Facts, Ceilings: about.Ceilings}
		if res.Cold != nil {
			in.Time, in.Clock = stats.Median(res.Cold.Samples), res.Cold.ClockHz
		}
		if err != nil {
			in.Missing = err.Error()
		}
		w, err := x.Engine.Why(ctx, res.Point, in.Facts, in)
		if err != nil {
			b.Class, b.Missing = string(bound.Unknown), r.tidy(err.Error())
			list = append(list, b)
			continue
		}
		b.Class, b.Share, b.Missing = string(w.Class), w.Share, r.tidy(w.Missing)
		if len(w.Changes) > 0 {
			b.Change, b.Gain = w.Changes[0].Text, w.Changes[0].Gain
		}
		list = append(list, b)
	}
	return list
}
