package compare

import (
	"math"
	"slices"

	"example.org/bench/framework/record"
)

// executedMetrics returns the rates of what a version executes and accesses, by its own counts. A version is
// not better for doing more, so that these metrics are shown only if they are named.
func executedMetrics() []Metric {
	flops := func(w *record.Row) record.Number { return record.Measured(float64(w.Work.FLOPs.Int())) }
	accessed := func(w *record.Row) record.Number {
		load, store := w.Memory.LoadBytes, w.Memory.StoreBytes
		if !load.IsSet() || !store.IsSet() {
			return record.Number{}
		}
		return record.Measured(float64(load.Int() + store.Int()))
	}
	perTime := func(count func(*record.Row) record.Number) func(*entry) Estimate {
		return func(e *entry) Estimate { return timeOf(e).inverse(count(e.row)) }
	}
	flopsPerJoule := func(e *entry) Estimate { return e.withUncertainty(e.row.Power.Get().Executed, 1e9) }
	bytesPerJoule := func(e *entry) Estimate { return e.withUncertainty(e.row.Power.Get().Accessed, 1e9) }
	return []Metric{
		{Name: "executed_rate", Title: "operations executed per time", Unit: "FLOP/s", Higher: true, of: perTime(flops)},
		{Name: "accessed_rate", Title: "bytes loaded and stored per time", Unit: "B/s", Higher: true, of: perTime(accessed)},
		{Name: "executed_efficiency", Title: "operations executed per energy", Unit: "FLOP/J", Higher: true, of: flopsPerJoule, apart: combined(flopsPerJoule)},
		{Name: "accessed_efficiency", Title: "bytes loaded and stored per energy", Unit: "B/J", Higher: true, of: bytesPerJoule, apart: combined(bytesPerJoule)},
	}
}

// inverse returns count divided by the value, as well known as the value.
func (e Estimate) inverse(count record.Number) Estimate {
	if !(e.Value > 0) || !count.IsSet() || !(count.Float() > 0) {
		return Estimate{}
	}
	c := count.Float()
	of := func(x *float64) *float64 {
		if x == nil {
			return nil
		}
		y := c / *x
		return &y
	}
	each := func(list []float64, f func(float64) float64) (out []float64) {
		for _, x := range list {
			out = append(out, f(x))
		}
		return out
	}
	r := e
	r.Value, r.Low, r.High = c/e.Value, of(e.High), of(e.Low)
	log := func(x float64) float64 { return math.Log(c) - x }
	r.logs, r.blocks = each(e.logs, log), each(e.blocks, log)
	r.sorted = each(e.sorted, func(x float64) float64 { return c / x })
	slices.Reverse(r.sorted)
	if e.levels != nil {
		r.levels = &[2]float64{c / e.levels[1], c / e.levels[0]}
	}
	return r
}
