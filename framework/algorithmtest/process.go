package algorithmtest

import (
	"os"
	"os/exec"
	"testing"
)

// ownProcess is the variable that a test's process has.
const ownProcess = "BENCH_TEST_OWN_PROCESS"

// InOwnProcess says whether this is a process of the test's own, and else runs the test in
// one: what earlier tests left in this one, such as memory that the runtime keeps, is not
// there. Where it fails, two more processes decide: how a heap is cut up is chance, and
// stays so for a process's life.
func InOwnProcess(t *testing.T) bool {
	t.Helper()
	if os.Getenv(ownProcess) != "" {
		return true
	}
	run := func() error {
		t.Helper()
		c := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
		c.Env = append(os.Environ(), ownProcess+"=1")
		out, err := c.CombinedOutput()
		t.Logf("%s", out)
		return err
	}
	if run() == nil {
		return false
	}
	for range 2 {
		if err := run(); err != nil {
			t.Errorf("in two processes of three at most: %v", err)
			break
		}
	}
	return false
}
