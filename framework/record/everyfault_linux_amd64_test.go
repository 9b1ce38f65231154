package record

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"bench/framework/plan"
	"bench/test/inject"
)

// asSession has the tests' program write a run of three points into the folder
// that it names, and print each that is kept; with asResumed it goes on with one.
const (
	asSession = "BENCH_TEST_SESSION"
	asResumed = "BENCH_TEST_RESUMED"
)

func TestMain(m *testing.M) {
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

// sessionIn runs session in a process with a fault.
func sessionIn(t *testing.T, dir string, resumed bool, f inject.Fault) (o inject.Outcome, kept []int, said string) {
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
	if f.K == 0 {
		cmd.Run()
		o.Status = cmd.ProcessState.ExitCode()
	} else if o, err = inject.Run(cmd, f); errors.Is(err, inject.ErrNotAllowed) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
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
// Each of them is minutes, as make torture has it; the tests take some.
func TestEveryFileOperationFails(t *testing.T) {
	step := 70
	if os.Getenv("BENCH_TORTURE") != "" {
		step = 1
	}
	for i, errno := range []syscall.Errno{syscall.EIO, syscall.ENOSPC, syscall.EACCES, syscall.EMFILE, 0} {
		t.Run(map[bool]string{true: errno.Error(), false: "killed"}[errno != 0], func(t *testing.T) {
			t.Parallel()
			first := min(1+5*i, step)
			for k := first; ; k += step {
				if done := failing(t, k, errno); done {
					if t.Logf("%d operations", k-1); k < 60 {
						t.Errorf("only %d operations: the program is not traced", k-1)
					}
					return
				}
			}
		})
	}
}

// failing has the k-th operation fail; done is set where there are fewer.
func failing(t *testing.T, k int, errno syscall.Errno) (done bool) {
	t.Helper()
	base := t.TempDir()
	dir := filepath.Join(base, "run")
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
	o, kept, said := sessionIn(t, dir, false, inject.Fault{Dir: dir, K: k, Err: errno})
	if o.Operations < k {
		return true
	}
	what := fmt.Sprintf("operation %d, %s", k, o.Failed)
	switch {
	case errno == 0 && o.Status != -1:
		t.Errorf("%s: status %d, want a kill", what, o.Status)
	case errno != 0 && o.Status != 0 && o.Status != 1:
		t.Errorf("%s: status %d\n%s", what, o.Status, said)
	case errno != 0 && (strings.Count(said, "\n") > o.Status || strings.Contains(said, "goroutine")):
		t.Errorf("%s: status %d says %q, want one line", what, o.Status, said)
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
		o, _, again = sessionIn(t, dir, true, inject.Fault{})
		status = o.Status
	} else {
		o, _, again = sessionIn(t, dir, false, inject.Fault{})
		status = o.Status
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
	return false
}
