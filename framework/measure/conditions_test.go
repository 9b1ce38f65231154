package measure

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// procTree is a root whose /proc has threads that ran and waited for so many
// seconds, and CPUs that were busy for others.
type procTree struct {
	t    *testing.T
	root string
}

func (p procTree) put(text string, parts ...string) {
	p.t.Helper()
	path := filepath.Join(append([]string{p.root, "proc"}, parts...)...)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		p.t.Fatal(err)
	}
}

// stat writes the ticks, of which a second has 100, of user, system, idle and steal.
func (p procTree) stat(user, system, idle, steal int) {
	p.put(fmt.Sprintf("cpu  %d 0 %d %d 0 0 0 %d 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0\n", user, system, idle, steal), "stat")
}

func (p procTree) thread(id string, ran, waited float64) {
	p.put(fmt.Sprintf("%d %d 5\n", int64(ran*1e9), int64(waited*1e9)), "42", "task", id, "schedstat")
}

// TestConditions: two CPUs for ten seconds, of which the process had 1.2 and waited
// for 0.5, others 15 % and the host 5 %.
func TestConditions(t *testing.T) {
	p := procTree{t, t.TempDir()}
	now := time.Unix(1000, 0)
	calls := 0
	birds := func() (float64, float64) {
		calls++
		return float64(calls), 10 * float64(calls)
	}
	p.stat(100, 100, 1000, 0)
	p.thread("42", 1, 1)
	p.thread("43", 2, 0)
	o := observe(p.root, 42, func() time.Time { return now }, birds)
	now = now.Add(10 * time.Second)
	p.stat(100+1200, 100+300, 1000+400, 100)
	p.thread("42", 9, 3)
	p.thread("43", 2, 0)
	p.thread("44", 4, 3)
	got := o.End(2)
	want := Conditions{Workers: 2, CPUs: 1.2, Waiting: 0.5, Others: 0.15, Steal: 0.05, Registers: 1.5, Copy: 15}
	for name, pair := range map[string][2]float64{"cpus": {got.CPUs, want.CPUs}, "waiting": {got.Waiting, want.Waiting}, "others": {got.Others, want.Others},
		"steal": {got.Steal, want.Steal}, "registers": {got.Registers, want.Registers}, "copy": {got.Copy, want.Copy}} {
		if math.Abs(pair[0]-pair[1]) > 1e-6 {
			t.Errorf("%s %v, want %v", name, pair[0], pair[1])
		}
	}
	if got.Workers != 2 {
		t.Errorf("%d workers", got.Workers)
	}
}

// TestBusyForOthers: user, nice, system and both kinds of interrupts are busy; the rest of the
// time is idle, waits for input and output, or was stolen.
func TestBusyForOthers(t *testing.T) {
	p := procTree{t, t.TempDir()}
	p.thread("42", 0, 0)
	for i, field := range []string{"user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal"} {
		ticks := make([]int, 8)
		write := func() {
			p.put(fmt.Sprintf("cpu  %s 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0\n", strings.Trim(fmt.Sprint(ticks), "[]")), "stat")
		}
		ticks[3] = 100
		write()
		o := observe(p.root, 42, time.Now, func() (float64, float64) { return 1, 1 })
		ticks[3] += 100
		ticks[i] += 300 // of 400
		write()
		got := o.End(1)
		others, steal := 0.75, 0.0
		switch field {
		case "idle", "iowait":
			others = 0
		case "steal":
			others, steal = 0, 0.75
		}
		if math.Abs(got.Others-others) > 1e-9 || math.Abs(got.Steal-steal) > 1e-9 {
			t.Errorf("%s: others %v, steal %v", field, got.Others, got.Steal)
		}
	}
}

// TestNoTimePassed on any CPU: no share is known.
func TestNoTimePassed(t *testing.T) {
	p := procTree{t, t.TempDir()}
	p.thread("42", 1, 1)
	p.stat(1, 1, 1, 1)
	if got := observe(p.root, 42, time.Now, func() (float64, float64) { return 1, 1 }).End(1); !math.IsNaN(got.Others) || !math.IsNaN(got.Steal) {
		t.Errorf("%+v", got)
	}
}

// TestMissingConditions: what has no file is not known, and the rest is.
func TestMissingConditions(t *testing.T) {
	birds := func() (float64, float64) { return 1, 1 }
	p := procTree{t, t.TempDir()}
	now := time.Unix(1000, 0)
	clock := func() time.Time { now = now.Add(time.Second); return now }
	if got := observe(p.root, 42, clock, birds).End(1); !math.IsNaN(got.CPUs) || !math.IsNaN(got.Waiting) || !math.IsNaN(got.Others) || !math.IsNaN(got.Steal) || got.Copy != 1 {
		t.Errorf("no /proc: %+v", got)
	}
	p.thread("42", 1, 1)
	if got := observe(p.root, 42, clock, birds).End(1); got.CPUs != 0 || !math.IsNaN(got.Others) {
		t.Errorf("no stat: %+v", got)
	}
	p = procTree{t, t.TempDir()}
	p.stat(1, 1, 1, 1)
	o := observe(p.root, 42, clock, birds)
	p.stat(1, 1, 101, 1)
	if got := o.End(1); !math.IsNaN(got.CPUs) || !math.IsNaN(got.Others) || got.Steal != 0 {
		t.Errorf("no process: %+v", got)
	}
}

// TestCanary takes time in both loops.
func TestCanary(t *testing.T) {
	if registers, copying := canary(); !(registers > 0) || !(copying > 0) || math.IsInf(registers+copying, 0) {
		t.Errorf("%v, %v", registers, copying)
	}
}
