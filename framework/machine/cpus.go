package machine

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"bench/linux"
)

const cpuFolder = "sys/devices/system/cpu"

func cpuFile(cpu int, name string) string {
	return filepath.Join(cpuFolder, "cpu"+strconv.Itoa(cpu), name)
}

// CPUs are numbers of logical CPUs, ascending.
type CPUs []int

// ParseCPUs reads the kernel's form of a list, such as "0-2,5"; nil if it
// is not one.
func ParseCPUs(text string) CPUs {
	var cpus CPUs
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

// String is the kernel's form.
func (c CPUs) String() string {
	var parts []string
	for i := 0; i < len(c); {
		j := i
		for j+1 < len(c) && c[j+1] == c[j]+1 {
			j++
		}
		if i == j {
			parts = append(parts, strconv.Itoa(c[i]))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d", c[i], c[j]))
		}
		i = j + 1
	}
	return strings.Join(parts, ",")
}

// Set is the mask of these CPUs.
func (c CPUs) Set() *linux.CPUSet {
	var set linux.CPUSet
	for _, cpu := range c {
		set.Set(cpu)
	}
	return &set
}

// AllowedCPUs are those that the calling thread may run on; nil if the
// kernel does not say.
func AllowedCPUs() CPUs {
	var set linux.CPUSet
	if err := linux.SchedGetaffinity(0, &set); err != nil {
		return nil
	}
	var cpus CPUs
	for cpu := 0; len(cpus) < set.Count(); cpu++ {
		if set.IsSet(cpu) {
			cpus = append(cpus, cpu)
		}
	}
	return cpus
}

// Best chooses n of cpus: the ones with the highest clock first (boards have
// cores of two kinds), then one hardware thread per core, then cores of one
// package (Linux, "CPU topology info" and "CPU performance scaling"). What the
// files do not say counts as equal.
func (t Tree) Best(cpus CPUs, n int) CPUs {
	type place struct{ cpu, clock, thread, pkg int }
	number := func(cpu int, name string) int {
		v, _ := strconv.Atoi(t.Text(cpuFile(cpu, name)))
		return v
	}
	places := make([]place, len(cpus))
	for i, cpu := range cpus {
		siblings := ParseCPUs(t.Text(cpuFile(cpu, "topology/thread_siblings_list")))
		places[i] = place{cpu, number(cpu, "cpufreq/cpuinfo_max_freq"), max(0, slices.Index(siblings, cpu)), number(cpu, "topology/physical_package_id")}
	}
	slices.SortStableFunc(places, func(a, b place) int {
		return cmp.Or(-cmp.Compare(a.clock, b.clock), cmp.Compare(a.thread, b.thread), cmp.Compare(a.pkg, b.pkg), cmp.Compare(a.cpu, b.cpu))
	})
	chosen := make(CPUs, 0, n)
	for _, p := range places[:min(n, len(places))] {
		chosen = append(chosen, p.cpu)
	}
	slices.Sort(chosen)
	return chosen
}

// LastLevelCache is the bytes of the highest-level data caches that serve the
// CPUs (Linux, "sysfs-devices-system-cpu", cache); 0 where none is told.
func (t Tree) LastLevelCache(cpus CPUs) int64 {
	total := int64(0)
	seen := map[string]bool{}
	for _, cpu := range cpus {
		level, size, shared := 0, int64(0), ""
		for _, name := range t.List(cpuFile(cpu, "cache")) {
			cache := Tree(t.Path(cpuFile(cpu, "cache/"+name)))
			l, err := strconv.Atoi(cache.Text("level"))
			if err != nil || l <= level || cache.Text("type") == "Instruction" {
				continue
			}
			level, size, shared = l, cacheSize(cache.Text("size")), cache.Text("shared_cpu_list")
		}
		if shared == "" || !seen[shared] {
			seen[shared] = true
			total += size
		}
	}
	return total
}

// cacheSize reads the kernel's form, as 32768K; 0 where it is none.
func cacheSize(text string) int64 {
	digits, kilo := strings.CutSuffix(text, "K")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return 0
	}
	if kilo {
		n *= 1024
	}
	return n
}
