// Package historytest makes histories for tests of what reads them.
package historytest

import (
	"fmt"
	"math"
	"path/filepath"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/history"
	"example.org/bench/framework/record"
)

// Grow is the file of a history of one point: n runs an hour apart, r0 and on, of
// 1 ms ± 0.4 % times factor, with intervals of ± 0.1 %. The kernel changes after
// five runs, the tool after every thirty.
func Grow(t *testing.T, n int, factor func(run int) float64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "history.jsonl")
	var list []history.Entry
	for i := range n {
		x := 1e-3 * factor(i) * (1 + 0.004*math.Sin(float64(i*i)))
		list = append(list, history.Entry{
			Format: 1, Started: time.Date(2026, 3, 1, i, 0, 0, 0, time.UTC), Revision: fmt.Sprintf("r%d", i), Tool: fmt.Sprintf("v%d", i/30), Config: "fft.json", ConfigHash: "c0ffee",
			Machine: "ab12cd34", MachineName: "a CPU", Algorithm: "fft", Version: "stockham", Processor: framework.CPU, Device: "cpu", Params: framework.Values{"N": framework.IntValue(64)},
			Surroundings: map[string]string{"kernel": fmt.Sprintf("6.%d", min(1, i/5))}, Status: record.OK,
			Metrics: map[string]history.Estimate{"time": {Value: x, Low: 0.999 * x, High: 1.001 * x}},
		})
	}
	if _, err := history.Append(path, list); err != nil {
		t.Fatal(err)
	}
	return path
}

// Step is 1 before the run at, and size from it on.
func Step(at int, size float64) func(run int) float64 {
	return func(i int) float64 {
		if i >= at {
			return size
		}
		return 1
	}
}

// Outlier is factor, times size in the run at.
func Outlier(at int, size float64, factor func(run int) float64) func(run int) float64 {
	return func(i int) float64 {
		if i == at {
			return size * factor(i)
		}
		return factor(i)
	}
}
