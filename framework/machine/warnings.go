package machine

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/shirou/gopsutil/v3/cpu"

	"example.org/bench/internal/terminal"
)

const (
	// busyPercent is the percentage of the CPUs' time from which others disturb.
	busyPercent = 10
	watchTime   = 60 * time.Millisecond
)

// Warnings say what makes timings on this machine's CPUs doubtful: other
// programs running, a frequency governor that is not performance, a battery
// that is the power supply; and a clock that dates them wrong. It watches the CPUs for 60 ms, so call it while
// nothing is measured.
func Warnings() []string {
	percent, average := Live.busy()
	all := append(loaded(percent, average, runtime.NumCPU()), Live.warnings()...)
	all = append(all, Live.limited(runtime.NumCPU())...)
	if doubt := ClockDoubt(); doubt != "" {
		all = append(all, doubt)
	}
	return all
}

// busy returns the percentage of all CPUs' time that is used now, and the mean
// number of runnable tasks over the last minute. What the files do not tell is 0.
func (t Tree) busy() (percent, average float64) {
	all, _ := cpu.PercentWithContext(t.context(), watchTime, false)
	for _, p := range all { // one at most, of all CPUs together
		percent = p
	}
	if l := t.load(); l != nil {
		average = l[0]
	}
	return percent, average
}

// loaded warns of what busy tells: of CPUs that are busy now, and of more
// programs than CPUs over the last minute.
func loaded(percent, average float64, cpus int) []string {
	switch {
	case percent > busyPercent:
		return []string{fmt.Sprintf("the machine is loaded: other programs use %.0f %% of its CPUs (load average %.2g on %s)", percent, average, terminal.Count(cpus, "CPU"))}
	case average > float64(cpus):
		return []string{fmt.Sprintf("the machine was loaded in the last minute: load average %.2g on %s", average, terminal.Count(cpus, "CPU"))}
	}
	return nil
}

// limited warns of a quota below the CPUs: workers then stop for most of each period.
func (t Tree) limited(cpus int) []string {
	if q := t.CPUQuota(); q > 0 && q < float64(cpus) {
		return []string{fmt.Sprintf("this process may use %.3g of %d CPUs, by its cgroup's quota (cpu.max or cpu.cfs_quota_us): times of more workers have its pauses in them", q, cpus)}
	}
	return nil
}

// warnings are about clocks that follow the load or are limited. Machines
// without cpufreq, like most virtual ones, have nothing to set.
func (t Tree) warnings() []string {
	var names, all []string
	for _, g := range t.Governors() {
		pinned := g.MinHz > 0 && g.MinHz == g.MaxHz // as jetson_clocks leaves it, whatever the governor
		if g.Governor != "performance" && !pinned && !slices.Contains(names, g.Governor) {
			names = append(names, g.Governor)
		}
	}
	if len(names) > 0 {
		all = append(all, fmt.Sprintf("the CPUs' frequency governor is %s: set it to performance for steady clocks (cpupower frequency-set -g performance)", strings.Join(names, " and ")))
	}
	if t.battery() == discharging {
		all = append(all, "the machine runs on its battery: clocks may be held down")
	}
	return all
}
