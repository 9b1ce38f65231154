package command_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestReplayPrintsOneObjectAStrategy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, err := filepath.Abs("../tuning/testdata/coulomb_ktt-RTX_2080_Ti.csv.gz")
	if err != nil {
		t.Fatal(err)
	}
	status, out, errOut := execute(t, dir, faultyPath, "replay", file, "--strategy", "best,random", "--budget", "2", "--repeats", "3", "--json")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if status != 0 || len(lines) != 2 {
		t.Fatalf("status %d, %d lines\n%s\n%s", status, len(lines), out, errOut)
	}
	for i, line := range lines {
		var o map[string]any
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"space", "strategy", "budget", "repeats", "median", "p05", "standard1_evaluations", "standard2_evaluations", "own_ms_per_evaluation"} {
			if _, ok := o[key]; !ok {
				t.Errorf("no key %s among %v", key, slices.Collect(maps.Keys(o)))
			}
		}
		if o["strategy"] != []string{"best", "random"}[i] || o["budget"] != 2.0 || o["repeats"] != 3.0 || o["space"] != "coulomb_ktt-RTX_2080_Ti" {
			t.Errorf("%s", line)
		}
		if o["standard2_evaluations"] != nil {
			t.Errorf("Standard 2 after two evaluations: %v", o["standard2_evaluations"])
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("--json alone wrote %v", entries)
	}

	// Two files are two sizes of one search; without --json the results are written.
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	other := write(t, filepath.Join(dir, "other.csv.gz"), string(text))
	status, out, errOut = executeWith(t, dir, drawing, faultyPath, "replay", file, other, "--budget", "60", "--repeats", "2", "--out", "two")
	if status != 0 || !strings.Contains(out, "coulomb_ktt-RTX_2080_Ti+other") {
		t.Errorf("status %d\n%s\n%s", status, out, errOut)
	}
	if rows := table(t, filepath.Join(dir, "two", "convergence.csv")); len(rows) != 60 {
		t.Errorf("%d rows of convergence, want 60", len(rows))
	}
	for _, f := range []string{"replay.csv", "figures/convergence.svg", "figures/convergence.png"} {
		if fi, err := os.Stat(filepath.Join(dir, "two", f)); err != nil || fi.Size() == 0 {
			t.Errorf("%s: %v", f, err)
		}
	}
}

// A budget beyond the space costs neither time nor memory.
func TestReplayBudgetBeyondTheSpace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	space := write(t, filepath.Join(dir, "good.csv"), "a,time_ms,status\n1,2,valid\n2,1,valid\n")
	status, out, errOut := execute(t, dir, faultyPath, "replay", space, "--strategy", "random,best", "--budget", "1000000000000", "--repeats", "3", "--out", "r")
	if status != 0 || !strings.Contains(out, "budget 1000000000000") {
		t.Fatalf("status %d: %s%s", status, out, errOut)
	}
	if rows := table(t, filepath.Join(dir, "r", "convergence.csv")); len(rows) != 4 {
		t.Errorf("%d rows of two strategies on two points, want 4", len(rows))
	}
}

func TestReplayRefusesBadUsage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bad := write(t, filepath.Join(dir, "bad.csv"), "a,time_ms,status\n1,fast,valid\n")
	good := write(t, filepath.Join(dir, "good.csv"), "a,time_ms,status\n1,1,valid\n")
	kernel := write(t, filepath.Join(dir, "kernel.csv"), "b,time_ms,status\n1,1,valid\n")
	invalid := write(t, filepath.Join(dir, "invalid.csv"), "a,time_ms,status\n1,,invalid\n")
	for want, args := range map[string][]string{
		"good has the parameters [a], kernel has [b]: spaces of one kernel": {"replay", good, kernel},
		"good.csv is named twice":                             {"replay", good, filepath.Join(dir, ".", "..", filepath.Base(dir), "good.csv")},
		"invalid: no point is valid":                          {"replay", invalid},
		"bench: invalid: no point is":                         {"replay", good, invalid},
		"good.csv is named twice; want":                       {"transfer", good, good},
		"line 2: time_ms":                                     {"replay", bad},
		"no such file":                                        {"replay", filepath.Join(dir, "none.csv")},
		"is none of":                                          {"replay", good, "--strategy", "bset"},
		"want at least 1 evaluation":                          {"replay", good, "--budget", "0"},
		"--repeats 0: want at least 1":                        {"replay", good, "--repeats", "0"},
		"has no clock; want":                                  {"replay", good, "--budget", "5s"},
		"--compilers -1: want 0 to":                           {"replay", good, "--compilers", "-1"},
		"trees is 0; want a whole number from 1 to 10000":     {"replay", good, "--strategy", "iterml", "--option", "trees=0"},
		"cut_ratio is 7; want a number from 0 to below 1":     {"replay", good, "--strategy", "iterml", "--option", "cut_ratio=7"},
		"cut_ratio is 1; want":                                {"replay", good, "--strategy", "iterml", "--option", "cut_ratio=1"},
		"published is 2; want a whole number from 0 to 1":     {"replay", good, "--strategy", "iterml", "--option", "published=2"},
		"k is 0; want a whole number from 1 to 2147483647":    {"replay", good, "--strategy", "knn", "--option", "k=0"},
		"k is 1.5; want":                                      {"replay", good, "--strategy", "knn", "--option", "k=1.5"},
		"k is +Inf; want":                                     {"replay", good, "--strategy", "knn", "--option", "k=inf"},
		"patience is NaN; want":                               {"replay", good, "--strategy", "bo", "--option", "patience=nan"},
		"--strategy analytical computes from compiled kernel": {"replay", good, "--strategy", "random,analytical"},
		"--strategy random is given twice":                    {"replay", good, "--strategy", "random,random"},
		"no such setting":                                     {"replay", good, "--option", "depth=3"},
		"is not NAME=NUMBER":                                  {"replay", good, "--option", "depth"},
		"manifest.json":                                       {"replay", good, "--manifest", filepath.Join(dir, "manifest.json")},
	} {
		if status, _, errOut := execute(t, dir, faultyPath, args...); status != 2 || !strings.Contains(errOut, want) {
			t.Errorf("%v: status %d, %q; want 2 and %q", args, status, errOut, want)
		}
	}
}

// --from is refused where it can teach nothing.
func TestReplayFrom(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := func(name string) string {
		file, err := filepath.Abs("../tuning/testdata/" + name + ".csv.gz")
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	coulomb, convolution := data("coulomb_ktt-RTX_2080_Ti"), data("convolution_milo_old-A4000")
	for _, c := range []struct{ from, strategy, want string }{
		{coulomb, "best", "is named twice"},
		{convolution, "best", "spaces of one kernel are needed"},
		{"missing.csv.gz", "best", "missing.csv.gz"},
		{convolution, "random", "--strategy random learns nothing"},
	} {
		status, _, errOut := execute(t, dir, faultyPath, "replay", coulomb, "--from", c.from, "--strategy", c.strategy, "--json")
		if status != 2 || !strings.Contains(errOut, c.want) || !strings.Contains(errOut, "--from") {
			t.Errorf("--from %s: status %d, %q; want %q", c.from, status, errOut, c.want)
		}
	}
	text, err := os.ReadFile(coulomb)
	if err != nil {
		t.Fatal(err)
	}
	other := write(t, filepath.Join(dir, "other.csv.gz"), string(text))
	status, out, errOut := execute(t, dir, faultyPath, "replay", coulomb, "--from", other, "--budget", "1", "--repeats", "3", "--json")
	var r struct{ Median float64 }
	if err := json.Unmarshal([]byte(out), &r); err != nil || status != 0 || r.Median != 1 {
		t.Errorf("status %d: %s%s; want the optimum at once", status, out, errOut)
	}
}
