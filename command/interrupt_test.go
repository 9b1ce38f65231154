package command_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

// patience ends what hangs, on the slowest machine.
const patience = 2 * time.Minute

// startSlow starts a run of 7 points in dir, whose fourth does not end, and waits
// until the journal holds the three before it.
func startSlow(t *testing.T, dir string) (cmd *exec.Cmd, config, journal string) {
	t.Helper()
	config = write(t, filepath.Join(dir, "slow.json"), `{"algorithm": "faulty", "versions": ["good"], "output_file_prefix": "slow",
		"sweep_arg": {"ms": {"from": 1, "to": 7, "step": 1}}, "sensors": [],
		"measure": {"ceilings": false, "min_time_s": 0.01, "timeout_s": 0.1, "point_timeout_s": 600}}`)
	journal = filepath.Join(dir, "results", "slow", "journal.jsonl")
	return startHeld(t, dir, journal, 4, config), config, journal
}

// startHeld starts a run that does not end the point of so many milliseconds, and
// waits until the journal holds those before it.
func startHeld(t *testing.T, dir, journal string, ms int, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(faultyPath, append([]string{"run"}, args...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), fmt.Sprintf("FAULTY_HOLD=%d", ms))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(patience); journalLines(journal, "result") < ms-1; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			cmd.Process.Kill()
			cmd.Wait()
			t.Fatalf("no points after %v\n%s", patience, &out)
		}
	}
	return cmd
}

// journalLines counts the lines of a kind in a journal.
func journalLines(path, kind string) (lines int) {
	data, _ := os.ReadFile(path)
	for line := range bytes.Lines(data) {
		if bytes.HasSuffix(line, []byte("\n")) && bytes.Contains(line, []byte(`","`+kind+`":`)) {
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
	if len(seen) != 7 {
		t.Errorf("%d points, want 7", len(seen))
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
			if lines := journalLines(journal, "result"); len(rows) != 3 || lines != 3 {
				t.Errorf("%d rows and %d points in the journal, want 3", len(rows), lines)
			}
			data, _ := os.ReadFile(journal)
			resumed(t, dir, config, data)
		})
	}
}

// What a resumed run had done when it was killed is not hidden by the files that
// the interrupt before it left.
func TestKilledAfterAnInterrupt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd, config, journal := startSlow(t, dir)
	cmd.Process.Signal(syscall.SIGINT)
	cmd.Wait()
	cmd = startHeld(t, dir, journal, 6, config, "--resume")
	cmd.Process.Kill()
	cmd.Wait()
	status, out, errOut := execute(t, dir, benchPath, "plot", filepath.Join("results", "slow"))
	if status != 0 || !strings.Contains(out+errOut, "5 of 7 points so far") {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
	data, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	resumed(t, dir, config, data)
}

// A point that takes the whole run down twice is passed by the next one. What is
// interrupted is not counted.
func TestPointThatEndsEveryRunIsPassed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd, config, journal := startSlow(t, dir)
	for starts := 1; ; starts++ {
		for deadline := time.Now().Add(patience); journalLines(journal, "started") < 3+starts; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%d starts after %v", journalLines(journal, "started"), patience)
			}
		}
		sig := syscall.SIGKILL
		if starts == 2 {
			sig = syscall.SIGINT
		}
		cmd.Process.Signal(sig)
		cmd.Wait()
		if starts == 3 {
			break
		}
		cmd = startHeld(t, dir, journal, 4, config, "--resume")
	}
	status, out, errOut := execute(t, dir, faultyPath, "run", config, "--resume")
	if status != 1 {
		t.Fatalf("resume: status %d\n%s\n%s", status, out, errOut)
	}
	rows := table(t, filepath.Join(dir, "results", "slow", "slow_time.csv"))
	if len(rows) != 7 {
		t.Errorf("%d rows, want 7", len(rows))
	}
	for _, r := range rows {
		if want := map[bool]string{true: "failed", false: "ok"}[r["ms"] == "4"]; r["status"] != want {
			t.Errorf("row %v", r)
		}
		if r["status"] == "failed" && !strings.HasPrefix(r["reason"], "it was started 2 times and left no result: ") {
			t.Error(r["reason"])
		}
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

// children is a process whose parent is pid, "" without one.
func children(t *testing.T, pid int) string {
	t.Helper()
	all, err := procfs.AllProcs()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		if stat, err := p.Stat(); err == nil && stat.PPID == pid { // others end meanwhile
			return strconv.Itoa(p.PID)
		}
	}
	return ""
}

// held starts bench on a pipe that never ends, and waits until it reads there.
// Nobody reads what it prints.
func held(t *testing.T, args ...string) (cmd *exec.Cmd, pipe *os.File, output *bytes.Buffer) {
	t.Helper()
	if args[len(args)-1] == "/dev/stdin" {
		return heldByInput(t, args...)
	}
	path := filepath.Join(t.TempDir(), args[len(args)-1])
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	output = &bytes.Buffer{}
	cmd = exec.Command(benchPath, append(args[:len(args)-1:len(args)-1], path)...)
	cmd.Dir, cmd.Stderr = filepath.Dir(path), output
	if _, err := cmd.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	for deadline := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		var err error
		if pipe, err = os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
			t.Cleanup(func() { pipe.Close() })
			return cmd, pipe, output
		}
		if time.Now().After(deadline) {
			t.Fatalf("%q reads nothing: %v", args, err)
		}
	}
}

// heldByInput starts the program with a pipe as its standard input, of which it has read.
func heldByInput(t *testing.T, args ...string) (cmd *exec.Cmd, pipe *os.File, output *bytes.Buffer) {
	t.Helper()
	in, pipe, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); pipe.Close() })
	output = &bytes.Buffer{}
	cmd = exec.Command(benchPath, args...)
	cmd.Dir, cmd.Stdin, cmd.Stderr = t.TempDir(), in, output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	if _, err := pipe.WriteString(" "); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		left, err := unix.IoctlGetInt(int(in.Fd()), unix.TIOCINQ)
		if err == nil && left == 0 {
			return cmd, pipe, output
		}
		if err != nil || time.Now().After(deadline) {
			t.Fatalf("%q reads nothing: %v", args, err)
		}
	}
}

// interruptedBy ends the program by a signal and checks how it went.
func interruptedBy(t *testing.T, sig syscall.Signal, cmd *exec.Cmd, output *bytes.Buffer) {
	t.Helper()
	hung := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	defer hung.Stop()
	cmd.Process.Signal(sig)
	cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != 130 || output.String() != "bench: interrupted\n" {
		t.Errorf("status %d, want 130\n%s", got, output)
	}
}

// A pipe whose writer never closes it keeps nobody from ending the program.
func TestInterruptWhileReading(t *testing.T) {
	for _, args := range [][]string{
		{"validate", "c.json"}, {"plan", "c.json"}, {"list", "c.json"}, {"verify", "c.json"}, {"run", "c.json"}, {"tune", "c.json"},
		{"ab", "--versions", "a,b", "c.json"}, {"replay", "/dev/stdin"}, {"import", "/dev/stdin"}, {"export", "--to", "t1", "/dev/stdin"}, {"transfer", "/dev/stdin"},
	} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			cmd, _, output := held(t, args...)
			interruptedBy(t, syscall.SIGINT, cmd, output)
		})
	}
	cmd, _, output := held(t, "validate", "c.json")
	interruptedBy(t, syscall.SIGTERM, cmd, output)
}

// More points than a pipe holds that nobody reads: the plan cannot end before the
// signal.
func TestInterruptWhilePlanning(t *testing.T) {
	t.Parallel()
	cmd, config, output := held(t, "plan", "c.json")
	if _, err := config.WriteString(`{"algorithm": "fft", "versions": ["reference"], "static_args": {"N": 64},
		"sweep_arg": {"batch_elements": {"from": 64, "to": 6400000, "step": 64}}}`); err != nil {
		t.Fatal(err)
	}
	config.Close()
	interruptedBy(t, syscall.SIGINT, cmd, output)
}

// A pipe is read once, and no more of it than a config may have.
func TestConfigFromPipe(t *testing.T) {
	t.Parallel()
	cmd, config, output := held(t, "validate", "c.json")
	if _, err := config.WriteString(`{"algorithm": "fft", "versions": ["reference"]}`); err != nil {
		t.Fatal(err)
	}
	config.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
	status, _, errOut := execute(t, t.TempDir(), benchPath, "validate", "/dev/zero")
	if status != 2 || !strings.Contains(errOut, "more than 16 MiB") {
		t.Errorf("endless: status %d\n%s", status, errOut)
	}
}
