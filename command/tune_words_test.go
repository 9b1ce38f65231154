package command_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// resting is a C function that is slow but for one word and one fraction.
const resting = `#include <time.h>
#define fast 1
#define slow 9
void twice(double *y, const double *x, int n) {
  struct timespec rest = {0, 1000000 * (HOW + (F > 1 ? 0 : 8))};
  nanosleep(&rest, 0);
  for (int i = 0; i < n; i++) y[i] = 2 * x[i];
}
`

// TestTuneWords: words and fractions are searched, written, exported, and used by a run.
func TestTuneWords(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "x.c"), resting)
	write(t, filepath.Join(dir, "right.c"), plantedRight)
	config := write(t, filepath.Join(dir, "t.json"), `{"algorithm": {"cuda": {
		"name": "twice", "params": [{"name": "N", "default": 8}],
		"arguments": [{"name": "y", "type": "f64", "size": "N", "use": "output"}, {"name": "x", "type": "f64", "size": "N", "fill": {"random": [-1, 1]}}, {"name": "n", "type": "i32", "value": "N"}],
		"versions": [{"name": "host", "c": {"source": "x.c", "function": "twice"},
			"tunables": [{"name": "HOW", "values": ["slow", "fast"]}, {"name": "F", "values": [0.5, 1.5]}]}],
		"verify": {"c": {"source": "right.c", "function": "right"}}}}, "tuning_constraints": ["HOW == 'fast' or F < 1"],
		"sensors": [], "output_file_prefix": "t", "measure": {"ceilings": false, "min_time_s": 0.01, "noise": 0.05}}`)
	wisdom := filepath.Join(dir, "wisdom.json")
	var report struct {
		Tasks []struct {
			Points   int
			Tunables map[string]any
		}
	}
	for range 5 { // a machine may be so busy that the slow one is faster
		for _, made := range []string{wisdom, filepath.Join(dir, "results")} {
			if err := os.RemoveAll(made); err != nil {
				t.Fatal(err)
			}
		}
		if status, out, errOut := execute(t, dir, benchPath, "tune", config, "--strategy", "exhaustive", "--wisdom", wisdom); status != 0 {
			t.Fatalf("status %d\n%s\n%s", status, out, errOut)
		}
		text, err := os.ReadFile(filepath.Join(dir, "results", "tune-t", "tune.json"))
		if err == nil {
			err = json.Unmarshal(text, &report)
		}
		if err != nil {
			t.Fatal(err)
		}
		if report.Tasks[0].Tunables["HOW"] == "fast" && report.Tasks[0].Tunables["F"] == 1.5 {
			break
		}
	}
	if x := report.Tasks[0]; x.Points != 3 || x.Tunables["HOW"] != "fast" || x.Tunables["F"] != 1.5 {
		t.Errorf("%+v", x)
	}
	found := filepath.Join("results", "tune-t")
	if status, out, errOut := execute(t, dir, benchPath, "export", "--to", "kernel-tuner", found, "--out", "cache"); status != 0 {
		t.Fatalf("status %d\n%s\n%s", status, out, errOut)
	}
	caches, err := filepath.Glob(filepath.Join(dir, "cache", "*.json"))
	if err != nil || len(caches) != 1 {
		t.Fatalf("%v, %v", caches, err)
	}
	if text, err := os.ReadFile(caches[0]); err != nil || !strings.Contains(string(text), `"HOW": ["slow","fast"], "F": [0.5,1.5]`) || !strings.Contains(string(text), `"fast,1.5": {`) {
		t.Errorf("%s, %v", text, err)
	}
	status, out, errOut := execute(t, dir, benchPath, "plan", config, "--wisdom", wisdom)
	if status != 0 || !strings.Contains(out, "HOW=fast F=1.5") {
		t.Errorf("status %d\n%s\n%s", status, out, errOut)
	}
}
