package command_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const repeated = `{"algorithm": "faulty", "versions": ["good"], "sensors": [], "sweep_arg": {"ms": [1, 2]},
	"measure": {"ceilings": false, "repeats": 2, "min_samples": 6, "min_time_s": 0.005, "timeout_s": 1, "point_timeout_s": 60}}`

// TestRunRepeats: each instance is a result of its own, so that what an interrupted
// run lacks of them is measured by --resume; and a row tells of all.
func TestRunRepeats(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "c.json"), repeated)
	status, out, errOut := execute(t, dir, madeUpPath, "run", "c.json", "--repeats", "3")
	if status != 0 || !strings.Contains(out, "6 of 6 points to go") || !strings.Contains(out, "3 instances") || !strings.Contains(out, "instance 3") {
		t.Fatalf("status %d\n%s\n%s", status, out, errOut)
	}
	results := filepath.Join(dir, "results", "c")
	rows := table(t, filepath.Join(results, "c_time.csv"))
	if len(rows) != 2 || rows[0]["instances"] != "3" || rows[1]["instances"] != "3" {
		t.Fatalf("%v", rows)
	}
	// The last result was not written.
	journal := filepath.Join(results, "journal.jsonl")
	text, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	last := 0
	for i, l := range lines {
		if bytes.Contains(l, []byte(`"checks"`)) {
			last = i
		}
	}
	if err := os.WriteFile(journal, bytes.Join(lines[:last], nil), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(results, "run.json")); err != nil {
		t.Fatal(err)
	}
	if status, out, errOut = execute(t, dir, madeUpPath, "run", "c.json", "--resume"); status != 1 || !strings.Contains(errOut, "selection") {
		t.Errorf("resumed without --repeats: status %d\n%s\n%s", status, out, errOut)
	}
	status, out, errOut = execute(t, dir, madeUpPath, "run", "c.json", "--repeats", "3", "--resume")
	if status != 0 || !strings.Contains(out, "1 of 6 points to go") {
		t.Fatalf("status %d\n%s\n%s", status, out, errOut)
	}
	if rows = table(t, filepath.Join(results, "c_time.csv")); len(rows) != 2 || rows[1]["instances"] != "3" {
		t.Errorf("%v", rows)
	}
	// The config's own number.
	if status, out, errOut = execute(t, dir, madeUpPath, "run", "c.json", "--out", "two"); status != 0 || !strings.Contains(out, "2 instances") {
		t.Errorf("status %d\n%s\n%s", status, out, errOut)
	}
	undisturbed(t, filepath.Join(dir, "two"), results)
	if status, out, errOut = execute(t, dir, madeUpPath, "compare", "two", "results/c", "--gate", "20%"); status != 0 || strings.Contains(out, "one instance each") {
		t.Errorf("status %d\n%s\n%s", status, out, errOut)
	}
	if status, _, errOut = execute(t, dir, madeUpPath, "run", "c.json", "--repeats", "0"); status != 2 || !strings.Contains(errOut, "want 1 to 1000") {
		t.Errorf("status %d\n%s", status, errOut)
	}
}
