package record

import (
	"time"

	"example.org/bench/framework"
)

// RunReport is a run in short, in JSON: what its CSVs have at length.
type RunReport struct {
	Config  string    `json:"config"`  // its file
	Folder  string    `json:"folder"`  // of the results
	Seed    uint64    `json:"seed"`    // of the random inputs
	Started time.Time `json:"started"` // when the run began
	Ended   time.Time `json:"ended"`   // when the last point did
	// Good is whether every point is ok or skipped, and one is ok.
	Good bool `json:"good"`
	// Points are in the order they ran, without those that an interrupt left out.
	Points   []PointReport `json:"points"`
	Warnings []string      `json:"warnings,omitempty"` // what may have disturbed the run
}

// PointReport is a point in short. A quantity that is nil was not measured.
type PointReport struct {
	Point     int                        `json:"point"`                         // its number, which samples refer to
	Version   string                     `json:"version"`                       // implementation
	Device    string                     `json:"device"`                        // "cpu", "cuda:0", "sim"
	PowerMode string                     `json:"power_mode,omitempty"`          // of a run in several
	Params    map[string]framework.Value `json:"params" unit:"the parameter's"` // parameters
	Tunables  map[string]framework.Value `json:"tunables,omitempty"`            // tunables
	Status    Status                     `json:"status"`                        // "ok", "wrong", "failed", "timeout" or "skipped"
	Reason    string                     `json:"reason,omitempty"`              // why the status is not ok
	// Verification is how the answer was checked (docs/measuring.md#correctness): "fast", "full" or "none".
	Verification string `json:"verification,omitempty"`
	// Error is of the answer, in the check nearest to its bound; null where unknown, as all quantities here.
	Error       *float64 `json:"error"`
	Bound       *float64 `json:"error_bound"`          // largest that passes
	Time        *float64 `json:"time_s"`               // median time of one run
	Low         *float64 `json:"time_ci_low_s"`        // lower end of its 95 % interval
	High        *float64 `json:"time_ci_high_s"`       // upper end of it
	Samples     int64    `json:"samples"`              // that count
	Hot         *float64 `json:"hot_time_s"`           // median back to back, where "time_s" is with cold caches
	Power       *float64 `json:"power_W"`              // mean power
	Energy      *float64 `json:"energy_J"`             // of one run
	Uncertainty *float64 `json:"energy_uncertainty_J"` // half its 95 % interval by repeatability
	// Doubts are why power and energy are missing or doubtful.
	Doubts []string `json:"energy_doubts,omitempty"`
	Notes  string   `json:"notes,omitempty"` // remarks of the version
}

// RunReportOf returns the report of a run whose results are in dir.
func RunReportOf(run *Run, dir string) RunReport {
	r := RunReport{Config: run.Info.Config.Path, Folder: dir, Seed: run.Info.Seed, Started: run.Info.Started, Ended: run.Info.Ended,
		Good: Good(run.Results), Points: []PointReport{}, Warnings: run.Info.Warnings}
	for i := range run.Rows {
		w := &run.Rows[i]
		p := PointReport{Point: w.Point, Version: w.Version, Device: w.Device, PowerMode: w.PowerMode, Params: w.Params.Values(), Tunables: w.Tunables.Values(),
			Status: w.Status, Reason: w.Reason, Verification: w.How, Error: finite(w.Error), Bound: finite(w.Bound),
			Time: finite(w.Time.Median), Low: finite(w.Time.Low), High: finite(w.Time.High), Samples: w.Time.Samples.Int(), Hot: finite(w.Hot.Get().Median),
			Power: finite(w.Power.Get().Total), Energy: finite(w.Energy.Get().Total), Uncertainty: finite(w.Energy.Get().Uncertainty), Doubts: w.Doubts, Notes: w.Notes}
		r.Points = append(r.Points, p)
	}
	return r
}

// finite returns a number as JSON can have it; nil where there is none.
func finite(x Number) *float64 {
	v := x.Float()
	if !x.IsSet() || v != v || v-v != 0 {
		return nil
	}
	return &v
}
