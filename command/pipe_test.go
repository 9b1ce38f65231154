package command_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What nobody reads any more, as after head, changes no verdict of a verb that
// measures nothing; a run is interrupted.
func TestStatusWhereNobodyReads(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "r.json"), `{"algorithm": "faulty", "versions": ["good"], "output_file_prefix": "r", "sweep_arg": {"ms": [1, 2]}, `+quick+`}`)
	write(t, filepath.Join(dir, "bad.json"), `{"algorithm": "faulty", "versions": ["none"]}`)
	for _, c := range []struct {
		args   string
		status int
		says   string
	}{
		{"list", 0, ""},
		{"list --json", 0, ""},
		{"man .", 0, ""},
		{"schema", 0, ""},
		{"version", 0, ""},
		{"help json", 0, ""},
		{"doctor", 0, ""},
		{"plan r.json", 0, ""},
		{"validate r.json", 0, ""},
		{"plan r.json bad.json", 2, "bad.json"},
		{"run r.json", 130, "--resume runs the rest"},
		{"run r.json --resume --quiet", 0, ""},
		{"plot results/r", 0, ""},
	} {
		read, unread, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		read.Close()
		var said bytes.Buffer
		cmd := exec.Command(faultyPath, strings.Fields(c.args)...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, unread, &said
		cmd.Run()
		unread.Close()
		if got := cmd.ProcessState.ExitCode(); got != c.status || !strings.Contains(said.String(), c.says) {
			t.Errorf("%s: status %d, want %d, and %q:\n%s", c.args, got, c.status, c.says, said.String())
		}
	}
}

// A worker that ends before it has read a request raises SIGPIPE, too; what is
// printed has its reader all the same, and the run goes on.
func TestPipeOfAWorkerEndsNoRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := write(t, filepath.Join(dir, "r.json"), `{"algorithm": "faulty", "versions": ["good"], "output_file_prefix": "r", "sweep_arg": {"ms": [100]}, "sensors": [],
		"measure": {"ceilings": false, "min_time_s": 2, "min_samples": 20, "timeout_s": 2, "point_timeout_s": 600}}`)
	var said bytes.Buffer
	cmd := exec.Command(faultyPath, "run", config)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	hung := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	defer hung.Stop()
	journal := filepath.Join(dir, "results/r/journal.jsonl")
	for deadline := time.Now().Add(patience); journalLines(journal, "started") == 0 && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
	}
	if err := cmd.Process.Signal(syscall.SIGPIPE); err != nil {
		t.Error(err)
	}
	cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != 0 {
		t.Errorf("status %d\n%s", got, &said)
	}
}
