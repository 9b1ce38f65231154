package machine

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.org/bench/internal/linux"
)

const cpuFolder = "sys/devices/system/cpu"

func cpuFile(cpu int, name string) string {
	return filepath.Join(cpuFolder, "cpu"+strconv.Itoa(cpu), name)
}

// CPUs are numbers of logical CPUs, ascending.
type CPUs []int

// mostCPUs is far more than Linux knows (8192): no list is longer.
const mostCPUs = 1 << 16

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
		if err1 != nil || err2 != nil || to > 2*mostCPUs || len(cpus)+to-from > mostCPUs {
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

// Apart divides CPUs among PCI devices, given by bus address, in whole cores. Devices with
// the same local CPUs, as the kernel tells them, share these equally. If the local CPUs of
// others overlap or do not suffice, all devices share all CPUs equally. It returns nil if
// there are fewer cores than devices.
func (t Tree) Apart(cpus CPUs, devices []string) []CPUs {
	local := make([]string, len(devices))
	for i, d := range devices {
		near := ParseCPUs(t.Text("sys/bus/pci/devices/" + d + "/local_cpulist"))
		local[i] = slices.DeleteFunc(near, func(cpu int) bool { return !slices.Contains(cpus, cpu) }).String()
	}
	parts := make([]CPUs, len(devices))
	taken := map[int]bool{}
	for i, list := range local {
		if slices.Index(local, list) < i {
			continue // it was divided
		}
		var group []int
		for j := range local {
			if local[j] == list {
				group = append(group, j)
			}
		}
		for k, part := range t.divided(ParseCPUs(list), len(group)) {
			parts[group[k]] = part
			for _, cpu := range part {
				if taken[cpu] { // two devices' local CPUs overlap
					return t.divided(cpus, len(devices))
				}
				taken[cpu] = true
			}
		}
	}
	if slices.ContainsFunc(parts, func(p CPUs) bool { return p == nil }) {
		return t.divided(cpus, len(devices))
	}
	return parts
}

// divided returns n parts of whole cores; nil if there are fewer cores.
func (t Tree) divided(cpus CPUs, n int) []CPUs {
	var cores []CPUs
	seen := map[int]int{} // core by its first hardware thread
	for _, cpu := range cpus {
		first := cpu
		if siblings := ParseCPUs(t.Text(cpuFile(cpu, "topology/thread_siblings_list"))); len(siblings) > 0 {
			first = siblings[0]
		}
		at, had := seen[first]
		if !had {
			at = len(cores)
			seen[first] = at
			cores = append(cores, nil)
		}
		cores[at] = append(cores[at], cpu)
	}
	if len(cores) < n {
		return nil
	}
	parts := make([]CPUs, n)
	for i, core := range cores {
		k := i * n / len(cores)
		parts[k] = append(parts[k], core...)
	}
	for _, p := range parts {
		slices.Sort(p)
	}
	return parts
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
