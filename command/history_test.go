package command

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.org/bench/framework/history"
	"example.org/bench/framework/history/historytest"
)

// grown is a history with nearly all that there can be to say.
func grown(t *testing.T) string {
	t.Helper()
	path := historytest.Grow(t, 40, historytest.Outlier(10, 3, historytest.Step(30, 1.2)))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(text, "cut\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// The gate's exit statuses, and what it says.
func TestHistoryCheck(t *testing.T) {
	for _, c := range []struct {
		path   string
		status int
		want   string
	}{
		{historytest.Grow(t, 40, historytest.Step(99, 1)), exitGood, "no change in 1 series, noise "},
		{historytest.Grow(t, 40, historytest.Step(33, 1.1)), exitWorse, "slower by 1"},
		{historytest.Grow(t, 40, historytest.Step(33, 0.9)), exitGood, "faster by "},
		{historytest.Grow(t, 15, historytest.Step(99, 1)), exitInconclusive, "not judged against the old level: kernel 6.0 → 6.1; 10 runs since, 13 are needed"},
		{historytest.Grow(t, 4, historytest.Step(99, 1)), exitInconclusive, "unknown: 4 runs, 13 are needed"},
	} {
		status, out, errOut := runIn(t, "history", "check", "--file", c.path)
		if status != c.status || !strings.Contains(out, c.want) || errOut != "" {
			t.Errorf("status %d, want %d and %q\n%s%s", status, c.status, c.want, out, errOut)
		}
	}
	path := grown(t)
	status, out, errOut := runIn(t, "history", "check", "--file", path, "--markdown")
	if status != exitWorse || !strings.Contains(out, "| fft/stockham on cpu | time | a CPU | slower by ") || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, "history.jsonl:41: not a line of a history") {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
	if status, out, _ := runIn(t, "history", "check", "--file", path, "--recent", "2"); status != exitGood || !strings.Contains(out, "no change in 1 series") {
		t.Errorf("status %d\n%s", status, out)
	}
	status, out, _ = runIn(t, "history", "show", "--file", path)
	for _, want := range []string{"from r30 on (between r29 and r30)", "with it changed bench v0 → v1", "outliers in r10", "surroundings changed: kernel 6.0 → 6.1", "machine ab12cd34"} {
		if status != exitGood || !strings.Contains(out, want) {
			t.Errorf("status %d, want %q in\n%s", status, want, out)
		}
	}
}

// What a run measured goes into the file once, and bad usage is said in one line.
func TestHistoryAdd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.jsonl")
	for _, want := range []string{"36 results of v1 added\n", "0 results of v1 added, 36 were there\n"} {
		status, out, errOut := runIn(t, "history", "add", "../results/h200-fft-peers", "--revision", "v1", "--file", path)
		if status != exitGood || !strings.HasSuffix(out, want) || errOut != "" {
			t.Errorf("status %d, want %q\n%s%s", status, want, out, errOut)
		}
	}
	f, err := history.Read(path)
	if err != nil || len(f.Entries) != 36 || f.Damaged != nil {
		t.Fatalf("%v %+v", err, f)
	}
	e := f.Entries[0]
	if m := e.Metrics["time"]; e.Config != "fft-peers.json" || e.MachineName != "NVIDIA H200" || e.Surroundings["driver"] == "" || !(m.Low > 0 && m.Low < m.Value && m.Value < m.High) || e.Clock < 1e9 {
		t.Errorf("%+v", e)
	}
	status, out, _ := runIn(t, "history", "check", "--file", path)
	if status != exitInconclusive || !strings.Contains(out, "gate: inconclusive") || !strings.Contains(out, "1 run, 13 are needed") {
		t.Errorf("status %d\n%s", status, out)
	}
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"add none --revision v1":                              "none: there is no such folder",
		"add ../results/literature/tx1-speedup --revision v1": "tx1-speedup: it holds published figures",
		"add":                     "RUN is missing: want bench history add RUN..., as in\n  bench history add results/now",
		"check --file none":       "there is no none: bench history add makes it",
		"check --file " + empty:   "holds no results",
		"check --recent 0":        "--recent 0: want at least 1",
		"check --json --markdown": "--markdown does not go with --json",
		"checks":                  `"checks" is none of add, check, show; did you mean "check"?`,
	} {
		refuses(t, append([]string{"history"}, strings.Fields(args)...), want)
	}
}

// TestHistoryOfWrongClocks: what is added with a wrong date says so, and so does the gate,
// which is not green.
func TestHistoryOfWrongClocks(t *testing.T) {
	path := historytest.Grow(t, 30, historytest.Step(20, 1.1))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	for i := 20; i < 30; i++ {
		lines[i] = strings.Replace(lines[i], "2026-03-", "1970-01-", 1)
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o644); err != nil {
		t.Fatal(err)
	}
	status, out, errOut := runIn(t, "history", "check", "--file", path)
	if status != exitInconclusive || !strings.Contains(out, "unknown: 10 runs that may be the last are left out: dated 1970-01-01") ||
		!strings.Contains(errOut, "10 results are left out, as the clock was wrong (dated 1970-01-01 to 1970-01-02)") {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
	if status, _, errOut = runIn(t, "history", "show", "--file", path); status != exitGood || !strings.Contains(errOut, "as the clock was wrong") {
		t.Errorf("status %d\n%s", status, errOut)
	}
	run := filepath.Join(t.TempDir(), "run")
	if err := os.CopyFS(run, os.DirFS("../results/epyc-fft")); err != nil {
		t.Fatal(err)
	}
	info, err := os.ReadFile(filepath.Join(run, "run.json"))
	if err != nil {
		t.Fatal(err)
	}
	wrong := regexp.MustCompile(`"started": "2\d{3}`).ReplaceAllString(string(info), `"started": "1970`)
	if err := os.WriteFile(filepath.Join(run, "run.json"), []byte(wrong), 0o644); err != nil {
		t.Fatal(err)
	}
	status, _, errOut = runIn(t, "history", "add", run, "--revision", "r", "--file", filepath.Join(t.TempDir(), "h.jsonl"))
	if status != exitGood || !strings.Contains(errOut, "dated 1970-11-2") || !strings.Contains(errOut, "which cannot be: bench history check leaves them out") {
		t.Errorf("status %d\n%s", status, errOut)
	}
}
