package command

import (
	"bytes"
	"cmp"
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

	"bench/framework"
	"bench/framework/record"
	"bench/tuning"
	"bench/tuning/exchange"
	"bench/tuning/expression"
	"bench/tuning/recorded"
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

// distinct refuses a file or folder that is named twice: held against itself, it
// says nothing. What does not exist is not its concern.
func distinct(paths []string) error {
	var known []os.FileInfo
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		if slices.ContainsFunc(known, func(k os.FileInfo) bool { return os.SameFile(k, info) }) {
			return fmt.Errorf("%s is named twice; want different recorded spaces", path)
		}
		known = append(known, info)
	}
	return nil
}

// openSpaces reads recorded spaces; no name is no manifest.
func (a *app) openSpaces(files []string, manifest string) ([]*recorded.Space, error) {
	var m recorded.Manifest
	if manifest != "" {
		var err error
		if m, err = recorded.ReadManifest(manifest); err != nil {
			return nil, err
		}
	}
	var spaces []*recorded.Space
	for _, file := range files {
		s, err := recorded.Open(file, m)
		if err != nil {
			return nil, err
		}
		for _, n := range s.Notes {
			fmt.Fprintf(a.err, "%s: %s\n", file, n)
		}
		spaces = append(spaces, s)
	}
	return spaces, nil
}

func whole(x float64) expression.Value {
	return expression.Value{Number: x, Float: x != math.Trunc(x)}
}

// recordedStudy is a recorded space as a study.
func recordedStudy(r *recorded.Space) *exchange.Study {
	kernel, device, _ := strings.Cut(r.Name, "-")
	s := &exchange.Study{Kernel: kernel, Device: device, Points: r.Space.Len()}
	s.Beyond = "a recorded space without --manifest has no constraints"
	var labels map[string][]string
	if m := r.Declared; m != nil {
		s.Kernel, s.Device = cmp.Or(m.Kernel, kernel), cmp.Or(m.Device, device)
		s.ProblemSize, s.Conditions, labels = m.ProblemSize, m.Constraints, m.Labels
		s.Beyond = "the manifest's constraints do not say all"
	}
	value := func(name string, v float64) expression.Value {
		if words := labels[name]; words != nil && v >= 0 && v < float64(len(words)) {
			return expression.Value{Word: words[int(v)], IsWord: true}
		}
		return whole(v)
	}
	for _, p := range r.Space.Parameters {
		q := exchange.Parameter{Name: p.Name}
		for _, v := range p.Values {
			q.Values = append(q.Values, value(p.Name, v))
		}
		s.Parameters = append(s.Parameters, q)
	}
	for i, c := range r.Costs {
		x := exchange.Result{Failure: exchange.Run}
		for d, p := range s.Parameters {
			x.Values = append(x.Values, value(p.Name, r.Space.Value(i, d)))
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
		s.Points = t.Points
		s.Conditions, s.Lost = t.conditions(report.Constraints)
		s.Beyond = "what the version itself refuses is code"
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

// conditions are the constraints of this sweep point in Python, with its
// parameters' values in the place of their names; lost are those that Python has no form
// for. A constraint on another version's tunable is none of this one's.
func (t taskReport) conditions(constraints []string) (list, lost []string) {
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
		translated, err := exchange.Conditions(text, fixed, tunables)
		if err != nil {
			lost = append(lost, tuning.Brief(err).Error())
		}
		list = append(list, translated...)
	}
	return list, lost
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
