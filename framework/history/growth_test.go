package history

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"example.org/bench/framework"
)

// TestShowIsLinear: ten times the points of a history take ten times the memory from the heap to
// read, judge and show, in bytes and in pieces: nothing is gone through once for each point.
// Unlike time, that does not depend on the machine's caches and on what else it runs.
func TestShowIsLinear(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.jsonl")
	var pieces, bytes [2]float64
	for i, n := range []int{1000, 10000} {
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := json.NewEncoder(f)
		for k := range n {
			e := entry(0, 1e-3)
			e.Params["N"] = framework.IntValue(int64(64 * (100000 + k))) // of as many digits
			if err := lines.Encode(e); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		h, err := readAt(path, time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC))
		if err != nil {
			t.Fatal(err)
		}
		c := h.Check(10)
		c.Show()
		runtime.ReadMemStats(&after)
		if len(c.Series) != n {
			t.Fatalf("%d series of %d points", len(c.Series), n)
		}
		pieces[i], bytes[i] = float64(after.Mallocs-before.Mallocs), float64(after.TotalAlloc-before.TotalAlloc)
	}
	for what, x := range map[string][2]float64{"pieces": pieces, "bytes": bytes} {
		t.Logf("%s: %.0f and %.0f a point", what, x[0]/1000, x[1]/10000)
		if grown := x[1] / x[0]; grown > 11 {
			t.Errorf("%.0f %s of 1000 points, %.0f of 10000: %.2f times", x[0], what, x[1], grown)
		}
	}
}
