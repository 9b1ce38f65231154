// Package measure times algorithms and integrates their energy: GPU samples
// by events behind a blocked stream, CPU samples by the monotonic clock, a
// stopping rule that knows when the median is known, and power polled beside
// a sustained run.
package measure

// Series is the samples of one timing mode of one point. A sample is the
// seconds of one Run (the mean over Batch runs where one is too short to
// time).
type Series struct {
	Samples []float64 `json:"samples"`
	Batch   int       `json:"batch"`
	// Dropped counts samples left out because the SM clock was below the
	// threshold while they ran.
	Dropped int `json:"dropped"`
	// Converged is set when the stopping rule was satisfied, not the timeout.
	Converged bool `json:"converged"`
	// Stop says in words what ended the series.
	Stop string `json:"stop"`
	// ClockHz is the mean SM clock measured around the samples; 0 on a CPU.
	ClockHz float64 `json:"clock_Hz,omitempty"`
}

// Summary describes a series. All but Count are seconds; Low and High bound
// the 95 % confidence interval of the median.
type Summary struct {
	Count                    int
	Median, Q1, Q3, Min, Max float64
	Mean, Stdev, Low, High   float64
}

// PowerSample is one reading of one channel.
type PowerSample struct {
	Time    float64 `json:"t"` // seconds since the window's start
	Channel string  `json:"c"`
	Value   float64 `json:"v"` // in the channel's unit
}

// ChannelEnergy is one power channel over the window.
type ChannelEnergy struct {
	Sensor  string  `json:"sensor"`
	Channel string  `json:"channel"`
	Role    string  `json:"role"`
	Power   float64 `json:"power_W"`  // mean over the window
	Idle    float64 `json:"idle_W"`   // mean before, same protocol
	Energy  float64 `json:"energy_J"` // of the window
	Counter bool    `json:"counter"`  // from an energy counter, not integrated power
}

// Energy is the sustained run of a point.
type Energy struct {
	Window   float64         `json:"window_s"`
	Runs     int64           `json:"runs"` // of the algorithm in the window
	Period   float64         `json:"update_period_s"`
	Channels []ChannelEnergy `json:"channels"`
	Samples  []PowerSample   `json:"samples"`
	// Absent says why there is no power; the other fields are then empty.
	Absent string `json:"absent,omitempty"`
}
