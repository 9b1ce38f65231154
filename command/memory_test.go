package command_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestToolTakesLittleMemory watches both processes while a point without data
// runs: all that they hold is the tool's own.
func TestToolTakesLittleMemory(t *testing.T) {
	t.Parallel()
	const limit = 100 << 20
	dir := t.TempDir()
	c := write(t, filepath.Join(dir, "idle.json"), `{"algorithm": "faulty", "versions": ["good"], "static_args": {"ms": 60000},
		"sensors": [], "measure": {"point_timeout_s": 100}}`)
	cmd := exec.Command(faultyPath, "run", c)
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	late := time.After(patience)
	// The ceilings, whose buffers are data, are written before the point runs.
	for journal := filepath.Join(dir, "results", "idle", "journal.jsonl"); ; time.Sleep(10 * time.Millisecond) {
		if text, _ := os.ReadFile(journal); strings.Contains(string(text), `"ceilings"`) {
			break
		}
		select {
		case <-late:
			t.Fatalf("no ceilings after %v", patience)
		default:
		}
	}
	for {
		pid := children(t, cmd.Process.Pid)
		for ; pid == ""; pid = children(t, cmd.Process.Pid) { // one worker ends, and the next begins
			select {
			case <-late:
				t.Fatalf("no worker after %v", patience)
			case <-time.After(time.Millisecond):
			}
		}
		worker, err := strconv.Atoi(pid)
		if err != nil {
			t.Fatal(err)
		}
		parent, child := resident(t, cmd.Process.Pid), resident(t, worker)
		if parent < 1<<20 || child < 1<<20 {
			t.Fatal("a process of less than 1 MiB cannot be")
		}
		if parent+child <= limit {
			return
		}
		select {
		case <-late:
			t.Fatalf("parent and worker hold %d + %d MiB, want at most %d", parent>>20, child>>20, limit>>20)
		case <-time.After(10 * time.Millisecond): // they give memory back as they go
		}
	}
}

// resident is a process's resident memory in bytes (proc(5), VmRSS).
func resident(t *testing.T, pid int) int64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(status), "\n") {
		if kb, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			n, err := strconv.ParseInt(strings.Fields(kb)[0], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n << 10
		}
	}
	t.Fatalf("no VmRSS in\n%s", status)
	return 0
}
