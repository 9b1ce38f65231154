package machine

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// cpuMonitors are the hwmon drivers of x86 CPUs' own temperature sensors,
// which are not thermal zones everywhere.
var cpuMonitors = []string{"k10temp", "coretemp", "zenpower"}

// The range of readings in degrees Celsius; numbers outside it mean "no reading".
// Marks below it are -256, what Jetsons show of a unit that is switched off
// (jetson_stats, issue 350), and -274, THERMAL_TEMP_INVALID of Linux ("linux/thermal.h").
const (
	coldest = -100
	hottest = 250
)

// IsTemperature reports whether a number of degrees Celsius is a reading.
func IsTemperature(t float64) bool { return coldest < t && t < hottest }

// Temperatures reads the thermal zones (Linux, "Generic Thermal Sysfs driver
// How To") and the CPUs' hwmon sensors, in degrees Celsius by name. What gives
// no reading is left out: a zone whose unit is switched off fails with EAGAIN or
// shows a mark (IsTemperature), and of an hwmon sensor tempN_fault is then 1.
// So is PMIC-Die of a Jetson, which is the constant 100.
func (t Tree) Temperatures() map[string]float64 {
	found := map[string]float64{}
	seen := map[string]int{} // also of zones that give none now: a name stays its zone's
	add := func(name, file string) {
		if name == "" || name == "PMIC-Die" {
			return
		}
		seen[name]++
		if n := seen[name]; n > 1 {
			name += " " + strconv.Itoa(n)
		}
		if milli, ok := t.value(file); ok && IsTemperature(milli/1000) {
			found[name] = milli / 1000
		}
	}
	for _, zone := range t.folders("sys/class/thermal", "thermal_zone") {
		add(t.Text(zone+"/type"), zone+"/temp")
	}
	for _, monitor := range t.folders("sys/class/hwmon", "hwmon") {
		driver := t.Text(monitor + "/name")
		if !slices.Contains(cpuMonitors, driver) {
			continue
		}
		for _, input := range t.folders(monitor, "temp") {
			sensor, ok := strings.CutSuffix(input, "_input")
			if !ok {
				continue
			}
			if t.Text(sensor+"_fault") == "1" {
				input = ""
			}
			add(strings.TrimSpace(driver+" "+t.Text(sensor+"_label")), input)
		}
	}
	return found
}

// folders returns the entries of a folder whose names begin with prefix.
func (t Tree) folders(in, prefix string) []string {
	var found []string
	for _, name := range t.List(in) {
		if strings.HasPrefix(name, prefix) {
			found = append(found, filepath.Join(in, name))
		}
	}
	return found
}
