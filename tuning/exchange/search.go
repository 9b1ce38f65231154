package exchange

import (
	"bench/framework"
	"bench/framework/record"
	"bench/tuning"
	"bench/tuning/expression"
	"bench/tuning/search"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// trialFailures say what a trial's status is elsewhere.
var trialFailures = map[string]Failure{
	string(record.Wrong): Wrong, string(record.Timeout): Timeout, string(record.Failed): Run,
}

// FromSearch are the sweep points of a search's folder, by name.
func FromSearch(dir string) (map[string]*Study, error) {
	report, err := search.Read(dir)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(filepath.Join(dir, search.TrialsFile))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) == 0 {
		return nil, fmt.Errorf("%s: no trials (%v)", f.Name(), err)
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	named := map[string]*Study{}
	for _, t := range report.Tasks {
		s := &Study{Kernel: t.Algorithm + "_" + t.Version, Device: report.Place.Name}
		for _, p := range t.Space {
			q := Parameter{Name: p.Name}
			for _, v := range p.Values {
				q.Values = append(q.Values, whole(v))
			}
			s.Parameters = append(s.Parameters, q)
		}
		s.Points = t.Points
		s.Conditions, s.Lost = conditionsOf(t, report.Constraints)
		s.Beyond = "what the version itself refuses is code"
		for _, row := range rows[1:] {
			if !isOf(t, row, column) {
				continue
			}
			x, err := trialStudy(s, row, column)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.Name(), err)
			}
			x.Timestamp = report.Info.Started.Format("2006-01-02 15:04:05-07:00")
			s.Results = append(s.Results, x)
		}
		name := t.Algorithm + "_" + t.Version
		for _, n := range t.Varying(report) {
			name += "_" + n + "_" + t.Params[n].String()
		}
		named[name] = s
	}
	return named, nil
}

// conditionsOf are the constraints of this sweep point in Python, with its
// parameters' values in the place of their names; lost are those that Python has no form
// for. A constraint on another version's tunable is none of this one's.
func conditionsOf(t search.TaskReport, constraints []string) (list, lost []string) {
	fixed, tunables := map[string]expression.Value{}, map[string]bool{}
	for name, v := range t.Params {
		switch v.Kind() {
		case framework.Text:
			fixed[name] = expression.Value{Word: v.String(), IsWord: true}
		default:
			fixed[name] = expression.Value{Number: v.Float(), Float: v.Kind() == framework.Float}
		}
	}
	for _, p := range t.Space {
		tunables[p.Name] = !slices.ContainsFunc(p.Values, func(x float64) bool { return x < 0 })
	}
	for _, text := range constraints {
		translated, err := Conditions(text, fixed, tunables)
		if err != nil {
			lost = append(lost, tuning.Brief(err).Error())
		}
		list = append(list, translated...)
	}
	return list, lost
}

// isOf reports whether a row of trials.csv is of this sweep point.
func isOf(t search.TaskReport, row []string, column map[string]int) bool {
	cell := func(name string) string {
		if i, ok := column[name]; ok {
			return row[i]
		}
		return ""
	}
	if cell("version") != t.Version || cell("processor") != string(t.Processor) {
		return false
	}
	for name, v := range t.Params {
		if cell(name) != v.String() {
			return false
		}
	}
	return true
}

func trialStudy(s *Study, row []string, column map[string]int) (Result, error) {
	x := Result{Failure: trialFailures[row[column["status"]]]}
	for _, p := range s.Parameters {
		i, ok := column[p.Name]
		if !ok {
			return x, fmt.Errorf("no column %s", p.Name)
		}
		v, err := strconv.ParseFloat(row[i], 64)
		if err != nil {
			return x, fmt.Errorf("%s is %q", p.Name, row[i])
		}
		x.Values = append(x.Values, whole(v))
	}
	if strings.HasPrefix(row[column["reason"]], "compile ") {
		x.Failure = Compile
	}
	if x.Failure == OK {
		var err error
		if x.Time, err = strconv.ParseFloat(row[column["time_s"]], 64); err != nil || !(x.Time > 0) {
			return x, fmt.Errorf("time_s is %q", row[column["time_s"]])
		}
		x.Times = []float64{x.Time}
	}
	return x, nil
}
