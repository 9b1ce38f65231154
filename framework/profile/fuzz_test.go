package profile

import (
	"os"
	"testing"

	"example.org/bench/test/damage"
)

// FuzzTable: what ncu writes is refused in a line, or is runs of counts from 0.
func FuzzTable(f *testing.F) {
	good, err := os.ReadFile("testdata/ncu-fft.csv")
	if err != nil {
		f.Fatal(err)
	}
	table, err := tableOf(good)
	if err != nil || len(table) < 2 {
		f.Fatal(err)
	}
	for seed := range 20 {
		f.Add(good, uint64(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		damage.CheckMemory(t, 32<<20+2000*len(text), func() {
			runs, err := runsOf(damage.Change(seed, "x.csv", text), metricNames(), (*Run).add)
			damage.CheckError(t, err)
			for _, r := range runs {
				if min(r.FLOPs, r.LoadBytes, r.StoreBytes, int64(r.Kernels)) < 0 {
					t.Errorf("%+v", r)
				}
			}
		})
	})
}

// TestCountsAreCounts: a number that is none, or that no int64 holds, is refused.
func TestCountsAreCounts(t *testing.T) {
	for _, cell := range []string{"-1", "NaN", "1e300", "Inf", "9007199254740994", ""} {
		column, row := map[string]int{}, []string{}
		for _, name := range metricNames() {
			column[name] = len(row)
			row = append(row, cell)
		}
		if err := new(Run).add(row, column); err == nil {
			t.Errorf("%q was taken for a count", cell)
		}
	}
}
