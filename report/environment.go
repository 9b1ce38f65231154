package report

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.org/bench/framework/record"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
)

// surroundings returns what a run says of the place and the means of its measurement.
func surroundings(i record.Info) []Fact {
	facts := environment(i)
	if i.Source == "" {
		facts = append([]Fact{{"fingerprint", fingerprint(i)}}, facts...)
	}
	return facts
}

// where returns what a reader asks first of a run: its device, driver, date and duration.
func where(i record.Info) (parts []string) {
	add := func(text string) {
		if text != "" && !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	add(i.Source)
	add(i.Machine.Board)
	for _, d := range i.Devices {
		if d.Facts != nil {
			add(d.Facts.Name)
		} else {
			add(i.Machine.CPU)
		}
	}
	for _, d := range i.Devices {
		if d.Driver != "" {
			add("driver " + d.Driver)
		}
		if d.Facts != nil && d.Facts.DriverVersion != "" {
			add("CUDA " + d.Facts.DriverVersion)
		}
	}
	if !i.Started.IsZero() {
		add(i.Started.UTC().Format("2 Jan 2006"))
		add(i.Ended.Sub(i.Started).Round(time.Second).String())
	}
	return parts
}

// fingerprint returns a short text for what a result depends on beside chance. Equal ones are of one machine,
// one config, and one build.
func fingerprint(i record.Info) string {
	short := func(parts ...any) string { return fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, parts...)))[:8] }
	m := i.Machine
	machine := []any{m.Board, "\n", m.CPU, "\n", m.CPUs, "\n", m.MemoryBytes}
	for _, d := range i.Devices {
		if d.Facts != nil {
			machine = append(machine, "\n", d.Facts.Name, "\n", d.Facts.UUID)
		}
	}
	config := i.Config.Hash
	for _, s := range i.Config.Set {
		config += "\n" + s
	}
	return fmt.Sprintf("machine %s, config %s, tool %s", short(machine...), short(config), short(i.Tool.Version, "\n", i.Tool.Commit, "\n", i.Tool.Platform))
}

// environment returns what run.json and its like say, in the order in which a reader asks.
func environment(i record.Info) (facts []Fact) {
	add := func(name, format string, args ...any) {
		if text := fmt.Sprintf(format, args...); text != "" {
			facts = append(facts, Fact{name, text})
		}
	}
	add("published in", "%s", i.Source)
	for _, d := range i.Devices {
		name := d.ID
		if d.PowerMode != "" {
			name += ", " + d.PowerMode
		}
		var parts []string
		if f := d.Facts; f != nil {
			kind, units, driver := fmt.Sprintf("compute capability %d.%d", f.ComputeMajor, f.ComputeMinor), "multiprocessor", "CUDA "+f.DriverVersion
			if o := f.OpenCL; o != nil {
				kind, units, driver = o.Version, "compute unit", o.Platform+" "+f.DriverVersion
			}
			parts = append(parts, f.Name, kind, terminal.Count(f.Multiprocessors, units),
				digits.Scaled(float64(f.ClockHz), "Hz"), fmt.Sprintf("%.1f GiB", float64(f.GlobalBytes)/(1<<30)), driver, f.CompilerVersion, f.UUID)
		}
		if d.Driver != "" {
			parts = append(parts, "driver "+d.Driver)
		}
		add(name, "%s", strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", "))
		if d.Timing != "" {
			add("times of "+name, "%s", d.Timing)
		}
		if c := d.Ceilings; c.Copy > 0 || c.FMA > 0 {
			text := fmt.Sprintf("measured: copy %s, FMA f32 %s", digits.Scaled(c.Copy, "B/s"), digits.Scaled(c.FMA, "FLOP/s"))
			if c.FMA64 > 0 {
				text += ", FMA f64 " + digits.Scaled(c.FMA64, "FLOP/s")
			}
			add("ceilings of "+name, "%s", text)
		}
		if len(d.Clocks) > 0 {
			var clocks []string
			for clock, hz := range d.Clocks {
				clocks = append(clocks, clock+" "+digits.Scaled(hz, "Hz"))
			}
			slices.Sort(clocks)
			add("clocks of "+name, "%s", strings.Join(clocks, ", "))
		}
	}
	m := i.Machine
	add("board", "%s", m.Board)
	if m.CPU != "" {
		add("CPU", "%s, %s, %s, %s", m.CPU, terminal.Count(m.Cores, "core"), terminal.Count(m.CPUs, "CPU"), m.Usable())
	}
	if m.MemoryBytes > 0 {
		add("memory", "%.1f GiB", float64(m.MemoryBytes)/(1<<30))
	}
	if m.OS != "" {
		add("system", "%s, kernel %s, %s", m.OS, m.Kernel, m.Architecture)
	}
	for _, g := range m.Governors {
		add("governor", "%s", g)
	}
	if len(m.Load) > 0 {
		add("load before", "%.2f over the last minute", m.Load[0])
	}
	add("battery", "%s", m.Battery)
	add("files of another board", "%s", i.CopiedFiles)
	var libraries []string
	for _, l := range i.Libraries {
		libraries = append(libraries, strings.TrimSpace(l.Name+" "+l.Version))
	}
	add("libraries", "%s", strings.Join(libraries, ", "))
	for _, s := range i.Sensors {
		if s.Absent != "" {
			add("sensor "+s.Name, "absent: %s", s.Absent)
			continue
		}
		var channels []string
		for _, c := range s.Channels {
			channels = append(channels, c.Name)
		}
		add("sensor "+s.Name, "%s", strings.Join(channels, ", "))
	}
	if i.Source != "" {
		return facts
	}
	add("measured by", "bench %s, %s, %s", i.Tool, i.Tool.Go, i.Tool.Platform)
	for _, t := range i.EarlierTools {
		add("and by", "bench %s", t)
	}
	add("command", "%s", commandLine(i.Command))
	if i.Config.Path != "" {
		add("config", "%s, SHA-256 %.12s", i.Config.Path, i.Config.Hash)
	}
	add("set", "%s", strings.Join(i.Config.Set, ", "))
	add("seed", "%d", i.Seed)
	if !i.Started.IsZero() {
		add("when", "%s to %s (%s)", i.Started.UTC().Format(time.DateTime+" UTC"), i.Ended.UTC().Format(time.DateTime+" UTC"), i.Ended.Sub(i.Started).Round(time.Second))
	}
	if i.Wisdom != nil {
		add("wisdom", "%s, SHA-256 %.12s", i.Wisdom.File, i.Wisdom.Hash)
	}
	for _, s := range i.Smaller {
		add("smaller default", "%s", s)
	}
	return facts
}
