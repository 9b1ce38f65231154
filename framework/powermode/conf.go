package powermode

import (
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"example.org/bench/framework/machine"
	"example.org/bench/internal/lazy"
)

// argument is one value that a mode of nvpmodel.conf writes to one file. param
// and name are its names in nvpmodel.conf; in the older form both are empty.
type argument struct {
	param, name string
	paths       []string // of the file; the first that exists counts
	tables      []string // of the frequencies that the clock can have
	value       string
}

var (
	sectionForm   = lazy.Regexp(`^<\s*(\w+)\s*(.*?)\s*>$`)
	attributeForm = lazy.Regexp(`(\w+)=(\S+)`)
	cpuFile       = lazy.Regexp(`/cpu/cpu(\d+)/(online$|cpufreq/)`)
)

// newerKernel marks arguments that hold the path of the same file under
// newer kernels.
const newerKernel = "_KNEXT"

// parseConf reads nvpmodel.conf in both of its forms: files named by PARAM
// sections (L4T 28 on), and modes whose lines are a path and a value (L4T 27).
// Other sections, such as those for fans, are skipped.
func parseConf(text string) ([]Mode, error) {
	params := map[string]map[string]string{} // path by PARAM and argument
	var modes []Mode
	var section, param, standard string
	for i, line := range slices.Collect(strings.Lines(text)) {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		fault := func(format string, args ...any) ([]Mode, error) {
			return nil, fmt.Errorf("line %d: %s", i+1, fmt.Sprintf(format, args...))
		}
		if m := sectionForm().FindStringSubmatch(line); m != nil {
			attributes := map[string]string{}
			for _, a := range attributeForm().FindAllStringSubmatch(m[2], -1) {
				attributes[a[1]] = a[2]
			}
			switch section = m[1]; section {
			case "PARAM":
				if param = attributes["NAME"]; param == "" {
					return fault("PARAM has no NAME")
				}
				params[param] = map[string]string{}
			case "POWER_MODEL":
				if attributes["ID"] == "" || attributes["NAME"] == "" {
					return fault("POWER_MODEL has no ID or no NAME")
				}
				if slices.ContainsFunc(modes, func(m Mode) bool { return m.ID == attributes["ID"] }) {
					return fault("POWER_MODEL ID=%s occurs twice", attributes["ID"])
				}
				modes = append(modes, Mode{ID: attributes["ID"], Name: attributes["NAME"]})
			case "PM_CONFIG":
				standard = attributes["DEFAULT"]
			}
			continue
		}
		words := strings.Fields(line)
		switch {
		case section == "PARAM" && len(words) == 2:
			params[param][words[0]] = words[1]
		case section == "POWER_MODEL" && len(words) == 2 && path.IsAbs(words[0]):
			m := &modes[len(modes)-1]
			m.arguments = append(m.arguments, argument{paths: words[:1], value: words[1]})
		case section == "POWER_MODEL" && len(words) == 3:
			args, ok := params[words[0]]
			if !ok || args[words[1]] == "" {
				return fault("no PARAM section says which file %s %s is", words[0], words[1])
			}
			a := argument{param: words[0], name: words[1], value: words[2]}
			for _, suffix := range []string{"", newerKernel} {
				if p := args[words[1]+suffix]; p != "" && !slices.Contains(a.paths, p) {
					a.paths = append(a.paths, p)
				}
				if p := args["FREQ_TABLE"+suffix]; p != "" {
					a.tables = append(a.tables, p)
				}
			}
			m := &modes[len(modes)-1]
			m.arguments = append(m.arguments, a)
		case section == "PARAM" || section == "POWER_MODEL":
			return fault("%q is not a value of an argument", line)
		}
	}
	if len(modes) == 0 {
		return nil, fmt.Errorf("no POWER_MODEL")
	}
	for i := range modes {
		m := &modes[i]
		m.Default = m.ID == standard
		m.CPUs = onlineCPUs(params["CPU_ONLINE"], m.arguments)
		for _, a := range m.arguments {
			if a.isMask() {
				if m.Masks == nil {
					m.Masks = map[string]string{}
				}
				m.Masks[a.maskName()] = a.value
			}
			if a.isLimit() && !a.offline(m.arguments) {
				hz := a.hertz()
				m.Limits = append(m.Limits, Limit{What: a.clock(), Unit: "Hz", Most: hz})
			}
		}
	}
	return modes, nil
}

// isLimit reports whether the argument is the highest frequency of a clock.
func (a argument) isLimit() bool {
	if a.param != "" {
		return a.name == "MAX_FREQ"
	}
	return strings.HasSuffix(a.paths[0], "/scaling_max_freq") || strings.HasSuffix(a.paths[0], "/max_freq") ||
		strings.Contains(a.paths[0], "/nvpmodel_emc_cap/") || strings.Contains(a.paths[0], "/nvpmodel_clk_cap/")
}

// kilohertz reports whether the file is one of cpufreq's; the others are in Hz.
func (a argument) kilohertz() bool { return strings.Contains(a.paths[0], "/cpufreq/") }

// hertz returns the limit, or 0 for none. For none the file has -1 or the largest integer for a CPU or
// GPU, and 0 for memory.
func (a argument) hertz() float64 {
	v, err := strconv.ParseInt(a.value, 10, 64)
	switch {
	case err != nil:
		return 0
	case v <= 0 || v >= math.MaxInt32 && a.kilohertz() || v == math.MaxInt32:
		return 0
	case a.kilohertz():
		return float64(v) * 1e3
	}
	return float64(v)
}

// clock returns the clock's name: the PARAM's, or one derived from the path.
func (a argument) clock() string {
	switch m := cpuFile().FindStringSubmatch(a.paths[0]); {
	case a.param != "":
		return strings.ReplaceAll(a.param, "_", " ")
	case m != nil:
		return "CPU " + m[1]
	case strings.Contains(a.paths[0], "emc"):
		return "EMC"
	}
	return "GPU"
}

// online returns which CPU the argument switches on or off.
func (a argument) online() (cpu int, on, ok bool) {
	m := cpuFile().FindStringSubmatch(a.paths[0])
	if m == nil || m[2] != "online" {
		return 0, false, false
	}
	cpu, err := strconv.Atoi(m[1])
	return cpu, a.value != "0", err == nil
}

// offline reports whether the argument is for a CPU that the mode switches off.
func (a argument) offline(all []argument) bool {
	m := cpuFile().FindStringSubmatch(a.paths[0])
	if m == nil || m[2] == "online" {
		return false
	}
	for _, o := range all {
		if cpu, on, ok := o.online(); ok && !on && strconv.Itoa(cpu) == m[1] {
			return true
		}
	}
	return false
}

// onlineCPUs lists the CPUs that are on; CPU 0 always is.
func onlineCPUs(known map[string]string, arguments []argument) string {
	on := map[int]bool{}
	for _, p := range known {
		if cpu, _, ok := (argument{paths: []string{p}}).online(); ok {
			on[cpu] = true
		}
	}
	for _, a := range arguments {
		if cpu, yes, ok := a.online(); ok {
			on[cpu] = yes
		}
	}
	if len(on) == 0 {
		return ""
	}
	on[0] = true
	maps.DeleteFunc(on, func(_ int, yes bool) bool { return !yes })
	return machine.CPUs(slices.Sorted(maps.Keys(on))).String()
}
