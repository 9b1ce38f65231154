package command

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"bench/framework/record"
	"bench/tuning"
	"bench/tuning/exchange"
	"bench/tuning/expression"
)

// maxFileBytes bounds what is read into memory of one file.
const maxFileBytes = 1 << 30

// readMaybeGzip reads a file, unpacked where it is gzip.
func readMaybeGzip(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil || !bytes.HasPrefix(text, []byte{0x1f, 0x8b}) {
		return text, err
	}
	z, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	text, err = io.ReadAll(io.LimitReader(z, maxFileBytes))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return text, nil
}

func whole(x float64) expression.Value {
	return expression.Value{Number: x, Float: x != math.Trunc(x)}
}

// recordedStudy is a recorded space as a study.
func recordedStudy(r *tuning.Recorded) *exchange.Study {
	kernel, device, _ := strings.Cut(r.Name, "-")
	s := &exchange.Study{Kernel: kernel, Device: device}
	for _, p := range r.Space.Parameters {
		q := exchange.Parameter{Name: p.Name}
		for _, v := range p.Values {
			q.Values = append(q.Values, whole(v))
		}
		s.Parameters = append(s.Parameters, q)
	}
	for i, c := range r.Costs {
		x := exchange.Result{Failure: exchange.Run}
		for d := range s.Parameters {
			x.Values = append(x.Values, whole(r.Space.Value(i, d)))
		}
		if !math.IsNaN(c) {
			x.Failure, x.Time = exchange.OK, c
		}
		s.Results = append(s.Results, x)
	}
	return s
}

// readReport reads tune.json of a search's folder.
func readReport(dir string) (*tuneReport, error) {
	text, err := os.ReadFile(filepath.Join(dir, tuneFile))
	if err != nil {
		return nil, err
	}
	var r tuneReport
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, tuneFile), err)
	}
	return &r, nil
}

// trialFailures say what a trial's status is elsewhere.
var trialFailures = map[string]exchange.Failure{
	string(record.Wrong): exchange.Wrong, string(record.Timeout): exchange.Timeout, string(record.Failed): exchange.Run,
}

// searchStudies are the sweep points of a search's folder.
func searchStudies(dir string) (map[string]*exchange.Study, error) {
	report, err := readReport(dir)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(filepath.Join(dir, trialsFile))
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
	named := map[string]*exchange.Study{}
	for _, t := range report.Tasks {
		s := &exchange.Study{Kernel: t.Algorithm + "_" + t.Version, Device: report.Place.Name}
		for _, p := range t.Space {
			q := exchange.Parameter{Name: p.Name}
			for _, v := range p.Values {
				q.Values = append(q.Values, whole(v))
			}
			s.Parameters = append(s.Parameters, q)
		}
		s.Conditions = t.conditions(report.Constraints)
		for _, row := range rows[1:] {
			if !t.has(row, column) {
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
		for _, n := range t.varying(report) {
			name += "_" + n + "_" + t.Params[n].String()
		}
		named[name] = s
	}
	return named, nil
}

// conditions are the constraints that name nothing but the version's tunables
// and read the same in Python, which has no conditional of this form and no
// remainder with the dividend's sign.
func (t taskReport) conditions(constraints []string) []string {
	var list []string
	for _, text := range constraints {
		e, err := expression.ParsePython(text)
		if err != nil || strings.Contains(text, "%") {
			continue
		}
		foreign := slices.ContainsFunc(e.Names(), func(n string) bool {
			return !slices.ContainsFunc(t.Space, func(p spaceParameter) bool { return p.Name == n })
		})
		if !foreign {
			list = append(list, text)
		}
	}
	return list
}

// has reports whether a row of trials.csv is of this sweep point.
func (t taskReport) has(row []string, column map[string]int) bool {
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

// varying are the parameters by which a report's sweep points differ.
func (t taskReport) varying(r *tuneReport) []string {
	var names []string
	for name, v := range t.Params {
		if slices.ContainsFunc(r.Tasks, func(o taskReport) bool { return o.Params[name].String() != v.String() }) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func trialStudy(s *exchange.Study, row []string, column map[string]int) (exchange.Result, error) {
	x := exchange.Result{Failure: trialFailures[row[column["status"]]]}
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
		x.Failure = exchange.Compile
	}
	if x.Failure == exchange.OK {
		var err error
		if x.Time, err = strconv.ParseFloat(row[column["time_s"]], 64); err != nil || !(x.Time > 0) {
			return x, fmt.Errorf("time_s is %q", row[column["time_s"]])
		}
		x.Times = []float64{x.Time}
	}
	return x, nil
}
