package record

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"example.org/bench/framework/plan"
	"example.org/bench/test/inject"
)

// asSession has the tests' program write a run of three points into the folder
// that it names, and print each that is kept; with asResumed it goes on with one.
const (
	asSession = "BENCH_TEST_SESSION"
	asResumed = "BENCH_TEST_RESUMED"
)

func TestMain(m *testing.M) {
	inject.Launch()
	if dir := os.Getenv(asSession); dir != "" {
		if err := session(dir, os.Getenv(asResumed) != ""); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// session does with files what a run does.
func session(dir string, resumed bool) (err error) {
	h := testHeader
	h.Prefix, h.Total, h.Axes = "fft", 3, []plan.Axis{{Name: "N", Count: 3}}
	var j *Journal
	var results []Result
	if resumed {
		j, results, err = ResumeJournal(dir, h)
	} else if _, err = MoveAside(dir); err == nil {
		j, err = CreateJournal(dir, h)
	}
	if err != nil {
		return err
	}
	info := Info{Seed: 7}
	if err := j.Begin(info); err != nil {
		return err
	}
	for id := range 3 {
		r := testResult(id)
		if slices.ContainsFunc(results, func(had Result) bool { return had.Point.ID == id }) {
			continue
		}
		if _, err := j.Start(r.Point); err != nil {
			return err
		}
		if err := j.Append(r); err != nil {
			return err
		}
		results = append(results, r)
		fmt.Println("kept", id)
	}
	return errors.Join(Write(dir, NewRun(info, h.Prefix, h.Axes, results)), j.Close())
}

// fault is an operation on a file at, below or beside the run's folder that
// fails: the k-th, from 1; with a k of 0 none. With errno 0 the process is killed
// in its place.
type fault struct {
	k     int
	errno syscall.Errno
}

// outcome is what became of a process.
type outcome struct {
	operations []string // on files at, below or beside the run's folder
	status     int      // -1 where it was killed
}

// sessionIn runs session in a process with a fault.
func sessionIn(t *testing.T, dir string, resumed bool, f fault) (o outcome, kept []int, said string) {
	t.Helper()
	output, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer output.Close()
	complaints, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer complaints.Close()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asSession+"="+dir)
	if resumed {
		cmd.Env = append(cmd.Env, asResumed+"=1")
	}
	cmd.Stdout, cmd.Stderr = output, complaints
	if err := inject.Run(cmd, "", func(op inject.Operation) syscall.Errno {
		if op.Target != dir && !strings.HasPrefix(op.Target, dir+"/") && !strings.HasPrefix(op.Target, dir+"-") {
			return 0
		}
		o.operations = append(o.operations, strings.ReplaceAll(op.String(), dir, "DIR"))
		if len(o.operations) != f.k {
			return 0
		}
		if f.errno == 0 {
			cmd.Process.Kill()
		}
		return f.errno
	}); err != nil {
		t.Fatal(err)
	}
	o.status = cmd.ProcessState.ExitCode()
	output.Seek(0, 0)
	for lines := bufio.NewScanner(output); lines.Scan(); {
		if id, ok := strings.CutPrefix(lines.Text(), "kept "); ok {
			n, err := strconv.Atoi(id)
			if err != nil {
				t.Fatal(err)
			}
			kept = append(kept, n)
		}
	}
	text, err := os.ReadFile(complaints.Name())
	if err != nil {
		t.Fatal(err)
	}
	return o, kept, string(text)
}

// Whichever operation on a run's files fails, or is the last before a kill: what
// was kept is there once, the earlier run is kept, one line says what is wrong, and
// the run can be completed.
//
// All operations with all errors are minutes, as make torture has it; the tests
// take the first operation of each call on each file, with one error or the other.
func TestEveryFileOperationFails(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and its processes have one thread")
	}
	all := operations(t)
	if len(all) < 60 {
		t.Fatalf("only %d operations: the program is not watched", len(all))
	}
	every, seen := os.Getenv("BENCH_TORTURE") != "", map[string]bool{}
	errnos := []syscall.Errno{syscall.EIO, syscall.ENOSPC, syscall.EACCES, syscall.EMFILE, 0}
	for i, operation := range all {
		place := anyNumber.ReplaceAllString(operation, "#")
		for _, errno := range errnos {
			if every || !seen[place] && errno == errnos[len(seen)%len(errnos)] {
				failing(t, fault{i + 1, errno})
			}
		}
		seen[place] = true
	}
	t.Logf("%d operations, %d of them of another call or file", len(all), len(seen))
}

var anyNumber = regexp.MustCompile(`[0-9]+`)

// earlierRun makes a folder with a journal of an earlier run.
func earlierRun(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	earlier := testHeader
	earlier.Seed, earlier.Total = 99, 1
	before, err := CreateJournal(dir, earlier)
	if err != nil {
		t.Fatal(err)
	}
	if err := before.Append(testResult(5)); err != nil {
		t.Fatal(err)
	}
	before.Close()
	return dir
}

// operations are those of a run without faults, in their order.
func operations(t *testing.T) []string {
	t.Helper()
	o, _, said := sessionIn(t, earlierRun(t), false, fault{})
	if o.status != 0 {
		t.Fatalf("without faults: status %d, %s", o.status, said)
	}
	return o.operations
}

// failing has one operation fail and completes the run.
func failing(t *testing.T, f fault) {
	t.Helper()
	dir := earlierRun(t)
	o, kept, said := sessionIn(t, dir, false, f)
	if len(o.operations) < f.k {
		t.Errorf("%d operations, and %d without faults", len(o.operations), f.k)
		return
	}
	what := fmt.Sprintf("operation %d, %s, %v", f.k, o.operations[f.k-1], f.errno)
	switch {
	case f.errno == 0 && o.status != -1:
		t.Errorf("%s: status %d, want a kill", what, o.status)
	case f.errno != 0 && o.status != 0 && o.status != 1:
		t.Errorf("%s: status %d\n%s", what, o.status, said)
	case f.errno != 0 && (strings.Count(said, "\n") > o.status || strings.Contains(said, "goroutine")):
		t.Errorf("%s: status %d says %q, want one line", what, o.status, said)
	}
	// The earlier run is here or aside, whole.
	folders, _ := filepath.Glob(dir + "*")
	found := 0
	for _, folder := range folders {
		if r, err := ReadJournal(folder); err == nil && r.Info.Seed == 99 && len(r.Rows) == 1 {
			found++
		}
	}
	if found != 1 {
		t.Errorf("%s: the earlier run is there %d times\n%s", what, found, said)
	}
	// What was kept is there, each once.
	if run, err := ReadJournal(dir); err != nil && len(kept) > 0 {
		t.Errorf("%s: %d results were kept, and there is no journal: %v", what, len(kept), err)
	} else if err == nil && run.Info.Seed != 99 {
		var have []int
		for _, r := range run.Results {
			have = append(have, r.Point.ID)
		}
		if len(have) < len(kept) || !slices.Equal(have[:len(kept)], kept) || len(run.Notes) > 0 {
			t.Errorf("%s: kept were %v, there are %v, notes %q", what, kept, have, run.Notes)
		}
	}
	// And the run can be completed.
	status, again := 1, ""
	if journal, _, err := readJournal(dir); err == nil && journal.Seed != 99 {
		o, _, again = sessionIn(t, dir, true, fault{})
		status = o.status
	} else {
		o, _, again = sessionIn(t, dir, false, fault{})
		status = o.status
	}
	run, err := Read(dir)
	if err != nil || status != 0 || len(run.Rows) != 3 {
		t.Fatalf("%s: completing it: status %d, %q, %v", what, status, again, err)
	}
	for i, r := range run.Rows {
		if r.Point != i || r.Status != OK {
			t.Errorf("%s: row %d is %+v", what, i, r)
		}
	}
}
