package ina3221

import (
	"fmt"
	"slices"
	"strings"

	"example.org/bench/framework"
)

// leaveOutCarriers closes the rails outside the module. They have no part in power
// or energy, and each reading of one occupies the bus, on some boards for
// milliseconds.
func (s *Sensor) leaveOutCarriers() {
	var names []string
	for i := len(s.rails) - 1; i >= 0; i-- {
		if s.channels[i].Role != framework.Carrier {
			continue
		}
		names = append(names, s.rails[i].name)
		s.rails[i].Close() //nolint:errcheck // it was only read
		s.rails, s.channels = slices.Delete(s.rails, i, i+1), slices.Delete(s.channels, i, i+1)
	}
	if names != nil {
		slices.Reverse(names)
		s.notes = append(s.notes, fmt.Sprintf("not read while measuring, as they are outside the module: %s", strings.Join(names, ", ")))
	}
}

// WaitsForBus is true: what a reading takes is the bus and the chip's conversion.
func (s *Sensor) WaitsForBus() bool { return true }
