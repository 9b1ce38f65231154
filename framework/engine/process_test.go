package engine

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// patience ends what hangs, on the slowest machine.
const patience = time.Minute

// asParent has the tests' program be an engine: it runs a point for each line
// that it reads, and prints what became of it.
const asParent = "BENCH_TEST_ENGINE"

// asReaper has it take in the orphans of such an engine.
const asReaper = "BENCH_TEST_REAPER"

func TestMain(m *testing.M) {
	switch {
	case len(os.Args) > 1 && os.Args[1] == "worker":
		if root := os.Getenv(deviceFiles); root != "" {
			devices = root
		}
		sensors := []framework.SensorFactory{{Name: "meter", OnRequest: true, Open: func(framework.SensorEnv) (framework.Sensor, error) { return meter{}, nil }}}
		if err := ServeParent(Plugins{Factory: func(*config.Config) (*framework.Factory, error) { return processes(), nil }, Sensors: sensors}, 0); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	case len(os.Args) > 2 && os.Args[1] == BesideVerb:
		if err := ServeBeside(os.Stdin, os.Stdout, os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	case os.Getenv(asReaper) != "":
		if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
			panic(err)
		}
		os.Unsetenv(asReaper)
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), asParent+"=1")
		child.Stdin, child.Stdout = os.Stdin, os.Stdout
		if err := child.Run(); err == nil {
			os.Exit(0)
		}
		select {} // until the test ends it
	case os.Getenv(asParent) != "":
		e := processEngine()
		for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
			r := runOne(context.Background(), e, lines.Text())
			fmt.Println(r.Status, r.Reason)
		}
		e.Close()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// daemonPipe names the pipe that a daemon reads, to end with the test.
const daemonPipe = "BENCH_TEST_PIPE"

// processes is an algorithm whose versions do to their process what their names say.
func processes() *framework.Factory {
	f := &framework.Factory{Name: "processes", Versions: append(append(gpuVersions(), aheadVersions()...), append(stagedVersions(), copyingVersion(), chainVersion())...), NewProblem: func(framework.Env, framework.Values) (framework.Problem, error) { return nothing{}, nil }}
	for name, run := range map[string]func() error{
		"fine": func() error { return nil },
		// A daemon holds what it inherited, out of reach of its group's end.
		"daemon": func() error {
			pid, err := syscall.ForkExec("/bin/cat", []string{"cat", os.Getenv(daemonPipe)}, &syscall.ProcAttr{
				Files: []uintptr{0, 1, 2}, Sys: &syscall.SysProcAttr{Setsid: true}})
			if err != nil {
				return err
			}
			answers, err := os.Readlink("/proc/self/fd/" + strconv.Itoa(repliesFD))
			if held, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", pid, repliesFD)); err != nil || held == answers {
				return fmt.Errorf("the daemon holds %s, %v", held, err)
			}
			return nil
		},
		"exits":  func() error { os.Exit(3); return nil },
		"faults": touchPages,
		"litters": func() error {
			if _, err := os.MkdirTemp("", "left"); err != nil {
				return err
			}
			select {}
		},
	} {
		f.Versions = append(f.Versions, framework.Version{Name: name, Processor: framework.CPU,
			New: func(framework.Env, framework.Problem, framework.Values) (framework.BaseAlgorithm, error) {
				return does{run}, nil
			}})
	}
	f.Versions = append(f.Versions, framework.Version{Name: "untimed", Processor: framework.CPU,
		New: func(framework.Env, framework.Problem, framework.Values) (framework.BaseAlgorithm, error) {
			return untimed{does{func() error { return nil }}}, nil
		}})
	return f
}

// untimed is a BaseAlgorithm and nothing more.
type untimed struct{ framework.BaseAlgorithm }

type nothing struct{}

func (nothing) Close() {}

type does struct{ run func() error }

func (does) PreRun() error                      { return nil }
func (d does) Run() error                       { return d.run() }
func (does) Verify() ([]framework.Check, error) { return nil, nil }
func (does) PostRun() error                     { return nil }
func (does) Work() framework.Work               { return framework.Work{} }
func (does) Workers() int                       { return 1 }

// TestUntimedAlgorithm: an algorithm that cannot be timed is refused as early where answers alone
// are checked, with what it lacks.
func TestUntimedAlgorithm(t *testing.T) {
	e := processEngine()
	defer e.Close()
	r := runOne(t.Context(), e, "untimed")
	if want := "version untimed cannot be timed: add Workers() int to engine.untimed, the threads that Run computes with, or embed framework.CPURun"; r.Status != record.Failed || r.Reason != want {
		t.Errorf("%s: %s, want %s", r.Status, r.Reason, want)
	}
	gpu := framework.Version{Name: "v", Processor: framework.GPU}
	if err := gpu.Timed(untimed{}); err == nil || !strings.Contains(err.Error(), "add Stream() gpu.Stream to engine.untimed") {
		t.Errorf("%v of a GPU version", err)
	}
}

// processEngine is an engine with workers of their own processes.
func processEngine() *Engine {
	measure := config.DefaultMeasure()
	measure.PointTimeout, measure.CoolDown = patience.Seconds(), 0
	return New(Options{Config: &config.Config{Algorithm: "processes", Measure: measure, Sensors: []string{}}, Factory: processes(), Workers: 1, VerifyOnly: true, Choices: Choices{Root: "/"}})
}

func runOne(ctx context.Context, e *Engine, version string) record.Result {
	p := plan.Point{Algorithm: "processes", Version: version, Processor: framework.CPU, Device: "cpu"}
	r, err := e.Measure(ctx, p, nil, watcher{&log{}}, nil)
	if err != nil {
		return record.Result{Reason: err.Error()}
	}
	return *r
}

// within fails a test whose step hangs.
func within(t *testing.T, what string, step func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		step()
	}()
	select {
	case <-done:
	case <-time.After(patience):
		t.Fatalf("%s hangs", what)
	}
}

// What a point leaves running keeps neither the next point nor the end waiting.
func TestGrandchildHoldsNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	pipe, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close() // ends the daemon
	t.Setenv(daemonPipe, path)
	e := processEngine()
	within(t, "a run", func() {
		for _, version := range []string{"daemon", "fine"} {
			if r := runOne(t.Context(), e, version); r.Status != record.OK {
				t.Errorf("%s: %s %s", version, r.Status, r.Reason)
			}
		}
		e.Close()
	})
}

// A worker that is killed leaves no temporary file, and what a killed parent
// left goes with the next worker.
func TestTemporaryFilesGoWithTheirWorker(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	stale := filepath.Join(dir, scratchPrefix+"123")
	if err := os.Mkdir(stale, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, keep := range []string{"other", scratchPrefix + "file"} {
		if err := os.WriteFile(filepath.Join(dir, keep), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e := processEngine()
	e.opt.Config.Measure.PointTimeout = 0.3
	if r := runOne(t.Context(), e, "litters"); r.Status != record.Timeout {
		t.Errorf("%s %s", r.Status, r.Reason)
	}
	beside := newScratch() // of a second run
	e.Close()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 || entries[0].Name() != filepath.Base(beside.path) && entries[1].Name() != filepath.Base(beside.path) {
		t.Errorf("left: %v, %v", entries, err)
	}
	removeStale(dir)
	if _, err := os.Stat(beside.path); err != nil {
		t.Errorf("a folder in use: %v", err)
	}
	beside.remove()
	if entries, _ = os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("left: %v", entries)
	}
	t.Setenv("TMPDIR", filepath.Join(dir, "missing"))
	e.opt.Config.Measure.PointTimeout = patience.Seconds()
	if r := runOne(t.Context(), e, "fine"); r.Status != record.OK {
		t.Errorf("without a place for temporary files: %s %s", r.Status, r.Reason)
	}
	e.Close()
}

// A worker that reads nothing is a point that takes too long, also where its
// request is longer than a pipe takes.
func TestWorkerThatDoesNotRead(t *testing.T) {
	for _, interrupt := range []bool{false, true} {
		e := processEngine()
		e.start = func() (*process, error) {
			unread, in, err := os.Pipe()
			if err != nil {
				return nil, err
			}
			replies, out := io.Pipe()
			killed := make(chan struct{})
			p := &process{in: in, out: replies, tail: &tail{}, end: func() { out.Close(); unread.Close(); closeOnce(killed) }, wait: func() error { <-killed; return nil }}
			return p.follow(), nil
		}
		e.opt.Config.Text = strings.Repeat("x", 1<<20)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		want := record.Status("")
		if interrupt {
			time.AfterFunc(soon, cancel)
		} else {
			want, e.opt.Config.Measure.PointTimeout = record.Timeout, soon.Seconds()
		}
		within(t, "a request", func() {
			if r := runOne(ctx, e, "fine"); r.Status != want || interrupt && r.Reason != ErrInterrupted.Error() {
				t.Errorf("%q %s", r.Status, r.Reason)
			}
		})
	}
}

// An answer that was there before the time was up counts, however late this
// process looks: it may have been stopped.
func TestAnswerBeforeTheTimeIsUp(t *testing.T) {
	for range 50 {
		out, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		requests, in := io.Pipe()
		go io.Copy(io.Discard, requests)
		fmt.Fprintln(w, `{"number": 1, "phase": "time"}`)
		fmt.Fprintln(w, `{"number": 1, "error": "here"}`)
		killed := make(chan struct{})
		p := &process{in: in, out: leftoverOf(out), tail: &tail{}, end: func() { w.Close(); closeOnce(killed) }, wait: func() error { <-killed; return nil }}
		rep, err := p.follow().ask(request{}, 0, nil, func(*reply) {})
		if err != nil || rep.Error != "here" {
			t.Fatalf("%+v, %v", rep, err)
		}
		p.kill()
	}
}

// An idle worker that somebody ended costs no point.
func TestIdleWorkerThatEnded(t *testing.T) {
	e := processEngine()
	defer e.Close()
	if r := runOne(t.Context(), e, "fine"); r.Status != record.OK {
		t.Fatal(r.Reason)
	}
	e.worker.end()
	<-e.worker.exited
	if r := runOne(t.Context(), e, "fine"); r.Status != record.OK {
		t.Errorf("%s %s", r.Status, r.Reason)
	}
}

// parent starts the program at path as an engine, or as what has one for child.
func parent(t *testing.T, path, as string) (cmd *exec.Cmd, run func(version string) string) {
	t.Helper()
	cmd = exec.Command(path)
	cmd.Env = append(os.Environ(), as+"=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	answers := bufio.NewReader(out)
	return cmd, func(version string) (line string) {
		within(t, version, func() {
			fmt.Fprintln(in, version)
			line, _ = answers.ReadString('\n')
		})
		return line
	}
}

// Workers are the program that was started, not what has its name by now.
func TestProgramBuiltAnewMeanwhile(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, text, 0o755); err != nil {
		t.Fatal(err)
	}
	_, run := parent(t, path, asParent)
	if got := run("fine"); !strings.HasPrefix(got, "ok ") {
		t.Fatal(got)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\nexit 7\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{{"exits", "failed the worker process ended with status 3"}, {"fine", "ok "}} {
		if got := run(c[0]); !strings.HasPrefix(got, c[1]) {
			t.Errorf("%s: %s", c[0], got)
		}
	}
}
