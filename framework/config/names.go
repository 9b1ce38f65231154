package config

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"example.org/bench/framework"
)

// isMetric reports whether a counter is a GPU's: NVIDIA's metrics are called UNIT__NAME.
func isMetric(counter string) bool { return strings.Contains(counter, "__") }

// CountersOf returns the counters that the config asks for on processor p.
func (c *Config) CountersOf(p framework.Processor) (names []string) {
	for _, name := range c.Counters {
		if isMetric(name) == (p == framework.GPU) {
			names = append(names, name)
		}
	}
	return names
}

// CheckCounters refuses CPU counters that are not among names. Only the GPU itself knows a GPU's.
// Its error is *Errors.
func (c *Config) CheckCounters(names []string) error {
	errs := &Errors{}
	for i, name := range c.Counters {
		if !isMetric(name) && !slices.Contains(names, name) {
			errs.Add(c.Path, c.PositionOf(fmt.Sprintf("counters[%d]", i)), "%q is neither a metric of a GPU, as dram__bytes.sum, nor an event of a CPU%s", name, Choice(name, names, "events"))
		}
	}
	return errs.Err()
}

// UnknownAlgorithm returns the error of a config whose algorithm is not one of names.
func (c *Config) UnknownAlgorithm(names []string) error {
	errs := &Errors{}
	instead := Choice(c.Algorithm, names, "algorithms")
	switch filepath.Ext(c.Algorithm) {
	case ".cu", ".cuh", ".c", ".cc", ".cpp", ".h", ".ptx":
		instead = `; a source file's kernels or functions are described by {"cuda": …}: bench new mine writes an example`
	default:
		if strings.Contains(c.Algorithm, "/") {
			instead = `; a program is run by the key "executable", without "algorithm": bench new mine --template program writes an example`
		}
	}
	errs.Add(c.Path, c.PositionOf("algorithm"), "%q is not an algorithm%s", c.Algorithm, instead)
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
