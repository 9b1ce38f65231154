package engine

import (
	"slices"
	"strings"

	"example.org/bench/framework/record"
)

// NoPower returns a line that says why none of the sensors measures power; empty if one does.
func NoPower(sensors []record.Sensor) string {
	if len(sensors) == 0 {
		return "the config asks for no sensor"
	}
	var why []string
	for _, s := range sensors {
		if s.Absent == "" {
			return ""
		}
		why = append(why, s.Name+": "+s.Absent)
	}
	return strings.Join(why, "; ")
}

// NoPowerBriefly is NoPower without the reasons of the sensors that the machine does not have.
func NoPowerBriefly(sensors []record.Sensor) string {
	there := slices.DeleteFunc(slices.Clone(sensors), func(s record.Sensor) bool { return s.NotHere })
	if len(sensors) > 0 && len(there) == 0 {
		return "this machine has no power sensor that is known"
	}
	return NoPower(there)
}
