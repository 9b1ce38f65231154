// Package sensors lists the power sensors, one folder each.
package sensors

import (
	"bench/framework"
	"bench/sensors/ina3221"
	"bench/sensors/nvml"
)

// All lists the sensors in the order they are looked for.
func All() []framework.SensorFactory {
	return []framework.SensorFactory{
		nvml.Factory(),
		ina3221.Factory(),
	}
}
