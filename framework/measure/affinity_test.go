package measure

import (
	"errors"
	"maps"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/machine"
	"example.org/bench/internal/workers"
)

func TestConfineAndFree(t *testing.T) {
	var all unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	observed := make(chan int)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		observers.Store(unix.Gettid(), struct{}{})
		observed <- unix.Gettid()
		<-stop
		observers.Delete(unix.Gettid())
	}()
	observer := <-observed
	defer close(stop)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	_, free := confine(1)
	var inside, beside unix.CPUSet
	if err := errors.Join(unix.SchedGetaffinity(0, &inside), unix.SchedGetaffinity(observer, &beside)); err != nil {
		t.Fatal(err)
	}
	free()
	if inside.Count() != 1 {
		t.Errorf("one worker may run on %d CPUs", inside.Count())
	}
	if beside != all {
		t.Errorf("an observer's CPUs changed from %d to %d", all.Count(), beside.Count())
	}
	var after unix.CPUSet
	if err := unix.SchedGetaffinity(0, &after); err != nil {
		t.Fatal(err)
	}
	if after != all {
		t.Errorf("%d CPUs before, %d after", all.Count(), after.Count())
	}
}

// TestPinned: each thread that computes has a CPU of its own while it is timed, all have
// the same ones where they share them, and afterwards all have all.
func TestPinned(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	all := machine.AllowedCPUs()
	n := min(2, len(all))
	for _, affinity := range []config.Affinity{config.Shared, config.Pinned} {
		var mu sync.Mutex
		var runs, apart int
		own := map[int]bool{} // CPUs of the run's threads that have one alone
		pool := workers.New(n, func(int) {
			spin(2 * time.Millisecond)() //nolint:errcheck // it has none
			if cpus := machine.AllowedCPUs(); len(cpus) == 1 {
				mu.Lock()
				own[cpus[0]] = true
				mu.Unlock()
			}
		})
		alg := &work{workers: n, run: func() error {
			clear(own)
			pool.Run()
			if runs++; len(own) == n {
				apart++
			}
			return nil
		}}
		m := quick
		m.CPUAffinity, m.MinSamples, m.MinTime, m.Noise = affinity, 40, 0.1, 1 // it counts runs, no times
		timer := NewCPUTimer(m)
		if _, err := timer.Hot(alg); err != nil {
			t.Fatal(err)
		}
		// Before they are pinned, they share the CPUs; and where the machine is busy a
		// goroutine that slept may come to another thread.
		if pinned := apart > 0; pinned != (affinity == config.Pinned || n == 1) {
			t.Errorf("%s: in %d of %d runs each of %d threads had a CPU of its own", affinity, apart, runs, n)
		}
		pool.Close()
		for _, id := range threads() {
			var set unix.CPUSet
			if err := unix.SchedGetaffinity(id, &set); err == nil && set != *all.Set() {
				t.Errorf("%s: a thread is left with %d of %d CPUs", affinity, set.Count(), len(all))
			}
		}
	}
}

// TestPinsAreApart: threads keep their CPUs unless two have the same one.
func TestPinsAreApart(t *testing.T) {
	const a, b, c = 1<<30 + 1, 1<<30 + 2, 1<<30 + 3 // of no thread
	p := pins{machine.CPUs{4, 6}, map[int]int{}, ran}
	for _, step := range []struct {
		ids     []int
		changed bool
		want    map[int]int
	}{
		{[]int{b, a}, true, map[int]int{a: 4, b: 6}},
		{[]int{a, b}, false, map[int]int{a: 4, b: 6}},
		{[]int{c, b}, true, map[int]int{a: 4, b: 6, c: 4}},
		{[]int{c}, false, map[int]int{a: 4, b: 6, c: 4}},
		{[]int{a, c}, true, map[int]int{a: 4, b: 6, c: 6}},
		{nil, false, map[int]int{a: 4, b: 6, c: 6}},
	} {
		if changed := p.give(slices.Clone(step.ids)); changed != step.changed || !maps.Equal(p.of, step.want) {
			t.Errorf("%v: changed %v, %v, want %v", step.ids, changed, p.of, step.want)
		}
	}
}

// TestWaitingIsNotPinned: a version that waits for something else, such as a process,
// leaves its threads to all CPUs, for they are inherited.
func TestWaitingIsNotPinned(t *testing.T) {
	runs := 0
	p, run := waiting(&runs, pinTime)
	if err := p.pin(run); err != nil || len(p.of) != 0 || runs == 0 {
		t.Errorf("%v, %v after %d runs", p.of, err, runs)
	}
	broken := errors.New("broken")
	if err := p.pin(func() error { return broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
}

// TestBusiest threads are those that ran for more than the least, ordered by that.
func TestBusiest(t *testing.T) {
	ran := map[int]time.Duration{7: 30, 3: 50, 4: 30, 9: 20, 5: 19}
	for most, want := range [][]int{{}, {3}, {3, 4}, {3, 4, 7}, {3, 4, 7}} {
		if got := busiest(ran, 20, most); !slices.Equal(got, want) {
			t.Errorf("%d of the busiest: %v, want %v", most, got, want)
		}
	}
}

// TestRan: the time of the thread that asks is among those of the process's threads, and grows.
func TestRan(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := ran()[unix.Gettid()]
	for ran()[unix.Gettid()] == before { // until the kernel has counted some
		spin(time.Millisecond)() //nolint:errcheck // it has none
	}
	if after := ran()[unix.Gettid()]; after < before {
		t.Errorf("%v, then %v", before, after)
	}
}

// waiting sleeps and counts, in threads that run for a hundredth of that.
func waiting(runs *int, d time.Duration) (pins, func() error) {
	ran := func() map[int]time.Duration {
		share := time.Duration(*runs) * d / 100
		return map[int]time.Duration{1 << 30: share, 1<<30 + 1: share} // of no thread
	}
	return pins{machine.CPUs{0}, map[int]int{}, ran}, func() error {
		time.Sleep(d)
		*runs++
		return nil
	}
}

// TestLooksForComputingThreads three times where none computes, each time for longer.
func TestLooksForComputingThreads(t *testing.T) {
	runs := 0
	p, run := waiting(&runs, pinTime/2)
	start := time.Now()
	ids, err := p.computing(run)
	if err != nil || len(ids) > 0 || time.Since(start) < 3*pinTime || runs < 3 {
		t.Errorf("%v, %v after %d runs in %v", ids, err, runs, time.Since(start))
	}
}

// TestPinWhereAsked and where there are as many CPUs as workers.
func TestPinWhereAsked(t *testing.T) {
	for _, c := range []struct {
		affinity config.Affinity
		workers  []int
		runs     bool
	}{{config.Pinned, []int{2}, true}, {config.Pinned, []int{3}, false}, {config.Pinned, []int{1, 3}, false}, {config.Shared, []int{1}, false}} {
		timer := &CPUTimer{m: config.Measure{CPUAffinity: c.affinity}}
		var algs []framework.CPUAlgorithm
		runs := 0
		for _, n := range c.workers {
			algs = append(algs, &work{workers: n, run: func() error { runs++; time.Sleep(pinTime); return nil }})
		}
		if err := timer.pinWhereAsked(machine.CPUs{0, 1}, algs...); err != nil || (runs > 0) != c.runs {
			t.Errorf("%+v: %d runs to see which threads compute, %v", c, runs, err)
		}
	}
}
