package ina3221

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"bench/framework"
	"bench/linux"
)

// Limits of the chip (Texas Instruments, "INA3221 Triple-Channel, High-Side
// Measurement, Shunt and Bus Voltage Monitor", electrical characteristics), and
// the usual tolerance of a shunt resistor: no board's document states it.
const (
	shuntOffset = 80e-6 // V
	shuntGain   = 0.0025
	busGain     = 0.0025
	tolerance   = 0.01
)

// calibration follows from the limits, each taken as evenly spread, at the rail's
// present voltage; it is zero where the shunt resistor is not known.
func (s *Sensor) calibration(c chip, n int) framework.Calibration {
	ohms := c.resistor(n)
	volts, err := strconv.ParseFloat(c.dir.Text(c.voltage(n)), 64)
	if err != nil || !(volts > 0) || !(ohms > 0) {
		return framework.Calibration{}
	}
	return framework.Calibration{
		Gain:   math.Sqrt((shuntGain*shuntGain + busGain*busGain + tolerance*tolerance) / 3),
		Offset: shuntOffset / ohms * volts / 1e3 / math.Sqrt(3),
		Source: fmt.Sprintf("INA3221 data sheet, shunt of %.3g mΩ within %g %%", 1e3*ohms, 100*tolerance),
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
		micro, err := strconv.ParseFloat(c.dir.Text(fmt.Sprintf("shunt%d_resistor", n)), 64)
		if err != nil {
			return 0
		}
		return micro / 1e6
	}
	cell, err := linux.ReadFile(c.dir.Path(fmt.Sprintf("../of_node/channel@%d/ti,shunt-resistor-mohm", n)))
	if err != nil || len(cell) != 4 {
		return 0
	}
	return float64(binary.BigEndian.Uint32(cell)) / 1e3
}

// Calibration is the rail's.
func (s *Sensor) Calibration(channel int) framework.Calibration { return s.rails[channel].calibration }

// Identity is the board, and the kernel that has the driver.
func (s *Sensor) Identity() string {
	if s.board == "" || s.kernel == "" {
		return ""
	}
	return s.board + ", kernel " + s.kernel
}
