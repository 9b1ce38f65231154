package machine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/shirou/gopsutil/v3/common"
	"github.com/shirou/gopsutil/v3/cpu"
	"github.com/shirou/gopsutil/v3/mem"

	"example.org/bench/internal/terminal"
)

// Facts are a computer's properties and state. They hold nothing that
// identifies its owner: no host name, no address.
type Facts struct {
	Board        string     `json:"board,omitempty"`        // model, where the firmware says
	CPU          string     `json:"cpu"`                    // model
	Cores        int        `json:"cores"`                  // physical; 0: unknown
	CPUs         int        `json:"cpus"`                   // logical
	UsableCPUs   int        `json:"usable_cpus"`            // that this process may use
	CPUQuota     float64    `json:"cpu_quota,omitempty"`    // CPUs' time that its control groups allow; absent: no limit
	MemoryBytes  uint64     `json:"memory_bytes,omitempty"` // main memory
	OS           string     `json:"os"`                     // distribution
	Kernel       string     `json:"kernel"`                 // release
	Architecture string     `json:"architecture"`           // "amd64", "arm64"
	Governors    []Governor `json:"governors,omitempty"`    // frequency policies
	// Load is the mean number of runnable tasks over 1, 5 and 15 minutes.
	Load []float64 `json:"load,omitempty"`
	// Battery is "charging", "discharging", …; empty without a battery.
	Battery string `json:"battery,omitempty"`
}

// context makes gopsutil read the files of the tree.
func (t Tree) context() context.Context {
	return context.WithValue(context.Background(), common.EnvKey, common.EnvMap{
		common.HostProcEnvKey: t.Path("proc"),
		common.HostSysEnvKey:  t.Path("sys"),
		common.HostEtcEnvKey:  t.Path("etc"),
	})
}

// Facts describes the machine. The error says what could not be read; the rest
// is filled in.
func (t Tree) Facts() (Facts, error) {
	ctx := t.context()
	m := Facts{
		Board:        t.board(),
		OS:           t.system(),
		Kernel:       t.Line("proc/sys/kernel/osrelease"),
		Architecture: runtime.GOARCH,
		UsableCPUs:   runtime.NumCPU(),
		CPUQuota:     t.CPUQuota(),
		Governors:    t.Governors(),
		Battery:      t.battery(),
		Load:         t.load(),
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
	if _, total := t.Memory(); total > 0 {
		m.MemoryBytes = uint64(total)
	} else {
		check("memory", errors.New("proc/meminfo does not tell it"))
	}
	return m, errors.Join(bad...)
}

// Usable is how many CPUs this process may use, and what of their time.
func (f Facts) Usable() string {
	text := fmt.Sprintf("%d usable", f.UsableCPUs)
	if f.Limited(float64(f.UsableCPUs)) {
		text += fmt.Sprintf(", %.3g by this cgroup's quota", f.CPUQuota)
	}
	return text
}

// Limited reports whether the quota allows less than the time of so many CPUs.
func (f Facts) Limited(cpus float64) bool { return f.CPUQuota > 0 && f.CPUQuota < cpus }

// Memory returns the available memory, with what caches can give back (MemAvailable), and
// the total, in bytes; zero if they are not told.
func (t Tree) Memory() (free, total int64) {
	m, err := mem.VirtualMemoryWithContext(t.context())
	if err != nil {
		return 0, 0
	}
	return int64(m.Available), int64(m.Total)
}

// load reads /proc/loadavg (proc(5)).
func (t Tree) load() []float64 {
	l := make([]float64, 3)
	if _, err := fmt.Sscan(t.Text("proc/loadavg"), &l[0], &l[1], &l[2]); err != nil {
		return nil
	}
	return l
}

// coreNames are those of Jetsons that gopsutil does not know, by implementer and part (Linux,
// arch/arm64/include/asm/cputype.h).
var coreNames = map[string]string{"NVIDIA 0x003": "Denver 2", "NVIDIA 0x004": "Carmel", "ARM 0xd83": "Neoverse-V3AE"}

// cpuNames lists the CPU models, one of each kind: boards mix them.
func cpuNames(cpus []cpu.InfoStat) string {
	var names []string
	for _, c := range cpus {
		part := strings.TrimSpace(c.VendorID + " " + c.Model)
		name := cmp.Or(coreNames[part], c.ModelName)
		if name == "" || name == "Undefined" {
			name = part
		}
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, " + ")
}

// codeNames are boards whose device tree has another model than its name (issues 48 and 515
// of jetson_stats).
var codeNames = map[string]string{"jetson_tx1": "Jetson TX1", "quill": "Jetson TX2", "lanai-3636": "Jetson TX2 NX", "Jetson-AGX": "Jetson AGX Xavier"}

// DeviceTree is a text property of the device tree's root. /proc/device-tree is a link to the
// folder in /sys (Linux, "ofw" of sysfs-firmware), which a copied tree may have alone.
func (t Tree) DeviceTree(property string) string {
	return cmp.Or(t.Line("proc/device-tree/"+property), t.Line("sys/firmware/devicetree/base/"+property))
}

// board is the device tree's model (Devicetree Specification, 2.3.2) or the
// firmware's product name (Linux, Documentation/ABI/testing/sysfs-firmware-dmi-tables).
func (t Tree) board() string {
	if s := t.DeviceTree("model"); s != "" {
		if name := codeNames[s]; name != "" {
			return name + " (" + s + ")"
		}
		return s
	}
	vendor, product := t.Line("sys/class/dmi/id/sys_vendor"), t.Line("sys/class/dmi/id/product_name")
	return strings.TrimSpace(vendor + " " + product)
}

// Jetson reports whether the machine is a Jetson: its device tree names the chip, its
// release file is there, or its GPU is a devfreq device. Containers hide the first two.
func (t Tree) Jetson() bool {
	return strings.Contains(t.DeviceTree("compatible"), "nvidia,tegra") || t.Exists("etc/nv_tegra_release") || t.GPUFolder() != ""
}

// anyLinux is the system if no file says more.
const anyLinux = "Linux"

// system is the distribution (os-release(5)), and the Jetson's Linux release
// where there is one.
func (t Tree) system() string {
	name := anyLinux
	for _, line := range strings.Split(t.Text("etc/os-release"), "\n") {
		if v, ok := strings.CutPrefix(line, "PRETTY_NAME="); ok {
			name = terminal.OneLine(strings.Trim(v, `"'`))
		}
	}
	release, _, _ := strings.Cut(t.Line("etc/nv_tegra_release"), ", GCID")
	if release = strings.TrimSpace(strings.TrimPrefix(release, "#")); release != "" {
		name += ", L4T " + release
	}
	return name
}

// discharging is the state of a battery that is the power supply.
const discharging = "discharging"

// battery is the state of the battery that powers the machine, not of one of a
// mouse; of several that of the first, or discharging where any is (Linux,
// Documentation/ABI/testing/sysfs-class-power).
func (t Tree) battery() string {
	const folder = "sys/class/power_supply"
	state := ""
	for _, name := range t.List(folder) {
		supply := Tree(t.Path(filepath.Join(folder, name)))
		if supply.Text("type") != "Battery" || supply.Text("scope") == "Device" {
			continue
		}
		if now := strings.ToLower(supply.Line("status")); state == "" || now == discharging {
			state = now
		}
	}
	return state
}
