package figures

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/framework/compare"
	"example.org/bench/framework/history"
)

const results = "../../results"

// TestOf: every kind of results other than runs is drawn, or its error says what would be.
func TestOf(t *testing.T) {
	dir := t.TempDir()
	run := filepath.Join(results, "h200-fft-peers")
	runs, err := compare.ReadRuns([]string{run})
	if err != nil {
		t.Fatal(err)
	}
	c, err := compare.New(runs, compare.Options{By: compare.ByVersion})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	comparison, pictures, changes := filepath.Join(dir, "c.json"), filepath.Join(dir, "plots"), filepath.Join(dir, "h.jsonl")
	for path, text := range map[string]string{comparison: string(text), filepath.Join(pictures, "compare_time.svg"): "<svg/>"} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	entries, _, err := history.EntriesOf([]string{run}, "r1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := history.Append(changes, entries); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		filepath.Join(results, "h200-aa"):                     "",
		filepath.Join(results, "h100-tune-front"):             "",
		filepath.Join(results, "tuning-replay/gemm-RTX_3090"): "",
		comparison: "", changes: "",
		pictures:                               "bench compare RUN… --plots FOLDER --for MEDIUM",
		filepath.Join(results, "tuning-score"): "without --score",
	} {
		if IsRun(path) {
			t.Errorf("%s is a run", path)
		}
		all, err := Of(path)
		switch {
		case want == "" && (err != nil || len(all) == 0):
			t.Errorf("%s: %d figures, %v", path, len(all), err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	if got := Missing(filepath.Join(results, "tuning-front")); !strings.Contains(got, "bench replay SPACE --objective time,energy --for MEDIUM") {
		t.Errorf("what is missing: %q", got)
	}
	for _, path := range []string{run, dir, filepath.Join(dir, "nothing")} {
		if !IsRun(path) {
			t.Errorf("%s is not left to what reads runs", path)
		}
	}
}
