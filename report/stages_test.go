package report

import (
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// TestFigureOfStages: each point has a stack for its time and one for its energy, which end at 1, and a mark of it opens
// the point. Without energies there are no stacks of them, and many points are in several figures.
func TestFigureOfStages(t *testing.T) {
	series := func(x ...float64) *measure.Series { return &measure.Series{Samples: x, Batch: 1, Converged: true} }
	for _, c := range []struct {
		points  int
		energy  bool
		figures []int // stacks
	}{{2, true, []int{4}}, {13, false, []int{12, 1}}} {
		var results []record.Result
		for i := range c.points {
			r := record.Result{Status: record.OK, Cold: series(9e-6), Hot: series(8e-6), Point: plan.Point{ID: i, Algorithm: "chain", Version: "v", Processor: framework.GPU, Device: "cuda:0",
				Params: framework.Values{"N": framework.IntValue(int64(i))}, ParamOrder: []string{"N"}}}
			r.Stages = []record.StageResult{{Name: "a", Launches: 1, Timing: record.StageAlone, Time: series(1e-6)}, {Name: "b", Launches: 1, Timing: record.StageAlone, Time: series(2e-6, 3e-6, 1e-6, 9e-6, 2e-6, 3e-6)}}
			for n := range r.Stages {
				if c.energy {
					r.Stages[n].Energy = &measure.Energy{Window: 1, Runs: 1, Channels: []measure.ChannelEnergy{{Sensor: "s", Channel: "c", Role: framework.Total, Power: 1, Energy: 1, Uncertainty: 0.01, Fresh: 9}}}
				}
			}
			results = append(results, r)
		}
		dir := t.TempDir()
		if err := record.Write(dir, record.NewRun(record.Info{}, "p", []plan.Axis{{Name: "N"}}, results)); err != nil {
			t.Fatal(err)
		}
		d, err := Read([]string{dir}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		figures := slices.DeleteFunc(d.Sections[0].Figures, func(f Figure) bool { return !strings.HasPrefix(f.Title, "share of each kernel in time") })
		if len(figures) != len(c.figures) || strings.Contains(figures[0].Title, "energy") != c.energy || !strings.Contains(figures[0].Note, hollowMarks) {
			t.Fatalf("%d figures, %+v", len(figures), figures)
		}
		for i, f := range figures {
			ends := make([]float64, len(f.Y.Names))
			for _, s := range f.Series {
				for k := range s.X {
					n := int(s.Y[k])
					if math.Abs(s.From[k]-ends[n]) > 1e-12 || !strings.HasPrefix(f.Y.Names[n], "N ") && c.points > 1 || s.Point[k] < 0 || !strings.HasPrefix(s.Label[k], s.Name+", ") {
						t.Errorf("%s: %+v", f.Title, s)
					}
					ends[n] += s.X[k]
				}
			}
			if len(ends) != c.figures[i] || slices.ContainsFunc(ends, func(x float64) bool { return math.Abs(x-1) > 1e-12 }) {
				t.Errorf("%s: stacks end at %v", f.Title, ends)
			}
			if b := f.Series[1]; len(b.Doubtful) == 0 {
				t.Errorf("%s: %+v", f.Title, b)
			}
		}
	}
}
