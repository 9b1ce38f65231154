package machine

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Governor is how a group of CPUs is clocked: the cpufreq policy's governor and
// frequencies.
type Governor struct {
	CPUs       string  `json:"cpus"`                      // those of the policy, as the kernel lists them, e.g. "0 1 2 3"
	Governor   string  `json:"governor"`                  // "performance", "schedutil", …
	MinHz      float64 `json:"min_Hz"`                    // least that is allowed
	MaxHz      float64 `json:"max_Hz"`                    // highest that is allowed
	CurrentHz  float64 `json:"current_Hz,omitempty"`      // now
	HardwareHz float64 `json:"hardware_max_Hz,omitempty"` // highest that the CPU has
}

// Governors reads the cpufreq policies (Linux,
// Documentation/admin-guide/pm/cpufreq.rst); none where the kernel offers no
// frequency control.
func (t Tree) Governors() []Governor {
	const folder = cpuFolder + "/cpufreq"
	var policies []int
	for _, name := range t.List(folder) {
		digits, ok := strings.CutPrefix(name, "policy")
		if n, err := strconv.Atoi(digits); ok && err == nil {
			policies = append(policies, n)
		}
	}
	if len(policies) == 0 {
		return t.governorsByCPU()
	}
	slices.Sort(policies)
	var all []Governor
	for _, n := range policies {
		if g := t.governor(filepath.Join(folder, "policy"+strconv.Itoa(n))); g.Governor != "" {
			all = append(all, g)
		}
	}
	return all
}

// governorsByCPU reads cpufreq where only each CPU has a folder of it, as in
// copied trees and older kernels; CPUs clocked alike are one group.
func (t Tree) governorsByCPU() []Governor {
	var all []Governor
	for n := 0; t.Exists(cpuFile(n, "")); n++ {
		g := t.governor(cpuFile(n, "cpufreq"))
		g.CPUs = strconv.Itoa(n)
		alike := func(o Governor) bool {
			o.CPUs, o.CurrentHz = g.CPUs, g.CurrentHz
			return o == g
		}
		if i := slices.IndexFunc(all, alike); i >= 0 {
			all[i].CPUs += " " + g.CPUs
		} else if g.Governor != "" {
			all = append(all, g)
		}
	}
	return all
}

func (t Tree) governor(folder string) Governor {
	const kHz = 1e3
	file := func(name string) string { return filepath.Join(folder, name) }
	return Governor{
		CPUs:       t.Line(file("related_cpus")),
		Governor:   t.Line(file("scaling_governor")),
		MinHz:      t.number(file("scaling_min_freq"), kHz),
		MaxHz:      t.number(file("scaling_max_freq"), kHz),
		CurrentHz:  t.number(file("scaling_cur_freq"), kHz),
		HardwareHz: t.number(file("cpuinfo_max_freq"), kHz),
	}
}

// String is the governor with its limits, as far as they are known.
func (g Governor) String() string {
	limits := "limits unknown"
	switch {
	case g.MinHz > 0 && g.MaxHz > 0:
		limits = fmt.Sprintf("%.2f to %.2f GHz", g.MinHz/1e9, g.MaxHz/1e9)
	case g.MaxHz > 0:
		limits = fmt.Sprintf("up to %.2f GHz", g.MaxHz/1e9)
	}
	return fmt.Sprintf("%s, %s (CPUs %s)", g.Governor, limits, g.CPUs)
}
