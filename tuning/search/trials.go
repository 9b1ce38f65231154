package search

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.org/bench/framework/record"
	"example.org/bench/framework/stats"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/textfile"
	"example.org/bench/tuning"
)

// switchColumn is the seconds that entering the trial's power mode took.
const switchColumn = "switch_s"

// sharedColumn is who used the GPU during a trial. It exists if anybody did.
const sharedColumn = "gpu_shared"

// writeTrials writes every evaluation in the order made.
func (s *Search) writeTrials(dir *safefile.Folder) error {
	header := []string{"evaluation", "algorithm", "version", "processor", "device"}
	var params, tunables []string
	for _, r := range s.Trials {
		for _, n := range r.Result.Point.ParamOrder {
			if !slices.Contains(params, n) {
				params = append(params, n)
			}
		}
		for _, n := range r.Result.Point.TunableOrder {
			if !slices.Contains(tunables, n) {
				tunables = append(tunables, n)
			}
		}
	}
	var mode []string // the column, where modes are searched
	if s.modes != nil {
		mode = []string{tuning.PowerMode}
	}
	header = slices.Concat(header, params, mode, tunables, []string{"status", "reason", "time_s", "time_ci_low_s", "time_ci_high_s", "converged", "energy_J", "edp_Js", "cost", "best", "compile_s", "elapsed_s", "ended_s", "ended_early"})
	if s.modes != nil {
		header = append(header, switchColumn)
	}
	marked, _ := s.SharedTrials()
	if marked > 0 {
		header = append(header, sharedColumn)
	}
	counters := s.counters()
	for _, name := range counters {
		if slices.Contains(header, name) {
			name = "counter_" + name
		}
		header = append(header, name)
	}
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.Write(header)
	count := map[*Version]int{}
	for _, r := range s.Trials {
		count[r.Version]++
		p := r.Result.Point
		row := []string{strconv.Itoa(count[r.Version]), p.Algorithm, p.Version, string(p.Processor), p.Device}
		for _, n := range params {
			row = append(row, p.Params[n].String())
		}
		if s.modes != nil {
			row = append(row, p.PowerMode)
		}
		for _, n := range tunables {
			row = append(row, p.Tunables[n].String())
		}
		row = append(row, string(r.Result.Status), r.Result.Reason)
		row = append(row, trialNumbers(r)...)
		row = append(row, strconv.FormatBool(r.Best), formatted(r.Result.Compiled), formatted(r.Result.Elapsed), formatted(s.ended(r)))
		series := seriesOf(r.Result)
		row = append(row, strconv.FormatBool(series != nil && series.Beaten))
		if s.modes != nil {
			row = append(row, formatted(r.SwitchSeconds))
		}
		if marked > 0 {
			row = append(row, sharedText(r.Result))
		}
		w.Write(append(row, counterCells(r, counters)...))
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return err
	}
	return dir.Write(TrialsFile, &out)
}

// ended returns when a trial ended, in seconds since the search began; NaN if the search was resumed since.
func (s *Search) ended(r Trial) float64 {
	if r.Earlier {
		return math.NaN()
	}
	return r.Result.Started.Sub(s.started).Seconds() + r.Result.Elapsed
}

// trialNumbers returns the cells of time, interval, convergence, energy, EDP and cost.
func trialNumbers(r Trial) []string {
	cells := make([]string, 7)
	if series := seriesOf(r.Result); series != nil && len(series.Samples) > 0 {
		m := stats.Summarize(series.Samples)
		cells[0], cells[1], cells[2] = formatted(m.Median), formatted(m.Low), formatted(m.High)
		cells[3] = strconv.FormatBool(series.Converged)
	}
	if r.Result.Energy != nil && r.Result.Energy.Absent == "" {
		for i, objective := range []Objective{Energy, EDP} {
			if x, err := objective.cost(r.Result); err == nil {
				cells[4+i] = formatted(x)
			}
		}
	}
	if r.OK {
		cells[6] = formatted(r.Cost)
	}
	return cells
}

func formatted(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}

// Row is a trial in trials.csv.
type Row struct {
	Values []float64 // of the tunables of the task's space
	Status record.Status
	Reason string
	Time   float64 // median, in s; 0 if it was not ok
	Energy float64 // in J; 0 if it was not measured
	Cost   float64 // of the objective, in its base unit; 0 if the trial has none
	Ended  float64 // when, in s since the search began; NaN if unknown
}

// Price returns the cost by which the search judged the trial; NaN for an invalid trial.
func (x Row) Price() float64 {
	switch {
	case x.Status != record.OK:
		return math.NaN()
	case x.Cost > 0:
		return x.Cost
	}
	return x.Time
}

// Rows returns the trials of each task of the search's report as in trials.csv.
func (s *Search) Rows(r *Report) [][]Row {
	all := make([][]Row, len(r.Tasks))
	for i, t := range r.Tasks {
		for _, x := range s.trialsOf(t.Task) {
			row := Row{Status: x.Result.Status, Reason: x.Result.Reason, Time: math.NaN(), Energy: x.Second, Ended: s.ended(x)}
			for d := range t.Space {
				row.Values = append(row.Values, t.Task.Space.Value(x.Point, d))
			}
			if x.OK {
				row.Time, row.Cost = x.Cost, x.Cost
			}
			all[i] = append(all[i], row)
		}
	}
	return all
}

// Trials reads trials.csv in the report's folder: the rows of each task.
func (r *Report) Trials(dir string) ([][]Row, error) {
	file := filepath.Join(dir, TrialsFile)
	table, lines, err := textfile.ReadTable(file)
	if err != nil {
		return nil, err
	}
	all := make([][]Row, len(r.Tasks))
	for n, cells := range table[1:] {
		row := map[string]string{}
		for i, name := range table[0] {
			row[name] = cells[i]
		}
		for i, t := range r.Tasks {
			if !t.has(row) {
				continue
			}
			x, err := t.row(row)
			if err != nil {
				return nil, fmt.Errorf("%s: line %d: %w", file, lines[n+1], err)
			}
			all[i] = append(all[i], x)
		}
	}
	return all, nil
}

// has reports whether a row is of this sweep point.
func (t TaskReport) has(row map[string]string) bool {
	if row["version"] != t.Version || row["processor"] != string(t.Processor) {
		return false
	}
	for name, v := range t.Params {
		if row[name] != v.String() {
			return false
		}
	}
	return true
}

func (t TaskReport) row(row map[string]string) (Row, error) {
	x := Row{Reason: row["reason"], Ended: math.NaN()}
	if err := x.Status.UnmarshalText([]byte(row["status"])); err != nil {
		return x, err
	}
	for _, p := range t.Space {
		text, ok := row[p.Name]
		if !ok {
			return x, fmt.Errorf("no column %s", p.Name)
		}
		v, err := p.number(text)
		if err != nil {
			return x, err
		}
		x.Values = append(x.Values, v)
	}
	var err error
	if text := row["ended_s"]; text != "" {
		if x.Ended, err = strconv.ParseFloat(text, 64); err != nil {
			return x, fmt.Errorf("ended_s is %q", text)
		}
	}
	if x.Status != record.OK {
		return x, nil
	}
	if x.Time, err = strconv.ParseFloat(row["time_s"], 64); err != nil || !(x.Time > 0) {
		return x, fmt.Errorf("time_s is %q", row["time_s"])
	}
	if text := row["energy_J"]; text != "" {
		if x.Energy, err = strconv.ParseFloat(text, 64); err != nil || !(x.Energy > 0) {
			return x, fmt.Errorf("energy_J is %q", text)
		}
	}
	if text := row["cost"]; text != "" {
		if x.Cost, err = strconv.ParseFloat(text, 64); err != nil || !(x.Cost > 0) {
			return x, fmt.Errorf("cost is %q", text)
		}
	}
	return x, nil
}

// number returns the number in a cell.
func (v Values) number(text string) (float64, error) {
	if v.Words != nil {
		if at := slices.Index(v.Words, text); at >= 0 {
			return v.Values[at], nil
		}
		return 0, fmt.Errorf("%s is %q, none of %s", v.Name, text, strings.Join(v.Words, ", "))
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("%s is %q", v.Name, text)
	}
	return x, nil
}
