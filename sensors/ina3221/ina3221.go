// Package ina3221 reads the INA3221 power monitors of Jetson boards through
// sysfs. Two drivers serve the chip:
//
//   - ina3221x, NVIDIA's, up to L4T 32: channels 0 to 2 of an iio device, with
//     rail_name_N and in_powerN_input (mW), computed by the driver from one
//     conversion ("drivers/staging/iio/meter/ina3221.c" of L4T);
//   - ina3221, Linux's, from L4T 34 on: channels 1 to 3 of a hwmon device, with
//     inN_label, inN_input (mV) and currN_input (mA), read one after the other
//     ("Kernel driver ina3221", hwmon documentation). Its in4 to in7 and curr4
//     are shunt voltages and sums, no rails.
//
// Chips are found below the driver's folder in /sys/bus/i2c/drivers by bus and
// address; hwmon and iio numbers differ from boot to boot.
package ina3221

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/rails"
)

// Factory describes the sensor.
func Factory() framework.SensorFactory {
	return framework.SensorFactory{
		Name: "ina3221",
		Doc:  "power rails of Jetson boards, TX1 to Thor",
		Open: func(env framework.SensorEnv) (framework.Sensor, error) {
			s, err := open(machine.Tree(env.Root), rails.Open)
			if err != nil {
				return nil, err
			}
			if env.Measuring {
				s.leaveOutCarriers()
			}
			return s, nil
		},
	}
}

// rail is one channel of one chip, with its power in watts.
type rail struct {
	name, address string
	channel       int
	rails.Power
	times         times   // of the rail's own chip
	first, lowest float64 // W: its first reading, and the lowest that the chip's offset explains
	calibration   framework.Calibration
}

// shown is the rail for the table of boards.
func (r *rail) shown() rails.Rail {
	return rails.Rail{Name: r.name, Driver: "ina3221", Address: r.address, Channel: r.channel}
}

// Sensor is all monitors of a board.
type Sensor struct {
	rails     []rail
	channels  []framework.Channel
	notes     []string
	averaging float64
	text      []byte

	board, kernel string
}

// chip is one monitor's folder of channels.
type chip struct {
	address string // bus and address, as 1-0040
	dir     machine.Tree
	hwmon   bool
}

func open(root machine.Tree, open rails.Opener) (*Sensor, error) {
	chips := find(root)
	if len(chips) == 0 {
		return nil, framework.NotHere(fmt.Sprintf("no INA3221 power monitor below %s: Jetson boards have one (the Nano 2GB does not)",
			root.Path(machine.I2CDrivers)))
	}
	known := rails.Of(root)
	if known.HasFile() && !root.Jetson() {
		return nil, framework.NotHere(rails.File + " says what this machine's rails are: the sensor hwmon reads them all")
	}
	facts, _ := root.Facts() // the model, where it can be read
	s := &Sensor{text: make([]byte, 32), averaging: -1, board: facts.Board, kernel: facts.Kernel}
	var failed []rails.Rail // that give no reading
	for _, c := range chips {
		times := s.describe(c)
		s.averaging = max(s.averaging, times.averaging)
		first := 0
		if c.hwmon {
			first = 1
		}
		for n := first; n < first+3; n++ {
			r, err := s.channel(c, n, open)
			if err != nil {
				s.notes = append(s.notes, fmt.Sprintf("%s channel %d left out: %v", c.address, n, err))
				if r.name != "" {
					failed = append(failed, r.shown())
				}
				continue
			}
			r.times, r.calibration, r.lowest = times, s.calibration(c, n), c.lowest(n)
			s.rails = append(s.rails, r)
		}
	}
	if len(s.rails) == 0 {
		return nil, fmt.Errorf("no channel of the INA3221 power monitors gives a reading: %s", strings.Join(s.notes, "; "))
	}
	shown := make([]rails.Rail, len(s.rails))
	for i := range s.rails {
		shown[i] = s.rails[i].shown()
	}
	assigned, notes := known.Assign(shown, failed, false)
	s.notes = append(s.notes, notes...)
	for i, a := range assigned {
		s.noteNegative(s.rails[i])
		s.channels = append(s.channels, framework.Channel{Name: a.Name, Unit: "W", Role: a.Role, Feeds: a.Feeds, Address: s.rails[i].address})
	}
	return s, nil
}

// find lists the monitors, in the order of their addresses, each once. The iio device is
// reported under two names, iio:deviceN and iio_device, and a copied tree may have a
// chip below both drivers.
func find(root machine.Tree) []chip {
	var chips []chip
	seen := map[string]bool{}
	add := func(address, dir string, hwmon bool) {
		real, err := filepath.EvalSymlinks(root.Path(dir))
		if err == nil && !seen[address] {
			seen[address] = true
			chips = append(chips, chip{address, machine.Tree(real), hwmon})
		}
	}
	for _, driver := range []string{"ina3221x", "ina3221"} {
		for _, device := range root.I2CDevices(driver) {
			dir := filepath.Join(machine.I2CDrivers, driver, device)
			if driver == "ina3221x" {
				for _, n := range root.List(dir) {
					if strings.HasPrefix(n, "iio:device") || n == "iio_device" {
						add(device, filepath.Join(dir, n), false)
					}
				}
				continue
			}
			for _, n := range root.List(filepath.Join(dir, "hwmon")) {
				if strings.HasPrefix(n, "hwmon") {
					add(device, filepath.Join(dir, "hwmon", n), true)
				}
			}
		}
	}
	slices.SortFunc(chips, func(a, b chip) int { return machine.CompareI2C(a.address, b.address) })
	return chips
}

// channel opens channel n of a chip and reads it once. If that fails, the
// returned rail has its name, as far as it is known.
func (s *Sensor) channel(c chip, n int, open rails.Opener) (rail, error) {
	number := strconv.Itoa(n)
	label, inputs, divisor := "rail_name_"+number, []string{"in_power" + number + "_input"}, 1e3
	if c.hwmon {
		label, inputs, divisor = "in"+number+"_label", []string{"in" + number + "_input", "curr" + number + "_input"}, 1e6
	}
	r := rail{address: c.address, channel: n, Power: rails.Power{Divisor: divisor}}
	name := c.dir.Line(label)
	switch {
	case name == "NC":
		return r, errors.New("not connected")
	case c.hwmon && c.dir.Text("in"+number+"_enable") == "0":
		r.name = name
		return r, errors.New("disabled")
	case name == "":
		return r, fmt.Errorf("no name in %s", label)
	}
	r.name = name
	for _, in := range inputs {
		if err := r.Add(open, c.dir.Path(in), c.top(in, n)); err != nil {
			return r, errors.Join(fmt.Errorf("%s: %w", name, err), r.Close())
		}
	}
	if r.first = r.Read(s.text); r.Failure() != nil {
		return r, errors.Join(fmt.Errorf("%s: %w", name, r.Failure()), r.Close())
	}
	return r, nil
}

// Full scale of the chip's registers (data sheet, section 8.6.2): 4095 steps of 40 µV of a
// shunt and of 8 mV of a bus, of which 26 V may be connected.
const (
	fullShunt = 163800e-6 // V
	fullBus   = 32760     // mV
)

// top is from which value on an input of Linux's driver shows a register at the end of its
// range: a current (mA) that is as high as the chip can tell may be any higher one. What
// NVIDIA's driver shows is already a product.
func (c chip) top(input string, n int) int64 {
	switch {
	case !c.hwmon:
		return 0
	case strings.HasPrefix(input, "in"):
		return fullBus
	}
	if ohms := c.resistor(n); ohms > 0 {
		return int64(math.Round(fullShunt / ohms * 1e3))
	}
	return 0
}

// Name is "ina3221".
func (s *Sensor) Name() string { return "ina3221" }

// Channels returns the rails in the order of their addresses.
func (s *Sensor) Channels() []framework.Channel { return s.channels }

// Sample fills dst in watts: NaN for a rail that gives no reading now.
func (s *Sensor) Sample(dst []float64) error {
	for i := range s.rails {
		dst[i] = s.rails[i].Read(s.text)
	}
	return nil
}

// Failure returns why the rail gave no reading in the last Sample.
func (s *Sensor) Failure(channel int) error { return s.rails[channel].Failure() }

// Notes returns the channels left out and how the monitors average.
func (s *Sensor) Notes() []string { return s.notes }

// Close closes the files.
func (s *Sensor) Close() error {
	var errs []error
	for i := range s.rails {
		errs = append(errs, s.rails[i].Close())
	}
	return errors.Join(errs...)
}
