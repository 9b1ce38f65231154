package measure

import (
	"example.org/bench/framework"
	"example.org/bench/framework/config"
)

// Series is the samples of one timing mode of one point. A sample is the seconds of one Run, or the
// mean over Batch runs if one is too short to time.
type Series struct {
	Samples []float64 `json:"samples"`
	Batch   int       `json:"batch"`
	// Dropped counts samples left out because the SM clock was below the
	// threshold while they ran.
	Dropped int `json:"dropped"`
	// Converged is set if the stopping rule was satisfied, and not the timeout.
	Converged bool `json:"converged"`
	// Stop says in words what ended the series.
	Stop string `json:"stop"`
	// Beaten is set if the series ended early because it is slower than its bar (plan.Point).
	Beaten bool `json:"beaten,omitempty"`
	// Moved is the share by which the level changed while sampling (Rule.Moved).
	Moved float64 `json:"level_change,omitempty"`
	// ClockHz is the mean SM clock measured around the samples; 0 on a CPU.
	ClockHz float64 `json:"clock_Hz,omitempty"`
	// ClockRange is the share by which that clock differed from sample to sample, without the
	// highest and the lowest fortieth; 0: not measured, or less than a thousandth.
	ClockRange float64 `json:"clock_range,omitempty"`
	// Flush is what the flush before each sample left in the cache. It is empty if there was no
	// flush, or in results of an earlier version of the tool, which left dirty lines.
	Flush config.Flush `json:"flush,omitempty"`
	// Launch is the median time in seconds that the host took to queue one run on a GPU.
	Launch float64 `json:"launch_s,omitempty"`
	// Floor is the seconds between two events with nothing between them. On a GPU they are part of
	// each sample; 0 if they are not.
	Floor float64 `json:"event_floor_s,omitempty"`
	// Overwritten is the seconds of a run back to back that found the answer of the run before
	// overwritten (Proof); 0 if there was none.
	Overwritten float64 `json:"overwritten_s,omitempty"`
}

// PowerSample is one reading of one channel.
type PowerSample struct {
	Time    float64 `json:"t"` // seconds since the window's start; idle readings lie before 0
	Sensor  string  `json:"s,omitempty"`
	Channel string  `json:"c"`
	Value   float64 `json:"v"` // in the channel's unit
}

// ChannelEnergy is one power channel, or one energy counter, over the window. Power and Energy are
// NaN if more than half of its readings failed, or if there was none at one of the window's edges.
type ChannelEnergy struct {
	Sensor  string         `json:"sensor"`
	Channel string         `json:"channel"`
	Role    framework.Role `json:"role"`
	Power   float64        `json:"power_W"`  // mean over the window
	Idle    float64        `json:"idle_W"`   // mean before, same protocol
	Energy  float64        `json:"energy_J"` // of the window
	Counter bool           `json:"counter"`  // from an energy counter, not integrated power
	// Uncertainty is half the width of the 95 % interval of Energy if the same sensor measured it
	// again: scatter and step of the readings, what may be hidden at the window's edges, and runs
	// that beat with the readings. It is zero if no reading changed, or there was none.
	Uncertainty float64 `json:"uncertainty_J"`
	// Combined is Uncertainty with the sensor's calibration included, whose source is Calibration.
	// Zero: the calibration is unknown.
	Combined    float64 `json:"combined_uncertainty_J,omitempty"`
	Calibration string  `json:"calibration,omitempty"`
	// Readings is how many readings were in the window. Fresh is how many of them were new values,
	// and Missing how many failed.
	Readings int `json:"readings"`
	Fresh    int `json:"fresh_readings"`
	Missing  int `json:"missing_readings"`
	// Period is how often the channel takes a new value; 0 if it never did.
	Period float64 `json:"update_period_s"`
	// Doubt is why Power and Energy are unknown or doubtful; empty if they
	// can be trusted. The same cause has the same text.
	Doubt string `json:"doubt,omitempty"`
}

// Restoring is a sustained run of only the restoring of a version's inputs. Its members are as Energy's.
type Restoring struct {
	Window   float64         `json:"window_s"`
	Runs     int64           `json:"runs"`
	Channels []ChannelEnergy `json:"channels"`
	Notes    []string        `json:"notes,omitempty"`
}

// Energy is the sustained run of a point. The energy of one run is a channel's
// Energy divided by Runs.
type Energy struct {
	Window float64 `json:"window_s"`
	Runs   int64   `json:"runs"` // of the algorithm in the window
	// Period is the longest update period of the channels that make up a total; 0 if none changed.
	Period   float64         `json:"update_period_s"`
	Channels []ChannelEnergy `json:"channels"`
	Samples  []PowerSample   `json:"samples"`
	// Restoring is what restoring the inputs before each run takes, measured alone; nil if nothing restores
	// them.
	Restoring *Restoring `json:"restoring,omitempty"`
	// Notes are doubts about the readings.
	Notes []string `json:"notes,omitempty"`
	// Absent says why there is no power; the other fields are then empty.
	Absent string `json:"absent,omitempty"`
}
