package record

import (
	"runtime"
	"testing"

	"example.org/bench/framework/measure"
)

// mostOfRow bounds the bytes that a row keeps, with its samples; a map of parameters a row
// would be half of it.
const mostOfRow = 1300

// TestRowsAreLight: what a run that was read keeps, beside what it keeps without rows, is
// little for each row and does not grow with their number.
func TestRowsAreLight(t *testing.T) {
	held := func(rows int) float64 {
		results := alike(rows, 8)
		for i := range results {
			results[i].Energy = &measure.Energy{Absent: "the config asks for no sensor"}
		}
		return heldOf(t, results) / float64(rows)
	}
	small, large := held(2500), held(10000)
	t.Logf("%.0f and %.0f bytes a row", small, large)
	if large > mostOfRow || large > 1.5*small {
		t.Errorf("%.0f bytes a row of 2500, %.0f of 10000; want at most %d, and as many", small, large, mostOfRow)
	}
}

// heap is how many bytes are in use.
func heap() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
