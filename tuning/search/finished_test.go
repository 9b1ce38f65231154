package search

import (
	"os"
	"path/filepath"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/record"
	"example.org/bench/internal/safefile/safefiletest"
)

// A search's best points are read as a run's results; a sweep point at which nothing
// was valid is none.
func TestReadFinished(t *testing.T) {
	dir := t.TempDir()
	if _, err := ReadFinished(dir); err == nil {
		t.Error("an empty folder was read")
	}
	r := &Report{Tasks: []TaskReport{
		{Algorithm: "a", Version: "v", Processor: framework.GPU, Params: framework.IntValues("N", 8), Tunables: framework.IntValues("m", 4), PowerMode: "low"},
		{Algorithm: "a", Version: "v", Processor: framework.GPU, Params: framework.IntValues("N", 16)},
		{Algorithm: "a", Version: "w", Processor: framework.GPU, Params: framework.IntValues("N", 8), Tunables: framework.IntValues("m", 2)},
	}}
	if err := r.Write(safefiletest.Hold(t, dir)); err != nil {
		t.Fatal(err)
	}
	run, err := ReadFinished(dir)
	if err != nil || len(run.Rows) != 2 {
		t.Fatalf("%+v, %v", run, err)
	}
	for i, want := range []struct {
		version, mode string
		m             int
	}{{"v", "low", 4}, {"w", "", 2}} {
		w := run.Rows[i]
		if w.Algorithm != "a" || w.Version != want.version || w.PowerMode != want.mode || w.Status != record.OK || w.Params.Get("N").Int() != 8 || w.Tunables.Get("m").Int() != int64(want.m) {
			t.Errorf("row %d: %+v", i, w)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, ReportFile), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadFinished(dir); err == nil {
		t.Error("a damaged report was read")
	}
}
