package picture

import (
	"math"
	"slices"
	"strconv"

	"example.org/bench/framework"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// atRate returns a run over the rates of its points: the abscissa is the first axis, and the highest rate of
// a point is a number. A point for which none was found is left out. A run without rates stays as it is.
func atRate(run *record.Run) *record.Run {
	if !slices.ContainsFunc(run.Rows, func(w record.Row) bool { return w.Rate.Get().IsSet() }) {
		return run
	}
	over := *run
	over.Rows = slices.DeleteFunc(slices.Clone(run.Rows), func(w record.Row) bool {
		return !w.Rate.Get().IsSet() && w.Params.Get(framework.RateParam).Kind() == framework.Text
	})
	for i := range over.Rows {
		w := &over.Rows[i]
		if w.Rate.Get().IsSet() {
			w.Params = w.Params.With(framework.RateParam, framework.FloatValue(w.Rate.Get().Hz.Float()))
		}
	}
	over.Columns.Params = slices.Clone(run.Columns.Params)
	for i := range over.Columns.Params {
		if c := &over.Columns.Params[i]; c.Name == framework.RateParam {
			c.Kind = framework.Float.String()
		}
	}
	over.Axes = []plan.Axis{{Name: framework.RateParam, Unit: "Hz", Geometric: true}}
	for _, a := range run.Axes {
		if a.Name != framework.RateParam {
			over.Axes = append(over.Axes, a)
		}
	}
	return &over
}

// foundRates returns the points of a run whose rate was searched for and not given. They have no order among
// the others.
func foundRates(run *record.Run) map[int]bool {
	found := map[int]bool{}
	for i := range run.Rows {
		w := &run.Rows[i]
		if _, err := strconv.ParseFloat(w.Params.Get(framework.RateParam).String(), 64); err != nil && w.Rate.Get().IsSet() {
			found[w.Point] = true
		}
	}
	return found
}

// Crossing is where two lines of a chart change places.
type Crossing struct{ X, Y float64 }

// crossings returns the crossings of each two lines, between neighbouring abscissas that both have, along
// straight lines in the logarithms.
func crossings(lines []Line) (all []Crossing) {
	for i, a := range lines {
		for _, b := range lines[i+1:] {
			type pair struct{ x, a, b float64 }
			var both []pair
			for _, p := range a.Points {
				if j := slices.IndexFunc(b.Points, func(q Point) bool { return q.X == p.X }); j >= 0 && p.Y > 0 && b.Points[j].Y > 0 {
					both = append(both, pair{p.X, p.Y, b.Points[j].Y})
				}
			}
			slices.SortFunc(both, func(p, q pair) int { return int(math.Copysign(1, p.x-q.x)) })
			for k := 1; k < len(both); k++ {
				before, after := math.Log(both[k-1].a/both[k-1].b), math.Log(both[k].a/both[k].b)
				if before*after >= 0 {
					continue
				}
				share := before / (before - after)
				all = append(all, Crossing{
					both[k-1].x * math.Pow(both[k].x/both[k-1].x, share),
					both[k-1].a * math.Pow(both[k].a/both[k-1].a, share)})
			}
		}
	}
	return all
}
