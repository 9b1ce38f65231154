package command

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"bench/framework"
	"bench/framework/record"
	"bench/framework/safefile"
	"bench/framework/stats"
	"bench/tuning/recorded"
	"bench/tuning/wisdom"
)

// The files of a search.
const (
	trialsFile = "trials.csv"
	tuneFile   = "tune.json"
	spacesDir  = "spaces"
)

func (l *live) workers() int { return runtime.GOMAXPROCS(0) }

// tuneReport is what tune.json holds.
type tuneReport struct {
	Info      record.Info        `json:"info"`
	Objective string             `json:"objective"`
	Strategy  string             `json:"strategy"`
	Options   map[string]float64 `json:"options,omitempty"`
	Budget    int                `json:"budget"` // evaluations a sweep point
	Place     wisdom.Device      `json:"device"`
	// Constraints are the config's, in the language of expr.
	Constraints []string     `json:"constraints,omitempty"`
	Tasks       []taskReport `json:"tasks"`
}

// taskReport is one version at one sweep point.
type taskReport struct {
	Algorithm   string              `json:"algorithm"`
	Version     string              `json:"version"`
	Processor   framework.Processor `json:"processor"`
	Params      framework.Values    `json:"params"`
	Points      int                 `json:"points"` // of the space
	Space       []spaceParameter    `json:"space"`
	Evaluations int                 `json:"evaluations"`
	Invalid     int                 `json:"invalid"`
	// Reached is how many evaluations of this sweep point there had been when
	// the best was found.
	Reached  int              `json:"evaluations_to_best"`
	Tunables framework.Values `json:"tunables,omitempty"` // the best
	Defaults framework.Values `json:"defaults"`
	// Cost is the best trial's; Final is from measuring again.
	Cost    float64 `json:"cost,omitempty"`
	Final   *final  `json:"final,omitempty"`
	Stopped string  `json:"stopped"`
	OwnTime float64 `json:"strategy_s"` // of the whole search
	// Items of one run, in the algorithm's unit, and its operations.
	Items int64 `json:"items"`
	// Recorded names the recorded space; empty where not every point was measured.
	Recorded     string `json:"recorded,omitempty"`
	NominalFLOPs int64  `json:"nominal_flops"`
	task         *task
}

// spaceParameter is one tunable with the values tried.
type spaceParameter struct {
	Name   string    `json:"name"`
	Values []float64 `json:"values"`
}

// write writes the trials, the report, recorded spaces and wisdom, and prints
// a table.
func (l *live) write(info record.Info, searches []*search) error {
	info.Ended = now()
	report := tuneReport{Info: info, Objective: l.objective, Strategy: l.strategy.Name, Options: l.options, Budget: l.flags.budget, Place: l.place, Constraints: l.config.Constraints}
	if err := l.recordSpaces(searches); err != nil {
		return err
	}
	for _, s := range searches {
		if s.report == nil {
			continue
		}
		for number, t := range s.tasks {
			report.Tasks = append(report.Tasks, l.taskReport(s, number, t))
		}
	}
	if err := l.writeTrials(); err != nil {
		return err
	}
	if err := report.writeFile(l.dir); err != nil {
		return err
	}
	plots, err := l.plot(searches)
	if err != nil {
		return fmt.Errorf("plots: %w", err)
	}
	kept, err := l.keepWisdom(report)
	if err != nil {
		return err
	}
	fmt.Fprintf(l.app.out, "\n%s\n%s%s: %s, %s and %d plots%s\n", report.table(l.objective), l.doubts(), l.dir, trialsFile, tuneFile, plots, kept)
	return nil
}

// doubts says how many trials are imprecise, by which a search may be misled.
func (l *live) doubts() string {
	trials, open := 0, 0
	for _, r := range l.results {
		if series := seriesOf(r.result); r.trial.OK && series != nil {
			trials++
			if !series.Converged {
				open++
			}
		}
	}
	if open == 0 {
		return ""
	}
	return fmt.Sprintf("not converged: %d of %d trials (column converged): a machine so uneven may mislead a search\n", open, trials)
}

// writeFile writes the report to a folder.
func (r *tuneReport) writeFile(dir string) error {
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return safefile.Write(filepath.Join(dir, tuneFile), bytes.NewBuffer(append(text, '\n')))
}

func (l *live) taskReport(s *search, number int, t *task) taskReport {
	r := taskReport{Algorithm: t.base.Algorithm, Version: t.base.Version, Processor: t.base.Processor, Params: t.base.Params,
		Points: t.space.Len(), Defaults: t.base.Tunables, Final: t.final, Recorded: t.recorded, Stopped: s.report.Stopped, OwnTime: s.report.Own.Seconds(), task: t}
	for _, p := range t.space.Parameters {
		r.Space = append(r.Space, spaceParameter{p.Name, p.Values})
	}
	for _, x := range l.results {
		if x.task != t {
			continue
		}
		r.Evaluations++
		if !x.trial.OK {
			r.Invalid++
		}
		if x.best {
			r.Reached = r.Evaluations
			r.Cost = x.trial.Cost
			r.Items, r.NominalFLOPs = x.result.Work.Items, x.result.Work.NominalFLOPs
		}
	}
	if b := s.report.Best[number]; b.OK {
		r.Tunables = t.space.Tunables(b.Point)
	}
	return r
}

// table is the report for people.
func (r tuneReport) table(objective string) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "VERSION\tAT\tPOINTS\tEVALUATIONS\tINVALID\tBEST\tDEFAULTS\tGAIN\tTUNABLES\n")
	for _, t := range r.Tasks {
		best, defaults, gain := "none", "", ""
		if t.Tunables != nil {
			best = amount(t.Cost, objective)
		}
		if f := t.Final; f != nil {
			best = amount(f.Best.Value, objective)
			if f.Default != nil {
				defaults = amount(f.Default.Value, objective)
				gain = fmt.Sprintf("%.3f", f.Default.Value/f.Best.Value)
			}
		}
		p := t.task.base
		p.Tunables = t.Tunables
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%s\t%s\t%s\t%s\n", t.Version, t.task.name, t.Points, t.Evaluations, t.Invalid, best, defaults, gain, settingsText(p))
	}
	w.Flush()
	return b.String()
}

// writeTrials writes every evaluation in the order made.
func (l *live) writeTrials() error {
	header := []string{"evaluation", "algorithm", "version", "processor", "device"}
	var params, tunables []string
	for _, r := range l.results {
		for _, n := range r.result.Point.ParamOrder {
			if !slices.Contains(params, n) {
				params = append(params, n)
			}
		}
		for _, n := range r.result.Point.TunableOrder {
			if !slices.Contains(tunables, n) {
				tunables = append(tunables, n)
			}
		}
	}
	header = slices.Concat(header, params, tunables, []string{"status", "reason", "time_s", "time_ci_low_s", "time_ci_high_s", "converged", "energy_J", "edp_Js", "cost", "best", "elapsed_s"})
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.Write(header)
	count := map[*search]int{}
	for _, r := range l.results {
		count[r.search]++
		p := r.result.Point
		row := []string{strconv.Itoa(count[r.search]), p.Algorithm, p.Version, string(p.Processor), p.Device}
		for _, n := range params {
			row = append(row, p.Params[n].String())
		}
		for _, n := range tunables {
			row = append(row, p.Tunables[n].String())
		}
		row = append(row, string(r.result.Status), r.result.Reason)
		row = append(row, trialNumbers(r)...)
		w.Write(append(row, map[bool]string{true: "1", false: "0"}[r.best], number(r.result.Elapsed)))
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return err
	}
	return safefile.Write(filepath.Join(l.dir, trialsFile), &out)
}

// trialNumbers are time with its interval and whether it converged, energy, EDP
// and cost.
func trialNumbers(r trialResult) []string {
	cells := make([]string, 7)
	if series := seriesOf(r.result); series != nil && len(series.Samples) > 0 {
		s := stats.Summarize(series.Samples)
		cells[0], cells[1], cells[2] = number(s.Median), number(s.Low), number(s.High)
		cells[3] = map[bool]string{true: "1", false: "0"}[series.Converged]
	}
	if r.result.Energy != nil && r.result.Energy.Absent == "" {
		for i, objective := range []string{"energy", "edp"} {
			if x, err := costOf(r.result, objective); err == nil {
				cells[4+i] = number(x)
			}
		}
	}
	if r.trial.OK {
		cells[6] = number(r.trial.Cost)
	}
	return cells
}

func number(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9.]+`)

// recordSpaces writes a recorded space for each task of which every point was
// measured.
func (l *live) recordSpaces(searches []*search) error {
	for _, s := range searches {
		for _, t := range s.tasks {
			costs := make([]float64, t.space.Len())
			seen := 0
			for _, r := range l.results {
				if r.task != t {
					continue
				}
				seen++
				if costs[r.point] = r.trial.Cost; !r.trial.OK {
					costs[r.point] = math.NaN()
				}
			}
			if seen < t.space.Len() || l.objective != "time" {
				continue
			}
			t.recorded = strings.Join([]string{t.base.Algorithm, t.base.Version, notInNames.ReplaceAllString(t.name, "_")}, "_") +
				"-" + notInNames.ReplaceAllString(l.place.Name, "_")
			r := &recorded.Space{Name: t.recorded, Space: t.space, Costs: costs}
			if err := writeRecorded(filepath.Join(l.dir, spacesDir), r); err != nil {
				return err
			}
		}
	}
	return nil
}

// keepWisdom adds the best to the wisdom file and says so.
func (l *live) keepWisdom(report tuneReport) (string, error) {
	if l.wisdom == "none" {
		return "", nil
	}
	path, err := l.wisdomPath()
	if err != nil {
		return "", err
	}
	var entries []wisdom.Entry
	for _, t := range report.Tasks {
		if t.Tunables == nil {
			continue
		}
		e := wisdom.Entry{Algorithm: t.Algorithm, Version: t.Version, Processor: t.Processor, Device: l.place, Params: t.Params,
			Objective: l.objective, Tunables: t.Tunables, Cost: t.Cost, Strategy: l.strategy.Name, Evaluations: t.Evaluations,
			Points: t.Points, Tool: record.ThisTool().String(), Found: report.Info.Ended}
		if f := t.Final; f != nil {
			e.Cost = f.Best.Value
			if f.Default != nil {
				e.DefaultCost = f.Default.Value
			}
		}
		entries = append(entries, e)
	}
	if len(entries) == 0 {
		return "", nil
	}
	better, err := wisdom.Keep(path, entries)
	if err != nil {
		return "", err
	}
	kept := fmt.Sprintf("; %d entries in %s, which bench run uses", len(entries)-len(better), path)
	for _, e := range better {
		kept += fmt.Sprintf("\n%s %s: an earlier search's %s stays in %s", e.Version, e.Params, amount(e.Cost, l.objective), path)
	}
	return kept, nil
}

// wisdomPath is the file named, else the default.
func (l *live) wisdomPath() (string, error) {
	if l.wisdom != "" {
		return l.wisdom, nil
	}
	return wisdom.DefaultPath()
}
