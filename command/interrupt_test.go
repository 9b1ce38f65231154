package command_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// patience ends what hangs, on the slowest machine.
const patience = 2 * time.Minute

// startSlow starts a run of 12 points in dir, whose fourth does not end, and waits
// until the journal holds the three before it.
func startSlow(t *testing.T, dir string) (cmd *exec.Cmd, config, journal string) {
	t.Helper()
	config = write(t, filepath.Join(dir, "slow.json"), `{"algorithm": "faulty", "versions": ["good"], "output_file_prefix": "slow",
		"sweep_arg": {"ms": {"from": 1, "to": 12, "step": 1}}, "sensors": [],
		"measure": {"min_time_s": 0.01, "timeout_s": 0.1, "point_timeout_s": 600}}`)
	journal = filepath.Join(dir, "results", "slow", "journal.jsonl")
	cmd = exec.Command(faultyPath, "run", config)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "FAULTY_HOLD=4")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(patience); journalLines(journal) < 4; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			cmd.Process.Kill()
			cmd.Wait()
			t.Fatalf("no points after %v\n%s", patience, &out)
		}
	}
	return cmd, config, journal
}

// journalLines counts the header and the points in a journal.
func journalLines(path string) (lines int) {
	data, _ := os.ReadFile(path)
	for line := range bytes.Lines(data) {
		if bytes.HasSuffix(line, []byte("\n")) && !bytes.HasPrefix(line, []byte(`{"session":`)) {
			lines++
		}
	}
	return lines
}

// resumed runs the rest and checks that every point is there exactly once and
// that the finished ones were not run again.
func resumed(t *testing.T, dir, config string, finished []byte) {
	t.Helper()
	status, out, errOut := execute(t, dir, faultyPath, "run", config, "--resume")
	if status != 0 {
		t.Fatalf("resume: status %d\n%s\n%s", status, out, errOut)
	}
	rows := table(t, filepath.Join(dir, "results", "slow", "slow_time.csv"))
	seen := map[string]bool{}
	for _, r := range rows {
		if seen[r["ms"]] || r["status"] != "ok" {
			t.Errorf("row %v", r)
		}
		seen[r["ms"]] = true
	}
	if len(seen) != 12 {
		t.Errorf("%d points, want 12", len(seen))
	}
	now, err := os.ReadFile(filepath.Join(dir, "results", "slow", "journal.jsonl"))
	if err != nil || !bytes.HasPrefix(now, finished) {
		t.Error("finished points of the journal were changed")
	}
}

func TestKillLosesAtMostTheRunningPoint(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd, config, journal := startSlow(t, dir)
	cmd.Process.Signal(syscall.SIGKILL)
	cmd.Wait()
	data, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	finished := data[:bytes.LastIndexByte(data, '\n')+1]
	// A torn last line is what a power cut leaves.
	if err := os.WriteFile(journal, append(finished, `{"point":{"id":9`...), 0o644); err != nil {
		t.Fatal(err)
	}
	resumed(t, dir, config, finished)
}

func TestInterruptKeepsResults(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			cmd, config, journal := startSlow(t, dir)
			cmd.Process.Signal(sig)
			cmd.Wait()
			if got := cmd.ProcessState.ExitCode(); got != 130 {
				t.Errorf("status %d, want 130", got)
			}
			rows := table(t, filepath.Join(dir, "results", "slow", "slow_time.csv"))
			if lines := journalLines(journal) - 1; len(rows) != 3 || lines != 3 {
				t.Errorf("%d rows and %d points in the journal, want 3", len(rows), lines)
			}
			data, _ := os.ReadFile(journal)
			resumed(t, dir, config, data)
		})
	}
}

// TestWorkerDiesWithItsParent: a killed parent leaves no process behind.
func TestWorkerDiesWithItsParent(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd, _, _ := startSlow(t, dir)
	worker := children(t, cmd.Process.Pid)
	if len(worker) == 0 {
		t.Fatal("no worker process found")
	}
	cmd.Process.Kill()
	cmd.Wait()
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		stat, err := os.ReadFile("/proc/" + worker + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("worker %s lives on: %s", worker, stat)
		}
	}
}

func children(t *testing.T, pid int) string {
	t.Helper()
	out, err := exec.Command("pgrep", "-P", strconv.Itoa(pid)).Output()
	if err != nil {
		t.Fatalf("pgrep (of procps): %v", err)
	}
	return strings.Fields(string(out))[0]
}
