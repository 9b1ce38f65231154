package record

import (
	"math"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
)

// sustained is a second run twice, with the power integrated and by a counter.
func sustained(integral, counter float64) Result {
	r := Result{Status: OK, Work: framework.Work{NominalFLOPs: 30e9, NominalBytes: 15e9}}
	r.Energy = &measure.Energy{Window: 2, Runs: 4, Notes: []string{"first"}, Channels: []measure.ChannelEnergy{
		{Sensor: "nvml", Channel: "power", Role: "total", Power: integral / 2, Idle: 10, Energy: integral, Uncertainty: 3},
		{Sensor: "nvml", Channel: "energy", Role: "total", Counter: true, Power: counter / 2, Idle: 10, Energy: counter, Uncertainty: 1, Fresh: 20, Combined: 3, Calibration: "certificate"},
	}}
	return r
}

func TestEnergyColumns(t *testing.T) {
	row := newRow([]Result{sustained(60, 61.2)}, rowNames{}, Ceilings{})
	for name, c := range map[string]struct {
		got  Number
		want float64
	}{
		"energy_J":                      {row.Energy.Get().Total, 15.3},
		"energy_above_idle_J":           {row.Energy.Get().AboveIdle, 10.3},
		"energy_uncertainty_J":          {row.Energy.Get().Uncertainty, 0.25},
		"energy_combined_uncertainty_J": {row.Energy.Get().Combined, 0.75},
		"energy_integral_J":             {row.Energy.Get().Integral, 15},
		"energy_counter_J":              {row.Energy.Get().Counter, 15.3},
		"energy_divergence":             {row.Energy.Get().Divergence, 0.02},
		"edp_Js":                        {row.Energy.Get().EDP, 7.65},
		"power_W":                       {row.Power.Get().Total, 30.6},
		"power_uncertainty_W":           {row.Power.Get().Uncertainty, 0.5},
		"power_combined_uncertainty_W":  {row.Power.Get().Combined, 1.5},
		"gflop_per_s_per_W":             {row.Power.Get().PerWatt, 30 / 15.3},
		"gbyte_per_s_per_W":             {row.Power.Get().BytesPerWatt, 15 / 15.3},
	} {
		if math.Abs(c.got.Float()-c.want) > 1e-12 {
			t.Errorf("%s is %v, want %v", name, c.got.Float(), c.want)
		}
	}
}

// TestRestoringIsTakenOff: 61.2 J in 2 s for four runs, of which restoring alone takes 12 J in 0.8 s for eight.
func TestRestoringIsTakenOff(t *testing.T) {
	with := func(joules, seconds float64, doubt string) Row {
		r := sustained(60, 61.2)
		r.Energy.Restoring = &measure.Restoring{Window: seconds, Runs: 8, Channels: []measure.ChannelEnergy{
			{Sensor: "nvml", Channel: "power", Role: "total", Power: joules / seconds, Energy: joules, Uncertainty: 4, Fresh: 8, Doubt: doubt},
			{Sensor: "nvml", Channel: "energy", Role: "total", Counter: true, Energy: joules, Uncertainty: 8. / 3, Fresh: 8, Combined: 8, Calibration: "certificate", Doubt: doubt},
		}}
		return newRow([]Result{r}, rowNames{}, Ceilings{})
	}
	row := with(12, 0.8, "")
	n, p := row.Energy.Get(), row.Power.Get()
	for name, c := range map[string]struct {
		got  Number
		want float64
	}{
		"restoring_energy_J":             {n.Restoring, 1.5},
		"restoring_energy_uncertainty_J": {n.RestoringU, 1. / 3},
		"restoring_time_s":               {n.RestoringS, 0.1},
		"energy_J":                       {n.Total, 15.3 - 1.5},
		"energy_uncertainty_J":           {n.Uncertainty, 5. / 12}, // 1/4 and 1/3
		"energy_combined_uncertainty_J":  {n.Combined, 1.25},       // 3/4 and 1
		"energy_integral_J":              {n.Integral, 15 - 1.5},
		"energy_counter_J":               {n.Counter, 15.3 - 1.5},
		"energy_divergence":              {n.Divergence, 0.02},
		"energy_above_idle_J":            {n.AboveIdle, 13.8 - 10*0.4},
		"run_time_s":                     {n.RunTime, 0.4},
		"edp_Js":                         {n.EDP, 13.8 * 0.4},
		"power_W":                        {p.Total, 13.8 / 0.4},
		"power_uncertainty_W":            {p.Uncertainty, 5. / 12 / 0.4},
		"power_combined_uncertainty_W":   {p.Combined, 1.25 / 0.4},
		"gflop_per_s_per_W":              {p.PerWatt, 30 / 13.8},
		"a rail's energy":                {row.Rails["nvml_power"].Energy, 15 - 1.5},
		"a rail's power":                 {row.Rails["nvml_power"].Power, 13.5 / 0.4},
		"a rail's uncertainty":           {row.Rails["nvml_power"].Uncertainty, math.Hypot(0.75, 0.5)},
	} {
		if math.Abs(c.got.Float()-c.want) > 1e-12 || !c.got.IsSet() {
			t.Errorf("%s is %v, want %v", name, c.got.Float(), c.want)
		}
	}
	if !strings.HasPrefix(p.Notes, "first; ") || !strings.Contains(p.Notes, "taken off") {
		t.Errorf("notes %q", p.Notes)
	}
	for name, row := range map[string]Row{"a doubt": with(12, 0.8, "frozen"), "as much energy": with(123, 0.8, ""), "as much time": with(12, 4, ""), "no reading": with(math.NaN(), 0.8, "")} {
		n, p := row.Energy.Get(), row.Power.Get()
		if n.Total.Float() != 15.3 || p.Total.Float() != 30.6 || n.Restoring.IsSet() || !strings.Contains(p.Notes, "power and energy are with the restoring") {
			t.Errorf("%s: %v J, %v W, notes %q", name, n.Total.Float(), p.Total.Float(), p.Notes)
		}
	}
}

// A reading that is the same idle and running leaves nothing above idle, not what rounding leaves.
func TestNothingAboveIdle(t *testing.T) {
	for _, c := range []struct{ idle, want float64 }{{15 + 1e-15, 0}, {15 - 1e-15, 0}, {15 - 1e-6, 0.5e-6}, {14, 0.5}, {16, -0.5}} {
		r := sustained(30, 0)
		r.Energy.Channels = r.Energy.Channels[:1]
		r.Energy.Channels[0].Idle = c.idle
		if got := newRow([]Result{r}, rowNames{}, Ceilings{}).Energy.Get().AboveIdle; !got.IsSet() || math.Abs(got.Float()-c.want) > 1e-12 || (got.Float() == 0) != (c.want == 0) {
			t.Errorf("idle %v W, running 15 W: %v J above idle, want %v", c.idle, got.Float(), c.want)
		}
	}
}

func TestDivergenceIsFlagged(t *testing.T) {
	for counter, flag := range map[float64]string{
		60: "", 62.9: "", 57.1: "", 63.1: "differ by +5.2 %", 56.9: "differ by -5.2 %", math.NaN(): "",
	} {
		row := newRow([]Result{sustained(60, counter)}, rowNames{}, Ceilings{})
		if !strings.HasPrefix(row.Power.Get().Notes, "first") || strings.Contains(row.Power.Get().Notes, "differ") != (flag != "") || !strings.Contains(row.Power.Get().Notes, flag) {
			t.Errorf("counter %v J, integral 60 J: notes %q, want %q", counter, row.Power.Get().Notes, flag)
		}
	}
}

// TestHeadlineSource: counters where they count, else integrated power.
func TestHeadlineSource(t *testing.T) {
	for name, c := range map[string]struct {
		change func(counter *measure.ChannelEnergy)
		want   float64
		source string
	}{
		"a counter":            {func(*measure.ChannelEnergy) {}, 15.3, "certificate"},
		"one that never moved": {func(c *measure.ChannelEnergy) { c.Fresh, c.Energy = 0, 0 }, 15, "unknown"},
		"one that went back":   {func(c *measure.ChannelEnergy) { c.Energy, c.Doubt = math.NaN(), "went back" }, 15, "unknown"},
		"one of no document":   {func(c *measure.ChannelEnergy) { c.Calibration, c.Combined = "", 0 }, 15.3, "unknown"},
	} {
		r := sustained(60, 61.2)
		c.change(&r.Energy.Channels[1])
		row := newRow([]Result{r}, rowNames{}, Ceilings{})
		if row.Energy.Get().Total.Float() != c.want || row.Power.Get().Calibration != c.source || row.Energy.Get().Combined.IsSet() != (c.source != "unknown") {
			t.Errorf("%s: %v J ± %v, calibration %q", name, row.Energy.Get().Total.Float(), row.Energy.Get().Combined, row.Power.Get().Calibration)
		}
	}
}
