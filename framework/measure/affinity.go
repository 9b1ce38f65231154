package measure

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// observers are the threads of the tool's own that confine leaves alone.
var observers sync.Map // thread id -> struct{}

// confine restricts all threads of the process but the observers to as many
// CPUs as there are workers, and returns what undoes it. It does nothing where
// the process may use no more CPUs than that, or where the kernel refuses:
// confining makes timings steadier, it is no condition.
func confine(root string, workers int) (free func()) {
	var all unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil || workers >= all.Count() {
		return func() {}
	}
	var some unix.CPUSet
	for _, cpu := range bestCPUs(root, allowed(all), workers) {
		some.Set(cpu)
	}
	setThreads(&some)
	return func() { setThreads(&all) }
}

func allowed(set unix.CPUSet) []int {
	var cpus []int
	for cpu := 0; len(cpus) < set.Count(); cpu++ {
		if set.IsSet(cpu) {
			cpus = append(cpus, cpu)
		}
	}
	return cpus
}

// setThreads sets the affinity of the process's threads. It goes over them
// until no new one appears: a thread inherits from the one that starts it.
func setThreads(set *unix.CPUSet) {
	done := map[int]bool{}
	for {
		entries, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return
		}
		fresh := false
		for _, e := range entries {
			id, err := strconv.Atoi(e.Name())
			if err != nil || done[id] {
				continue
			}
			done[id], fresh = true, true
			if _, own := observers.Load(id); !own {
				unix.SchedSetaffinity(id, set) //nolint:errcheck // the thread may have ended
			}
		}
		if !fresh {
			return
		}
	}
}

// bestCPUs chooses n of cpus: the ones with the highest clock first (boards
// have cores of two kinds), then one hardware thread a core, then cores of one
// package. It reads /sys/devices/system/cpu (Linux, "CPU topology info" and
// "CPU performance scaling"); what it does not find there counts as equal.
func bestCPUs(root string, cpus []int, n int) []int {
	type place struct{ cpu, clock, thread, pkg int }
	places := make([]place, len(cpus))
	for i, cpu := range cpus {
		dir := filepath.Join(root, "sys/devices/system/cpu/cpu"+strconv.Itoa(cpu))
		siblings := cpuList(readText(filepath.Join(dir, "topology/thread_siblings_list")))
		clock, _ := strconv.Atoi(readText(filepath.Join(dir, "cpufreq/cpuinfo_max_freq")))
		pkg, _ := strconv.Atoi(readText(filepath.Join(dir, "topology/physical_package_id")))
		places[i] = place{cpu, clock, max(0, slices.Index(siblings, cpu)), pkg}
	}
	slices.SortStableFunc(places, func(a, b place) int {
		return cmp.Or(-cmp.Compare(a.clock, b.clock), cmp.Compare(a.thread, b.thread), cmp.Compare(a.pkg, b.pkg), cmp.Compare(a.cpu, b.cpu))
	})
	chosen := make([]int, 0, n)
	for _, p := range places[:min(n, len(places))] {
		chosen = append(chosen, p.cpu)
	}
	slices.Sort(chosen)
	return chosen
}

// cpuList reads the kernel's list form, as "0-2,5"; nil where it is none.
func cpuList(text string) []int {
	var cpus []int
	for part := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(part, "-")
		if !isRange {
			high = low
		}
		from, err1 := strconv.Atoi(low)
		to, err2 := strconv.Atoi(high)
		if err1 != nil || err2 != nil || to-from > 1<<16 {
			return nil
		}
		for cpu := from; cpu <= to; cpu++ {
			cpus = append(cpus, cpu)
		}
	}
	return cpus
}

// readText is a small file's text without surrounding space; empty where it
// cannot be read.
func readText(path string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}
