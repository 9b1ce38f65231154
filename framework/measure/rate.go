package measure

import (
	"math"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
)

// Rate is how an application uses a version (framework.UsageParams).
type Rate struct {
	Hz       float64 // of releases; 0: the highest that meets its deadlines
	Deadline float64 // seconds after a release by which its run must have ended; 0: the period
	Spin     bool    // whether to wait for releases by spinning
}

// RateOf returns a point's rate. ok is false if it has none.
func RateOf(v framework.Values) (r Rate, ok bool) {
	hz := v[framework.RateParam]
	if !hz.IsSet() {
		return r, false
	}
	if hz.Kind() != framework.Text {
		r.Hz = hz.Float()
	}
	if d := v[framework.DeadlineParam]; d.IsSet() && d.Kind() != framework.Text {
		r.Deadline = d.Float()
	}
	r.Spin = v.Text(framework.WaitParam) == framework.SpinWait
	return r, true
}

// deadline returns the deadline of releases at hz, in nanoseconds.
func (r Rate) deadline(hz float64) int64 {
	if r.Deadline > 0 {
		return int64(math.Round(r.Deadline * nano))
	}
	return int64(math.Round(nano / hz))
}

const nano = 1e9

// Releases returns how many releases a series at hz has, by the settings.
func Releases(m config.Measure, hz float64) int64 {
	n := max(float64(m.Releases), math.Ceil(m.MinTime*hz))
	n = min(n, math.Floor(m.Timeout*hz))
	return int64(max(n, float64(m.MinSamples)))
}

// Lead-in of a series: its first releases, which do not count. Clocks and caches are
// then as the rate leaves them.
const (
	leadReleases = 10
	leadSeconds  = 0.1
)

func leadOf(hz float64) int64 { return int64(max(leadReleases, math.Ceil(leadSeconds*hz))) }

// Released is a series of runs at a rate.
type Released struct {
	Rate     float64 `json:"release_hz"`
	Deadline float64 `json:"deadline_s"`
	// Releases is how many releases count. Unserved is how many of them were not begun by the end,
	// and Misses how many had not ended at their deadline, including unserved ones.
	Releases int64 `json:"releases"`
	Unserved int64 `json:"unserved,omitempty"`
	Misses   int64 `json:"misses"`
	// MissLow and MissHigh bound the probability of a miss with 95 % confidence.
	MissLow  float64 `json:"miss_share_low"`
	MissHigh float64 `json:"miss_share_high"`
	// Latency is the time from release to completion at each of Percentiles. For an unserved
	// release it is the time until the end, which the latency exceeds.
	Latency []Percentile `json:"latency"`
	Worst   float64      `json:"worst_s"`
	Mean    float64      `json:"mean_s"`
	// Wakeup is how long after an awaited release the run began, at each of Percentiles. It is the
	// tool's and the system's own part of the latency.
	Wakeup      []Percentile `json:"wakeup"`
	WorstWakeup float64      `json:"worst_wakeup_s"`
	Waited      int64        `json:"waited"` // releases that were waited for
	// Utilisation is the mean run divided by the period; above 1 the runs fall behind. Throughput
	// is how many runs ended per second.
	Utilisation float64 `json:"utilisation"`
	Throughput  float64 `json:"throughput_hz"`
	// Highest is the search for the rate; nil if the rate was given.
	Highest *Highest `json:"highest,omitempty"`
	// Force is which real-time settings of the system were in force.
	Force Force `json:"real_time"`
	// Before and After are clocks in Hz by name, before the first release and after
	// the last run.
	Before map[string]float64 `json:"clocks_before,omitempty"`
	After  map[string]float64 `json:"clocks_after,omitempty"`
	// Histogram is of the latencies, ascending.
	Histogram []Bin `json:"histogram"`
}

// Percentiles are the percentiles that are reported, as shares.
var Percentiles = []float64{0.5, 0.9, 0.99, 0.999}

// Percentile is a quantile with its 95 % interval. If no sample bounds an end, Low is 0 or High is
// null.
type Percentile struct {
	Share float64  `json:"share"`
	Value float64  `json:"s"`
	Low   float64  `json:"low_s"`
	High  *float64 `json:"high_s"`
}

// Bin counts latencies up to a value and above that of the previous bin.
type Bin struct {
	Value float64 `json:"s"`
	Count int64   `json:"n"`
}

// Highest is how the highest rate was found.
type Highest struct {
	// Low is the highest rate that met its deadlines. High is the lowest that did not, or 0 if all
	// did.
	Low  float64 `json:"low_hz"`
	High float64 `json:"high_hz"`
	// Trials is how many rates were tried.
	Trials int `json:"trials"`
}

// Job is the work that is released.
type Job struct {
	// Run is timed from the release to its return.
	Run func() error
	// Rest prepares the next run after one has ended; nil if there is nothing to prepare.
	Rest func() error
}
