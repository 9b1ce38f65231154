package plots

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/plot/vg/recorder"

	"example.org/bench/framework/pareto"
	"example.org/bench/framework/record"
	"example.org/bench/internal/safefile/safefiletest"
	"example.org/bench/plots/picture"
)

// TestAnyNumbersAreDrawn: whatever a program reports, each kind of figure is drawn, as
// files of the usual size, and no stroke leads far beyond the page.
func TestAnyNumbersAreDrawn(t *testing.T) {
	const pages = 5000 // points: some pages
	numbers := []float64{0, 5e-324, 1e-320, 1e-300, 1, 1e300, 1.7e308, -1, -1.7e308, math.Inf(1), math.Inf(-1), math.NaN()}
	q := picture.Time
	for _, a := range numbers {
		for _, b := range numbers {
			at := func(x, y float64) picture.Point {
				return picture.Point{X: x, Y: y, Low: math.Min(a, b), High: math.Max(a, b)}
			}
			lines := picture.Panel{Lines: []picture.Line{{Name: "one", Points: []picture.Point{at(1, a), at(2, b)}}, {Name: "two", Style: 1, Points: []picture.Point{at(a, 1), at(b, a)}}}, Limit: map[string]float64{"": b}}
			m := picture.HeatMap{Full: a, X: "x", Y: "y", XValues: []float64{a, b}, YValues: []float64{1}, Cost: [][]float64{{a, b}}}
			all := map[string]content{
				"chart": newChart(picture.NewChart(q, lines, "n", false)), "chart of factors": newChart(picture.NewChart(q, lines, "n", true)), "bars": newBars(picture.NewBars(q, lines)),
				"convergence": newCurves(picture.NewConvergence("", "", []picture.Curve{{Name: "c", Median: []float64{a, b}, Low: []float64{b, a}}})),
			}
			front := picture.TimeEnergy{Fronts: []picture.Front{{Points: pareto.Set{{X: a, Y: b}}}}, Others: []pareto.Point{{X: b, Y: a}, {X: 1, Y: 1}}}
			front.Scale()
			all["front"] = timeEnergyFigure("front", &front).page.content
			if cells := m.Cells(); cells != nil { // nil without a cost
				all["heat"] = newHeat(cells)
			}
			if trace := newTrace(traced(a, b)); trace != nil { // nil without a reading
				all["trace"] = trace
			}
			for kind, c := range all {
				f := figure{"f", page{title: kind, content: c}}
				what := fmt.Sprintf("%s of %v and %v", kind, a, b)
				var file bytes.Buffer
				if _, err := (rendered{f, "svg", Screen}).WriteTo(&file); err != nil || file.Len() > 100_000 {
					t.Errorf("%s: %d bytes, %v", what, file.Len(), err)
				}
				_, _, actions := recorded(f.page)
				for _, action := range actions {
					s, isStroke := action.(*recorder.Stroke)
					if !isStroke {
						continue
					}
					for _, c := range s.Path {
						if !(math.Abs(float64(c.Pos.X)) < pages && math.Abs(float64(c.Pos.Y)) < pages) {
							t.Fatalf("%s: a stroke leads to %v", what, c.Pos)
						}
					}
				}
			}
		}
	}
	dir := safefiletest.Hold(t, t.TempDir())
	for _, factor := range []float64{1.7e300, 1e-300} {
		if files, err := Screen.WriteInto(Comparison(compared(t, []int64{64, 128}, factor)), dir); err != nil || len(files) == 0 {
			t.Errorf("%v, %v", files, err)
		}
	}
}

// traced is a point with two readings.
func traced(a, b float64) (*record.Run, *record.Row, []record.PowerSample) {
	run := &record.Run{Rows: make([]record.Row, 1)}
	run.Columns.Rails = []record.RailColumn{{Sensor: "s", Channel: "c", Role: "total"}}
	w := &run.Rows[0]
	w.Power = record.RareOf(record.Power{Window: record.Measured(1), Idle: record.Measured(b)})
	var samples []record.PowerSample
	for _, v := range []float64{a, b} {
		samples = append(samples, record.PowerSample{Sensor: "s", Channel: "c", Time: record.Measured(v), Value: record.Measured(b)}, record.PowerSample{Sensor: "s", Channel: "c", Time: record.Measured(1), Value: record.Measured(v)})
	}
	return run, w, samples
}
