package record

import (
	"strings"
	"testing"

	"example.org/bench/framework/config"
)

// TestTiming: rows tell how caches were, the host's time of a launch and the event floor,
// in the CSV too, and the table marks times near the floor.
func TestTiming(t *testing.T) {
	clean, dirty, earlier, hot := gpuResult(0, 64), gpuResult(1, 64), gpuResult(2, 64), testResult(3)
	clean.Cold.Flush, dirty.Cold.Flush = config.FlushClean, config.FlushDirty
	clean.Cold.Launch, clean.Cold.Floor = 4e-6, 1.3e-6
	dirty.Cold.Floor = 0.3e-3 // a time of 2 ms is near that
	dir := t.TempDir()
	run := NewRun(Info{}, "p", nil, []Result{clean, dirty, earlier, hot})
	if err := Write(dir, run); err != nil {
		t.Fatal(err)
	}
	back, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []Timing{
		{config.Cold, Measured(4e-6), Measured(1.3e-6)}, {config.ColdDirty, Number{}, Measured(0.3e-3)}, {Caches: config.ColdDirty}, {Caches: config.Hot},
	} {
		if got := run.Rows[i].Timing; got != want || back.Rows[i].Timing != want {
			t.Errorf("row %d: %+v, read back %+v, want %+v", i, got, back.Rows[i].Timing, want)
		}
		if near := run.Rows[i].NearFloor(); near != (i == 1) {
			t.Errorf("row %d near the floor: %v", i, near)
		}
	}
	table := Table(run, false, 0)
	if n := strings.Count(table, FloorMark+"2.0 ms"); n != 1 {
		t.Errorf("%d times are marked in\n%s", n, table)
	}
	if !strings.Contains(table, "times below ten times the event floor, by version (points): stockham (1): two events with nothing between them are 300") {
		t.Errorf("no line about the floor in\n%s", table)
	}
	for i := range run.Rows {
		run.Rows[i].Device = "opencl:0"
	}
	if table := Table(run, false, 0); !strings.Contains(table, "stockham (1): what times them takes 300") {
		t.Errorf("no line about OpenCL's floor in\n%s", table)
	}
	failed := testResult(0)
	failed.Status, failed.Hot = Failed, nil
	if got := newRow([]Result{failed}, rowNames{}, Ceilings{}).Timing; got != (Timing{}) {
		t.Errorf("a point without times: %+v", got)
	}
}
