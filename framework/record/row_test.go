package record

import (
	"math"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
)

func TestEnergyTotals(t *testing.T) {
	ch := func(sensor, channel string, role framework.Role, counter bool, power, idle, energy float64) measure.ChannelEnergy {
		return measure.ChannelEnergy{Sensor: sensor, Channel: channel, Role: role, Counter: counter, Power: power, Idle: idle, Energy: energy}
	}
	for name, c := range map[string]struct {
		channels                               []measure.ChannelEnergy
		power, idle, energy, counter, integral float64 // NaN: empty
	}{
		"sum of totals, parts not counted twice": {
			[]measure.ChannelEnergy{ch("ina3221", "VDD_IN", framework.Total, false, 10, 4, 20), ch("ina3221", "VDD_MUX", framework.Total, false, 5, 1, 10),
				ch("ina3221", "VDD_GPU", framework.Part, false, 7, 1, 14), ch("ina3221", "VDD_5V", framework.Carrier, false, 3, 1, 6)},
			15, 5, 3, math.NaN(), 3},
		"power and counter of one sensor are one energy": {
			[]measure.ChannelEnergy{ch("nvml", "gpu", framework.Total, false, 300, 70, 600), ch("nvml", "energy", framework.Total, true, 310, 71, 620)},
			300, 70, 60, 62, 60},
		"counter only": {
			[]measure.ChannelEnergy{ch("rapl", "package-0", framework.Total, true, 50, 20, 100), ch("rapl", "package-1", framework.Total, true, 40, 20, 80)},
			90, 40, 18, 18, math.NaN()},
		"two sensors": {
			[]measure.ChannelEnergy{ch("rapl", "package-0", framework.Total, true, 50, 20, 100), ch("nvml", "gpu", framework.Total, false, 300, 70, 600)},
			350, 90, 70, math.NaN(), math.NaN()},
		"a total without a reading": {
			[]measure.ChannelEnergy{ch("ina3221", "VDD_IN", framework.Total, false, math.NaN(), 4, math.NaN()), ch("ina3221", "VDD_MUX", framework.Total, false, 5, 1, 10)},
			math.NaN(), 5, math.NaN(), math.NaN(), math.NaN()},
		"no total": {
			[]measure.ChannelEnergy{ch("ina3221", "VDD_GPU", framework.Part, false, 7, 1, 14)},
			math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN()},
	} {
		r := testResult(0)
		r.Energy = &measure.Energy{Window: 2, Runs: 10, Channels: c.channels}
		row := newRow([]Result{r}, rowNames{}, Ceilings{})
		for what, pair := range map[string][2]float64{
			"power": {row.Power.Get().Total.Float(), c.power}, "idle": {row.Power.Get().Idle.Float(), c.idle},
			"energy": {row.Energy.Get().Total.Float(), c.energy}, "counter": {row.Energy.Get().Counter.Float(), c.counter},
			"integral": {row.Energy.Get().Integral.Float(), c.integral},
		} {
			if got, want := pair[0], pair[1]; got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%s: %s %v, want %v", name, what, got, want)
			}
		}
		if len(row.Rails) != len(c.channels) {
			t.Errorf("%s: %d rails, want %d", name, len(row.Rails), len(c.channels))
		}
	}
}

func TestWorstCheck(t *testing.T) {
	for name, c := range map[string]struct {
		checks []framework.Check
		want   string
	}{
		"nearest to its bound": {[]framework.Check{{Metric: "a", Error: 0.5, Bound: 1}, {Metric: "b", Error: 9, Bound: 10}}, "b"},
		"NaN beats all":        {[]framework.Check{{Metric: "a", Error: math.Inf(1), Bound: math.Inf(1)}, {Metric: "b", Error: 2, Bound: 1}}, "a"},
		"exact match":          {[]framework.Check{{Metric: "a", Error: 0, Bound: 0}, {Metric: "b", Error: 1e-9, Bound: 1}}, "b"},
		"mismatch":             {[]framework.Check{{Metric: "a", Error: 1, Bound: 0}, {Metric: "b", Error: 5, Bound: 1}}, "a"},
		"none":                 {nil, ""},
	} {
		if v := verification(Result{Checks: c.checks}); v.Metric != c.want || v.Error.IsSet() != (c.want != "") {
			t.Errorf("%s: worst check %q (%v), want %q", name, v.Metric, v.Error, c.want)
		}
	}
}
