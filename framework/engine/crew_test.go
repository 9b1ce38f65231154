package engine

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// two are beds of the devices a and b.
func two(t *testing.T) (Crew, map[string]*bed) {
	t.Helper()
	beds := map[string]*bed{}
	var c Crew
	for _, d := range []string{"a", "b"} {
		beds[d] = newBed(t, func(o *Options) { o.Device, o.VerifyOnly = d, true })
		c = append(c, beds[d].Engine)
	}
	return c, beds
}

func at(device, shared string, n int64) plan.Point {
	p := pointOf("ok", n)
	p.ID, p.Device, p.Shared = int(n), device, shared
	return p
}

// told is an observer and a keeper, which are used one at a time.
type told struct {
	t       *testing.T
	busy    sync.Mutex
	started func(plan.Point)
	fails   func(record.Result) error
	results []record.Result
}

func (o *told) alone() func() {
	if !o.busy.TryLock() {
		o.t.Error("told by two at a time")
		o.busy.Lock()
	}
	return o.busy.Unlock
}

func (o *told) Started(p plan.Point) {
	defer o.alone()()
	if o.started != nil {
		o.started(p)
	}
}
func (o *told) Phase(plan.Point, string)         { o.alone()() }
func (o *told) Done(*record.Result)              { o.alone()() }
func (o *told) Start(plan.Point) (string, error) { o.alone()(); return "", nil }
func (o *told) Withdraw(plan.Point) error        { o.alone()(); return nil }
func (o *told) Append(r record.Result) (err error) {
	defer o.alone()()
	if o.fails != nil {
		err = o.fails(r)
	}
	o.results = append(o.results, r)
	return err
}

// Every shared point is run once, by whichever engine is free; a point of one device by
// that alone; a skipped one counts for the first.
func TestCrewSharesPoints(t *testing.T) {
	c, beds := two(t)
	var points []plan.Point
	for n := range int64(12) {
		switch {
		case n < 8:
			points = append(points, at("a,b", "a,b", n))
		case n < 10:
			points = append(points, at("b", "", n))
		default:
			p := at("a,b", "a,b", n)
			p.Skip = "not here"
			points = append(points, p)
		}
	}
	done := map[string]bool{points[3].Key(): true}
	o := &told{t: t}
	results, err := c.Run(t.Context(), points, nil, done, o, o)
	if err != nil || len(results) != 11 {
		t.Fatalf("%d results, %v", len(results), err)
	}
	slices.SortFunc(o.results, func(a, b record.Result) int { return a.Point.ID - b.Point.ID })
	if len(o.results) != 11 {
		t.Fatalf("%d results, want 11", len(o.results))
	}
	used := map[string]int{}
	for _, r := range o.results {
		p := r.Point
		used[p.Device]++
		switch {
		case p.ID >= 10 && (r.Status != record.Skipped || p.Device != "a"), p.ID == 8 && p.Device != "b", p.ID == 9 && p.Device != "b",
			p.ID < 10 && (r.Status != record.OK || p.Device != "a" && p.Device != "b"):
			t.Errorf("point %d on %s: %s %s", p.ID, p.Device, r.Status, r.Reason)
		}
		if i := slices.IndexFunc(points, func(q plan.Point) bool { return q.ID == p.ID }); points[i].Key() != p.Key() {
			t.Errorf("the key of a result is %s, of its point %s", p.Key(), points[i].Key())
		}
	}
	if beds["a"].started > 1 || beds["b"].started != 1 {
		t.Errorf("%d and %d workers were started", beds["a"].started, beds["b"].started)
	}
	if got := c.Devices(points[0]); !slices.Equal(got, []string{"a", "b"}) || c.Of("b") != c[1] || c.Of("c") != nil {
		t.Errorf("devices %q", got)
	}
}

// Two engines run at the same time: each waits for the other.
func TestCrewRunsTogether(t *testing.T) {
	c, _ := two(t)
	var met sync.WaitGroup
	met.Add(2)
	for _, e := range c {
		enter := e.start
		e.start = func() (*process, error) {
			met.Done()
			met.Wait()
			return enter()
		}
	}
	o := &told{t: t}
	if _, err := c.Run(t.Context(), []plan.Point{at("a", "", 1), at("b", "", 2)}, nil, nil, o, o); err != nil || len(o.results) != 2 {
		t.Errorf("%d results, %v", len(o.results), err)
	}
}

// The first error ends all engines, and is what is returned.
func TestCrewEndsTogether(t *testing.T) {
	c, _ := two(t)
	full := errors.New("disk full")
	o := &told{t: t, fails: func(record.Result) error { return full }}
	var points []plan.Point
	for n := range int64(20) {
		points = append(points, at("a,b", "a,b", n))
	}
	if results, err := c.Run(t.Context(), points, nil, nil, o, o); !errors.Is(err, full) || len(o.results) > 2 || len(results) != len(o.results) {
		t.Errorf("%d results, %d returned, %v", len(o.results), len(results), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	o = &told{t: t, started: func(plan.Point) { cancel() }}
	if _, err := c.Run(ctx, points, nil, nil, o, o); !errors.Is(err, ErrInterrupted) || len(o.results) > 2 {
		t.Errorf("%d results, %v", len(o.results), err)
	}
}

// An engine goes on with the problem whose inputs it has, else takes one that no other
// engine has, else any.
func TestQueueKeepsProblems(t *testing.T) {
	a, b := New(Options{Device: "a"}), New(Options{Device: "b"})
	q := &queue{busy: map[*Engine]string{}, first: "a"}
	for _, problem := range []string{"x", "x", "y", "y", "z"} {
		q.points = append(q.points, queued{at("a,b", "a,b", int64(len(q.points))), problem})
	}
	var got []string
	for _, e := range []*Engine{a, b, a, a, b, b} {
		p, ok := q.take(e)
		got = append(got, fmt.Sprintln(p.ID, p.Device, ok))
	}
	if want := []string{"0 a true\n", "2 b true\n", "1 a true\n", "4 a true\n", "3 b true\n", "0  false\n"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestParseDevices(t *testing.T) {
	for id, want := range map[string]string{"cuda:0": "[0] false", "cuda:3,1": "[3 1] true", "cuda:all": "[] true",
		"opencl:1": "[1] false", "opencl:0,1": "[0 1] true", "opencl:all": "[] true"} {
		list, err := ParseDevices(id)
		if got := fmt.Sprint(list, SeveralGPUs(id)); got != want || err != nil {
			t.Errorf("%s: %s, %v, want %s", id, got, err, want)
		}
	}
	for _, id := range []string{"cuda:", "cuda:0,0", "cuda:0,", "cuda:0,cuda:1", "cuda:01", "cuda:-1", "0,1", "cpu", "cuda:all,0", "opencl:0,0", "opencl:mali", "opencl:all,0"} {
		if list, err := ParseDevices(id); err == nil {
			t.Errorf("%s: %v", id, list)
		}
	}
	if _, err := ParseDevice("cuda:0,1"); err == nil {
		t.Error("several are one")
	}
	if got := DeviceName("cuda:all", 2, 0) + DeviceName("opencl:all", 1); got != "cuda:2,0opencl:1" {
		t.Error(got)
	}
}

// A worker that is given CPUs begins on these, and what it is started from stays where
// it was.
func TestWorkerIsPinned(t *testing.T) {
	all := machine.AllowedCPUs()
	for _, cpus := range []machine.CPUs{all[len(all)-1:], all} {
		var text []byte
		err := onStarter(func() error {
			return on(cpus, func() (err error) {
				text, err = exec.Command("grep", "Cpus_allowed_list", "/proc/self/status").Output()
				return err
			})
		})
		if got := strings.TrimSpace(strings.TrimPrefix(string(text), "Cpus_allowed_list:")); err != nil || got != cpus.String() {
			t.Errorf("on %q, %v, want %s", got, err, cpus)
		}
		var after machine.CPUs
		if err := onStarter(func() error { after = machine.AllowedCPUs(); return nil }); err != nil || !slices.Equal(after, all) {
			t.Errorf("left on %s, %v", after, err)
		}
	}
}

// Engines that share the machine's memory count on their part of it each.
func TestSharersCountOnTheirPart(t *testing.T) {
	for sharers, fits := range map[int]bool{0: true, 1: true, 2: false} {
		b := newBed(t, func(o *Options) { o.Sharers = sharers })
		b.memory = func() memory { return memory{100 << 20, 200 << 20} }
		b.opt.Factory.HostBytes = func(framework.Values) int64 { return 60 << 20 }
		if why := b.tooLarge(pointOf("ok", 1), nil); (why == "") != fits {
			t.Errorf("%d sharers: %q", sharers, why)
		}
	}
}
