package framework

import "slices"

// SensorFactory finds one kind of power sensor.
type SensorFactory struct {
	Name string
	Doc  string
	// Open looks for the hardware. An error says what is absent and how to get
	// it; it is not a failure of the run.
	Open func(SensorEnv) (Sensor, error)
	// OnRequest is set if only a config that names the sensor can give what it
	// needs.
	OnRequest bool
}

// SensorEnv is where a sensor looks.
type SensorEnv struct {
	// Root is the folder that contains /sys, /proc and /etc; "/" on a live
	// machine.
	Root string
	// GPU is the UUID of the measured GPU, and PCI its bus address; both are
	// empty for CPU versions.
	GPU, PCI string
	// Measuring is set where the sensor is polled beside a kernel: rails that have no
	// part in power and energy are not to be read.
	Measuring bool
	// HasTotal is set if a sensor opened before this one measures the total.
	HasTotal bool
	// External is what a config says about the sensor "external"; nil: nothing.
	External *ExternalPower
}

// ExternalPower is a source of watts that no other sensor knows: the
// standard output of a program, one number per line, or a file with a
// number.
type ExternalPower struct {
	Command []string `json:"command,omitempty"`
	File    string   `json:"file,omitempty"`
}

// Role says how a channel relates to the board's total, so that nothing is
// counted twice.
type Role string

// The roles of a channel.
const (
	Total   Role = "total"   // part of the total: the board's total is the sum of these
	Part    Role = "part"    // contained in a total channel
	Carrier Role = "carrier" // outside the module
	Other   Role = "other"   // not power: a temperature, a clock
)

// Channel is one quantity that a sensor reads.
type Channel struct {
	Name string `json:"name"` // the rail's own name
	Unit string `json:"unit"` // "W", "J", "degC", "Hz"
	Role Role   `json:"role"`
	// Counter is set for a channel that only grows (an energy counter in J),
	// which starts again at zero when it reaches WrapsAt (0: never).
	Counter bool    `json:"counter,omitempty"`
	WrapsAt float64 `json:"wraps_at,omitempty"`
	Address string  `json:"address,omitempty"` // the kernel's name, e.g. "1-0040"
}

// Sensor reads its channels.
type Sensor interface {
	Name() string
	Channels() []Channel
	// Sample fills dst with one value per channel, in the channels' units, or
	// NaN if a channel gave no reading this time. It re-reads open files,
	// never reopens, and allocates nothing: it runs beside the kernel.
	Sample(dst []float64) error
	// Notes say what was left out and why (a disabled rail, a channel that
	// gives errors).
	Notes() []string
	Close() error
}

// HasTotal reports whether a channel of the sensor is part of the total.
func HasTotal(s Sensor) bool {
	return slices.ContainsFunc(s.Channels(), func(c Channel) bool { return c.Role == Total })
}

// Failing is a Sensor that says why a channel gave no reading in the last Sample: the
// file or call, and its error; nil where it gave one.
type Failing interface {
	Failure(channel int) error
}

// Calibration is how far off all readings of a channel may be together, as
// standard uncertainties (GUM, Type B): what no repetition shows.
type Calibration struct {
	Gain   float64 `json:"gain"`     // relative
	Offset float64 `json:"offset_W"` // of an energy counter, in watts as well
	// Source says where they are from.
	Source string `json:"source,omitempty"`
}

// Calibrated is a Sensor whose calibration a document states, for its channel of
// that index; the zero Calibration where none does.
type Calibrated interface {
	Calibration(channel int) Calibration
}

// Identified is a Sensor that says of which hardware and driver it is: what was
// found out about one holds for others of the same Identity. It is empty where
// the hardware cannot be told.
type Identified interface{ Identity() string }
