// Package nvml reads the power, energy, temperature and clocks of one NVIDIA
// GPU through NVML, and whether power or heat limit its clocks.
package nvml

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/framework/machine"
	"example.org/bench/gpu/cuda/nvml"
)

// The seconds over which NVML's power is averaged. The instant value changes
// ten times a second and covers at most the time between two changes. The
// plain one is the mean of one second on GPUs from Ampere on, except the GA100
// (NVML API Reference Guide, nvmlDeviceGetPowerUsage).
const (
	instantAveraging = 0.1
	plainAveraging   = 1.0
)

// documented is the calibration that NVIDIA states: on Fermi and Kepler a reading
// is within 5 % of the power (NVML API Reference Guide, nvmlDeviceGetPowerUsage).
// Of later GPUs nothing is stated. A bound is taken as evenly spread.
var documented = framework.Calibration{Gain: 0.05 / math.Sqrt(3), Source: "NVML: within 5 % on Fermi and Kepler"}

// device is what the sensor reads from a GPU; *nvml.Device implements it.
type device interface {
	Power() (float64, error)
	Instant() bool
	Energy() (float64, error)
	Temperature() (float64, error)
	Clock(nvml.Domain) (float64, error)
	MemoryPower() (float64, error)
	ModulePower() (float64, error)
	ClockReasons() (nvml.Reasons, error)
	ComputeCapability() (major int, err error)
	Name() (string, error)
	PowerLimit() (float64, error)
}

// Factory describes the sensor.
func Factory() framework.SensorFactory {
	return framework.SensorFactory{
		Name: "nvml",
		Doc:  "power, energy counter, temperature, clocks and throttling of an NVIDIA GPU",
		Open: func(env framework.SensorEnv) (framework.Sensor, error) {
			if env.GPU == "" && env.PCI == "" {
				return nil, framework.NotHere("no GPU is measured")
			}
			lib, err := nvml.Open()
			if err != nil {
				return nil, err
			}
			d, err := lib.Find(env.GPU, env.PCI)
			if err != nil {
				return nil, errors.Join(err, lib.Close())
			}
			s, err := newSensor(d, machine.Tree(env.Root).Jetson(), lib.Close)
			if err != nil {
				return nil, errors.Join(err, lib.Close())
			}
			s.driver, _ = lib.DriverVersion() // without one no probe is remembered
			return s, nil
		},
	}
}

// Sensor is one GPU's board. Its power and its energy counter measure the
// same quantity: both are totals, of two kinds that are never added.
type Sensor struct {
	device   device
	driver   string // its version
	limit    float64
	close    func() error
	channels []framework.Channel
	reads    []func() (float64, error)
	failures []error // of the last Sample, by channel
	notes    []string
}

// newSensor keeps the quantities that can be read. Power must be one, but on a
// Jetson: NVML opens there and lists the GPU, but reads nothing with JetPack 5 and
// 6, and with JetPack 7 a part that differs between boards. What it reads of power
// is contained in what the board's monitors measure.
func newSensor(d device, jetson bool, close func() error) (*Sensor, error) {
	s := &Sensor{device: d, close: close}
	if _, err := d.Power(); err != nil && !jetson {
		return nil, fmt.Errorf("the GPU's power cannot be read: %w", err)
	}
	total := framework.Total
	if jetson {
		total = framework.Part
	}
	module := s.hasModule()
	counted := total
	if module {
		counted = framework.Carrier
		s.notes = append(s.notes, "a superchip: the total is the GPU's power; module_power has its CPU too, and energy may count the module (on a GH200 it does), so that neither is added")
	}
	if limit, err := d.PowerLimit(); err == nil {
		s.limit = limit
	}
	if !d.Instant() && !jetson {
		s.notes = append(s.notes, "the driver gives no instant power: readings may be means of a second")
	}
	for _, q := range []struct {
		channel framework.Channel
		read    func() (float64, error)
	}{
		{framework.Channel{Name: "power", Unit: "W", Role: total}, d.Power},
		{framework.Channel{Name: "energy", Unit: "J", Role: counted, Counter: true}, d.Energy},
		{framework.Channel{Name: "temperature", Unit: "degC", Role: framework.Other}, d.Temperature},
		{framework.Channel{Name: "sm_clock", Unit: "Hz", Role: framework.Other}, func() (float64, error) { return d.Clock(nvml.SM) }},
		{framework.Channel{Name: "memory_clock", Unit: "Hz", Role: framework.Other}, func() (float64, error) { return d.Clock(nvml.Memory) }},
		{framework.Channel{Name: "memory_power", Unit: "W", Role: framework.Part}, d.MemoryPower},
		{framework.Channel{Name: "module_power", Unit: "W", Role: framework.Carrier}, d.ModulePower},
		{framework.Channel{Name: "throttled", Unit: "1", Role: framework.Other}, func() (float64, error) {
			reasons, err := d.ClockReasons()
			if reasons.Throttled() {
				return 1, err
			}
			return 0, err
		}},
	} {
		if q.channel.Name == "module_power" && !module {
			continue
		}
		if _, err := q.read(); err != nil {
			s.notes = append(s.notes, fmt.Sprintf("%s left out: %v", q.channel.Name, err))
			continue
		}
		s.channels = append(s.channels, q.channel)
		s.reads = append(s.reads, q.read)
		s.failures = append(s.failures, nil)
	}
	if len(s.reads) == 0 {
		return nil, errors.New("NVML reads nothing of this Jetson's GPU: its power is read from its power monitors")
	}
	return s, nil
}

// sameShare is by how much the module's power is above the GPU's if it is another.
const sameShare = 0.02

// hasModule is whether the GPU is one of a superchip with a power of its own, which is
// more than the GPU's (NVML API Reference Guide, NVML_POWER_SCOPE_MODULE). On a GH200 the
// energy counter is the module's (zeus, pull request 172); of others nothing is stated.
func (s *Sensor) hasModule() bool {
	module, err := s.device.ModulePower()
	if err != nil {
		return false
	}
	power, err := s.device.Power()
	return err == nil && module > (1+sameShare)*power
}

// Name is "nvml".
func (s *Sensor) Name() string { return "nvml" }

// Channels returns the quantities that could be read when the sensor was opened.
func (s *Sensor) Channels() []framework.Channel { return s.channels }

// Sample fills dst, with NaN for what cannot be read now. It is an error if
// nothing can be read.
func (s *Sensor) Sample(dst []float64) error {
	var last error
	failed := 0
	for i, read := range s.reads {
		v, err := read()
		if s.failures[i] = err; err != nil {
			v, last = math.NaN(), err
			failed++
		}
		dst[i] = v
	}
	if failed == len(s.reads) {
		return last
	}
	return nil
}

// Failure returns why the quantity gave no reading in the last Sample.
func (s *Sensor) Failure(channel int) error { return s.failures[channel] }

// Averaging returns the seconds over which a power reading is averaged, or 0 if there is no power reading.
func (s *Sensor) Averaging() float64 {
	switch {
	case !slices.ContainsFunc(s.channels, func(c framework.Channel) bool { return c.Unit == "W" }):
		return 0
	case s.device.Instant():
		return instantAveraging
	}
	return plainAveraging
}

// ChannelAveraging is over how long a plain power reading is averaged; negative
// for an instant one, because no document says what part of its tenth of a second
// it sees, and for what is not power.
func (s *Sensor) ChannelAveraging(channel int) float64 {
	if s.channels[channel].Name == "power" && !s.device.Instant() {
		return plainAveraging
	}
	return -1
}

// Limit returns the board's power limit in watts when the sensor was opened, or 0 if the driver does not
// report it.
func (s *Sensor) Limit() float64 { return s.limit }

// Calibration returns what NVIDIA documents.
func (s *Sensor) Calibration(channel int) framework.Calibration {
	major, err := s.device.ComputeCapability()
	if err != nil || major > 3 || s.channels[channel].Unit != "W" {
		return framework.Calibration{}
	}
	return documented
}

// Identity returns the GPU's name, the driver's version, and which power is read.
func (s *Sensor) Identity() string {
	name, err := s.device.Name()
	if err != nil || s.driver == "" {
		return ""
	}
	power := "instant"
	if !s.device.Instant() {
		power = "plain"
	}
	return fmt.Sprintf("%s, driver %s, %s power", name, s.driver, power)
}

// Notes returns the quantities left out.
func (s *Sensor) Notes() []string { return s.notes }

// Close ends NVML.
func (s *Sensor) Close() error { return s.close() }
