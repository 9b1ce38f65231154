package powermode

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// files reads the files below a root.
type files string

func (t files) path(name string) string { return filepath.Join(string(t), name) }

// target is where the link at name leads below the root, absolute links
// included; name's own path where it is no such link.
func (t files) target(name string) string {
	p := t.path(name)
	if to, err := os.Readlink(p); err == nil && filepath.IsAbs(to) {
		return t.path(to)
	}
	return p
}

// text is a file's content without its line end and NUL; empty where it cannot
// be read.
func (t files) text(name string) string {
	b, err := os.ReadFile(t.path(name))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(strings.TrimRight(string(b), "\x00"))
}

// number is a file's number times unit; 0 where there is none.
func (t files) number(name string, unit float64) float64 {
	v, err := strconv.ParseFloat(t.text(name), 64)
	if err != nil {
		return 0
	}
	return v * unit
}

func (t files) exists(name string) bool {
	_, err := os.Stat(t.path(name))
	return err == nil
}

// The devfreq devices that are a Jetson's GPU, by the name in its device tree
// or, where that is hidden, in the device's own.
var gpuNames = []string{"gpu", "gp10b", "gv11b", "ga10b", "gb10b"}

// gpuFolder is the GPU's devfreq folder, without the root; empty where there
// is none.
func (t files) gpuFolder() string {
	folder := "sys/class/devfreq"
	entries, _ := os.ReadDir(t.path(folder))
	for _, e := range entries {
		name := t.text(filepath.Join(folder, e.Name(), "device/of_node/name"))
		_, own, _ := strings.Cut(e.Name(), ".")
		if slices.Contains(gpuNames, cmp.Or(name, own)) {
			return filepath.Join(folder, e.Name())
		}
	}
	return ""
}

// clocks reads the limits and the present frequencies of the CPUs (cpufreq,
// kHz), the GPU (devfreq, Hz) and the memory (NVIDIA's BPMP, Hz; its files are
// root's).
func (t files) clocks() []Clock {
	var all []Clock
	for _, group := range t.cpuGroups() {
		f := fmt.Sprintf("sys/devices/system/cpu/cpu%d/cpufreq/", group[0])
		all = append(all, Clock{"CPU " + ranges(group), t.number(f+"scaling_min_freq", 1e3),
			t.number(f+"scaling_max_freq", 1e3), t.number(f+"scaling_cur_freq", 1e3)})
	}
	if f := t.gpuFolder(); f != "" {
		all = append(all, Clock{"GPU", t.number(f+"/min_freq", 1), t.number(f+"/max_freq", 1), t.number(f+"/cur_freq", 1)})
	}
	const bpmp = "sys/kernel/debug/bpmp/debug/clk/emc/"
	emc := Clock{"EMC", t.number(bpmp+"min_rate", 1), t.number(bpmp+"max_rate", 1),
		cmp.Or(t.number(bpmp+"rate", 1), t.number("sys/kernel/debug/clk/override.emc/clk_rate", 1), t.number("sys/kernel/debug/clk/emc/clk_rate", 1))}
	for _, limit := range []string{"sys/kernel/nvpmodel_emc_cap/emc_iso_cap", "sys/kernel/nvpmodel_clk_cap/emc"} {
		if hz := t.number(limit, 1); hz > 0 && (emc.Max == 0 || hz < emc.Max) {
			emc.Max = hz
		}
	}
	if emc != (Clock{Name: "EMC"}) {
		all = append(all, emc)
	}
	return all
}

// cpuGroups are the CPUs that are on, those of one clock together.
func (t files) cpuGroups() [][]int {
	entries, _ := os.ReadDir(t.path("sys/devices/system/cpu"))
	var cpus []int
	for _, e := range entries {
		digits, ok := strings.CutPrefix(e.Name(), "cpu")
		n, err := strconv.Atoi(digits)
		if ok && err == nil && t.text(filepath.Join("sys/devices/system/cpu", e.Name(), "online")) != "0" {
			cpus = append(cpus, n)
		}
	}
	slices.Sort(cpus)
	var groups [][]int
	var shapes []string
	for _, n := range cpus {
		f := fmt.Sprintf("sys/devices/system/cpu/cpu%d/cpufreq/", n)
		if !t.exists(f) {
			continue
		}
		shape := t.text(f+"scaling_min_freq") + " " + t.text(f+"scaling_max_freq") + " " +
			t.text(f+"scaling_available_frequencies") + " " + t.text(f+"cpuinfo_max_freq")
		if i := slices.Index(shapes, shape); i >= 0 {
			groups[i] = append(groups[i], n)
			continue
		}
		shapes, groups = append(shapes, shape), append(groups, []int{n})
	}
	return groups
}
