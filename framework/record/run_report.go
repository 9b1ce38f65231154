package record

import (
	"time"

	"bench/framework"
)

// RunReport is a run in short, in JSON: what its CSVs have at length.
type RunReport struct {
	Config  string    `json:"config"`
	Folder  string    `json:"folder"` // of the results
	Seed    uint64    `json:"seed"`
	Started time.Time `json:"started"`
	Ended   time.Time `json:"ended"`
	// Good is whether every point is ok or skipped, and one is ok.
	Good bool `json:"good"`
	// Points are in the order they ran, without those that an interrupt left out.
	Points   []PointReport `json:"points"`
	Warnings []string      `json:"warnings,omitempty"`
}

// PointReport is a point in short. A quantity that is nil was not measured.
type PointReport struct {
	Point     int                        `json:"point"`
	Version   string                     `json:"version"`
	Device    string                     `json:"device"`
	PowerMode string                     `json:"power_mode,omitempty"`
	Params    map[string]framework.Value `json:"params"`
	Tunables  map[string]framework.Value `json:"tunables,omitempty"`
	Status    Status                     `json:"status"`
	Reason    string                     `json:"reason,omitempty"`
	// Verification is how the answer was checked.
	Verification string   `json:"verification,omitempty"`
	Error        *float64 `json:"error"`
	Bound        *float64 `json:"error_bound"`
	Time         *float64 `json:"time_s"`
	Low          *float64 `json:"time_ci_low_s"`
	High         *float64 `json:"time_ci_high_s"`
	Samples      int64    `json:"samples"`
	Hot          *float64 `json:"hot_time_s"`
	Power        *float64 `json:"power_W"`
	Energy       *float64 `json:"energy_J"`
	Uncertainty  *float64 `json:"energy_uncertainty_J"`
	// Doubts are why power and energy are missing or doubtful.
	Doubts []string `json:"energy_doubts,omitempty"`
	Notes  string   `json:"notes,omitempty"`
}

// RunReportOf is of a run whose results are in dir.
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

// finite is a number as JSON can have it; nil where there is none.
func finite(x Number) *float64 {
	v := x.Float()
	if !x.IsSet() || v != v || v-v != 0 {
		return nil
	}
	return &v
}
