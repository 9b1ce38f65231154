package record

import (
	"math"
	"strings"
	"testing"

	"bench/framework"
	"bench/framework/measure"
)

// sustained is a second run twice, with the power integrated and by a counter.
func sustained(integral, counter float64) Result {
	r := Result{Status: OK, Work: framework.Work{NominalFLOPs: 30e9, NominalBytes: 15e9}}
	r.Energy = &measure.Energy{Window: 2, Runs: 4, Notes: []string{"first"}, Channels: []measure.ChannelEnergy{
		{Sensor: "nvml", Channel: "power", Role: "total", Power: integral / 2, Idle: 10, Energy: integral, Uncertainty: 3},
		{Sensor: "nvml", Channel: "energy", Role: "total", Counter: true, Power: counter / 2, Idle: 10, Energy: counter, Uncertainty: 1},
	}}
	return r
}

func TestEnergyColumns(t *testing.T) {
	row := newRow(sustained(60, 61.2), Ceilings{})
	for name, c := range map[string]struct {
		got  Number
		want float64
	}{
		"energy_J":             {row.Energy.Total, 15},
		"energy_above_idle_J":  {row.Energy.AboveIdle, 10},
		"energy_uncertainty_J": {row.Energy.Uncertainty, 0.75},
		"energy_counter_J":     {row.Energy.Counter, 15.3},
		"energy_divergence":    {row.Energy.Divergence, 0.02},
		"edp_Js":               {row.Energy.EDP, 7.5},
		"power_W":              {row.Power.Total, 30},
		"power_uncertainty_W":  {row.Power.Uncertainty, 1.5},
		"gflop_per_s_per_W":    {row.Power.PerWatt, 2},
		"gbyte_per_s_per_W":    {row.Power.BytesPerWatt, 1},
	} {
		if math.Abs(c.got.Float()-c.want) > 1e-12 {
			t.Errorf("%s is %v, want %v", name, c.got.Float(), c.want)
		}
	}
}

func TestDivergenceIsFlagged(t *testing.T) {
	for counter, flag := range map[float64]string{
		60: "", 62.9: "", 57.1: "", 63.1: "differ by +5.2 %", 56.9: "differ by -5.2 %", math.NaN(): "",
	} {
		row := newRow(sustained(60, counter), Ceilings{})
		if !strings.HasPrefix(row.Power.Notes, "first") || strings.Contains(row.Power.Notes, "differ") != (flag != "") || !strings.Contains(row.Power.Notes, flag) {
			t.Errorf("counter %v J, integral 60 J: notes %q, want %q", counter, row.Power.Notes, flag)
		}
	}
}
