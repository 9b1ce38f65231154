// Package sensors lists the power sensors, one folder each.
package sensors

import (
	"example.org/bench/framework"
	"example.org/bench/sensors/external"
	"example.org/bench/sensors/hwmon"
	"example.org/bench/sensors/ina3221"
	"example.org/bench/sensors/nvml"
	"example.org/bench/sensors/rapl"
)

// All lists the sensors in the order in which they are looked for.
func All() []framework.SensorFactory {
	return []framework.SensorFactory{
		nvml.Factory(),
		ina3221.Factory(),
		rapl.Factory(),
		hwmon.Factory(),    // after those that measure a Jetson's total and a CPU's
		external.Factory(), // after those that measure the total
	}
}
