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

// Temperatures reads the thermal zones (Linux, "Generic Thermal Sysfs driver
// How To") and the CPUs' hwmon sensors, in degrees Celsius by name. What gives
// no reading is left out: a zone whose unit is switched off fails with EAGAIN.
// So is PMIC-Die of a Jetson, which is the constant 100.
func (t Tree) Temperatures() map[string]float64 {
	found := map[string]float64{}
	add := func(name, file string) {
		milli, err := strconv.ParseFloat(t.Text(file), 64)
		if err != nil || name == "" || name == "PMIC-Die" {
			return
		}
		unique := name
		for n := 2; ; n++ {
			if _, taken := found[unique]; !taken {
				break
			}
			unique = name + " " + strconv.Itoa(n)
		}
		found[unique] = milli / 1000
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
			if sensor, ok := strings.CutSuffix(input, "_input"); ok {
				add(strings.TrimSpace(driver+" "+t.Text(sensor+"_label")), input)
			}
		}
	}
	return found
}

// folders are what lies in a folder with names that begin so.
func (t Tree) folders(in, prefix string) []string {
	var found []string
	for _, name := range t.List(in) {
		if strings.HasPrefix(name, prefix) {
			found = append(found, filepath.Join(in, name))
		}
	}
	return found
}
