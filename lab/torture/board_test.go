package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"example.org/bench/test/inject"
	"example.org/bench/test/sshd"
)

// Operations of a fleet's run that failed: one clear line, and what came is kept.
func TestOperationsOfAFleetFail(t *testing.T) {
	if os.Getenv(sshd.Variable) == "" {
		t.Skipf("needs %s, the folder of OpenSSH's server: run tools/fetch-test-env and source .cache/env.sh", sshd.Variable)
	}
	h := newTestHost(t)
	t.Cleanup(h.close)
	v := verbNamed("fleet-fetch")
	for _, c := range []struct {
		call, target string
		n            int // which one
		status       int
		want         string
	}{
		{"fstat", "out/boards/board/run/journal.jsonl", 2, 1, "bench: stat out/boards/board/run/journal.jsonl: input/output error"}, // behind that of its opening
		{"read", "results/run/journal.jsonl", 1, 1, "journal.jsonl: input/output error"},
		{"execve", "bin/ssh", 3, 0, "stays there until the next bench fleet fetch"},
		{"openat", "out/.fleet.json", 2, 1, "bench: write out/fleet.json: input/output error"}, // what came is here
		{"openat", "out/.fleet.json", 3, 1, "bench: write out/fleet.json: input/output error"}, // and the folder is gone
	} {
		s, err := h.prepare(v, "test")
		if err != nil {
			t.Fatal(err)
		}
		defer s.remove()
		seen := 0
		run, err := s.injected(v.args, c.call, func(op inject.Operation) syscall.Errno {
			if op.Call == c.call && strings.Contains(op.Target, c.target) {
				if seen++; seen == c.n {
					return syscall.EIO
				}
			}
			return 0
		})
		if err != nil {
			t.Fatal(err)
		}
		s.alone()
		if err := h.compare(v, s, run); err != nil {
			t.Fatal(err)
		}
		if seen < c.n || run.status != c.status || !strings.Contains(run.text, c.want) || len(s.faults) > 0 {
			t.Errorf("%s of %s came %d times: status %d, %q, want %q; %q", c.call, c.target, seen, run.status, run.text, c.want, s.faults)
		}
		if c, err := s.do(v.args...); err != nil || c.status != 0 || !s.exists("out/boards/board/run/run_time.csv") {
			t.Errorf("fetched again: status %d, %v\n%s", c.status, err, c.text)
		}
		if left, err := os.ReadDir(filepath.Join(s.dir, "boards")); err != nil || len(left) > 0 {
			t.Errorf("%v is left on the board, %v", left, err)
		}
	}
}
