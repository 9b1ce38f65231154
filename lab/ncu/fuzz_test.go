package ncu

import (
	"testing"

	"example.org/bench/test/damage"
)

// FuzzTable: what ncu writes is refused in a line, or is runs with numbers from 0.
func FuzzTable(f *testing.F) {
	good := Table(40, 70)
	for seed := range 20 {
		f.Add(good, uint64(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		damage.CheckMemory(t, 32<<20+2000*len(text), func() {
			runs, err := runsOf(damage.Change(seed, "x.csv", text))
			damage.CheckError(t, err)
			for _, r := range runs {
				if !(min(r.Seconds, r.Compute, r.Memory, r.DRAMBytes, float64(r.Kernels)) >= 0) {
					t.Errorf("%+v", r)
				}
			}
		})
	})
}

// TestNumbers: a number that is none, or below 0, is refused.
func TestNumbers(t *testing.T) {
	for _, cell := range []string{"-1", "NaN", "Inf", "1e999", ""} {
		column, row := map[string]int{}, []string{}
		for _, name := range speedMetrics() {
			column[name] = len(row)
			row = append(row, cell)
		}
		if err := new(Speed).add(row, column); err == nil {
			t.Errorf("%q was taken for a number", cell)
		}
	}
}
