package report

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bench/framework"
	"bench/framework/history"
)

// A history is a section with its verdict, a figure for each series with the levels, and
// its changes.
func TestHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.jsonl")
	var list []history.Entry
	for i := range 40 {
		x := 1e-3 * (1 + 0.004*math.Sin(float64(i*i)))
		switch {
		case i >= 32:
			x *= 1.2
		case i == 15:
			x *= 2
		}
		list = append(list, history.Entry{Format: 1, Started: time.Date(2026, 3, 1, i, 0, 0, 0, time.UTC), Revision: fmt.Sprintf("r%d", i), Tool: "v1", Config: "fft.json", ConfigHash: "c0",
			Machine: "ab", MachineName: "a CPU", Algorithm: "fft", Version: "stockham", Processor: framework.CPU, Device: "cpu", Status: "ok",
			Surroundings: map[string]string{"kernel": fmt.Sprintf("6.%d", min(1, i/3))}, Metrics: map[string]history.Estimate{"time": {Value: x, Low: 0.999 * x, High: 1.001 * x}}})
	}
	if _, err := history.Append(path, list); err != nil {
		t.Fatal(err)
	}
	d, err := Read([]string{path}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := d.Sections[0]
	if s.Kind != "history" || len(s.Verdict) != 2 || s.Verdict[0] != "40 runs, 1 series: worse." || !strings.Contains(s.Verdict[1], "from r32 on (between r31 and r32)") {
		t.Errorf("%s %q", s.Kind, s.Verdict)
	}
	if len(s.Figures) != 1 || len(s.Figures[0].Series) != 3 {
		t.Fatalf("%+v", s.Figures)
	}
	runs, other, levels := s.Figures[0].Series[0], s.Figures[0].Series[1], s.Figures[0].Series[2]
	if len(runs.X) != 37 || runs.X[0] != 4 || !slices.Equal(runs.Doubtful, []int{12}) || runs.Label[12] != "r15" || len(other.X) != 3 || !slices.Equal(levels.X, Reals{4, 32, 33, 33, 40}) {
		t.Errorf("%+v\n%+v\n%+v", runs, other, levels)
	}
	if len(s.Tables) != 2 || len(s.Tables[1].Rows) != 1 || s.Tables[1].Rows[0][3] != "r32" {
		t.Errorf("%+v", s.Tables)
	}
}
