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
// there. Its output and its failure are the test's.
func InOwnProcess(t *testing.T) bool {
	t.Helper()
	if os.Getenv(ownProcess) != "" {
		return true
	}
	run := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	run.Env = append(os.Environ(), ownProcess+"=1")
	out, err := run.CombinedOutput()
	if t.Logf("%s", out); err != nil {
		t.Error(err)
	}
	return false
}
