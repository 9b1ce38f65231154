package compare

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"example.org/bench/framework/config"
	"example.org/bench/framework/record"
)

// trait is one property of a run's surroundings that may change its results. An empty value is
// unknown, and differs from nothing.
type trait struct {
	name  string
	of    func(*record.Run) string
	apart []Dimension // dimensions in which it differs on purpose
}

func traits() []trait {
	return []trait{
		{"tool version", func(r *record.Run) string { return r.Info.Tool.String() }, nil},
		{"measure settings", measureSettings, nil},
		{"GPU", gpus, []Dimension{ByDevice}},
		{"driver", drivers, nil},
		{"GPU compiler", compilers, nil},
		{"GPU clocks", gpuClocks, []Dimension{ByDevice, ByPowerMode}},
		{"board", func(r *record.Run) string { return r.Info.Machine.Board }, []Dimension{ByDevice}},
		{"CPU", func(r *record.Run) string { return r.Info.Machine.CPU }, []Dimension{ByDevice}},
		{"usable CPUs", usableCPUs, []Dimension{ByDevice, ByPowerMode}},
		{"CPU governor and clocks", governors, []Dimension{ByDevice, ByPowerMode}},
		{"kernel", func(r *record.Run) string { return r.Info.Machine.Kernel }, []Dimension{ByDevice}},
		{"battery", func(r *record.Run) string { return r.Info.Machine.Battery }, nil},
		{"power mode", powerModes, []Dimension{ByPowerMode, ByDevice}},
		{"libraries", libraries, nil},
		{"sensors", sensors, nil},
	}
}

// environments warns of differences between the runs, once per trait, and repeats the runs' own
// warnings.
func environments(runs []Run, by Dimension) []string {
	var lines []string
	for _, t := range traits() {
		if slices.Contains(t.apart, by) || by == ByVersion || by.usage() {
			continue // versions are compared within a run
		}
		var values []string
		holders := map[string][]string{}
		for _, r := range runs {
			if r.Info.Source != "" {
				continue // a publication does not have these
			}
			v := t.of(r.Run)
			if v == "" {
				continue
			}
			if holders[v] == nil {
				values = append(values, v)
			}
			holders[v] = append(holders[v], r.Name)
		}
		if len(values) < 2 {
			continue
		}
		var parts []string
		for _, v := range values {
			parts = append(parts, fmt.Sprintf("%s (%s)", v, strings.Join(holders[v], ", ")))
		}
		lines = append(lines, fmt.Sprintf("%s differs: %s", t.name, strings.Join(parts, "; ")))
	}
	for _, r := range runs {
		for _, w := range r.Info.Warnings {
			lines = append(lines, r.Name+": "+w)
		}
	}
	return lines
}

// measureSettings returns the config's settings with the defaults filled in.
func measureSettings(r *record.Run) string {
	c, err := config.Parse(r.Info.Config.Path, []byte(r.Info.Config.Text))
	if err != nil {
		return ""
	}
	b, _ := json.Marshal(c.Measure) // numbers only
	return strings.NewReplacer(`"`, "", "{", "", "}", "").Replace(string(b))
}

// eachDevice joins the texts that f returns for the devices.
func eachDevice(r *record.Run, f func(record.Device) string) string {
	var parts []string
	for _, d := range r.Info.Devices {
		if s := f(d); s != "" && !slices.Contains(parts, s) {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, ", ")
}

func gpus(r *record.Run) string {
	return eachDevice(r, func(d record.Device) string {
		if d.Facts == nil {
			return ""
		}
		return d.Facts.Name
	})
}

func drivers(r *record.Run) string {
	return eachDevice(r, func(d record.Device) string {
		if d.Driver == "" && d.Facts != nil && d.Facts.DriverVersion != "" {
			return "CUDA " + d.Facts.DriverVersion
		}
		return d.Driver
	})
}

func compilers(r *record.Run) string {
	return eachDevice(r, func(d record.Device) string {
		if d.Facts == nil {
			return ""
		}
		return d.Facts.CompilerVersion
	})
}

func gpuClocks(r *record.Run) string {
	return eachDevice(r, func(d record.Device) string {
		var parts []string
		for _, name := range sortedKeys(d.Clocks) {
			parts = append(parts, fmt.Sprintf("%s %.0f MHz", name, d.Clocks[name]/1e6))
		}
		return strings.Join(parts, " ")
	})
}

func governors(r *record.Run) string {
	var parts []string
	for _, g := range r.Info.Machine.Governors {
		s := fmt.Sprintf("%s %.0f to %.0f MHz", g.Governor, g.MinHz/1e6, g.MaxHz/1e6)
		if !slices.Contains(parts, s) {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, ", ")
}

func powerModes(r *record.Run) string {
	var modes []string
	for _, w := range r.Rows {
		if w.PowerMode != "" && !slices.Contains(modes, w.PowerMode) {
			modes = append(modes, w.PowerMode)
		}
	}
	return strings.Join(modes, ", ")
}

// modesDiffer reports whether each run has a power mode, and no two have the same.
func modesDiffer(runs []Run) bool {
	seen := map[string]bool{}
	for _, r := range runs {
		mode := powerModes(r.Run)
		if mode == "" || seen[mode] {
			return false
		}
		seen[mode] = true
	}
	return len(runs) > 1
}

func libraries(r *record.Run) string {
	var parts []string
	for _, l := range r.Info.Libraries {
		if l.Version != "" {
			parts = append(parts, l.Name+" "+l.Version)
		}
	}
	return strings.Join(parts, ", ")
}

func sensors(r *record.Run) string {
	var parts []string
	for _, s := range r.Info.Sensors {
		if s.Absent == "" {
			parts = append(parts, s.Name)
		}
	}
	return strings.Join(parts, ", ")
}

// usableCPUs returns the usable CPUs, and what a quota allows of their time.
func usableCPUs(r *record.Run) string {
	m := r.Info.Machine
	text := positive(m.UsableCPUs)
	if text != "" && m.Limited(float64(m.UsableCPUs)) {
		text += fmt.Sprintf(", %.3g by quota", m.CPUQuota)
	}
	return text
}

func positive(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// Surrounding is one property of a run's surroundings that may change its results.
type Surrounding struct{ Name, Value string }

// Surroundings returns the known surroundings of a run.
func Surroundings(r *record.Run) (list []Surrounding) {
	for _, t := range traits() {
		if v := t.of(r); v != "" {
			list = append(list, Surrounding{t.name, v})
		}
	}
	return list
}
