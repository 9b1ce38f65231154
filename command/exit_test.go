package command_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/framework/history/historytest"
)

// The help of a verb lists the statuses that it ends with, in its own words:
// only bench run and verify have points that can be ok or skipped.
func TestExitStatusesAreThoseOfTheHelp(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	results := write(t, filepath.Join(dir, "results.json"), `{"algorithm": "faulty", "versions": ["good"], "output_file_prefix": "r", "sweep_arg": {"ms": [1, 2]}, `+quick+`}`)
	if status, out, errOut := execute(t, dir, faultyPath, "run", results, "--out", "r"); status != 0 {
		t.Fatalf("status %d: %s%s", status, out, errOut)
	}
	if status, out, errOut := executeWith(t, dir, drawing, faultyPath, "run", results, "--out", "occupied"); status != 0 {
		t.Fatalf("status %d: %s%s", status, out, errOut)
	}
	drawn, err := filepath.Glob(filepath.Join(dir, "occupied", "figures", "*.svg"))
	if err != nil || len(drawn) == 0 {
		t.Fatal(drawn, err)
	}
	if err := os.Remove(drawn[0]); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(drawn[0], "file"), "a folder where the plot goes")
	empty := filepath.Join(dir, "empty")
	if err := os.Mkdir(empty, 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "tree/sys/none"), "")
	write(t, filepath.Join(dir, "broken/etc/nvpmodel.conf"), "< no such thing >\n")
	write(t, filepath.Join(dir, "algorithms/all.go"), "package algorithms\n")
	file := write(t, filepath.Join(dir, "file"), "")
	config := write(t, filepath.Join(dir, "good.json"), `{"algorithm": "fft", "versions": ["reference"], "output_file_prefix": "p", "processor": "CPU"}`)
	steady := " --file " + historytest.Grow(t, 40, historytest.Step(99, 1))
	few := "--file " + historytest.Grow(t, 4, historytest.Step(99, 1))
	for verb, want := range map[string]map[int]string{
		"history add":   {0: "r --revision v1", 1: "r --revision v1 --file file/history.jsonl", 2: "empty --revision v1"},
		"history check": {0: steady, 1: few + " > /dev/full", 2: "--file none", 3: "--file " + historytest.Grow(t, 40, historytest.Step(33, 1.1)), 4: few},
		"history show":  {0: steady, 1: steady + " > /dev/full", 2: "--file none"},
		"sensors":       {0: "--root tree", 1: "--root tree --json > /dev/full", 2: "--root " + empty},
		"modes":         {0: "--root " + empty, 1: "--root broken", 2: "--what"},
		"doctor":        {0: "--root " + empty, 1: "--root " + empty + " > /dev/full", 2: "--root none"},
		"new":           {0: "mine", 1: "--template go mine", 2: "empty/no-name"},
		"plot":          {0: "r", 1: "occupied", 2: "empty"},
		"schema":        {0: "", 1: "> /dev/full", 2: "what"},
		"man":           {0: "pages", 1: file, 2: ""},
		"list":          {0: "fft", 1: "> /dev/full", 2: "ftf"},
		"version":       {0: "", 1: "--json > /dev/full", 2: "what"},
		"plan":          {0: config, 1: config + " > /dev/full", 2: "none.json"},
		"validate":      {0: config, 1: config + " > /dev/full", 2: "none.json"},
	} {
		_, help, _ := execute(t, dir, faultyPath, append(strings.Fields(verb), "--help")...)
		_, help, found := strings.Cut(help, "EXIT STATUS\n")
		help, _, ended := strings.Cut(help, "\n\n")
		if !found || !ended || strings.Contains(help, "every point") || strings.Count(help, "\n")+1 != len(want)+strings.Count(help, "\n  130  interrupted") {
			t.Errorf("%s: the help says of its %d statuses:\n%s", verb, len(want), help)
		}
		for status, args := range want {
			if !strings.Contains("\n"+help, fmt.Sprintf("\n  %d    ", status)) {
				t.Errorf("%s: the help does not say when the status is %d:\n%s", verb, status, help)
			}
			cmd := exec.Command("sh", "-c", `"$0" `+verb+" "+args, benchPath)
			cmd.Dir = dir
			if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != status {
				t.Errorf("%s %s: status %d, want %d:\n%s", verb, args, cmd.ProcessState.ExitCode(), status, out)
			}
		}
	}
}

// What was measured is shown even where nothing more can be kept.
func TestTableIsPrintedWherePlotsFail(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := write(t, filepath.Join(dir, "r.json"), `{"algorithm": "faulty", "versions": ["good"], "output_file_prefix": "r", "sweep_arg": {"ms": [1, 2]}, `+quick+`}`)
	if status, out, errOut := executeWith(t, dir, drawing, faultyPath, "run", config, "--out", "r"); status != 0 {
		t.Fatalf("status %d: %s%s", status, out, errOut)
	}
	drawn, err := filepath.Glob(filepath.Join(dir, "r", "figures", "*.svg"))
	if err != nil || len(drawn) == 0 {
		t.Fatal(drawn, err)
	}
	if err := os.Remove(drawn[0]); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(drawn[0], "file"), "a folder where the plot goes")
	status, out, errOut := executeWith(t, dir, drawing, faultyPath, "run", config, "--out", "r", "--resume")
	if status != 1 || !strings.Contains(out, "median") && !strings.Contains(out, "ok") || !strings.Contains(errOut, "bench plot r draws them again") {
		t.Errorf("status %d:\n%s%s", status, out, errOut)
	}
}

// --quiet leaves out the table, and yet says why the status is not 0.
func TestQuietRunSaysWhatWentWrong(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := write(t, filepath.Join(dir, "r.json"), `{"algorithm": "faulty", "versions": ["good", "unsupported", "error"], "output_file_prefix": "r", `+quick+`}`)
	status, out, errOut := execute(t, dir, faultyPath, "run", config, "--quiet")
	for _, want := range []string{"2 of 3 points not ok; ", "faulty/error@cpu", "is failed: the run gave an error"} {
		if status != 1 || out != "" || !strings.Contains(errOut, want) {
			t.Errorf("status %d, want 1 and %q\n%s%s", status, want, out, errOut)
		}
	}
	// A search that finds nothing does not keep the next from its turn, either.
	bad := write(t, filepath.Join(dir, "bad.json"), `{"algorithm": "faulty", "versions": ["tuned"], "output_file_prefix": "bad", "tunables": {"A": [5], "B": [1]}, `+quick+`}`)
	good := write(t, filepath.Join(dir, "good.json"), `{"algorithm": "faulty", "versions": ["tuned"], "output_file_prefix": "good", "tunables": {"A": [1], "B": [1]}, `+quick+`}`)
	status, out, errOut = execute(t, dir, faultyPath, "tune", bad, good, "--device", "cpu", "--confirm", "0", "--wisdom", "none", "--quiet")
	if status != 1 || out != "" || !strings.Contains(errOut, "bad.json: at a sweep point no evaluation is valid: ") || strings.Contains(errOut, "good.json: at") {
		t.Errorf("tune: status %d\n%s%s", status, out, errOut)
	}
	if rows := table(t, filepath.Join(dir, "results", "tune-good", "trials.csv")); len(rows) != 1 {
		t.Errorf("%d trials of the second search", len(rows))
	}
}
