package record

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/shirou/gopsutil/v3/common"
	"github.com/shirou/gopsutil/v3/cpu"
	"github.com/shirou/gopsutil/v3/load"
	"github.com/shirou/gopsutil/v3/mem"
)

// Machine is the computer that a run was on. It holds nothing that names its
// owner: no host name, no address.
type Machine struct {
	Board        string  `json:"board,omitempty"` // model, where the firmware says
	CPU          string  `json:"cpu"`
	Cores        int     `json:"cores"`       // physical; 0: unknown
	CPUs         int     `json:"cpus"`        // logical
	UsableCPUs   int     `json:"usable_cpus"` // that this process may use
	MemoryBytes  uint64  `json:"memory_bytes,omitempty"`
	OS           string  `json:"os"`
	Kernel       string  `json:"kernel"`
	Architecture string  `json:"architecture"`
	Governors    []Clock `json:"governors,omitempty"`
	// Load is the mean number of runnable tasks over 1, 5 and 15 minutes.
	Load []float64 `json:"load,omitempty"`
	// Battery is "charging", "discharging", …; empty without a battery.
	Battery string `json:"battery,omitempty"`
}

// Clock is how a group of CPUs is clocked: the cpufreq policy's governor and
// frequencies.
type Clock struct {
	CPUs       string  `json:"cpus"` // as the kernel lists them, e.g. "0 1 2 3"
	Governor   string  `json:"governor"`
	MinHz      float64 `json:"min_Hz"`
	MaxHz      float64 `json:"max_Hz"`
	CurrentHz  float64 `json:"current_Hz,omitempty"`
	HardwareHz float64 `json:"hardware_max_Hz,omitempty"`
}

// ThisMachine describes the machine from the files under root ("/" on a live
// machine). The error says what could not be read; the rest is filled in.
func ThisMachine(root string) (Machine, error) {
	ctx := context.WithValue(context.Background(), common.EnvKey, common.EnvMap{
		common.HostProcEnvKey: filepath.Join(root, "proc"),
		common.HostSysEnvKey:  filepath.Join(root, "sys"),
		common.HostEtcEnvKey:  filepath.Join(root, "etc"),
	})
	m := Machine{
		Board:        board(root),
		OS:           osName(root),
		Kernel:       text(root, "proc/sys/kernel/osrelease"),
		Architecture: runtime.GOARCH,
		UsableCPUs:   runtime.NumCPU(),
		Governors:    clocks(root),
		Battery:      battery(root),
	}
	var bad []error
	check := func(what string, err error) {
		if err != nil {
			bad = append(bad, fmt.Errorf("machine: %s: %w", what, err))
		}
	}
	info, err := cpu.InfoWithContext(ctx)
	check("CPU", err)
	m.CPU = cpuNames(info)
	m.Cores, err = cpu.CountsWithContext(ctx, false)
	check("cores", err)
	m.CPUs, err = cpu.CountsWithContext(ctx, true)
	check("CPUs", err)
	if v, err := mem.VirtualMemoryWithContext(ctx); err != nil {
		check("memory", err)
	} else {
		m.MemoryBytes = v.Total
	}
	if a, err := load.AvgWithContext(ctx); err != nil {
		check("load", err)
	} else {
		m.Load = []float64{a.Load1, a.Load5, a.Load15}
	}
	return m, errors.Join(bad...)
}

// cpuNames lists the CPU models, one of each kind: boards mix them.
func cpuNames(cpus []cpu.InfoStat) string {
	var names []string
	for _, c := range cpus {
		name := c.ModelName
		if name == "" || name == "Undefined" {
			name = strings.TrimSpace(c.VendorID + " " + c.Model)
		}
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, " + ")
}

// text reads a small file without its line end or NUL; empty where there is
// none.
func text(root, path string) string {
	b, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		return ""
	}
	return strings.TrimRight(strings.TrimSpace(string(b)), "\x00")
}

// board is the device tree's model (Devicetree Specification, 2.3.2) or the
// firmware's product name (Linux, Documentation/ABI/testing/sysfs-firmware-dmi-tables).
func board(root string) string {
	if s := text(root, "proc/device-tree/model"); s != "" {
		return s
	}
	vendor, product := text(root, "sys/class/dmi/id/sys_vendor"), text(root, "sys/class/dmi/id/product_name")
	return strings.TrimSpace(vendor + " " + product)
}

// anyLinux is the system where no file says more.
const anyLinux = "Linux"

// osName is the distribution (os-release(5)), and the Jetson's Linux release
// where there is one.
func osName(root string) string {
	name := anyLinux
	for _, line := range strings.Split(text(root, "etc/os-release"), "\n") {
		if v, ok := strings.CutPrefix(line, "PRETTY_NAME="); ok {
			name = strings.Trim(v, `"'`)
		}
	}
	release, _, _ := strings.Cut(text(root, "etc/nv_tegra_release"), ", GCID")
	if release = strings.TrimSpace(strings.TrimPrefix(release, "#")); release != "" {
		name += ", L4T " + release
	}
	return name
}

// clocks reads the cpufreq policies (Linux, Documentation/admin-guide/pm/cpufreq.rst).
func clocks(root string) []Clock {
	policies, _ := filepath.Glob(filepath.Join(root, "sys/devices/system/cpu/cpufreq/policy*"))
	sort.Slice(policies, func(i, j int) bool { return policyNumber(policies[i]) < policyNumber(policies[j]) })
	if len(policies) == 0 {
		return clocksByCPU(root)
	}
	var all []Clock
	for _, p := range policies {
		if c := clockOf(p); c.Governor != "" {
			all = append(all, c)
		}
	}
	return all
}

// clocksByCPU reads cpufreq where only each CPU has a folder of it, as in
// copied trees and older kernels; CPUs clocked alike are one group.
func clocksByCPU(root string) []Clock {
	var all []Clock
	for n := 0; ; n++ {
		folder := filepath.Join(root, fmt.Sprintf("sys/devices/system/cpu/cpu%d", n))
		if _, err := os.Stat(folder); err != nil {
			return all
		}
		c := clockOf(filepath.Join(folder, "cpufreq"))
		c.CPUs = strconv.Itoa(n)
		alike := func(o Clock) bool {
			o.CPUs, o.CurrentHz = c.CPUs, c.CurrentHz
			return o == c
		}
		if i := slices.IndexFunc(all, alike); i >= 0 {
			all[i].CPUs += " " + c.CPUs
		} else if c.Governor != "" {
			all = append(all, c)
		}
	}
}

func clockOf(folder string) Clock {
	const kHz = 1e3
	return Clock{
		CPUs:       text(folder, "related_cpus"),
		Governor:   text(folder, "scaling_governor"),
		MinHz:      number(folder, "scaling_min_freq") * kHz,
		MaxHz:      number(folder, "scaling_max_freq") * kHz,
		CurrentHz:  number(folder, "scaling_cur_freq") * kHz,
		HardwareHz: number(folder, "cpuinfo_max_freq") * kHz,
	}
}

func policyNumber(path string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(filepath.Base(path), "policy"))
	if err != nil {
		return math.MaxInt
	}
	return n
}

// number is 0 where the file is absent or holds no number.
func number(dir, file string) float64 {
	x, err := strconv.ParseFloat(text(dir, file), 64)
	if err != nil {
		return 0
	}
	return x
}

// battery is the state of the first battery that powers the machine, not one
// of a mouse (Linux, Documentation/ABI/testing/sysfs-class-power).
func battery(root string) string {
	supplies, _ := filepath.Glob(filepath.Join(root, "sys/class/power_supply/*"))
	for _, s := range supplies {
		if text(s, "type") == "Battery" && text(s, "scope") != "Device" {
			return strings.ToLower(text(s, "status"))
		}
	}
	return ""
}
