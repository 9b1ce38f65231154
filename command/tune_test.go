package command_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// tuneConfig is of test/faulty's version with tunables; A from 5 on and B = 4
// misbehave, and A = 3, B = 2 is the fastest.
func tuneConfig(t *testing.T, dir, more string) string {
	t.Helper()
	return write(t, filepath.Join(dir, "tune.json"), `{"algorithm": "faulty", "versions": ["tuned"], "output_file_prefix": "t", "sensors": []`+more+`}`)
}

type tuned struct{ Tasks []task }

type task struct {
	Points, Evaluations, Invalid int
	Tunables                     map[string]int
	Cost                         float64
	Stopped                      string
	Final                        *struct {
		Best, Default *struct{ Value, Low, High float64 }
	}
}

func report(t *testing.T, dir string) tuned {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "results", "tune-t", "tune.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r tuned
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestTuneFindsTheBest over two sizes, in spite of what misbehaves, and bench
// run then uses what was found.
func TestTuneFindsTheBest(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := tuneConfig(t, dir, `, "sweep_arg": {"ms": [1, 2]}, "tunables": {"A": [1, 3, 4, 5, 6, 7, 8], "B": [1, 2, 4]},
		"measure": {"ceilings": false, "min_time_s": 0.01, "noise": 0.05, "timeout_s": 5}`)
	wisdom := filepath.Join(dir, "wisdom.json")
	status, out, errOut := executeWith(t, dir, drawing, madeUpPath, "tune", config, "--device", "cpu", "--strategy", "exhaustive", "--wisdom", wisdom)
	if status != 0 {
		t.Fatalf("status %d\n%s\n%s", status, out, errOut)
	}
	r := report(t, dir)
	if len(r.Tasks) != 2 {
		t.Fatalf("%d tasks", len(r.Tasks))
	}
	for _, x := range r.Tasks {
		// 7·3 less one that Valid refuses; of those 4·3 misbehave and 3 are wrong
		if x.Points != 20 || x.Evaluations != 20 || x.Invalid != 15 || x.Tunables["A"] != 3 || x.Tunables["B"] != 2 || !strings.Contains(x.Stopped, "every point") {
			t.Errorf("%+v", x)
		}
		if f := x.Final; f == nil || f.Default == nil || f.Default.Value < 2*f.Best.Value || f.Best.Low > f.Best.Value || f.Best.High < f.Best.Value || f.Best.High == 0 {
			t.Errorf("measured again: %+v", f)
		}
	}
	for _, want := range []string{"what matters, of the variance of log time: ", " invalid: ", "every point was tried", "  GAIN  "} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	trials := table(t, filepath.Join(dir, "results", "tune-t", "trials.csv"))
	count := map[string]int{}
	for _, row := range trials {
		count[row["status"]]++
		if (row["status"] == "ok") != (row["cost"] != "") || (row["status"] == "ok") != (row["reason"] == "") {
			t.Errorf("%v", row)
		}
	}
	if len(trials) != 40 || count["wrong"] != 6 || count["failed"] != 24 || count["ok"] != 10 {
		t.Errorf("%d trials: %v", len(trials), count)
	}
	for _, file := range []string{"figures/convergence.png", "figures/heatmap-tuned-ms-2.svg", "spaces/faulty_tuned_ms_2-*.csv.gz"} {
		if found, _ := filepath.Glob(filepath.Join(dir, "results", "tune-t", file)); len(found) != 1 {
			t.Errorf("no %s", file)
		}
	}
	spaces, _ := filepath.Glob(filepath.Join(dir, "results", "tune-t", "spaces", "*"))
	if status, out, errOut := execute(t, dir, madeUpPath, "replay", spaces[0], "--strategy", "random", "--budget", "20", "--repeats", "20", "--json"); status != 0 || !strings.Contains(out, `"median":1`) {
		t.Errorf("replay: status %d\n%s\n%s", status, out, errOut)
	}
	usesWisdom(t, dir, wisdom)
}

// usesWisdom runs the tuned sizes, a third, and one with the tunables set.
func usesWisdom(t *testing.T, dir, wisdom string) {
	t.Helper()
	run := func(more string, flags ...string) (rows []map[string]string, info map[string]any, errOut string) {
		config := write(t, filepath.Join(dir, "run.json"), `{"algorithm": "faulty", "versions": ["tuned"], "output_file_prefix": "r", "sensors": [],
			"measure": {"ceilings": false, "min_time_s": 0.01, "noise": 0.05, "timeout_s": 5}`+more+`}`)
		status, out, errOut := execute(t, dir, faultyPath, append([]string{"run", config}, flags...)...)
		if status != 0 {
			t.Fatalf("status %d\n%s\n%s", status, out, errOut)
		}
		text, err := os.ReadFile(filepath.Join(dir, "results", "r", "run.json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &info); err != nil {
			t.Fatal(err)
		}
		return table(t, filepath.Join(dir, "results", "r", "r_time.csv")), info, errOut
	}
	rows, info, errOut := run(`, "sweep_arg": {"ms": [2, 5]}`, "--wisdom", wisdom)
	for i, note := range []string{"tunables: wisdom, exact size", "tunables: wisdom, nearest size (ms 2)"} {
		if rows[i]["A"] != "3" || rows[i]["B"] != "2" || rows[i]["notes"] != note {
			t.Errorf("%v", rows[i])
		}
	}
	if !strings.Contains(errOut, "1 exact size, 1 nearest size") {
		t.Errorf("said: %s", errOut)
	}
	w, _ := info["wisdom"].(map[string]any)
	if w["file"] != "wisdom.json" || len(w["sha256"].(string)) != 64 {
		t.Errorf("run.json: %v", info["wisdom"])
	}
	for _, x := range []struct{ more, flag string }{{"", "none"}, {`, "tunables": {"A": [1], "B": [1]}`, wisdom}} {
		rows, _, _ := run(`, "sweep_arg": {"ms": [2]}`+x.more, "--wisdom", x.flag)
		if rows[0]["A"] != "1" || rows[0]["notes"] != "" {
			t.Errorf("%v: %v", x, rows[0])
		}
	}
	if status, _, errOut := execute(t, dir, faultyPath, "run", filepath.Join(dir, "run.json"), "--wisdom", "absent.json"); status != 2 || !strings.Contains(errOut, "absent.json") {
		t.Errorf("absent wisdom: %d, %s", status, errOut)
	}
}

// A config that has versions for the CPU alone is searched there unasked.
func TestTuneTakesTheCPU(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := tuneConfig(t, dir, `, "tunables": {"A": [3, 4], "B": [2]}, "measure": {"ceilings": false, "min_time_s": 0.001, "timeout_s": 0.01}`)
	status, out, errOut := execute(t, dir, madeUpPath, "tune", config, "--strategy", "random", "--budget", "1", "--confirm", "0", "--wisdom", "none")
	if status != 0 || report(t, dir).Tasks[0].Evaluations != 1 {
		t.Errorf("status %d\n%s\n%s", status, out, errOut)
	}
	status, _, errOut = execute(t, dir, madeUpPath, "run", config, "--processor", "GPU")
	if status != 2 || !strings.Contains(errOut, "no version is left to run: CPU version tuned left out: processor is GPU") {
		t.Errorf("status %d\n%s", status, errOut)
	}
}

func TestTuneEndsCleanly(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct {
		more   string
		status int
		points int
		says   string
	}{
		"constraint":  {`, "tuning_constraints": ["A * B == ms + 5", "B < 3"]`, 0, 2, "every point"},
		"all invalid": {`, "tunables": {"B": [4]}, "tuning_constraints": ["A < 4"]`, 1, 3, "none"},
		"no point":    {`, "tuning_constraints": ["A > 8"]`, 2, 0, "no combination"},
		"no sense":    {`, "tuning_constraints": ["A *"]`, 2, 0, "tune.json:1:"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			config := tuneConfig(t, dir, x.more)
			status, out, errOut := execute(t, dir, faultyPath, "tune", config, "--device", "cpu", "--strategy", "random", "--budget", "40", "--wisdom", "none")
			if status != x.status || !strings.Contains(out+errOut, x.says) {
				t.Fatalf("status %d, want %d and %q\n%s\n%s", status, x.status, x.says, out, errOut)
			}
			if x.points > 0 {
				if r := report(t, dir); r.Tasks[0].Points != x.points || r.Tasks[0].Evaluations != x.points {
					t.Errorf("%+v", r)
				}
			}
		})
	}
}

// TestTuneResumes: an interrupted search leaves everything written, and goes on
// where it was.
func TestTuneResumes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := tuneConfig(t, dir, `, "static_args": {"ms": 20}, "tunables": {"A": [1, 2, 3, 4]}`)
	args := []string{"tune", config, "--device", "cpu", "--strategy", "random", "--seed", "5", "--wisdom", "none", "--confirm", "0"}
	journal := filepath.Join(dir, "results", "tune-t", "journal.jsonl")
	cmd := exec.Command(faultyPath, args...)
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(patience); journalLines(journal, "result") < 3; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("no trials after %v", patience)
		}
	}
	cmd.Process.Signal(syscall.SIGINT)
	cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != 130 {
		t.Errorf("status %d, want 130", got)
	}
	made := journalLines(journal, "result")
	if rows := table(t, filepath.Join(dir, "results", "tune-t", "trials.csv")); len(rows) != made {
		t.Errorf("%d trials for %d in the journal", len(rows), made)
	}
	status, out, errOut := execute(t, dir, faultyPath, append(args, "--resume")...)
	if want := fmt.Sprintf("at most 15 evaluations, %d of them in the journal, about 0:0", made); status != 0 || !strings.Contains(out, want) {
		t.Fatalf("resume: status %d, want %q\n%s\n%s", status, want, out, errOut)
	}
	// The fastest of the trials before and after, whatever the machine made of
	// their times.
	var best map[string]string
	least := math.Inf(1)
	for _, row := range table(t, filepath.Join(dir, "results", "tune-t", "trials.csv")) {
		if cost, err := strconv.ParseFloat(row["cost"], 64); err == nil && cost < least {
			best, least = row, cost
		}
	}
	if x := report(t, dir).Tasks[0]; x.Evaluations != 15 || strconv.Itoa(x.Tunables["A"]) != best["A"] || strconv.Itoa(x.Tunables["B"]) != best["B"] ||
		journalLines(journal, "result") != 15 {
		t.Errorf("%d lines, %+v, and the fastest trial is %v", journalLines(journal, "result"), x, best)
	}
}

// TestTuneResumesOnlyTheSameSearch: a search that differs in what its trials
// mean is refused, and what is there stays as it is.
func TestTuneResumesOnlyTheSameSearch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := write(t, filepath.Join(dir, "tune.json"), `{"algorithm": "faulty", "versions": ["tuned"], "output_file_prefix": "t", "tunables": {"A": [1, 2, 3], "B": [2]}}`)
	args := []string{"tune", config, "--device", "cpu", "--wisdom", "none", "--confirm", "0"}
	if status, out, errOut := execute(t, dir, faultyPath, append(args, "--strategy", "random", "--budget", "2")...); status != 0 {
		t.Fatalf("status %d\n%s\n%s", status, out, errOut)
	}
	folder := filepath.Join(dir, "results", "tune-t")
	contents := func() string {
		var all string
		for _, name := range []string{"journal.jsonl", "trials.csv", "tune.json"} {
			text, err := os.ReadFile(filepath.Join(folder, name))
			if err != nil {
				t.Fatal(err)
			}
			all += string(text)
		}
		return all
	}
	before := contents()
	if !strings.Contains(before, `"selection":"--device cpu --objective time --strategy random"`) {
		t.Errorf("the journal's first line does not say what is searched: %.400s", before)
	}
	for _, flags := range [][]string{
		{"--strategy", "bo", "--option", "patience=3"}, {"--strategy", "random", "--seed", "9"},
	} {
		status, _, errOut := execute(t, dir, faultyPath, append(append(slices.Clone(args), "--resume"), flags...)...)
		if status != 1 || !strings.Contains(errOut, "the journal is of") || contents() != before {
			t.Errorf("%v: status %d, files changed: %v\n%s", flags, status, contents() != before, errOut)
		}
	}
	// The budget is no part of what a trial means.
	if status, out, errOut := execute(t, dir, faultyPath, append(args, "--strategy", "random", "--budget", "3", "--resume")...); status != 0 {
		t.Fatalf("status %d\n%s\n%s", status, out, errOut)
	}
	if r := report(t, dir); r.Tasks[0].Evaluations != 3 {
		t.Errorf("%+v, want 3 evaluations", r.Tasks[0])
	}
}

// TestAnalyticalTables: without a GPU.
func TestAnalyticalTables(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for algorithm, want := range map[string][]string{
		"tridiagonal": {"cr 64 (0, 2, 64)", "pcr 128 (0, 4, 64)", "lf 512 (512, 2, 256)", "wm 128 (0, 4, 64)", "wm 1024 (1024, 4, 256)"},
		"scan":        {"lf 64 (128, 4, 64)", "ks 256 (32, 4, 64)", "lf 4096 (32, 4, 1024)"},
		"fft":         {"stockham 128 (256, 4, 64)", "stockham 2048 (2048, 4, 512)"},
	} {
		config := write(t, filepath.Join(dir, algorithm+".json"), `{"algorithm": "`+algorithm+`", "sweep_arg": {"N": {"from": 64, "to": 4096, "factor": 2}}}`)
		status, out, errOut := execute(t, dir, faultyPath, "tune", config, "--strategy", "analytical", "--device", "jetson-tx1")
		if status != 0 {
			t.Fatalf("status %d\n%s", status, errOut)
		}
		rows := map[string]bool{}
		for _, line := range strings.Split(out, "\n") {
			if f := strings.Fields(line); len(f) > 5 {
				rows[strings.Join(f[1:6], " ")] = true
			}
		}
		for _, w := range want {
			if !rows[w] {
				t.Errorf("%s: no row %q\n%s", algorithm, w, out)
			}
		}
	}
}

// TestAnalyticalCompiled: registers and shared memory come from kernels
// compiled for a GPU that is not there.
func TestAnalyticalCompiled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := write(t, filepath.Join(dir, "cr.json"), `{"algorithm": "tridiagonal", "versions": ["cr"], "static_args": {"precision": "f32", "batch": 2, "N": 64},
		"tunables": {"P": [2, 32], "L": [64]}}`)
	status, out, errOut := execute(t, dir, faultyPath, "tune", config, "--strategy", "analytical", "--device", "jetson-tx2", "--compiled", "--out", "kept")
	if strings.Contains(errOut, "no usable libnvrtc") {
		t.Skipf("needs NVRTC: %s", errOut)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if status != 0 || len(lines) != 2 {
		t.Fatalf("status %d\n%s\n%s", status, out, errOut)
	}
	// P = 32 needs too many registers for 60 % of the warps, so P = 2 by shuffles
	f := strings.Fields(lines[1])
	if f[0] != "cr" || !strings.Contains(lines[1], "P=2 L=64 SHUFFLE=1") || f[4] != "0" {
		t.Errorf("%s", lines[1])
	}
	if n, err := strconv.Atoi(f[3]); err != nil || n < 16 || n > 64 {
		t.Errorf("%s registers", f[3])
	}
	text, err := os.ReadFile(filepath.Join(dir, "kept", "tune.json"))
	if err != nil {
		t.Fatal(err)
	}
	var kept struct {
		Strategy string
		Tasks    []struct {
			Version  string
			Tunables map[string]int
		}
	}
	if err := json.Unmarshal(text, &kept); err != nil {
		t.Fatal(err)
	}
	if kept.Strategy != "analytical" || len(kept.Tasks) != 1 || kept.Tasks[0].Version != "cr" || kept.Tasks[0].Tunables["P"] != 2 {
		t.Errorf("kept %s", text)
	}
}
