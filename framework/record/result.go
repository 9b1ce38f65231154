package record

import (
	"fmt"
	"slices"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/internal/terminal"
)

// Status is how a point ended.
type Status string

// The statuses. Wrong is an answer beyond its error bound; it is never timed. Impossible is a time in
// which the answer cannot have been written; it is not kept.
const (
	OK         Status = "ok"
	Wrong      Status = "wrong"
	Impossible Status = "impossible"
	Failed     Status = "failed"
	Timeout    Status = "timeout"
	Skipped    Status = "skipped"
)

// statuses are all.
var statuses = []Status{OK, Wrong, Impossible, Failed, Timeout, Skipped}

// UnmarshalText takes one of the statuses, of a table or a document.
func (s *Status) UnmarshalText(text []byte) error {
	if !slices.Contains(statuses, Status(text)) {
		return fmt.Errorf("status is %q, want ok, wrong, impossible, failed, timeout or skipped", text)
	}
	*s = Status(text)
	return nil
}

// Coloured returns the status in the colour of how good it is.
func (s Status) Coloured(colours terminal.Palette) string {
	switch s {
	case OK:
		return colours.Paint(terminal.Green, string(s))
	case Skipped:
		return colours.Paint(terminal.Yellow, string(s))
	}
	return colours.Paint(terminal.Red, string(s))
}

// Result is one finished point, as the journal keeps it.
type Result struct {
	Point  plan.Point `json:"point"`
	Status Status     `json:"status"`
	Reason string     `json:"reason,omitempty"` // empty where Status is OK
	Cause  Cause      `json:"cause,omitempty"`  // of a reason that has one
	// Checks of the answer; for SelfTimed algorithms there may be none.
	Checks []framework.Check `json:"checks,omitempty"`
	// Verification is how the answer was checked.
	Verification framework.Verification `json:"verification,omitempty"`
	Work         framework.Work         `json:"work"`
	// Cold is timed with flushed caches, Hot back to back. CPU versions have Cold
	// where the settings ask for it, external programs have Hot only.
	Cold *measure.Series `json:"cold,omitempty"`
	Hot  *measure.Series `json:"hot,omitempty"`
	// Rate is of a point at a rate, which has no other series.
	Rate   *measure.Released `json:"rate,omitempty"`
	Energy *measure.Energy   `json:"energy,omitempty"`
	// Conditions are of the timing.
	Conditions *measure.Conditions `json:"conditions,omitempty"`
	// TemperatureBefore and After are degrees Celsius by sensor name.
	TemperatureBefore map[string]float64 `json:"temperature_before,omitempty"`
	TemperatureAfter  map[string]float64 `json:"temperature_after,omitempty"`
	// StateBefore and StateAfter are the machine's clocks and throttling before the
	// timing and after the last measurement; the clocks after are those right after
	// the timing.
	StateBefore *machine.State `json:"state_before,omitempty"`
	StateAfter  *machine.State `json:"state_after,omitempty"`
	Notes       []string       `json:"notes,omitempty"`
	Started     time.Time      `json:"started"`
	Elapsed     float64        `json:"elapsed_s"`
	// Compiled is the seconds that another process took to compile the point's kernels
	// before, of a search.
	Compiled float64 `json:"compile_s,omitempty"`
	// Switched is the seconds that entering its power mode took before; 0: it was on.
	// NotEntered is set where the mode could not be entered.
	Switched   float64 `json:"switch_s,omitempty"`
	NotEntered bool    `json:"not_entered,omitempty"`
	// Counters are of a run of their own, after the timing; nil: none were asked for.
	Counters *Counters `json:"counters,omitempty"`
	// Stages are those of the run, measured alone after the point; nil: none were asked for, the
	// run has not several, or for the reason NoStages.
	Stages   []StageResult `json:"stages,omitempty"`
	NoStages string        `json:"no_stages,omitempty"`
	// Phases are seconds by the name of a phase of the point.
	Phases map[string]float64 `json:"phases_s,omitempty"`
	// Libraries are the shared libraries that the point's process had loaded and no
	// earlier point of it.
	Libraries []Library `json:"libraries,omitempty"`
}

// The phases in which nothing is measured.
const (
	PreparePhase = "prepare"
	VerifyPhase  = "verify"
)

// Beside returns the part of Elapsed that belongs to no other phase than these two.
func (res Result) Beside() float64 {
	beside := res.Elapsed
	for phase, seconds := range res.Phases {
		if phase != PreparePhase && phase != VerifyPhase {
			beside -= seconds
		}
	}
	return beside
}

// Good reports whether results are what was asked for: each is ok or skipped. Where none is
// ok, nothing was measured.
func Good(results []Result) bool {
	ok := false
	for _, r := range results {
		switch r.Status {
		case OK:
			ok = true
		case Skipped:
		default:
			return false
		}
	}
	return ok
}

// Unwell counts the points that are not ok and shows the first of the worst; there is
// one at least.
func Unwell(results []Result) string {
	var bad []Result
	for _, r := range results {
		if r.Status != OK {
			bad = append(bad, r)
		}
	}
	first := bad[0]
	for _, r := range bad {
		if r.Status != Skipped {
			first = r
			break
		}
	}
	return fmt.Sprintf("%d of %s not ok; %s is %s: %s", len(bad), terminal.Count(len(results), "point"), first.Point.Key(), first.Status, first.Reason)
}

// Ended is when the last point did; now where there is none.
func Ended(results []Result) (last time.Time) {
	for _, r := range results {
		if end := r.Started.Add(time.Duration(r.Elapsed * float64(time.Second))); end.After(last) {
			last = end
		}
	}
	if last.IsZero() {
		last = Now()
	}
	return last.UTC()
}

// Ceilings are a device's measured limits. Zero is not measured.
type Ceilings struct {
	Copy    float64 `json:"copy_B_per_s"`     // read plus written by a copy
	FMA     float64 `json:"fma_FLOP_per_s"`   // float32
	FMA64   float64 `json:"fma64_FLOP_per_s"` // float64
	Seconds float64 `json:"seconds" unit:"s"` // that measuring them took

	SFU                  float64 `json:"sfu_op_per_s,omitempty"`                 // results of special functions (rsqrt) per second, of a GPU as the next
	L2                   float64 `json:"l2_B_per_s,omitempty"`                   // read of what the L2 cache holds
	L2Written            float64 `json:"l2_written_B_per_s,omitempty"`           // written to what the L2 cache holds
	Shared               float64 `json:"shared_B_per_s,omitempty"`               // read of shared memory
	SharedLatency        float64 `json:"shared_latency_s,omitempty"`             // from a load to its value, of shared memory
	L2Latency            float64 `json:"l2_latency_s,omitempty"`                 // of the L2 cache
	MemoryLatency        float64 `json:"memory_latency_s,omitempty"`             // of memory
	Launch               float64 `json:"launch_s,omitempty"`                     // each of many empty launches
	EmptyLaunch          float64 `json:"empty_launch_s,omitempty"`               // between two events with one empty launch between them
	Blocks               float64 `json:"blocks_per_s,omitempty"`                 // blocks of an empty launch per second
	AtomicInteger        float64 `json:"atomic_integer_s,omitempty"`             // a warp's of many atomic additions of integers to one address
	AtomicFloat          float64 `json:"atomic_float_s,omitempty"`               // a thread's of many atomic additions of float32 to one address
	AtomicLine           float64 `json:"atomic_line_s,omitempty"`                // a warp's of many atomic additions to the sectors of one line of 128 bytes
	AtomicSectors        float64 `json:"atomic_sectors_per_s,omitempty"`         // atomic additions per second, each to another sector of the L2 cache at random
	L2Sectors            float64 `json:"l2_sectors_per_s,omitempty"`             // sectors of 32 bytes per second from the L2 cache, one of a line
	L2SectorsWritten     float64 `json:"l2_sectors_written_per_s,omitempty"`     // words per second to the L2 cache, each to another sector at random
	MemorySectors        float64 `json:"memory_sectors_per_s,omitempty"`         // sectors of 32 bytes per second from memory, at random
	MemorySectorsWritten float64 `json:"memory_sectors_written_per_s,omitempty"` // words per second to memory, each to another sector at random
	Constants            float64 `json:"constants_per_s,omitempty"`              // constants per second that lanes read, each another
}
