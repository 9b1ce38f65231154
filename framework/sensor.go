package framework

import "slices"

// NotHere is the error of a sensor that a machine does not have, whatever is installed or allowed.
type NotHere string

func (n NotHere) Error() string { return string(n) }

// SensorFactory opens one kind of power sensor.
type SensorFactory struct {
	Name string
	Doc  string
	// Open looks for the hardware. Its error says what is absent and how to get it, and does not
	// fail the run.
	Open func(SensorEnv) (Sensor, error)
	// OnRequest is set if the sensor needs something that only a config which names it can give.
	OnRequest bool
}

// SensorEnv says where a sensor looks.
type SensorEnv struct {
	// Root is the folder that contains /sys, /proc and /etc; "/" on a live
	// machine.
	Root string
	// GPU is the UUID of the measured GPU, and PCI its bus address; both are
	// empty for CPU versions.
	GPU, PCI string
	// Measuring is set if the sensor is polled while a kernel runs. Rails that have no part in
	// power and energy are then not read.
	Measuring bool
	// HasTotal is set if a sensor opened before this one measures the total.
	HasTotal bool
	// External is the config's description of the sensor "external", or nil.
	External *ExternalPower
}

// ExternalPower is a source of watts that no other sensor knows: a program that prints one number
// per line, one that prints the seconds of the meter's clock before it, or a file with a number.
type ExternalPower struct {
	Command        []string `json:"command,omitempty"`
	File           string   `json:"file,omitempty"`
	StampedCommand []string `json:"stamped_command,omitempty"`
}

// Role is how a channel relates to the board's total, so that nothing is counted twice.
type Role string

// The roles of a channel.
const (
	Total   Role = "total"   // part of the total: the board's total is the sum of these
	Part    Role = "part"    // contained in a total channel
	Carrier Role = "carrier" // outside the module
	Unknown Role = "unknown" // nothing says how it relates to the total: added to nothing
	Other   Role = "other"   // not power: a temperature, a clock
)

// Channel is one quantity that a sensor reads.
type Channel struct {
	Name    string  `json:"name"`                                    // the rail's own name
	Unit    string  `json:"unit"`                                    // W, J, "degC" or "Hz"
	Role    Role    `json:"role"`                                    // "total", "part", "carrier", "unknown" or "other": docs/power.md
	Feeds   string  `json:"feeds,omitempty"`                         // what a rail feeds, where that is known: "board", "module", "soc", "cpu", "gpu", "memory", or several of these
	Counter bool    `json:"counter,omitempty"`                       // true: only grows, as an energy counter in J
	WrapsAt float64 `json:"wraps_at,omitempty" unit:"the channel's"` // where a counter starts again at zero; absent: never
	Address string  `json:"address,omitempty"`                       // the kernel's name of the chip, e.g. "1-0040"
}

// Sensor reads its channels.
type Sensor interface {
	Name() string
	Channels() []Channel
	// Sample fills dst with one value per channel, in the channels' units, or NaN for a channel
	// without a reading. It runs beside the kernel: it re-reads open files, never reopens them, and
	// allocates nothing.
	Sample(dst []float64) error
	// Notes returns what was left out and why (a disabled rail, a channel that gives errors).
	Notes() []string
	Close() error
}

// HasTotal reports whether a channel of the sensor is part of the total.
func HasTotal(s Sensor) bool {
	return slices.ContainsFunc(s.Channels(), func(c Channel) bool { return c.Role == Total })
}

// Failing is a Sensor that can say why a channel gave no reading in the last Sample. Failure
// returns the error, which names the file or call, or nil if there was a reading.
type Failing interface {
	Failure(channel int) error
}

// Stamped is a Sensor whose readings come with times of their own. Age returns how many seconds before
// its end the last Sample's readings were taken. Tie returns by how many seconds that may be off, and
// what is wrong with times that came, or nothing.
type Stamped interface {
	Age() float64
	Tie() (within float64, wrong string)
}

// Calibration is how far off all readings of a channel may be together, as standard uncertainties
// (GUM, Type B). Repetition does not show these.
type Calibration struct {
	Gain   float64 `json:"gain"`     // relative
	Offset float64 `json:"offset_W"` // in watts, for an energy counter too
	// Source says where Gain and Offset come from.
	Source string `json:"source,omitempty"`
}

// Calibrated is a Sensor with calibrations stated in a document. The argument is a channel's index;
// the zero Calibration means that none is stated.
type Calibrated interface {
	Calibration(channel int) Calibration
}

// Identified is a Sensor that identifies its hardware and driver. What was found out about a sensor
// holds for others with the same Identity. The Identity is empty if the hardware cannot be told.
type Identified interface{ Identity() string }
