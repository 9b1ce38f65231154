package plots

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/history"
)

// course of 24 runs: a step of 10 % at the 13th, an outlier, and other surroundings before.
func recordedCourse(at func(run int) float64) *history.File {
	f := &history.File{Path: "h"}
	for i := range 24 {
		kernel := "6.1"
		if i < 3 {
			kernel = "5.10"
		}
		v := at(i) * (1 + 0.002*float64(i*7%5-2))
		f.Entries = append(f.Entries, history.Entry{
			Format: 1, Started: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(i) * time.Hour), Revision: fmt.Sprintf("r%d", i), Tool: "v1",
			Config: "fft.json", ConfigHash: "c0ffee", Machine: "ab12", MachineName: "a CPU", Algorithm: "fft", Version: "stockham", Processor: framework.CPU, Device: "cpu",
			Params: framework.Values{"N": framework.IntValue(64)}, Surroundings: map[string]string{"kernel": kernel}, Status: "ok",
			Metrics: map[string]history.Estimate{"time": {Value: v, Low: 0.997 * v, High: 1.003 * v}},
		})
	}
	return f
}

func stepped(run int) float64 {
	switch {
	case run == 8:
		return 1.3e-3
	case run >= 13:
		return 1.1e-3
	}
	return 1e-3
}

// TestHistory: a series is drawn with its levels, outliers hollow, runs of other surroundings apart; no
// line joins the runs.
func TestHistory(t *testing.T) {
	all := History(recordedCourse(stepped).Check(10))
	if len(all) != 1 || all[0].name != "history_01_time" || !strings.Contains(all[0].page.note, "24 runs") {
		t.Fatalf("%d figures: %+v", len(all), all)
	}
	c := all[0].page.content.(*course)
	if len(c.lines) != 2 || len(c.lines[0].Points) != 21 || len(c.lines[1].Points) != 3 || !c.lines[0].Apart || len(c.levels) != 2 {
		t.Errorf("%d lines, %d levels", len(c.lines), len(c.levels))
	}
	if hollow := c.lines[0].Points[5]; !hollow.Doubtful {
		t.Errorf("the outlier is %+v", hollow)
	}
	var names []string
	for _, e := range c.legend() {
		names = append(names, e.text)
	}
	if got := strings.Join(names, "; "); got != "runs; other surroundings; hollow: an outlier; level" {
		t.Errorf("legend %s", got)
	}
	if none := History((&history.File{Path: "h"}).Check(10)); len(none) != 0 {
		t.Errorf("%d figures of no runs", len(none))
	}
}
