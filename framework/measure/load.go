package measure

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/shirou/gopsutil/v3/cpu"
	"github.com/shirou/gopsutil/v3/load"
)

// busyShare is the share of the CPUs' time from which others disturb.
const busyShare = 0.1

// LoadWarning says what makes timings on this machine's CPUs doubtful: other
// programs running, a frequency governor that is not performance, a battery
// that is the power supply. It watches the CPUs for 60 ms and so
// belongs where nothing is being measured.
func LoadWarning() []string {
	percent, err := cpu.Percent(60*time.Millisecond, false)
	share := 0.0
	if err == nil && len(percent) > 0 {
		share = percent[0] / 100
	}
	average := 0.0
	if a, err := load.Avg(); err == nil {
		average = a.Load1
	}
	return slices.Concat(loaded(share, average, runtime.NumCPU()), governors("/"), battery("/"))
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

// governors warns of CPUs whose clock follows the load. Machines without
// cpufreq, as most virtual ones, have nothing to set.
func governors(root string) []string {
	files, _ := filepath.Glob(filepath.Join(root, "sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor"))
	var names []string
	for _, f := range files {
		if g := readText(f); g != "" && g != "performance" && !slices.Contains(names, g) {
			names = append(names, g)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("the CPUs' frequency governor is %s: set it to performance for steady clocks (cpupower frequency-set -g performance)", strings.Join(names, " and "))}
}

// battery warns of a battery that is being discharged (Linux,
// "sysfs-class-power"). Supplies with scope Device are those of a mouse or the
// like.
func battery(root string) []string {
	dirs, _ := filepath.Glob(filepath.Join(root, "sys/class/power_supply/*"))
	for _, d := range dirs {
		if readText(filepath.Join(d, "type")) == "Battery" && readText(filepath.Join(d, "scope")) != "Device" &&
			readText(filepath.Join(d, "status")) == "Discharging" {
			return []string{"the machine runs on its battery: clocks may be held down"}
		}
	}
	return nil
}
