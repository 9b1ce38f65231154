package command_test

import (
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// TestTrainPredicts: the published tables' sizes left out, and predictions.
func TestTrainPredicts(t *testing.T) {
	t.Parallel()
	literature, err := filepath.Abs(filepath.Join("..", "results", "literature"))
	if err != nil {
		t.Fatal(err)
	}
	m, r := filepath.Join(literature, "rtx2080ti-partition"), filepath.Join(literature, "rtxa5000-recursion")
	args := []string{"predict", m, r, "--versions", "partition,partition_corrected,recursive", "--sizes", "4500000,100000000"}
	status, out, errOut := execute(t, t.TempDir(), faultyPath, args...)
	if status != 0 {
		t.Fatalf("status %d\n%s", status, errOut)
	}
	for _, want := range []string{"[32 32]", "[64 10 32 16]"} {
		if !strings.Contains(out, want) {
			t.Errorf("no sizes %s:\n%s", want, out)
		}
	}
	status, out, errOut = execute(t, t.TempDir(), faultyPath, append(args, "--json")...)
	if status != 0 {
		t.Fatalf("status %d\n%s", status, errOut)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 2 {
		t.Fatalf("%d lines, want 2:\n%s", len(lines), out)
	}
	var first struct {
		Tunable   string
		Sizes, K  int
		Left      int     `json:"left_out"`
		Accuracy  float64 `json:"accuracy"`
		Predicted []int64
	}
	if err := json.Unmarshal([]byte(lines[0]), &first); err != nil {
		t.Fatal(err)
	}
	if first.Tunable != "m" || first.Sizes != 37 || first.K != 1 || first.Left != 10 || math.Abs(first.Accuracy-0.82) > 0.03 || first.Predicted[1] != 64 {
		t.Errorf("%+v", first)
	}
	for want, flags := range map[string][]string{
		"choose by --versions": {m},
		"no row of":            {m, "--tunable", "L"},
		"not NAME=VALUE":       {m, "--where", "f64"},
		"--sizes 0":            {m, "--sizes", "0"},
		"holds no results":     {literature},
	} {
		if status, _, errOut := execute(t, t.TempDir(), faultyPath, append([]string{"predict"}, flags...)...); status != 2 || !strings.Contains(errOut, want) {
			t.Errorf("%v: status %d, %s", flags, status, errOut)
		}
	}
}

// TestTuneTrained: the first trial at a new size is what a run found best at
// another.
func TestTuneTrained(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := write(t, filepath.Join(dir, "run.json"), `{"algorithm": "faulty", "versions": ["tuned"], "output_file_prefix": "r", "sensors": [],
		"measure": {"ceilings": false, "min_time_s": 0.01, "noise": 0.05, "timeout_s": 5}, "static_args": {"ms": 2}, "tunables": {"A": [1, 2, 3], "B": [1, 2]}}`)
	if status, _, errOut := execute(t, dir, madeUpPath, "run", config, "--wisdom", "none"); status != 0 {
		t.Fatalf("run: status %d\n%s", status, errOut)
	}
	train := filepath.Join(dir, "results", "r")
	args := []string{"tune", tuneConfig(t, dir, `, "static_args": {"ms": 3}`), "--device", "cpu", "--budget", "1", "--wisdom", "none", "--confirm", "0", "--train", train}
	if status, out, errOut := execute(t, dir, madeUpPath, append(args, "--strategy", "knn")...); status != 0 {
		t.Fatalf("tune: status %d\n%s\n%s", status, out, errOut)
	}
	if r := report(t, dir); r.Tasks[0].Evaluations != 1 || r.Tasks[0].Tunables["A"] != 3 || r.Tasks[0].Tunables["B"] != 2 {
		t.Errorf("%+v, want one trial, of A = 3 and B = 2", r.Tasks[0])
	}
	if status, _, errOut := execute(t, dir, madeUpPath, append(args, "--strategy", "random")...); status != 2 || !strings.Contains(errOut, "only --strategy knn") {
		t.Errorf("random: status %d, %s", status, errOut)
	}
}
