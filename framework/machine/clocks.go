package machine

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The names of the GPU's and the memory's clock among Clocks.
const (
	GPUClock = "GPU"
	EMCClock = "EMC"
)

// Clock is the present state of a clock. A frequency of 0 is unknown.
type Clock struct {
	Name    string  `json:"name"`                 // as in "limits"
	Min     float64 `json:"min_Hz,omitempty"`     // least that is allowed
	Max     float64 `json:"max_Hz,omitempty"`     // highest that is allowed
	Current float64 `json:"current_Hz,omitempty"` // now
	// Governor chooses the frequency between the limits.
	Governor string `json:"governor,omitempty"`
}

// The devfreq devices that are a Jetson's GPU, by the name in its device tree
// or, where that is hidden, in the device's own.
var gpuNames = []string{"gpu", "gp10b", "gv11b", "ga10b", "gb10b"}

// thorGPU is that of Thor, whose GPU is a PCI device: the clock of its graphics
// processing clusters, beside gpu-nvd-0 for video (jetson_stats, hw_detect).
const thorGPU = "gpu-gpc-0"

// GPUFolder is the GPU's devfreq folder, without the root; empty where there
// is none.
func (t Tree) GPUFolder() string {
	folder := "sys/class/devfreq"
	for _, device := range t.List(folder) {
		name := t.Text(filepath.Join(folder, device, "device/of_node/name"))
		_, own, _ := strings.Cut(device, ".")
		if device == thorGPU || slices.Contains(gpuNames, cmp.Or(name, own)) {
			return filepath.Join(folder, device)
		}
	}
	return ""
}

// Clocks reads the limits and the present frequencies of the CPUs (cpufreq,
// kHz), the GPU (devfreq, Hz) and the memory (NVIDIA's BPMP, Hz, whose files are
// root's; on Thor the devfreq device bwmgr, which all may read).
func (t Tree) Clocks() []Clock {
	var all []Clock
	for _, group := range t.cpuGroups() {
		f := cpuFile(group[0], "cpufreq") + "/"
		all = append(all, Clock{"CPU " + group.String(), t.number(f+"scaling_min_freq", 1e3),
			t.number(f+"scaling_max_freq", 1e3), t.number(f+"scaling_cur_freq", 1e3), t.Text(f + "scaling_governor")})
	}
	if f := t.GPUFolder(); f != "" {
		all = append(all, Clock{GPUClock, t.number(f+"/min_freq", 1), t.number(f+"/max_freq", 1), t.number(f+"/cur_freq", 1), t.Text(f + "/governor")})
	}
	const bpmp, bwmgr = "sys/kernel/debug/bpmp/debug/clk/emc/", "sys/class/devfreq/bwmgr/"
	emc := Clock{Name: EMCClock, Min: cmp.Or(t.number(bwmgr+"min_freq", 1), t.number(bpmp+"min_rate", 1)), Max: cmp.Or(t.number(bwmgr+"max_freq", 1), t.number(bpmp+"max_rate", 1)),
		Current:  cmp.Or(t.number(bwmgr+"cur_freq", 1), t.number(bpmp+"rate", 1), t.number("sys/kernel/debug/clk/override.emc/clk_rate", 1), t.number("sys/kernel/debug/clk/emc/clk_rate", 1)),
		Governor: t.Text(bwmgr + "governor")}
	for _, limit := range []string{"sys/kernel/nvpmodel_emc_cap/emc_iso_cap", "sys/kernel/nvpmodel_clk_cap/emc"} {
		if hz := t.number(limit, 1); hz > 0 {
			emc.Max = min(hz, cmp.Or(emc.Max, hz))
		}
	}
	if emc != (Clock{Name: EMCClock}) {
		all = append(all, emc)
	}
	return all
}

// Frequencies are what the clocks of CPUs and GPU can be set to, in Hz, ascending, by the
// names of Clocks: tables of cpufreq and devfreq. A clock without a table is absent.
func (t Tree) Frequencies() map[string][]float64 {
	all := map[string][]float64{}
	read := func(clock, file string, unit float64) {
		var table []float64
		for word := range strings.FieldsSeq(t.Text(file)) {
			if v, err := strconv.ParseFloat(word, 64); err == nil && v > 0 {
				table = append(table, v*unit)
			}
		}
		if table != nil {
			slices.Sort(table)
			all[clock] = slices.Compact(table)
		}
	}
	for _, group := range t.cpuGroups() {
		read("CPU "+group.String(), cpuFile(group[0], "cpufreq/scaling_available_frequencies"), 1e3)
	}
	if f := t.GPUFolder(); f != "" {
		read(GPUClock, f+"/available_frequencies", 1)
	}
	read(EMCClock, "sys/class/devfreq/bwmgr/available_frequencies", 1)
	return all
}

// cpuGroups are the CPUs that are on and have a clock, grouped by clock.
func (t Tree) cpuGroups() []CPUs {
	var on CPUs
	for _, name := range t.List(cpuFolder) {
		digits, ok := strings.CutPrefix(name, "cpu")
		n, err := strconv.Atoi(digits)
		if ok && err == nil && t.Text(cpuFile(n, "online")) != "0" && t.Exists(cpuFile(n, "cpufreq")) {
			on = append(on, n)
		}
	}
	slices.Sort(on)
	var groups []CPUs
	var shapes []string
	for _, n := range on {
		shape := ""
		for _, name := range []string{"scaling_min_freq", "scaling_max_freq", "scaling_available_frequencies", "cpuinfo_max_freq"} {
			shape += t.Text(cpuFile(n, "cpufreq/"+name)) + "\n"
		}
		if i := slices.Index(shapes, shape); i >= 0 {
			groups[i] = append(groups[i], n)
			continue
		}
		shapes, groups = append(shapes, shape), append(groups, CPUs{n})
	}
	return groups
}
