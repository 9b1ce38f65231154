package measure

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/machine"
	"example.org/bench/internal/linux"
)

// placer sets the CPUs of a thread of this process; if nil, the process does so itself.
var placer atomic.Pointer[func(thread int, set *linux.CPUSet) error]

// PlaceBy makes set place this process's threads. A process that may not place its threads itself needs it.
func PlaceBy(set func(thread int, set *linux.CPUSet) error) { placer.Store(&set) }

func place(thread int, set *linux.CPUSet) error {
	if by := placer.Load(); by != nil {
		return (*by)(thread, set)
	}
	return linux.SchedSetaffinity(thread, set)
}

// observers holds the tool's own threads that confine leaves alone.
var observers sync.Map // thread id -> struct{}

// confine restricts all threads of the process but the observers to as many CPUs as there are
// workers. It returns these CPUs and a function that undoes it. It does nothing if the process may
// use no more CPUs than that, or if the kernel refuses: confining makes timings steadier but is not
// required.
func confine(workers int) (cpus machine.CPUs, free func()) {
	all := machine.AllowedCPUs()
	if workers >= len(all) {
		return all, func() { setThreads(all.Set()) }
	}
	cpus = machine.Live.Best(all, workers)
	setThreads(cpus.Set())
	return cpus, func() { setThreads(all.Set()) }
}

// setThreads sets the affinity of the process's threads.
func setThreads(set *linux.CPUSet) {
	forThreads(func(id int) {
		place(id, set) //nolint:errcheck // the thread may have ended
	})
}

// forThreads calls set for each of the process's threads but the observers. It repeats until no new
// thread appears, because a thread inherits from the one that starts it.
func forThreads(set func(id int)) {
	done := map[int]bool{}
	for {
		fresh := false
		for _, id := range threads() {
			if !done[id] {
				done[id], fresh = true, true
				set(id)
			}
		}
		if !fresh {
			return
		}
	}
}

// threads returns the ids of the process's threads but the observers, ascending.
func threads() (ids []int) {
	for _, name := range machine.Live.List("proc/self/task") {
		id, err := strconv.Atoi(name)
		if _, own := observers.Load(id); err == nil && !own {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// ran returns how long each thread has run (the kernel's "Scheduler Statistics").
func ran() map[int]time.Duration {
	list := map[int]time.Duration{}
	for _, id := range threads() {
		first, _, _ := strings.Cut(machine.Live.Text("proc/self/task/"+strconv.Itoa(id)+"/schedstat"), " ")
		if ns, err := strconv.ParseInt(first, 10, 64); err == nil {
			list[id] = time.Duration(ns)
		}
	}
	return list
}

const (
	// pinTime is how long a version runs to show which of its threads compute. pinLooks is how often it runs
	// if fewer threads compute than there are CPUs: a thread may wait for a CPU that another program uses.
	pinTime  = 20 * time.Millisecond
	pinLooks = 3
	// pinTries is how often threads are pinned at most, since a version may continue with other threads.
	pinTries = 3
)

// pins are the CPUs given to threads, one each.
type pins struct {
	cpus machine.CPUs
	of   map[int]int                  // thread id -> CPU
	ran  func() map[int]time.Duration // thread id -> for how long it has run
}

// pin gives each thread that computes in run a CPU of its own, whether it is the version's or a
// library's.
func (p *pins) pin(run func() error) error {
	for range pinTries {
		ids, err := p.computing(run)
		if err != nil {
			return err
		}
		if !p.give(ids) {
			break
		}
	}
	return nil
}

// computing returns the threads that run the most, at most one per CPU. It leaves out threads that run for
// less than a fiftieth of the time: these wait for something else, such as a process.
func (p *pins) computing(run func() error) (ids []int, err error) {
	before, start := p.ran(), time.Now()
	for look := time.Duration(1); look <= pinLooks && len(ids) < len(p.cpus); look++ {
		for more := true; more; more = time.Since(start) < look*pinTime {
			if err := run(); err != nil {
				return nil, err
			}
		}
		elapsed, share := time.Since(start), p.ran()
		for id := range share {
			share[id] -= before[id]
		}
		ids = busiest(share, elapsed/50, len(p.cpus))
	}
	return ids, nil
}

// busiest returns at most so many threads that ran for longer than least, in descending order of
// that time.
func busiest(ran map[int]time.Duration, least time.Duration, most int) (ids []int) {
	for id, d := range ran {
		if d > least {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b int) int { return cmp.Or(cmp.Compare(ran[b], ran[a]), cmp.Compare(a, b)) })
	return ids[:min(len(ids), most)]
}

// give binds threads without a CPU of their own to the CPUs that the others leave. changed is set if there
// were such threads.
func (p *pins) give(ids []int) (changed bool) {
	taken := map[int]bool{}
	var without []int
	slices.Sort(ids)
	for _, id := range ids {
		if cpu, ok := p.of[id]; ok && !taken[cpu] {
			taken[cpu] = true
		} else {
			without = append(without, id)
		}
	}
	left := slices.DeleteFunc(slices.Clone(p.cpus), func(cpu int) bool { return taken[cpu] })
	for i, id := range without {
		p.of[id] = left[i]
		place(id, left[i:i+1].Set()) //nolint:errcheck // refused: then wherever it runs
	}
	return len(without) > 0
}

// pinWhereAsked pins the threads of the versions to the CPUs, if the settings ask for it and no
// version has more workers than there are CPUs.
func (t *CPUTimer) pinWhereAsked(cpus machine.CPUs, algs ...framework.CPUAlgorithm) error {
	p := pins{cpus, map[int]int{}, ran}
	for _, alg := range algs {
		if t.m.CPUAffinity != config.Pinned || alg.Workers() > len(cpus) {
			return nil
		}
	}
	for _, alg := range algs {
		if err := p.pin(func() error { _, err := timeRuns(alg, 1); return err }); err != nil {
			return err
		}
	}
	return nil
}
