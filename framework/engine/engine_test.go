package engine

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/internal/linux"
)

// watcher is an observer that writes into the log.
type watcher struct{ *log }

func (w watcher) Started(p plan.Point)             { w.add("started %s", p.Version) }
func (w watcher) Phase(_ plan.Point, phase string) { w.add("%s", phase) }
func (w watcher) Done(r *record.Result)            { w.add("done %s", r.Status) }

// results runs points and returns the kept results.
func (b *bed) results(t *testing.T, points ...plan.Point) []record.Result {
	t.Helper()
	var kept []record.Result
	err := b.Run(t.Context(), points, nil, nil, watcher{&log{}}, Keep(func(r record.Result) error { kept = append(kept, r); return nil }))
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

// TestCeilingsWhereAsked: they are measured unless the config asks for none.
func TestCeilingsWhereAsked(t *testing.T) {
	t.Parallel()
	for _, asked := range []bool{true, false} {
		b := newBed(t, func(o *Options) { o.Config.Measure.Ceilings = asked })
		d, _, err := b.Ceilings(t.Context(), "cpu")
		for tries := 1; errors.Is(err, errTimeout) && tries < 4; tries++ { // on a busy machine
			d, _, err = newBed(t, func(o *Options) { o.Config.Measure.Ceilings = asked }).Ceilings(t.Context(), "cpu")
		}
		if c := d.Ceilings; err != nil || d.ID != "cpu" || c.Copy > 0 != asked || c.FMA > 0 != asked || c.Seconds > 0 != asked {
			t.Errorf("asked %v: %+v, %v", asked, d, err)
		}
	}
}

// Whatever way a point fails, the next one is measured.
func TestRunGivesEveryPointAResult(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		version string
		status  record.Status
		reason  string
		workers int // that were started
	}{
		{"ok", record.OK, "", 1},
		{"wrong", record.Wrong, "error 2 is above 1; distance NaN is above 1", 1},
		{"fails", record.Failed, "run refused", 1},
		{"unprepared", record.Failed, "no room", 1},
		{"unverified", record.Failed, "verify: no reference", 1},
		{"unclean", record.Failed, "clean up: left over", 1},
		{"panics", record.Failed, "panic: out of wits (standin_test.go:", 1},
		{"crashes", record.Failed, "the worker process ended: last words", 2},
		{"hangs", record.Timeout, "no result after 1 s (measure.point_timeout_s), in verify", 2},
		{"overruns", record.Timeout, "ran for an hour and was ended", 1},
		{"absent", record.Failed, "stand-in has no version absent for the CPU", 1},
	} {
		t.Run(c.version, func(t *testing.T) {
			b := newBed(t, func(o *Options) {
				if o.Trial = true; c.version == "hangs" {
					o.Config.Measure.PointTimeout = 1
				}
			})
			got := b.results(t, pointOf(c.version, 1))
			b.opt.Config.Measure.PointTimeout = patience.Seconds()
			got = append(got, b.results(t, pointOf("ok", 2))...)
			if len(got) != 2 || got[0].Status != c.status || !strings.HasPrefix(got[0].Reason, c.reason) || (c.reason == "") != (got[0].Reason == "") {
				t.Fatalf("%+v", got)
			}
			if got[1].Status != record.OK || got[1].Hot == nil || len(got[1].Hot.Samples) == 0 {
				t.Errorf("the next: %s %s", got[1].Status, got[1].Reason)
			}
			if b.started != c.workers {
				t.Errorf("%d workers, want %d", b.started, c.workers)
			}
			if timed := got[0].Hot != nil; timed != (c.status == record.OK || c.version == "unclean") {
				t.Errorf("timed: %v", timed)
			}
		})
	}
}

func TestRunTellsItsObserverInOrder(t *testing.T) {
	b := newBed(t, nil)
	skipped := pointOf("ok", 3)
	skipped.Skip = "not here"
	done := map[string]bool{pointOf("ok", 1).Key(): true}
	points := []plan.Point{pointOf("ok", 1), pointOf("ok", 2), skipped}
	err := b.Run(t.Context(), points, nil, done, watcher{b.log}, Keep(func(r record.Result) error {
		b.log.add("kept %s %s", r.Status, r.Reason)
		return nil
	}))
	want := "started ok, prepare, problem 2 seed 7 workers 1, PreRun ok, verify, time, PostRun ok, kept ok , done ok, started ok, kept skipped not here, done skipped"
	var got []string
	for _, x := range b.log.take() { // the output of the two processes may be in any order
		if !strings.HasPrefix(x, "problem") && !strings.HasPrefix(x, "PreRun") && !strings.HasPrefix(x, "PostRun") {
			got = append(got, x)
		}
	}
	var observed []string
	for _, x := range strings.Split(want, ", ") {
		if !strings.HasPrefix(x, "problem") && !strings.HasPrefix(x, "PreRun") && !strings.HasPrefix(x, "PostRun") {
			observed = append(observed, x)
		}
	}
	if err != nil || !slices.Equal(got, observed) {
		t.Errorf("%v\n got %q\nwant %q", err, got, observed)
	}
}

// Points of one problem share it; the worker closes it for the next one, and
// the last at its end.
func TestProblemsAreShared(t *testing.T) {
	b := newBed(t, func(o *Options) { o.VerifyOnly = true })
	b.results(t, pointOf("ok", 1), pointOf("unclean", 1), pointOf("ok", 2), pointOf("ok", 13))
	b.Close()
	got := slices.DeleteFunc(b.log.take(), func(x string) bool { return strings.Contains(x, "Run ") })
	want := []string{"problem 1 seed 7 workers 1", "close 1", "problem 2 seed 7 workers 1", "close 2", "problem 13 seed 7 workers 1"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// PostRun follows even a PreRun that failed, once.
func TestPostRunFollows(t *testing.T) {
	for _, version := range []string{"ok", "fails", "unprepared", "wrong", "unverified", "panics"} {
		b := newBed(t, func(o *Options) { o.VerifyOnly = true })
		r := b.results(t, pointOf(version, 1))
		if got := strings.Count(strings.Join(b.log.take(), "\n"), "PostRun"); got != 1 {
			t.Errorf("%s (%s): %d times", version, r[0].Reason, got)
		}
		if r[0].Hot != nil || r[0].Energy != nil {
			t.Errorf("%s was timed, though answers alone are checked", version)
		}
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	b := newBed(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(soon, cancel)
	kept := 0
	err := b.Run(ctx, []plan.Point{pointOf("hangs", 1), pointOf("ok", 1)}, nil, nil, watcher{b.log}, Keep(func(record.Result) error { kept++; return nil }))
	if !errors.Is(err, ErrInterrupted) || kept > 0 {
		t.Errorf("%v, %d kept", err, kept)
	}
	if err := b.Run(ctx, []plan.Point{pointOf("ok", 1)}, nil, nil, watcher{b.log}, nil); !errors.Is(err, ErrInterrupted) {
		t.Error(err)
	}
	if _, err := b.Device(ctx, "cpu"); !errors.Is(err, ErrInterrupted) {
		t.Error(err)
	}
	if _, err := b.Turns(ctx, Pair{A: pointOf("ok", 1), B: pointOf("ok", 1)}); !errors.Is(err, ErrInterrupted) {
		t.Error(err)
	}
}

func TestRunEndsWhereAResultCannotBeKept(t *testing.T) {
	b := newBed(t, nil)
	full := errors.New("disk full")
	err := b.Run(t.Context(), []plan.Point{pointOf("ok", 1), pointOf("ok", 2)}, nil, nil, watcher{b.log}, Keep(func(record.Result) error { return full }))
	if !errors.Is(err, full) || strings.Contains(strings.Join(b.log.take(), "\n"), "done") {
		t.Error(err)
	}
}

func TestPowerModesAreEnteredWithoutAWorker(t *testing.T) {
	b := newBed(t, func(o *Options) { o.VerifyOnly = true })
	b.EnterMode(func(mode string) error {
		b.log.add("enter %s, worker %v", mode, b.worker != nil)
		if mode == "odd" {
			return errors.New("not\nswitched")
		}
		return nil
	}, func(_ context.Context, mode string) error {
		b.log.add("entered %s", mode)
		b.SetWorkers(3)
		return nil
	})
	var points []plan.Point
	for _, mode := range []string{"low", "low", "odd", "odd", "high"} {
		p := pointOf("ok", int64(len(points)))
		p.PowerMode = mode
		points = append(points, p)
	}
	got := b.results(t, points...)
	for i, want := range []string{"ok ", "ok ", "failed not switched", "failed not switched", "ok "} {
		if is := string(got[i].Status) + " " + got[i].Reason; is != want || got[i].NotEntered != strings.HasPrefix(want, "failed") || (got[i].Switched > 0) != slices.Contains([]int{0, 2, 4}, i) {
			t.Errorf("point %d: %q, want %q; %+v", i, is, want, got[i])
		}
	}
	// The next points are of a mode that is on, unless it is another.
	b.results(t, points[4])
	if x, err := b.Turns(t.Context(), Pair{A: points[1], B: points[1]}); err != nil || x.Status != record.OK {
		t.Errorf("turns in a mode: %+v, %v", x, err)
	}
	log := strings.Join(b.log.take(), "\n")
	for want, times := range map[string]int{"enter low, worker false": 2, "entered low": 2, "entered odd": 0, "enter odd, worker false": 1, "enter high, worker false": 1, "problem 0 seed 7 workers 3": 1} {
		if strings.Count(log, want) != times {
			t.Errorf("not %d times: %s\n%s", times, want, log)
		}
	}
}

// TestColdCPU: a CPU version is timed cold as well as hot where the settings ask for it;
// the trials of a search, cold alone.
func TestColdCPU(t *testing.T) {
	for _, trial := range []bool{false, true} {
		b := newBed(t, func(o *Options) {
			o.Config.Measure.CPUCaches, o.Config.Measure.FlushBytes, o.Trial = config.Cold, 1<<16, trial
			o.Config.Measure.Timeout, o.Config.Measure.Noise = 10, 1 // two samples, also on a busy machine
		})
		results := b.results(t, pointOf("ok", 1))
		r := results[0]
		if r.Status != record.OK || r.Cold == nil || len(r.Cold.Samples) < 2 || r.Cold.Flush != config.FlushClean || (r.Hot == nil) != trial {
			t.Errorf("trial %v: %+v", trial, r)
		}
	}
}

func TestTurns(t *testing.T) {
	for _, c := range []struct {
		a, b   string
		status record.Status
		reason string
	}{
		{"ok", "unverified", record.Failed, "verify: no reference"},
		{"ok", "wrong", record.Wrong, "wrong: error 2 is above 1; distance NaN is above 1"},
		{"ok", "panics", record.Failed, "panic: out of wits"},
		{"ok", "hangs", record.Timeout, "no result after 1.5 s"},
		{"ok", "ok", record.OK, ""},
	} {
		b := newBed(t, func(o *Options) {
			if c.b == "hangs" {
				o.Config.Measure.PointTimeout = 0.5
			}
		})
		got, err := b.Turns(t.Context(), Pair{A: pointOf(c.a, 1), B: pointOf(c.b, 1)})
		if err != nil || got.Status != c.status || !strings.HasPrefix(got.Reason, c.reason) {
			t.Errorf("%s: %+v %v", c.b, got, err)
		}
		if c.status == record.OK && (got.Control == nil || got.Treatment != nil || len(got.Control.A) == 0) {
			t.Errorf("A against itself: %+v", got)
		}
	}
}

// A worker whose parent is gone ends: idle by itself, busy by being told.
func TestServeEndsWithItsParent(t *testing.T) {
	b := newBed(t, nil)
	if _, err := b.Device(t.Context(), "nonsense"); err == nil || !strings.Contains(err.Error(), `device "nonsense"`) {
		t.Fatal(err)
	}
	b.Close()
	if got := b.log.take(); len(got) > 0 {
		t.Errorf("an idle worker: %q", got)
	}
	start, workers := b.Engine.start, make(chan *process, 1)
	b.Engine.start = func() (*process, error) {
		p, err := start()
		workers <- p
		return p, err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		b.Run(t.Context(), []plan.Point{pointOf("hangs", 1)}, nil, nil, watcher{&log{}}, Keep(func(record.Result) error { return nil }))
	}()
	worker := <-workers
	b.log.await(t, "PreRun hangs")
	worker.in.Close()
	b.log.await(t, "orphaned")
	<-ended // the point failed: its worker is gone
	err := Serve(strings.NewReader("no request\n"), io.Discard, Plugins{}, func() { t.Error("orphaned while idle") })
	if err == nil || !strings.Contains(err.Error(), "not readable") {
		t.Error(err)
	}
}

func TestDeathNamesItsCause(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{"kill -KILL $$", "the worker process was killed (out of memory?)"},
		{"kill -SEGV $$", "the worker process died of segmentation fault"},
		{"echo one; echo two; exit 3", "the worker process ended with status 3: two"},
		{"echo; exit 0", "the worker process ended"},
		{"echo 'free(): invalid pointer'; echo SIGABRT: abort; echo PC=1; echo 'gs 0x0'; exit 2", "the worker process ended with status 2: free(): invalid pointer"},
		{"echo SIGABRT: abort; echo; echo 'gs 0x0'; exit 2", "the worker process ended with status 2: SIGABRT: abort"},
		{"echo panic: no idea; echo; echo goroutine 1; exit 2", "the worker process ended with status 2: panic: no idea"},
		{"seq 10000; echo fakecgo: pthread_create failed: 11; echo 'gs 0x0'; exit 2", "the worker process ended with status 2: fakecgo: pthread_create failed: 11"},
		{"echo fatal error: stack; echo goroutine 1; exit 2", "the worker process ended with status 2: fatal error: stack"},
	} {
		cmd := exec.Command("sh", "-c", c.script)
		said := &tail{}
		cmd.Stdout, cmd.Stderr = said, said
		out, w, _ := os.Pipe()
		cmd.ExtraFiles = []*os.File{w}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		w.Close()
		_, in := io.Pipe()
		p := &process{in: in, out: leftoverOf(out), tail: said, end: func() {}, wait: cmd.Wait, group: cmd.Process.Pid}
		p.follow()
		for range p.replies { // until its pipe is closed
		}
		if err := p.death(); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v", c.script, err)
		}
	}
}

// A process that has closed its pipes and ends, however slowly, is waited for; one that goes on is not.
func TestAnEndTakesItsTime(t *testing.T) {
	dying := func(script string, slow time.Duration) error {
		cmd := exec.Command("sh", "-c", script)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer cmd.Process.Kill()
		out, w, _ := os.Pipe()
		w.Close()
		_, in := io.Pipe()
		p := &process{in: in, out: leftoverOf(out), tail: &tail{}, end: func() {}, group: cmd.Process.Pid, wait: func() error {
			time.Sleep(slow)
			return cmd.Wait()
		}}
		for slow > 0 && !linux.Ending(cmd.Process.Pid) {
			time.Sleep(time.Millisecond)
		}
		return p.follow().death()
	}
	if err := dying("exit 3", drainTime+drainTime/2); err == nil || err.Error() != "the worker process ended with status 3" {
		t.Error(err)
	}
	if err := dying("exec sleep 60", 0); err == nil || err.Error() != "the worker process closed its pipes and did not end" {
		t.Error(err)
	}
}

// Without /proc nobody knows how much memory is free: not none.
func TestMemoryIsNotKnown(t *testing.T) {
	e := New(Options{Factory: &framework.Factory{HostBytes: func(framework.Values) int64 { return 1 << 20 }}})
	if why := e.tooLarge(plan.Point{}, nil); why != "" {
		t.Error(why)
	}
	t.Setenv("HOST_PROC", t.TempDir())
	if why := e.tooLarge(plan.Point{}, nil); why != "" {
		t.Errorf("without /proc: %s", why)
	}
}
