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

// endsWithin fails where no run of a program ends within limit, and the time that
// other programs had the CPUs.
func endsWithin(t *testing.T, dir string, limit time.Duration, program string, args ...string) {
	t.Helper()
	settled(t, func() string {
		watch := startWatch(t)
		if status, out, errOut := execute(t, dir, program, args...); status != 0 {
			t.Fatalf("status %d\n%s%s", status, out, errOut)
		}
		if took, others := watch.read(t); took > limit+others {
			return fmt.Sprintf("bench %s took %v, want at most %v; others had the CPUs for %v", args[0], took, limit, others)
		}
		return ""
	})
}

func TestListStartsAtOnce(t *testing.T) {
	endsWithin(t, t.TempDir(), 50*time.Millisecond, benchPath, "list")
}

// TestOnePointEndsWithinASecond: a point of 1 ms.
func TestOnePointEndsWithinASecond(t *testing.T) {
	dir := t.TempDir()
	c := write(t, filepath.Join(dir, "one.json"), `{"algorithm": "faulty", "versions": ["good"], "static_args": {"ms": 1}}`)
	endsWithin(t, dir, time.Second, faultyPath, "run", c)
}

// TestToolTakesLittleMemory watches both processes while a point without data
// runs: all that they hold is the tool's own.
func TestToolTakesLittleMemory(t *testing.T) {
	const limit = 100 << 20
	dir := t.TempDir()
	c := write(t, filepath.Join(dir, "idle.json"), `{"algorithm": "faulty", "versions": ["good"], "static_args": {"ms": 1500},
		"sensors": [], "measure": {"min_samples": 1, "min_time_s": 1}}`)
	cmd := exec.Command(faultyPath, "run", c)
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	journal := filepath.Join(dir, "results", "idle", "journal.jsonl")
	for deadline := time.Now().Add(10 * time.Second); journalLines(journal) == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the run did not start within 10 s")
		}
	}
	time.Sleep(1200 * time.Millisecond) // past the ceilings, whose buffers are data
	worker, err := strconv.Atoi(children(t, cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	parent, child := resident(t, cmd.Process.Pid), resident(t, worker)
	t.Logf("parent %d MiB, worker %d MiB", parent>>20, child>>20)
	if parent < 1<<20 || child < 1<<20 {
		t.Error("a process of less than 1 MiB cannot be")
	}
	if parent+child > limit {
		t.Errorf("parent and worker hold %d MiB, want at most %d", (parent+child)>>20, limit>>20)
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
