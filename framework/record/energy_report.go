package record

import (
	"fmt"
	"slices"
	"strings"

	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
)

// EnergyReport is what one execution of a command takes, in JSON too. What is nil was not
// measured.
type EnergyReport struct {
	Command          []string `json:"command"`                       // the program and its arguments
	Device           string   `json:"device"`                        // whose sensors count
	Folder           string   `json:"folder"`                        // of the results
	Status           string   `json:"status"`                        // as in docs/csv.md: "ok", "failed", "timeout"
	Reason           string   `json:"reason,omitempty"`              // why the status is not ok, with the command's exit status
	Time             *float64 `json:"time_s"`                        // median time of one execution; null where unknown, as all quantities here
	TimeLow          *float64 `json:"time_low_s"`                    // lower end of its 95 % interval
	TimeHigh         *float64 `json:"time_high_s"`                   // upper end of it
	Samples          int64    `json:"samples"`                       // executions that were timed
	Power            *float64 `json:"power_W"`                       // mean power
	PowerUncertainty *float64 `json:"power_uncertainty_W"`           // half its 95 % interval by repeatability
	PowerCombined    *float64 `json:"power_combined_uncertainty_W"`  // the same with the calibration; null: unknown
	Idle             *float64 `json:"idle_power_W"`                  // before
	Energy           *float64 `json:"energy_J"`                      // of one execution
	Uncertainty      *float64 `json:"energy_uncertainty_J"`          // half its 95 % interval by repeatability
	Combined         *float64 `json:"energy_combined_uncertainty_J"` // the same with the calibration; null: unknown
	AboveIdle        *float64 `json:"energy_above_idle_J"`           // less idle power over the same time
	Calibration      string   `json:"calibration,omitempty"`         // where it is from, or "unknown"
	Window           *float64 `json:"window_s"`                      // in which power was measured
	Runs             int64    `json:"runs"`                          // executions in it
	Sensors          []string `json:"sensors"`                       // that were read
	Notes            string   `json:"notes,omitempty"`               // doubts about the readings
	Absent           string   `json:"absent,omitempty"`              // why there is no power
}

// EnergyReportOf returns the report of the first row of a run of a command, whose results are in dir.
func EnergyReportOf(run *Run, command []string, dir string) EnergyReport {
	w := &run.Rows[0]
	value := func(x Number) *float64 {
		if !x.IsSet() {
			return nil
		}
		v := x.Float()
		return &v
	}
	power, energy := w.Power.Get(), w.Energy.Get()
	e := EnergyReport{Command: command, Device: w.Device, Folder: dir, Status: string(w.Status), Reason: w.Reason,
		Time: value(w.Time.Median), TimeLow: value(w.Time.Low), TimeHigh: value(w.Time.High), Samples: w.Time.Samples.Int(),
		Power: value(power.Total), PowerUncertainty: value(power.Uncertainty), PowerCombined: value(power.Combined),
		Idle: value(power.Idle), Energy: value(energy.Total), Uncertainty: value(energy.Uncertainty), Combined: value(energy.Combined),
		AboveIdle: value(energy.AboveIdle), Calibration: power.Calibration, Window: value(power.Window), Runs: power.Runs.Int(),
		Notes: strings.Join(slices.DeleteFunc([]string{w.Verification.Notes, power.Notes}, func(n string) bool { return n == "" }), "; "), Absent: power.Absent, Sensors: []string{}}
	for _, s := range run.Info.Sensors {
		if s.Absent == "" {
			e.Sensors = append(e.Sensors, s.Name)
		}
	}
	return e
}

// Text tells what the table of a run does not; empty without energy.
func (e EnergyReport) Text() string {
	if e.Energy == nil {
		return ""
	}
	quantity := func(what string, x *float64, unit string) string {
		if x == nil {
			return ""
		}
		return what + digits.Scaled(*x, unit)
	}
	with := func(half *float64) string {
		if half == nil {
			return digits.Scaled(*e.Energy, "J")
		}
		return digits.PlusMinus(*e.Energy, *half, "J")
	}
	combined := " " + with(e.Combined) + " with the calibration (" + e.Calibration + ")"
	if e.Combined == nil {
		combined = " the sensor's calibration is unknown"
	}
	return fmt.Sprintf("energy of one execution %s, if measured again;%s\nidle%s%s, over %s in %s\n",
		with(e.Uncertainty), combined,
		quantity(" ", e.Idle, "W"), quantity(", above idle ", e.AboveIdle, "J"), terminal.Count(e.Runs, "execution"), quantity("", e.Window, "s"))
}
