package machine

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/shirou/gopsutil/v3/cpu"
	"github.com/shirou/gopsutil/v3/load"
)

// busyShare is the share of the CPUs' time from which others disturb.
const busyShare = 0.1

// Warnings say what makes timings on this machine's CPUs doubtful: other
// programs running, a frequency governor that is not performance, a battery
// that is the power supply. It watches the CPUs for 60 ms, so call it while
// nothing is measured.
func Warnings() []string {
	percent, err := cpu.Percent(60*time.Millisecond, false)
	share := 0.0
	if err == nil && len(percent) > 0 {
		share = percent[0] / 100
	}
	average := 0.0
	if a, err := load.Avg(); err == nil {
		average = a.Load1
	}
	return append(loaded(share, average, runtime.NumCPU()), Live.warnings()...)
}

// loaded warns of the share of all CPUs that is busy now, and of an average
// number of running programs over the last minute above the CPUs.
func loaded(share, average float64, cpus int) []string {
	switch {
	case share > busyShare:
		return []string{fmt.Sprintf("the machine is loaded: other programs use %.0f %% of its CPUs (load average %.2g on %d CPUs)", 100*share, average, cpus)}
	case average > float64(cpus):
		return []string{fmt.Sprintf("the machine was loaded in the last minute: load average %.2g on %d CPUs", average, cpus)}
	}
	return nil
}

// warnings are about clocks that follow the load or are limited. Machines
// without cpufreq, like most virtual ones, have nothing to set.
func (t Tree) warnings() []string {
	var names, all []string
	for _, g := range t.Governors() {
		if g.Governor != "performance" && !slices.Contains(names, g.Governor) {
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
