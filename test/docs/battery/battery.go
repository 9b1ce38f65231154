// Package battery is the worked example of docs/adding-sensor.md: the power
// that a laptop draws from its battery.
//
// The kernel gives volts and amperes of a battery in
// /sys/class/power_supply/BAT*/voltage_now and current_now, in millionths
// (Documentation/ABI/testing/sysfs-class-power).
package battery

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"example.org/bench/framework"
)

// Factory describes the sensor.
func Factory() framework.SensorFactory {
	return framework.SensorFactory{
		Name: "battery",
		Doc:  "what a laptop draws from its battery, mains unplugged",
		Open: func(env framework.SensorEnv) (framework.Sensor, error) { return open(env.Root, env.HasTotal) },
	}
}

// Sensor is one battery.
type Sensor struct {
	volts, amperes *os.File
	role           framework.Role
	address        string
	text           [32]byte
}

func open(root string, hasTotal bool) (*Sensor, error) {
	folders, err := filepath.Glob(filepath.Join(root, "sys/class/power_supply/BAT*"))
	if err != nil || len(folders) == 0 {
		return nil, errors.New("no battery below /sys/class/power_supply: laptops have one")
	}
	dir := folders[0]
	status, err := os.ReadFile(filepath.Join(dir, "status"))
	if err != nil {
		return nil, fmt.Errorf("battery: %w", err)
	}
	if s := string(bytes.TrimSpace(status)); s != "Discharging" {
		return nil, fmt.Errorf("the battery is %s: unplug the mains to measure what is drawn from it", s)
	}
	s := &Sensor{role: framework.Total, address: filepath.Base(dir)}
	if hasTotal { // nothing is added up twice
		s.role = framework.Carrier
	}
	for name, file := range map[string]**os.File{"voltage_now": &s.volts, "current_now": &s.amperes} {
		if *file, err = os.Open(filepath.Join(dir, name)); err != nil {
			return nil, errors.Join(fmt.Errorf("battery: %w", err), s.Close())
		}
	}
	return s, nil
}

// Name is "battery".
func (s *Sensor) Name() string { return "battery" }

// Channels is the battery's power.
func (s *Sensor) Channels() []framework.Channel {
	return []framework.Channel{{Name: "battery", Unit: "W", Role: s.role, Address: s.address}}
}

// Sample gives watts. Drivers differ in the sign of a discharging current.
func (s *Sensor) Sample(dst []float64) error {
	dst[0] = math.NaN()
	volts, err := s.read(s.volts)
	if err != nil {
		return err
	}
	amperes, err := s.read(s.amperes)
	if err != nil {
		return err
	}
	dst[0] = volts * math.Abs(amperes)
	return nil
}

// read gives the number that an open file holds now, in millionths.
func (s *Sensor) read(f *os.File) (float64, error) {
	n, err := f.ReadAt(s.text[:], 0)
	if n == 0 {
		return math.NaN(), fmt.Errorf("%s: no value: %w", f.Name(), err)
	}
	v, err := strconv.ParseFloat(string(bytes.TrimSpace(s.text[:n])), 64)
	return v * 1e-6, err
}

// Notes are none.
func (s *Sensor) Notes() []string { return nil }

// Close closes the files.
func (s *Sensor) Close() error {
	var all error
	for _, f := range []*os.File{s.volts, s.amperes} {
		if f != nil {
			all = errors.Join(all, f.Close())
		}
	}
	return all
}
