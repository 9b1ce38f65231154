package record

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"example.org/bench/framework/measure"
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

func TestWriteUnwritableFolder(t *testing.T) {
	occupied := filepath.Join(t.TempDir(), "results")
	os.WriteFile(occupied, nil, 0o666)
	err := Write(occupied, testRun())
	if err == nil || !strings.Contains(err.Error(), occupied) || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v, want one line that names the folder", err)
	}
}

// TestWriteOnFullDiskKeepsTheFilesBefore: also those that the disk has room for, where it has
// none for a later one.
func TestWriteOnFullDiskKeepsTheFilesBefore(t *testing.T) {
	if !alone(t) {
		return
	}
	run := testRun()
	large := run.Results[0]
	large.Hot = &measure.Series{Batch: 1}
	g := rand.New(rand.NewPCG(1, 1))
	for range 1 << 12 {
		large.Hot.Samples = append(large.Hot.Samples, 1+g.Float64())
	}
	keepsFilesBefore(t, 200, run, "fft_time.csv")
	keepsFilesBefore(t, 1<<14, NewRun(run.Info, run.Prefix, run.Axes, append(run.Results, large)), "fft_samples.csv.gz")
}

// keepsFilesBefore writes a run over another where no file may have more than size bytes.
func keepsFilesBefore(t *testing.T, size int, run *Run, large string) {
	t.Helper()
	dir := t.TempDir()
	if err := Write(dir, testRun()); err != nil {
		t.Fatal(err)
	}
	before := map[string]string{}
	names, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, n := range names {
		b, _ := os.ReadFile(n)
		before[n] = string(b)
	}
	var err error
	fullDisk(t, size, func() { err = Write(dir, run) })
	if err == nil || !strings.Contains(err.Error(), large) || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v, want one line that names the file", err)
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != len(before) {
		t.Errorf("%d files, %d before", len(entries), len(before))
	}
	for n, want := range before {
		if b, _ := os.ReadFile(n); string(b) != want {
			t.Errorf("%s changed", n)
		}
	}
}
