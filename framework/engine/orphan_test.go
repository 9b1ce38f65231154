package engine

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A stopped worker, too, dies with its parent.
func TestStoppedWorkerDiesWithItsParent(t *testing.T) {
	t.Parallel()
	// Who takes in orphans is of the worker's session: the kernel does not wake those
	// that are stopped, as it does where their whole session is gone.
	reaper, run := parent(t, os.Args[0], asReaper)
	if got := run("fine"); !strings.HasPrefix(got, "ok ") {
		t.Fatal(got)
	}
	engine := childOf(t, reaper.Process.Pid)
	worker := childOf(t, engine)
	if comm, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", worker)); err != nil || !strings.HasPrefix(filepath.Base(os.Args[0]), strings.TrimSpace(string(comm))) {
		t.Errorf("its name is %q, %v", comm, err)
	}
	if err := syscall.Kill(worker, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Kill(worker, syscall.SIGKILL) })
	if err := syscall.Kill(engine, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	within(t, "the end of a stopped worker", func() {
		for {
			stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", worker))
			if errors.Is(err, os.ErrNotExist) || bytes.Contains(stat, []byte(") Z ")) {
				return
			}
			time.Sleep(time.Millisecond)
		}
	})
}

// childOf is the first child of a process, by /proc.
func childOf(t *testing.T, of int) int {
	t.Helper()
	list, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", of))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range list {
		text, _ := os.ReadFile(path)
		if fields := strings.Fields(string(text)); len(fields) > 0 {
			pid, err := strconv.Atoi(fields[0])
			if err != nil {
				t.Fatal(err)
			}
			return pid
		}
	}
	t.Fatal("no child")
	return 0
}
