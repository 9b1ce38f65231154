package machine

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.org/bench/internal/lazy"
)

// State is what times depend on beside temperatures, at one moment. What the files do
// not tell is absent.
type State struct {
	Clocks []Clock `json:"clocks,omitempty"`
	// Events count how often the board held clocks down since it booted, by counter:
	// over-current and under-voltage events of a Jetson (soctherm_oc).
	Events map[string]float64 `json:"throttle_events,omitempty"`
	// Cooling are the states of the cooling devices that are not fans, by name; above
	// 0 something is held down.
	Cooling map[string]float64 `json:"cooling,omitempty"`
	// Alarms are the current limits of power monitors that are exceeded now.
	Alarms []string `json:"alarms,omitempty"`
	// Fans are what is told of fans, by name: rpm, or pwm from 0 to 255.
	Fans map[string]float64 `json:"fans,omitempty"`
}

var (
	eventForm = lazy.Regexp(`^(oc\d+)_event_cnt$`)
	alarmForm = lazy.Regexp(`^curr(\d+)_(\w+_)?alarm$`)
	fanForm   = lazy.Regexp(`^(rpm|fan\d+_input|pwm\d+)$`)
)

// State reads clocks, throttling, current alarms (hwmon), cooling devices (Linux,
// "Generic Thermal Sysfs driver How To") and fans.
func (t Tree) State() State {
	s := State{Clocks: t.Clocks()}
	for _, monitor := range t.folders("sys/class/hwmon", "hwmon") {
		t.monitor(&s, monitor)
	}
	for _, device := range t.folders("sys/class/thermal", "cooling_device") {
		kind := t.Text(device + "/type")
		if v, ok := t.value(device + "/cur_state"); ok && !strings.Contains(kind, "fan") {
			add(&s.Cooling, kind, v)
		}
	}
	// NVIDIA's driver up to L4T 32.
	if v, ok := t.value("sys/devices/pwm-fan/cur_pwm"); ok {
		add(&s.Fans, "pwm", v)
	}
	return s
}

// monitor adds what one hwmon device tells.
func (t Tree) monitor(s *State, monitor string) {
	driver := t.Text(monitor + "/name")
	for _, file := range t.List(monitor) {
		event, alarm := eventForm().FindStringSubmatch(file), alarmForm().FindStringSubmatch(file)
		if event == nil && alarm == nil && !fanForm().MatchString(file) {
			continue
		}
		v, ok := t.value(filepath.Join(monitor, file))
		switch {
		case !ok, t.Text(filepath.Join(monitor, strings.TrimSuffix(file, "_input")+"_fault")) == "1":
		case event != nil:
			add(&s.Events, event[1], v)
		case alarm != nil:
			label := t.Text(monitor + "/in" + alarm[1] + "_label")
			if v != 0 {
				s.Alarms = append(s.Alarms, strings.TrimSpace(label+" "+file))
			}
		case strings.HasPrefix(file, "pwm"):
			add(&s.Fans, "pwm", v)
		case driver != "":
			add(&s.Fans, "rpm", v)
		}
	}
}

// add puts a value under a name, with a number where the name is taken.
func add(m *map[string]float64, name string, v float64) {
	if *m == nil {
		*m = map[string]float64{}
	}
	unique := name
	for n := 2; ; n++ {
		if _, taken := (*m)[unique]; !taken {
			break
		}
		unique = name + " " + strconv.Itoa(n)
	}
	(*m)[unique] = v
}

// Pinned reports whether the clocks of a Jetson's GPU and CPUs cannot move, as
// jetson_clocks leaves them; known is false where there is no such GPU, or its limits
// are not told.
func (s State) Pinned() (pinned, known bool) {
	gpu := slices.IndexFunc(s.Clocks, func(c Clock) bool { return c.Name == GPUClock })
	if gpu < 0 || s.Clocks[gpu].Min == 0 || s.Clocks[gpu].Max == 0 {
		return false, false
	}
	return !slices.ContainsFunc(s.Clocks, func(c Clock) bool {
		return c.Name != EMCClock && c.Min > 0 && c.Max > 0 && c.Min != c.Max
	}), true
}

// Throttled returns the names of what held clocks down between the two states; empty
// if nothing shows it.
func Throttled(before, after State) (by []string) {
	for name, n := range after.Events {
		if was, ok := before.Events[name]; ok && n > was {
			by = append(by, name)
		}
	}
	for _, s := range []State{before, after} {
		for name, v := range s.Cooling {
			if v > 0 {
				by = append(by, name)
			}
		}
		by = append(by, s.Alarms...)
	}
	slices.Sort(by)
	return slices.Compact(by)
}
