package measure

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// cpuMonitors are the hwmon drivers of x86 CPUs' own temperature sensors,
// which are no thermal zones everywhere.
var cpuMonitors = []string{"k10temp", "coretemp", "zenpower"}

// Temperatures reads the thermal zones below root (Linux, "Generic Thermal
// Sysfs driver How To") and the CPUs' hwmon sensors, in degrees Celsius by
// name. What gives no reading is left out: a zone whose unit is switched off
// fails with EAGAIN. So is PMIC-Die of a Jetson, which is the constant 100.
func Temperatures(root string) map[string]float64 {
	found := map[string]float64{}
	add := func(name, file string) {
		milli, err := strconv.ParseFloat(readText(file), 64)
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
	zones, _ := filepath.Glob(filepath.Join(root, "sys/class/thermal/thermal_zone*"))
	for _, z := range zones {
		add(readText(filepath.Join(z, "type")), filepath.Join(z, "temp"))
	}
	monitors, _ := filepath.Glob(filepath.Join(root, "sys/class/hwmon/hwmon*"))
	for _, h := range monitors {
		driver := readText(filepath.Join(h, "name"))
		if !slices.Contains(cpuMonitors, driver) {
			continue
		}
		inputs, _ := filepath.Glob(filepath.Join(h, "temp*_input"))
		for _, in := range inputs {
			label := readText(strings.TrimSuffix(in, "_input") + "_label")
			add(strings.TrimSpace(driver+" "+label), in)
		}
	}
	return found
}
