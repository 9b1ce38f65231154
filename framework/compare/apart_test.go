package compare

import (
	"testing"

	"example.org/bench/framework/record"
)

// Energies of one board are compared by their repeatability, those of different
// boards by the combined uncertainty; where that is unknown, not at all.
func TestEnergiesOfDifferentBoards(t *testing.T) {
	on := func(name, cpu string, energy, combined float64) Run {
		r := synthetic(name, []spot{{version: "v", n: 1, samples: []float64{1e-3}, energy: energy, uncertainty: 0.01}})
		r.Info.Machine.CPU = cpu
		r.Info.Devices = []record.Device{{ID: "cpu"}}
		if combined > 0 {
			e := r.Rows[0].Energy.Get()
			e.Combined = record.Measured(combined)
			r.Rows[0].Energy = record.RareOf(e)
		}
		return r
	}
	for _, c := range []struct {
		name    string
		second  Run
		by      Dimension
		verdict Verdict
		judged  bool
	}{
		{"the same board", on("b", "one", 1.1, 0.1), ByRun, Worse, true},
		{"another board", on("b", "two", 1.1, 0.1), ByRun, NotTold, true},
		{"another board, far off", on("b", "two", 2, 0.1), ByRun, Worse, true},
		{"by device", on("b", "two", 1.1, 0.1), ByDevice, NotTold, true},
		{"calibration unknown", on("b", "two", 1.1, 0), ByDevice, "", false},
	} {
		x := compared(t, []Run{on("a", "one", 1, 0.1), c.second}, Options{By: c.by, Metrics: []string{"energy"}})
		cell := x.Tables[0].Cells[1]
		if (cell.Ratio.P != nil) != c.judged || c.judged && cell.Ratio.Verdict != c.verdict {
			t.Errorf("%s: %+v", c.name, cell.Ratio)
		}
		if has(x.Notes, "calibration of a sensor is unknown") == c.judged {
			t.Errorf("%s: notes %q", c.name, x.Notes)
		}
	}
}
