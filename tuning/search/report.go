package search

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/record"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/textfile"
	"example.org/bench/tuning"
	"example.org/bench/tuning/wisdom"
)

// The files of a search.
const (
	TrialsFile = "trials.csv"
	ReportFile = "tune.json"
	SpacesDir  = "spaces"
)

// Report is the content of tune.json.
type Report struct {
	Info      record.Info        `json:"info"`
	Objective Objective          `json:"objective"`
	Strategy  string             `json:"strategy"`
	Options   map[string]float64 `json:"options,omitempty"`
	Budget    int                `json:"budget"`            // evaluations per sweep point; 0: as many as there are points
	Limit     float64            `json:"limit_s,omitempty"` // that the search might take
	Patience  *tuning.Patience   `json:"patience,omitempty"`
	Place     wisdom.Device      `json:"device"`
	// Constraints are the config's, in the language of expr.
	Constraints []string `json:"constraints,omitempty"`
	// Shared are the GPUs that shared the trials of each version, if there were several.
	Shared []SharedReport `json:"shared,omitempty"`
	// Priors are how the versions' searches used a model of their points; absent: none had any.
	Priors []PriorReport `json:"priors,omitempty"`
	// Modes are the power modes that were an axis of the search.
	Modes []ModeReport `json:"power_modes,omitempty"`
	Tasks []TaskReport `json:"tasks"`
}

// SharedReport is the GPUs that shared one version's trials.
type SharedReport struct {
	Version string    `json:"version"`
	Devices []*Device `json:"devices"`
}

// TaskReport is one version at one sweep point.
type TaskReport struct {
	Algorithm   string              `json:"algorithm"`                     // its name
	Version     string              `json:"version"`                       // its name
	Processor   framework.Processor `json:"processor"`                     // CPU or GPU
	Params      framework.Values    `json:"params" unit:"the parameter's"` // all parameters
	Points      int                 `json:"points"`                        // valid points of the space
	Space       []Values            `json:"space"`                         // tunables; null if nothing is measured
	Evaluations int                 `json:"evaluations"`                   // points measured
	// EndedEarly counts the valid trials that were known to be slower than the best before they were measured
	// whole; absent: none.
	EndedEarly int `json:"ended_early,omitempty"`
	Invalid    int `json:"invalid"` // points that did not run or were wrong
	// Reached is the number of evaluations of this sweep point when the best was found.
	Reached      int              `json:"evaluations_to_best"`
	Tunables     framework.Values `json:"tunables,omitempty"`                    // the best
	PowerMode    string           `json:"power_mode,omitempty"`                  // the best's; absent without --power-modes
	Defaults     framework.Values `json:"defaults"`                              // the version's; null if nothing is measured
	DefaultsMode string           `json:"defaults_power_mode,omitempty"`         // that the defaults were measured in
	Cost         float64          `json:"cost,omitempty" unit:"the objective's"` // of the best trial
	Final        *Final           `json:"final,omitempty"`                       // the best measured again, in turns with the defaults
	// Front is set with --objective time,energy. "cost" is then the least time and "tunables" are the
	// fastest.
	Front        *FrontReport `json:"front,omitempty"`
	Stopped      string       `json:"stopped"`                      // why the search ended
	OwnTime      float64      `json:"strategy_s"`                   // the strategy's own time, of the whole search
	Items        int64        `json:"items" unit:"the algorithm's"` // of one run
	Recorded     string       `json:"recorded,omitempty"`           // name of the recorded space, where every point was measured
	NominalFLOPs int64        `json:"nominal_flops"`                // operations of one run
	Insight
	// Task is what was searched; nil in a report that was read.
	Task *Task `json:"-"`
}

// Values is one tunable with the values tried.
type Values struct {
	Name   string    `json:"name"`   // the tunable's
	Values []float64 `json:"values"` // that were tried
	// Words are the names of the values, of words and power modes; absent if they are numbers.
	Words []string `json:"words,omitempty"`
}

// Report returns what the search has found so far.
func (s *Search) Report() *Report {
	r := &Report{Info: s.info(), Objective: s.Objective, Strategy: s.Strategy.Name, Options: s.Settings, Budget: s.Budget, Limit: s.Limit.Seconds(), Patience: s.Patience, Place: s.Place,
		Constraints: s.experiment.Config.Constraints, Modes: s.modeReports()}
	for _, v := range s.Versions {
		if v.Outcome == nil {
			continue
		}
		if v.Devices != nil {
			r.Shared = append(r.Shared, SharedReport{v.Name, v.Devices})
		}
		if p := v.prior.report(v); p != nil {
			r.Priors = append(r.Priors, *p)
		}
		for _, t := range v.Tasks {
			r.Tasks = append(r.Tasks, s.taskReport(v, t))
		}
	}
	return r
}

// Write writes the trials, recorded spaces and the report, which it returns, to a folder.
func (s *Search) Write(dir *safefile.Folder) (*Report, error) {
	if err := s.recordSpaces(dir); err != nil {
		return nil, err
	}
	r := s.Report()
	if err := s.writeTrials(dir); err != nil {
		return nil, err
	}
	return r, r.Write(dir)
}

// Unsettled returns how many trials are imprecise, which may mislead a search, and the number of trials.
func (s *Search) Unsettled() (open, trials int) {
	for _, x := range s.Trials {
		if series := seriesOf(x.Result); x.OK && series != nil {
			trials++
			if !series.Converged && !series.Beaten {
				open++
			}
		}
	}
	return open, trials
}

// SharedTrials returns during how many trials others used the GPU, and who did during the first of these.
func (s *Search) SharedTrials() (marked int, first string) {
	for _, x := range s.Trials {
		if text := sharedText(x.Result); text != "" {
			if marked++; marked == 1 {
				first = text
			}
		}
	}
	return marked, first
}

// sharedText returns who used the GPU during a trial; empty for nobody.
func sharedText(r record.Result) string {
	if r.Conditions == nil {
		return ""
	}
	return strings.Join(r.Conditions.Shared, "; ")
}

// Write writes the report to a folder.
func (r *Report) Write(dir *safefile.Folder) error {
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return dir.Write(ReportFile, bytes.NewBuffer(append(text, '\n')))
}

func (s *Search) taskReport(v *Version, t *Task) TaskReport {
	r := TaskReport{Algorithm: t.Base.Algorithm, Version: t.Base.Version, Processor: t.Base.Processor, Params: t.Base.Params,
		Points: t.Space.Len(), Defaults: t.Base.Tunables, DefaultsMode: t.Base.PowerMode, Final: t.Final, Front: s.front(t), EndedEarly: s.endedEarly(t), Recorded: t.recorded, Stopped: v.Outcome.Stopped,
		OwnTime: v.Outcome.Own.Seconds(), Insight: s.insight(t), Task: t}
	for _, p := range t.Space.Parameters {
		own := Values{Name: p.Name, Values: p.Values, Words: p.Labels}
		if t.modes != nil && p.Name == tuning.PowerMode {
			own.Words = t.modes.names
		}
		r.Space = append(r.Space, own)
	}
	for _, x := range s.trialsOf(t) {
		r.Evaluations++
		if !x.OK {
			r.Invalid++
		}
		if x.Best {
			r.Reached = r.Evaluations
			r.Items, r.NominalFLOPs = x.Result.Work.Items, x.Result.Work.NominalFLOPs
		}
	}
	if t.best.OK {
		r.Cost = t.best.Cost
	}
	if p := t.chosen(); p >= 0 {
		r.Tunables, r.PowerMode = t.tunables(p), t.mode(p)
	}
	return r
}

// trialsOf returns the trials of a task, in the order made.
func (s *Search) trialsOf(t *Task) (list []Trial) {
	for _, x := range s.Trials {
		if x.Task == t {
			list = append(list, x)
		}
	}
	return list
}

// Read reads the report in a search's folder.
func Read(dir string) (*Report, error) {
	var r Report
	path := filepath.Join(dir, ReportFile)
	if err := textfile.ReadJSON(path, &r); err != nil {
		return nil, err
	}
	for i, t := range r.Tasks {
		if err := t.check(); err != nil {
			return nil, fmt.Errorf("%s: task %d, %s: %w", path, i, t.Version, err)
		}
	}
	return &r, nil
}

// check refuses a report that no search writes.
func (t TaskReport) check() error {
	if t.Front != nil && len(t.Front.Points) == 0 {
		return errors.New("its front has no points, want at least one")
	}
	for _, p := range t.Space {
		if p.Words != nil && len(p.Words) != len(p.Values) {
			return fmt.Errorf("%s has %d values and %d words, want as many", p.Name, len(p.Values), len(p.Words))
		}
	}
	return nil
}

// Varying returns the parameters by which a report's sweep points differ.
func (t TaskReport) Varying(r *Report) []string {
	var names []string
	for name, v := range t.Params {
		if slices.ContainsFunc(r.Tasks, func(o TaskReport) bool { return o.Params[name].String() != v.String() }) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
