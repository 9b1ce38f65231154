package ina3221

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"example.org/bench/framework"
	"example.org/bench/framework/machine"
	"example.org/bench/internal/linux"
)

// Limits of the chip (Texas Instruments, "INA3221 Triple-Channel, High-Side
// Measurement, Shunt and Bus Voltage Monitor", electrical characteristics), and
// the usual tolerance of a shunt resistor: no board's document states it.
const (
	shuntOffset = 80e-6 // V
	shuntGain   = 0.0025
	busGain     = 0.0025
	tolerance   = 0.01
	shuntStep   = 40e-6 // V
	// smallShunt is taken for a resistor that is not known, in ohms: the smaller, the more
	// an offset explains.
	smallShunt = 1e-3
)

// calibration follows from the limits, each taken as evenly spread, at the rail's
// present voltage; it is zero where the shunt resistor is not known.
func (s *Sensor) calibration(c chip, n int) framework.Calibration {
	ohms := c.resistor(n)
	volts, err := strconv.ParseFloat(c.dir.Text(c.voltage(n)), 64)
	if err != nil || !(volts > 0 && volts <= fullBus) || !(ohms > 0) {
		return framework.Calibration{}
	}
	return framework.Calibration{
		Gain:   math.Sqrt((shuntGain*shuntGain + busGain*busGain + tolerance*tolerance) / 3),
		Offset: shuntOffset / ohms * volts / 1e3 / math.Sqrt(3),
		Source: fmt.Sprintf("INA3221 data sheet, shunt of %.3g mΩ within %g %%", 1e3*ohms, 100*tolerance),
	}
}

// lowest is a rail's power, in watts, that the chip may show where no current flows: its
// offset and a step below zero at the present voltage. A GPU that is off reads a step below.
func (c chip) lowest(n int) float64 {
	ohms := c.resistor(n)
	if !(ohms > 0) {
		ohms = smallShunt
	}
	volts, err := strconv.ParseFloat(c.dir.Text(c.voltage(n)), 64)
	if err != nil || !(volts >= 0 && volts <= fullBus) {
		return math.Inf(-1) // not known
	}
	return -(shuntOffset + shuntStep) / ohms * volts / 1e3
}

// noteNegative notes where a rail's power is further below zero than an offset explains.
func (s *Sensor) noteNegative(r rail) {
	if r.first < r.lowest {
		s.notes = append(s.notes, fmt.Sprintf("%s %s reads %.3g W, below what the chip's offset explains (%.2g W): its current flows back, or its shunt is the other way round",
			r.address, r.name, r.first, r.lowest))
	}
}

func (c chip) voltage(n int) string {
	if c.hwmon {
		return fmt.Sprintf("in%d_input", n)
	}
	return fmt.Sprintf("in_voltage%d_input", n)
}

// resistor is the shunt in ohms: Linux's driver reports it in microohms, and for
// NVIDIA's the device tree has it in milliohms; 0 where neither states it.
func (c chip) resistor(n int) float64 {
	if c.hwmon {
		micro, err := strconv.ParseUint(c.dir.Text(fmt.Sprintf("shunt%d_resistor", n)), 10, 31)
		if err != nil || machine.AllBits(float64(micro)) {
			return 0
		}
		return float64(micro) / 1e6
	}
	cell, err := linux.ReadFile(c.dir.Path(fmt.Sprintf("../of_node/channel@%d/ti,shunt-resistor-mohm", n)))
	if err != nil || len(cell) != 4 {
		return 0
	}
	return float64(binary.BigEndian.Uint32(cell)) / 1e3
}

// Calibration returns the calibration of the rail.
func (s *Sensor) Calibration(channel int) framework.Calibration { return s.rails[channel].calibration }

// Identity returns the board, and the kernel that has the driver.
func (s *Sensor) Identity() string {
	if s.board == "" || s.kernel == "" {
		return ""
	}
	return s.board + ", kernel " + s.kernel
}
