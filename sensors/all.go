// Package sensors lists the power sensors, one folder each.
package sensors

import (
	"bench/framework"
	"bench/sensors/external"
	"bench/sensors/ina238"
	"bench/sensors/ina3221"
	"bench/sensors/nvml"
	"bench/sensors/rapl"
)

// All lists the sensors in the order in which they are looked for.
func All() []framework.SensorFactory {
	return []framework.SensorFactory{
		nvml.Factory(),
		ina3221.Factory(),
		ina238.Factory(), // after the one that measures a Jetson's total
		rapl.Factory(),
		external.Factory(), // after those that measure the total
	}
}
