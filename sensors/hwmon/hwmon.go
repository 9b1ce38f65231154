// Package hwmon reads the power of every chip that Linux's hwmon framework shows with
// a power, an energy, or a voltage and its current: powerN_input or powerN_average
// (µW), energyN_input (µJ), inN_input (mV) and currN_input (mA) (Linux, "Naming and
// data format standards for sysfs files"). Package example.org/bench/framework/rails says what a
// rail is; a Jetson's INA3221 are left to the sensor ina3221, which knows more of them.
package hwmon

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/rails"
)

// Factory describes the sensor.
func Factory() framework.SensorFactory {
	return framework.SensorFactory{
		Name: "hwmon",
		Doc:  "power monitors of any board, AMD GPUs and servers that Linux shows",
		Open: func(env framework.SensorEnv) (framework.Sensor, error) {
			s, err := open(env, rails.Open)
			if err != nil {
				return nil, err
			}
			return s, nil
		},
	}
}

// rail is one rail of a chip, with its power, and the energy that its chip counts.
type rail struct {
	rails.Rail
	power, energy *rails.Power // either may be nil
	chip          *chip
}

// Sensor is all rails of a machine.
type Sensor struct {
	reads    []*rails.Power // by channel
	times    []times
	channels []framework.Channel
	notes    []string
	text     [32]byte

	board, kernel string
}

func open(env framework.SensorEnv, opener rails.Opener) (*Sensor, error) {
	root := machine.Tree(env.Root)
	facts, _ := root.Facts() // the model, where it can be read
	s := &Sensor{board: facts.Board, kernel: facts.Kernel}
	known := rails.Of(root)
	chips := find(root)
	var found, cards []rail
	var failed []rails.Rail
	for i := range chips {
		c := &chips[i]
		if c.driver == "ina3221" && c.labelled() && (root.Jetson() || !known.HasFile()) {
			continue
		}
		list, notes := c.rails(opener)
		s.notes = append(s.notes, notes...)
		for _, r := range list {
			card := c.card() || c.otherGPU(env.PCI)
			var err error
			if !card || !env.Measuring || c.is(env.PCI) { // reading a card that sleeps may wake it
				err = errors.Join(s.try(r.power), s.try(r.energy))
			}
			switch {
			case err != nil:
				s.notes = append(s.notes, fmt.Sprintf("%s (%s) left out: %s", r.Name, r.Address, strings.ReplaceAll(err.Error(), "\n", "; ")))
				failed = append(failed, r.Rail)
				closeAll(r.power, r.energy)
			case card:
				cards = append(cards, r)
			default:
				found = append(found, r)
			}
		}
	}
	shown := make([]rails.Rail, len(found))
	for i, r := range found {
		shown[i] = r.Rail
	}
	var assigned []rails.Assigned
	if len(found)+len(failed) > 0 {
		var notes []string
		assigned, notes = known.Assign(shown, failed, env.HasTotal)
		s.notes = append(s.notes, notes...)
	}
	for _, r := range cards {
		a := rails.Assigned{Name: r.Name, Role: framework.Carrier, Feeds: "gpu"}
		if r.chip.is(env.PCI) && !env.HasTotal {
			a.Role = framework.Total
			s.notes = append(s.notes, fmt.Sprintf("the total is %s of %s, the GPU that is measured", r.Name, r.Address))
		}
		assigned = append(assigned, a)
	}
	s.add(append(found, cards...), assigned, env)
	switch {
	case len(s.reads) > 0:
		return s, nil
	case len(s.notes) > 0:
		return nil, fmt.Errorf("no power of hwmon is used: %s", strings.Join(s.notes, "; "))
	}
	return nil, framework.NotHere(nothing(root, chips))
}

// nothing says what a machine without a power monitor cannot measure.
func nothing(root machine.Tree, chips []chip) string {
	var names []string
	for _, c := range chips {
		if !slices.Contains(names, c.driver) && c.driver != "ina3221" {
			names = append(names, c.driver)
		}
	}
	if names == nil {
		return fmt.Sprintf("no power monitor below %s", root.Path(class))
	}
	text := fmt.Sprintf("no power among what %s shows", strings.Join(names, ", "))
	if slices.Contains(names, "rpi_volt") { // Linux, raspberrypi-hwmon.rst: in0_lcrit_alarm
		text += ", of which rpi_volt is an alarm of too low a voltage"
	}
	return text + ": such a board's power needs a meter, by the sensor external"
}

// try reads a power once; it may be nil.
func (s *Sensor) try(p *rails.Power) error {
	if p == nil {
		return nil
	}
	p.Read(s.text[:])
	return p.Failure()
}

func closeAll(list ...*rails.Power) error {
	var errs []error
	for _, p := range list {
		if p != nil {
			errs = append(errs, p.Close())
		}
	}
	return errors.Join(errs...)
}

// add makes channels of the rails. Where another sensor has the total, nothing is
// added to it. What is outside the module, and what nothing is known of, has no part in
// power and energy and is left out where they are measured: a poll reads the rest sooner,
// and a laptop's battery alone lengthens no run.
func (s *Sensor) add(found []rail, assigned []rails.Assigned, env framework.SensorEnv) {
	gpu := env.GPU != "" || env.PCI != ""
	var beside, unread []string
	taken := map[string]bool{}
	for i, r := range found {
		a := assigned[i]
		a.Name = strings.Join(strings.Fields(a.Name), "_")
		if taken[a.Name] {
			a.Name += "-" + r.Address
		}
		taken[a.Name] = true
		if a.Role == framework.Total && env.HasTotal {
			beside = append(beside, a.Name)
			if a.Role = framework.Part; gpu || a.Feeds == "board" {
				a.Role = framework.Carrier
			}
		}
		if env.Measuring && (a.Role == framework.Carrier || a.Role == framework.Unknown) {
			unread = append(unread, a.Name)
			closeAll(r.power, r.energy) //nolint:errcheck // they were only read
			continue
		}
		for _, p := range []*rails.Power{r.power, r.energy} {
			if p == nil {
				continue
			}
			c := framework.Channel{Name: a.Name, Unit: "W", Role: a.Role, Feeds: a.Feeds, Address: r.Address}
			t := r.chip.times(r.Channel)
			if p.Counter {
				c.Name, c.Unit, c.Counter, t = a.Name+"_counter", "J", true, times{}
			}
			s.reads, s.times, s.channels = append(s.reads, p), append(s.times, t), append(s.channels, c)
		}
	}
	if beside != nil {
		s.notes = append(s.notes, fmt.Sprintf("%s: not added, as another sensor has the total", strings.Join(beside, ", ")))
	}
	if unread != nil {
		s.notes = append(s.notes, fmt.Sprintf("not read while measuring, as they are no part of the total: %s", strings.Join(unread, ", ")))
	}
}

// Name is "hwmon".
func (s *Sensor) Name() string { return "hwmon" }

// Channels returns the rails in the order of their chips' addresses.
func (s *Sensor) Channels() []framework.Channel { return s.channels }

// Sample fills dst in watts and joules: NaN for a rail that gives no reading now.
func (s *Sensor) Sample(dst []float64) error {
	for i, p := range s.reads {
		dst[i] = p.Read(s.text[:])
	}
	return nil
}

// Failure returns why the rail gave no reading in the last Sample.
func (s *Sensor) Failure(channel int) error { return s.reads[channel].Failure() }

// Averaging is the longest time in seconds over which a reading is averaged; negative
// where that of one is not known.
func (s *Sensor) Averaging() float64 {
	longest := 0.0
	for _, t := range s.times {
		if t.averaging < 0 {
			return -1
		}
		longest = max(longest, t.averaging)
	}
	return longest
}

// ChannelAveraging is the averaging time of the channel; negative if it is not known.
func (s *Sensor) ChannelAveraging(channel int) float64 { return s.times[channel].averaging }

// ChannelUpdates is after how many seconds the channel has a new reading; 0: not known.
func (s *Sensor) ChannelUpdates(channel int) float64 { return s.times[channel].updates }

// WaitsForBus is true: what a reading takes is a bus, or the answer of a firmware.
func (s *Sensor) WaitsForBus() bool { return true }

// Notes are what was left out, and what makes up the total.
func (s *Sensor) Notes() []string { return s.notes }

// Identity is the board, and the kernel that has the drivers.
func (s *Sensor) Identity() string {
	if s.board == "" || s.kernel == "" {
		return ""
	}
	return s.board + ", kernel " + s.kernel
}

// Close closes the files.
func (s *Sensor) Close() error { return closeAll(s.reads...) }
