package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// UnknownAlgorithm is the error of a config whose algorithm is not one of
// names.
func (c *Config) UnknownAlgorithm(names []string) error {
	errs := &Errors{}
	errs.Add(c.Path, c.PositionOf("algorithm"), "%q is not an algorithm%s", c.Algorithm, Choice(c.Algorithm, names, "algorithms"))
	return errs.Err()
}

// CheckSensors refuses sensors, and calibrations of sensors, that are not among
// names. Its error is *Errors.
func (c *Config) CheckSensors(names []string) error {
	errs := &Errors{}
	for i, name := range c.Sensors {
		if !slices.Contains(names, name) {
			errs.Add(c.Path, c.PositionOf(fmt.Sprintf("sensors[%d]", i)), "%q is not a sensor%s", name, Choice(name, names, "sensors"))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(c.Calibration)) {
		if name, _, _ := strings.Cut(key, " "); !slices.Contains(names, name) {
			errs.Add(c.Path, c.PositionOf(child("calibration", key)), "%q is not a sensor%s", name, Choice(name, names, "sensors"))
		}
	}
	return errs.Err()
}
