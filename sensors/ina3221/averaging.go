package ina3221

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"

	"example.org/bench/internal/linux"
)

// times are those of a chip, in seconds.
type times struct {
	// averaging is over how long it averages; negative where that is not known.
	averaging float64
	// updates is after how long a reading is new, at the latest. The chip's average is recursive: each
	// conversion moves the reading by its difference, divided by the number of samples
	// (INA3221 data sheet, section 8.4.1).
	updates float64
}

// Of the configuration register (data sheet, section 8.6.2.1).
var (
	sampleCounts    = [8]float64{1, 4, 16, 64, 128, 256, 512, 1024}
	conversionTimes = [8]float64{140e-6, 204e-6, 332e-6, 588e-6, 1.1e-3, 2.116e-3, 4.156e-3, 8.244e-3}
)

// slowest is how long one conversion of all channels takes at most: no reading stays
// longer without a new one.
var slowest = timesOf(0x7fff).updates

// timesOf follow from what is in the configuration register.
func timesOf(config uint32) times {
	channels := 0.0
	for bit := 12; bit < 15; bit++ {
		channels += float64(config >> bit & 1)
	}
	once := channels * (conversionTimes[config>>6&7] + conversionTimes[config>>3&7])
	return times{sampleCounts[config>>9&7] * once, once}
}

// describe notes how a chip averages. update_interval of Linux's driver covers the
// conversions of all channels and samples (its documentation). NVIDIA's takes two
// settings from the device tree: of each reading that starts a conversion, and of
// conversions that never stop, to which it may change while the CPUs are busy
// (running_mode, "drivers/staging/iio/meter/ina3221.c" of L4T).
func (s *Sensor) describe(c chip) times {
	if c.hwmon {
		return s.told(c)
	}
	var t times
	var settings []string
	if c.dir.Text("running_mode") != "1" {
		settings = append(settings, "ti,trigger-config")
	}
	for _, name := range append(settings, "ti,continuous-config") {
		cell, err := linux.ReadFile(c.dir.Path("../of_node/" + name))
		if err != nil || len(cell) != 4 {
			return times{-1, slowest}
		}
		x := timesOf(binary.BigEndian.Uint32(cell))
		if x.averaging == 0 {
			s.notes = append(s.notes, fmt.Sprintf("%s: over how long it averages is not known: %s of its device tree has all channels off", c.address, name))
			return times{-1, slowest}
		}
		t = times{max(t.averaging, x.averaging), max(t.updates, x.updates)}
	}
	s.notes = append(s.notes, fmt.Sprintf("%s averages over %.3g ms, by its device tree", c.address, 1e3*t.averaging))
	return t
}

// told are the times by Linux's driver, which has samples and update_interval of what
// the chip can be set to: 1024 samples of its slowest conversions at most. Others are
// not known.
func (s *Sensor) told(c chip) times {
	interval := c.dir.Text("update_interval")
	if interval == "" {
		return times{-1, slowest}
	}
	unknown := func(format string, args ...any) times {
		s.notes = append(s.notes, fmt.Sprintf("%s: over how long it averages is not known: %s", c.address, fmt.Sprintf(format, args...)))
		return times{-1, slowest}
	}
	count, most := c.dir.Text("samples"), slices.Max(sampleCounts[:])
	samples, err := strconv.ParseFloat(count, 64)
	switch {
	case count == "":
		samples = 1
	case err != nil || !slices.Contains(sampleCounts[:], samples):
		return unknown("samples is %.20q; the chip takes 1, 4, 16, 64, 128, 256, 512 or 1024", count)
	default:
		most = samples
	}
	longest := math.Ceil(1e3 * most * slowest) // the driver rounds
	milli, err := strconv.ParseFloat(interval, 64)
	if err != nil || !(milli > 0 && milli <= longest) {
		return unknown("update_interval is %.20q; the chip takes at most %.0f ms for %.0f samples", interval, longest, most)
	}
	if count == "" {
		s.notes = append(s.notes, fmt.Sprintf("%s averages over %s ms", c.address, interval))
	} else {
		s.notes = append(s.notes, fmt.Sprintf("%s averages %s samples over %s ms", c.address, count, interval))
	}
	return times{milli / 1e3, milli / 1e3 / samples}
}

// Averaging is the longest time in seconds over which a monitor averages; negative
// where none tells, as with the driver ina3221x without a device tree.
func (s *Sensor) Averaging() float64 { return s.averaging }

// ChannelAveraging is the averaging time of the channel's own monitor.
func (s *Sensor) ChannelAveraging(channel int) float64 { return s.rails[channel].times.averaging }

// ChannelUpdates is after how many seconds the channel's monitor has a new reading, at the
// latest; in steps, it may be the same again.
func (s *Sensor) ChannelUpdates(channel int) float64 { return s.rails[channel].times.updates }
