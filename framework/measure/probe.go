package measure

import (
	"time"

	"example.org/bench/framework"
)

// Probed is the result of watching a sensor.
type Probed struct {
	// Cost is how many seconds one reading of all channels takes.
	Cost float64
	// Periods are the channels' update periods in seconds; 0 if too few changes were seen.
	Periods []float64
	// Averaging is over how many seconds a reading is averaged; negative if the sensor does not
	// say.
	Averaging float64
	// Averagings are the same by channel.
	Averagings []float64
}

// Told returns what the sensor itself says, without watching it. A copied file never changes, and
// the time to read it says nothing about the chip.
func Told(s framework.Sensor) Probed {
	p := newPolled(s)
	return Probed{Periods: make([]float64, len(p.channels)), Averaging: p.averaging, Averagings: p.averagings}
}

// Probe reads a sensor as NewMeter does first: every 100 µs, or back to back if that takes longer,
// for up to 1.5 s.
func Probe(s framework.Sensor) Probed {
	p := newPolled(s)
	p.probe(realClock{time.Now()}, p.patience())
	return Probed{p.cost, p.periods, p.averaging, p.averagings}
}
