package plots

import (
	"fmt"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// stagedPoint is a point of a chain whose kernels take these microseconds alone, at so many watts, and 2 % more together.
func stagedPoint(id int, version string, beams int64, kernels []string, microseconds, watts []float64) record.Result {
	series := func(x float64) *measure.Series {
		return &measure.Series{Samples: []float64{x, x, x, x, x, x, x}, Batch: 1, Converged: true}
	}
	used := func(seconds, watts float64) *measure.Energy {
		return &measure.Energy{Window: 2, Runs: int64(2 / seconds), Channels: []measure.ChannelEnergy{{Sensor: "nvml", Channel: "power", Role: framework.Total, Power: watts, Energy: 2 * watts, Uncertainty: 0.02 * watts, Fresh: 50}}}
	}
	r := record.Result{Status: record.OK, Point: plan.Point{ID: id, Algorithm: "chain", Version: version, Processor: framework.GPU, Device: "cuda:0",
		Params: framework.Values{"BEAMS": framework.IntValue(beams), "PULSES": framework.IntValue(128)}, ParamOrder: []string{"BEAMS", "PULSES"}}}
	whole, joules := 0.0, 0.0
	for i, name := range kernels {
		t := 1e-6 * microseconds[i]
		s := record.StageResult{Name: name, Launches: 1, Timing: record.StageAlone, Time: series(t)}
		if whole += t; watts != nil {
			s.Energy = used(t, watts[i])
			joules += t * watts[i]
		}
		r.Stages = append(r.Stages, s)
	}
	whole *= 1.02
	if r.Cold, r.Hot = series(1.2*whole), series(whole); watts != nil {
		r.Energy = used(whole, 0.98*joules/whole)
	}
	return r
}

var chainKernels = []string{"compressed", "turned", "rows", "detected"}

// stagedRun is a chain of four kernels, and of three, at three sizes.
func stagedRun() *record.Run {
	var all []record.Result
	for i, beams := range []int64{1, 4, 16} {
		k := float64(beams)
		all = append(all, stagedPoint(2*i, "stages", beams, chainKernels, []float64{6 + 9*k, 3 + 6*k, 4 + 6*k, 3 + 3*k}, []float64{520, 410, 430, 350}))
		all = append(all, stagedPoint(2*i+1, "fused", beams, []string{"compressed", "columns", "detected"}, []float64{6 + 9*k, 5 + 7*k, 3 + 3*k}, []float64{520, 440, 350}))
	}
	return record.NewRun(record.Info{}, "p", []plan.Axis{{Name: "BEAMS", Geometric: true, Count: 3}}, all)
}

// manyStages is a run of twenty kernels of long names without energy, a share of which is in doubt, at 14 points.
func manyStages() *record.Run {
	var names []string
	var times []float64
	for i := range 20 {
		names, times = append(names, fmt.Sprintf("ns::kernel_of_a_long_name<float, %d>", i)), append(times, 40/float64(i+1))
	}
	var all []record.Result
	for i := range 14 {
		all = append(all, stagedPoint(i, "a version of a long name", int64(i+1), names, times, nil))
	}
	s := all[0].Stages[1].Time.Samples
	s[0], s[1], s[5], s[6] = 0.5*s[0], 0.5*s[1], 1.5*s[5], 1.5*s[6]
	return record.NewRun(record.Info{}, "p", []plan.Axis{{Name: "BEAMS", Count: 14}}, all)
}

// TestFiguresOfStages: as many as the points need, with the sums in the note; none for a run without stages.
func TestFiguresOfStages(t *testing.T) {
	for _, c := range []struct {
		run  *record.Run
		want []string // names and notes
	}{
		{stagedRun(), []string{"stages: PULSES 128; each kernel measured alone, their sum 98 % of the run's time and 102 % of its energy"}},
		{manyStages(), []string{"stages: PULSES 128; each kernel measured alone, their sum 98 % of the run's time", "stages_2: "}},
		{rateRun(), nil},
	} {
		all := stageFigures(c.run)
		if len(all) != len(c.want) {
			t.Fatalf("%d figures, want %q", len(all), c.want)
		}
		for i, f := range all {
			if got := f.name + ": " + f.page.note; !strings.Contains(got, strings.TrimPrefix(c.want[i], "stages: ")) || !strings.HasPrefix(c.want[i], f.name+": ") {
				t.Errorf("%s, want %s", got, c.want[i])
			}
		}
	}
}
