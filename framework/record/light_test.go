package record

import (
	"fmt"
	"runtime"
	"testing"

	"bench/framework"
	"bench/framework/measure"
	"bench/framework/plan"
)

// mostOfRow bounds the bytes that a row keeps, with its samples; a map of parameters a row
// would be half of it.
const mostOfRow = 1300

// TestRowsAreLight: what a run that was read keeps, beside what it keeps without rows, is
// little for each row and does not grow with their number.
func TestRowsAreLight(t *testing.T) {
	held := func(rows int) float64 {
		dir := t.TempDir()
		var results []Result
		for i := range rows {
			s := &measure.Series{Batch: 1, Converged: true, Stop: "noise below 0.5 %"}
			for k := range 8 {
				s.Samples = append(s.Samples, 1e-6*float64(i+k+1))
			}
			results = append(results, Result{Status: OK, Hot: s, Energy: &measure.Energy{Absent: "the config asks for no sensor"}, Elapsed: 0.5,
				Point: plan.Point{ID: i, Algorithm: "fft", Version: "v", Processor: framework.CPU, Device: "cpu", ParamOrder: []string{"N", "precision"},
					Params: framework.Values{"N": framework.IntValue(int64(i)), "precision": framework.TextValue("f32")}}})
		}
		if err := Write(dir, NewRun(Info{}, "p", nil, results)); err != nil {
			t.Fatal(err)
		}
		results = nil
		before := heap()
		r, err := Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		samples, err := ReadSamples(dir, r)
		if err != nil {
			t.Fatal(err)
		}
		after := heap()
		runtime.KeepAlive(samples)
		if len(r.Rows) != rows {
			t.Fatal(fmt.Sprint(len(r.Rows), " rows"))
		}
		return (after - before) / float64(rows)
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
