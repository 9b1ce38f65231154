// Package ina238 reads INA238 power monitors through Linux's hwmon driver of that
// name ("Kernel driver ina238", hwmon documentation): power1_input (µW), which the
// chip computes from one conversion of shunt and bus voltage.
//
// On the carrier of a Jetson AGX Thor one measures VIN, the board's input: the
// module, the carrier and the fan. Chips are found below the driver's folder in
// /sys/bus/i2c/drivers by bus and address; hwmon numbers differ from boot to boot.
package ina238

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"bench/framework"
	"bench/framework/machine"
	"bench/linux"
)

// Factory describes the sensor.
func Factory() framework.SensorFactory {
	return framework.SensorFactory{
		Name: "ina238",
		Doc:  "the input of a Jetson AGX Thor's board",
		Open: func(env framework.SensorEnv) (framework.Sensor, error) {
			s, err := open(machine.Tree(env.Root), env.HasTotal, env.Measuring)
			if err != nil {
				return nil, err
			}
			return s, nil
		},
	}
}

// input is the label of the rail in front of all others of a board.
const input = "VIN"

// Sensor is all monitors of a board.
type Sensor struct {
	files    []*os.File
	failures []error // of the last Sample, by channel
	channels []framework.Channel
	notes    []string
	input    string // address of the first chip that has the board's input
	text     [32]byte

	board, kernel string
}

const driver = machine.I2CDrivers + "/ina238"

func open(root machine.Tree, hasTotal, measuring bool) (*Sensor, error) {
	facts, _ := root.Facts() // the model, where it can be read
	s := &Sensor{board: facts.Board, kernel: facts.Kernel}
	for _, device := range root.I2CDevices("ina238") {
		for _, n := range root.List(filepath.Join(driver, device, "hwmon")) {
			if strings.HasPrefix(n, "hwmon") {
				s.add(root, device, filepath.Join(driver, device, "hwmon", n), hasTotal, measuring)
			}
		}
	}
	switch {
	case len(s.files) > 0:
		return s, nil
	case len(s.notes) > 0:
		return nil, fmt.Errorf("no INA238 power monitor is used: %s", strings.Join(s.notes, "; "))
	}
	return nil, framework.NotHere(fmt.Sprintf("no INA238 power monitor below %s: the board of a Jetson AGX Thor has one", root.Path(machine.I2CDrivers)))
}

// add opens a chip and reads it once. Only the board's input can be the total, and
// only if no other sensor has it. What is outside the module has no part in power and
// energy, and is left out where they are measured: a poll reads the rest sooner.
func (s *Sensor) add(root machine.Tree, device, folder string, hasTotal, measuring bool) {
	label := cmp.Or(root.Line(filepath.Join(folder, "in1_label")), device)
	if label == input && s.input == "" {
		s.input = device
	}
	f, err := linux.Open(root.Path(filepath.Join(folder, "power1_input")))
	if err == nil {
		if _, err = s.power(f); err != nil {
			err = fmt.Errorf("%s: %w", f.Name(), err)
			f.Close()
		}
	}
	if err != nil {
		s.notes = append(s.notes, fmt.Sprintf("%s (%s) left out: %v", label, device, err))
		return
	}
	role := framework.Carrier
	switch {
	case label != input:
		s.notes = append(s.notes, fmt.Sprintf("rail %s is unknown: it is taken to be outside the module", label))
	case s.input != device:
		s.notes = append(s.notes, fmt.Sprintf("rail VIN is there twice: that of %s counts, and that of %s is taken to be outside the module", s.input, device))
	case !hasTotal:
		role = framework.Total
		s.notes = append(s.notes, "VIN is the total, as no other sensor has one: it is the board's input, with the carrier and the fan")
	}
	if role == framework.Carrier && measuring {
		f.Close()
		s.notes = append(s.notes, fmt.Sprintf("%s (%s) left out: it is outside the module; \"sensors\": [\"ina238\"] makes VIN the total", label, device))
		return
	}
	s.files = append(s.files, f)
	s.failures = append(s.failures, nil)
	s.channels = append(s.channels, framework.Channel{Name: label, Unit: "W", Role: role, Address: device})
}

// Name is "ina238".
func (s *Sensor) Name() string { return "ina238" }

// Channels returns the rails in the order of their addresses.
func (s *Sensor) Channels() []framework.Channel { return s.channels }

// power reads a chip's watts; NaN if that fails. Its power register has no sign (Texas
// Instruments, "INA238 85-V, 16-Bit, High-Precision Power Monitor", register POWER).
func (s *Sensor) power(f *os.File) (float64, error) {
	v, err := machine.ReadWhole(f, s.text[:])
	if err == nil && v < 0 {
		err = fmt.Errorf("%d is no power: the chip's register has no sign", v)
	}
	if err != nil {
		return math.NaN(), err
	}
	return float64(v) / 1e6, nil
}

// Sample fills dst in watts: NaN for a rail that gives no reading now.
func (s *Sensor) Sample(dst []float64) error {
	for i, f := range s.files {
		dst[i], s.failures[i] = s.power(f)
	}
	return nil
}

// Failure returns why the rail gave no reading in the last Sample.
func (s *Sensor) Failure(channel int) error {
	if s.failures[channel] == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", s.files[channel].Name(), s.failures[channel])
}

// Notes are the chips left out, and what is not as on a known board.
func (s *Sensor) Notes() []string { return s.notes }

// Identity is the board, and the kernel that has the driver.
func (s *Sensor) Identity() string {
	if s.board == "" || s.kernel == "" {
		return ""
	}
	return s.board + ", kernel " + s.kernel
}

// Close closes the files.
func (s *Sensor) Close() error {
	var errs []error
	for _, f := range s.files {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}
