package record

import (
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// alone runs the calling test once more, in a separate process, and reports
// whether this is that process: a limit set there affects nothing else, such as
// what the test runner writes meanwhile.
func alone(t *testing.T) bool {
	t.Helper()
	const mark = "BENCH_TEST_ALONE"
	if os.Getenv(mark) == t.Name() {
		return true
	}
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	child.Env = append(os.Environ(), mark+"="+t.Name())
	if out, err := child.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("%v\n%s", err, out)
	}
	return false
}

// fullDisk runs f while no file of this process, which must be alone, may grow
// beyond size bytes: a write then stops short and fails, as on a full disk.
func fullDisk(t *testing.T, size int, f func()) {
	t.Helper()
	signal.Ignore(unix.SIGXFSZ)
	var old unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: uint64(size), Max: old.Max}); err != nil {
		t.Fatal(err)
	}
	f()
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
}
