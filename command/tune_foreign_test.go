package command_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// planted is a C function whose time has a minimum at A = 3, B = 2, which is not the
// first of the values; with A = 4 it is wrong, and A = 1 does not compile.
const planted = `#include <time.h>
#if A == 1
#error one
#endif
void twice(double *y, const double *x, int n) {
  int far = (A > 3 ? A - 3 : 3 - A) + (B > 2 ? B - 2 : 2 - B);
  struct timespec rest = {0, 1000000 + 8000000 * far};
  nanosleep(&rest, 0);
  for (int i = 0; i < n; i++) y[i] = 2 * x[i] + (A == 4);
}
`

const plantedRight = `void right(double *y, const double *x, int n) {
  for (int i = 0; i < n; i++) y[i] = x[i] + x[i];
}
`

// TestTuneCFunction finds what is planted, keeps it, and run uses it.
func TestTuneCFunction(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "x.c"), planted)
	write(t, filepath.Join(dir, "right.c"), plantedRight)
	config := write(t, filepath.Join(dir, "t.json"), `{"algorithm": {"cuda": {
		"name": "twice", "params": [{"name": "N", "default": 8}],
		"arguments": [{"name": "y", "type": "f64", "size": "N", "use": "output"}, {"name": "x", "type": "f64", "size": "N", "fill": {"random": [-1, 1]}}, {"name": "n", "type": "i32", "value": "N"}],
		"versions": [{"name": "host", "c": {"source": "x.c", "function": "twice"},
			"tunables": [{"name": "A", "values": [1, 2, 3, 4, 5], "default": 2}, {"name": "B", "values": [1, 2, 3]}], "constraints": ["A*B != 15"]}],
		"verify": {"c": {"source": "right.c", "function": "right"}}}},
		"sensors": [], "output_file_prefix": "t", "measure": {"ceilings": false, "min_time_s": 0.01, "noise": 0.05}}`)
	wisdom := filepath.Join(dir, "wisdom.json")
	x := planting(t, dir, config, wisdom)
	// 5·3 less one; of those three are wrong, and three do not compile.
	if x.Points != 14 || x.Evaluations != 14 || x.Invalid != 6 || x.Tunables["A"] != 3 || x.Tunables["B"] != 2 {
		t.Errorf("%+v", x)
	}
	if f := x.Final; f == nil || f.Default == nil || f.Default.Value < 2*f.Best.Value {
		t.Errorf("measured again: %+v", f)
	}
	usesPlanted(t, dir, config, wisdom, "A", "B", 1)
}

// planting is the task of a search that finds what is planted. It is made again where the machine is so
// busy that a rest of 1 ms takes half as long as the defaults' of 17 ms.
func planting(t *testing.T, dir, config, wisdom string) (x task) {
	t.Helper()
	for range 5 {
		for _, made := range []string{wisdom, filepath.Join(dir, "results")} {
			if err := os.RemoveAll(made); err != nil {
				t.Fatal(err)
			}
		}
		if status, out, errOut := execute(t, dir, benchPath, "tune", config, "--strategy", "exhaustive", "--wisdom", wisdom); status != 0 {
			t.Fatalf("status %d\n%s\n%s", status, out, errOut)
		}
		if x = report(t, dir).Tasks[0]; x.Cost < 8e-3 && x.Final != nil && x.Final.Best.Value < 8e-3 {
			break
		}
		t.Logf("a busy machine: the fastest takes %v s", x.Cost)
	}
	return x
}

// usesPlanted holds run to the wisdom of a search, and without to so many points, of
// which the first has the defaults.
func usesPlanted(t *testing.T, dir, config, wisdom, a, b string, points int) {
	t.Helper()
	for file, want := range map[string][3]string{wisdom: {"3", "2", "tunables: wisdom, exact size"}, "none": {"2", "1", ""}} {
		_, out, errOut := execute(t, dir, benchPath, "run", config, "--wisdom", file, "--out", "run")
		rows := table(t, filepath.Join(dir, "run", "t_time.csv"))
		if len(rows) != map[string]int{wisdom: 1, "none": points}[file] {
			t.Fatalf("--wisdom %s: %d points\n%s\n%s", file, len(rows), out, errOut)
		}
		if rows[0][a] != want[0] || rows[0][b] != want[1] || rows[0]["notes"] != want[2] || rows[0]["status"] != "ok" {
			t.Errorf("--wisdom %s: %v", file, rows[0])
		}
	}
}

// TestTuneProgram: a program for each value of one tunable gets the other as an
// argument. Its search is killed, and goes on. What it says takes no time.
func TestTuneProgram(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, a := range []string{"1", "2", "3", "4"} {
		path := write(t, filepath.Join(dir, "p_"+a), `#!/bin/sh
sleep 0.05
while [ $# -gt 0 ]; do [ "$1" = --threads ] && b=$2; shift; done
far=$(( (`+a+` - 3) * (`+a+` - 3) + (b - 2) * (b - 2) ))
error=0; [ `+a+` = 4 ] && error=1
echo '{"time_s": '$((1 + far))'e-3, "flops": 1, "load_bytes": 1, "store_bytes": 1, "error": '$error', "error_bound": 0.5}'
`)
		if err := exec.Command("chmod", "+x", path).Run(); err != nil {
			t.Fatal(err)
		}
	}
	config := write(t, filepath.Join(dir, "t.json"), `{"executable": "./p_{unroll}", "static_args": [["--shape", "{n}x{unroll}"]], "sweep_arg": {"name": "n", "values": [8]},
		"tunables": {"unroll": [2, 1, 3, 4], "--threads": [1, 2, 3]}, "tuning_constraints": ["unroll < 4 or n > 4"],
		"sensors": [], "output_file_prefix": "t", "measure": {"ceilings": false}}`)
	wisdom := filepath.Join(dir, "wisdom.json")
	args := []string{"tune", config, "--strategy", "random", "--budget", "50", "--wisdom", wisdom}
	journal := filepath.Join(dir, "results", "tune-t", "journal.jsonl")
	search := exec.Command(benchPath, args...)
	search.Dir = dir
	if err := search.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(patience); journalLines(journal, "result") < 3; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("no trials after %v", patience)
		}
	}
	if err := search.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	search.Wait() //nolint:errcheck // it was killed
	before := journalLines(journal, "result")
	status, out, errOut := execute(t, dir, benchPath, append(args, "--resume")...)
	if status != 0 {
		t.Fatalf("status %d\n%s\n%s", status, out, errOut)
	}
	x := report(t, dir).Tasks[0]
	if before >= 12 || x.Points != 12 || x.Evaluations != 12 || x.Invalid != 3 || x.Tunables["unroll"] != 3 || x.Tunables["--threads"] != 2 || x.Cost != 1e-3 {
		t.Errorf("%d trials before the kill; %+v", before, x)
	}
	if n := journalLines(journal, "result"); n != 12 {
		t.Errorf("%d results in the journal: a trial was made twice", n)
	}
	usesPlanted(t, dir, config, wisdom, "unroll", "--threads", 12)
}
