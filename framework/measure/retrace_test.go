package measure

import (
	"archive/zip"
	"bufio"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// energiesOf are those of a board file's run on an H200, of NVML's power and of its counter.
func energiesOf(t *testing.T) (list []*Energy) {
	t.Helper()
	z, err := zip.OpenReader("../../results/boards/h200.zip")
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	f, err := z.Open("runs/fft/journal.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var line struct{ Result struct{ Energy *Energy } }
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		if e := line.Result.Energy; e != nil && len(e.Channels) > 0 {
			list = append(list, e)
		}
	}
	return list
}

// TestRetrace: what was measured is what its readings make, and no other number is.
func TestRetrace(t *testing.T) {
	never := func(string, string) float64 { return 0 }
	list := energiesOf(t)
	if len(list) < 4 {
		t.Fatalf("%d energies", len(list))
	}
	for i, e := range list {
		if err := e.Retrace(never); err != nil {
			t.Errorf("point %d: %v", i, err)
		}
	}
	e := list[0]
	for name, c := range map[string]struct {
		change func(e *Energy)
		want   string
	}{
		"energy":      {func(e *Energy) { e.Channels[0].Energy *= 0.999 }, "make"},
		"counter":     {func(e *Energy) { e.Channels[1].Energy *= 0.9; e.Channels[1].Power *= 0.9 }, "make"},
		"power":       {func(e *Energy) { e.Channels[0].Power *= 0.9 }, "which is not"},
		"idle":        {func(e *Energy) { e.Channels[0].Idle *= 10 }, "before the window"},
		"no readings": {func(e *Energy) { e.Samples = nil }, "no reading"},
		"one reading": {func(e *Energy) {
			at := slices.IndexFunc(e.Samples, func(x PowerSample) bool { return x.Channel == e.Channels[0].Channel && x.Time > 1 })
			e.Samples[at].Value *= 1.01
		}, "make"},
		"shifted readings": {func(e *Energy) { e.Samples[0].Time = e.Window + 100 }, "order"},
		"a shorter window": {func(e *Energy) { e.Window *= 0.99 }, "make"},
	} {
		text, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var forged Energy
		if err := json.Unmarshal(text, &forged); err != nil {
			t.Fatal(err)
		}
		c.change(&forged)
		if err := forged.Retrace(never); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
