package exchange

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/internal/terminal"
)

type t4File struct {
	Results  []t4Result     `json:"results"`
	Schema   string         `json:"schema_version"`
	Metadata map[string]any `json:"metadata,omitempty"`
}

type t4Result struct {
	Configuration map[string]any  `json:"configuration"`
	Times         t4Times         `json:"times"`
	Invalidity    string          `json:"invalidity"`
	Correctness   any             `json:"correctness"`
	Measurements  []t4Measurement `json:"measurements"`
	Objectives    []string        `json:"objectives"`
	Timestamp     string          `json:"timestamp,omitempty"`
}

// t4Times has the time of compilation twice: the schema and KTT call it
// compilation_time, Kernel Tuner compilation.
type t4Times struct {
	Compilation     any   `json:"compilation,omitempty"`
	CompilationTime any   `json:"compilation_time,omitempty"`
	Runtimes        []any `json:"runtimes"`
	Framework       any   `json:"framework,omitempty"`
	SearchAlgorithm any   `json:"search_algorithm,omitempty"`
	Validation      any   `json:"validation,omitempty"`
}

type t4Measurement struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
	Unit  string `json:"unit"`
}

// units of time, as the files write them, in seconds.
var units = map[string]float64{
	"": millisecond, "ms": millisecond, "milliseconds": millisecond, "miliseconds": millisecond, "s": 1, "seconds": 1,
	"us": 1e-6, "µs": 1e-6, "microseconds": 1e-6, "ns": 1e-9, "nanoseconds": 1e-9,
}

const unitsText = "seconds, milliseconds, microseconds or nanoseconds"

var t4Failures = map[string]Failure{
	"correct": OK, "compile": Compile, "runtime": Run, "timeout": Timeout, "constraints": Invalid, "correctness": Wrong,
}

// ReadT4 reads a T4 file. Parameters and their values are those that occur;
// a T1 study, where not nil, gives their declared order and conditions.
func ReadT4(text []byte, t1 *Study) (*Study, error) {
	var f t4File
	if err := decode(text, &f); err != nil {
		return nil, fmt.Errorf("T4 file: %w", err)
	}
	if len(f.Results) == 0 {
		return nil, errors.New("T4 file: results are needed")
	}
	if len(f.Results) > maxResults {
		return nil, fmt.Errorf("T4 file: %d results; at most %d are supported", len(f.Results), maxResults)
	}
	unit := millisecond
	if word, given := f.Metadata["timeunit"]; given {
		var known bool
		if unit, known = units[strings.ToLower(fmt.Sprint(word))]; !known {
			return nil, fmt.Errorf("T4 file: metadata.timeunit is %q; want %s", fmt.Sprint(word), unitsText)
		}
	}
	s := &Study{}
	if t1 != nil {
		s.Kernel, s.ProblemSize, s.Conditions = t1.Kernel, t1.ProblemSize, t1.Conditions
		s.Parameters = slices.Clone(t1.Parameters)
	} else {
		var names []string
		for name := range f.Results[0].Configuration {
			names = append(names, name)
		}
		slices.Sort(names) // the file gives no order
		for _, name := range names {
			s.Parameters = append(s.Parameters, Parameter{Name: name})
		}
	}
	if len(s.Parameters) == 0 {
		return nil, errors.New("T4 file: result 1 has no parameters in its configuration")
	}
	for i, x := range f.Results {
		r, err := t4ResultOf(s, x, unit)
		if err != nil {
			return nil, fmt.Errorf("T4 file: result %d: %w", i+1, err)
		}
		s.Results = append(s.Results, r)
	}
	s.fill()
	return s, nil
}

func t4ResultOf(s *Study, x t4Result, unit float64) (Result, error) {
	r := Result{Timestamp: x.Timestamp}
	if len(x.Configuration) != len(s.Parameters) {
		return r, fmt.Errorf("%s, want %d", terminal.Count(len(x.Configuration), "parameter"), len(s.Parameters))
	}
	for _, p := range s.Parameters {
		value, ok := x.Configuration[p.Name]
		if !ok {
			return r, fmt.Errorf("%s is missing", p.Name)
		}
		v, err := valueOf(value)
		if err != nil {
			return r, fmt.Errorf("%s: %w", p.Name, err)
		}
		r.Values = append(r.Values, v)
	}
	failure, known := t4Failures[x.Invalidity]
	if !known {
		return r, fmt.Errorf("invalidity is %q; want one of correct, compile, runtime, timeout, constraints, correctness", x.Invalidity)
	}
	r.Failure = failure
	for _, compile := range []any{x.Times.Compilation, x.Times.CompilationTime} {
		if t, ok := seconds(compile, unit); ok {
			r.CompileTime = t
		}
	}
	if failure != OK {
		return r, nil
	}
	for _, t := range x.Times.Runtimes {
		sec, ok := seconds(t, unit)
		if !ok {
			continue
		}
		if err := framework.CheckSeconds(sec); err != nil {
			return r, fmt.Errorf("one of runtimes, %v, %w", t, err)
		}
		r.Times = append(r.Times, sec)
	}
	var err error
	if r.Time, err = timeOf(x, r.Times); err != nil {
		return r, err
	}
	if !(r.Time > 0) {
		return r, errors.New("no time, and invalidity is correct")
	}
	if err := framework.CheckSeconds(r.Time); err != nil {
		return r, fmt.Errorf("its time %w", err)
	}
	return r, nil
}

// timeOf is the measurement that the result names as its objective where that
// is a time, else the one named time. Only a result whose objective is the time and
// that has no measurement of it has the mean of its runtimes.
func timeOf(x t4Result, runtimes []float64) (float64, error) {
	objective := "time"
	if len(x.Objectives) > 0 {
		objective = x.Objectives[0]
	}
	find := func(name string) *t4Measurement {
		at := slices.IndexFunc(x.Measurements, func(m t4Measurement) bool { return m.Name == name })
		if at < 0 {
			return nil
		}
		return &x.Measurements[at]
	}
	m := find(objective)
	if m == nil || !m.isTime() {
		if other := find("time"); other != nil {
			m = other
		}
	}
	switch {
	case m == nil && objective == "time":
		mean := 0.0
		for _, t := range runtimes {
			mean += t / float64(len(runtimes))
		}
		return mean, nil
	case m == nil:
		return 0, fmt.Errorf("there is no measurement of the objective %q, nor one named time", objective)
	}
	unit, known := units[strings.ToLower(m.Unit)]
	switch {
	case !known && m.Name != "time":
		return 0, fmt.Errorf("the objective %q is in %q, which is no time, and there is no measurement named time", m.Name, m.Unit)
	case !known:
		return 0, fmt.Errorf("the unit of %s is %q; want %s", m.Name, m.Unit, unitsText)
	case !m.isTime():
		return 0, noTime(m.Name)
	}
	t, ok := seconds(m.Value, unit)
	if !ok {
		return 0, fmt.Errorf("%s is %v, no number, and invalidity is correct", m.Name, m.Value)
	}
	return t, nil
}

// noTime refuses results whose objective is no time, as a score.
func noTime(objective string) error {
	return fmt.Errorf("the objective %q has no unit of time, and there is no measurement named time", objective)
}

// isTime reports that a measurement is in a unit of time. Without a unit those
// are that Kernel Tuner writes so, whose names say it.
func (m t4Measurement) isTime() bool {
	if m.Unit == "" {
		name := strings.ToLower(m.Name)
		return strings.HasPrefix(name, "time") || strings.HasSuffix(name, "time") || strings.HasSuffix(name, "duration")
	}
	_, known := units[strings.ToLower(m.Unit)]
	return known
}

// WriteT4 writes a study's results as a T4 file.
func WriteT4(out io.Writer, s *Study) error {
	f := t4File{Schema: "1.0.0", Metadata: map[string]any{"timeunit": "milliseconds"}, Results: []t4Result{}}
	words := map[Failure]string{}
	for word, failure := range t4Failures {
		words[failure] = word
	}
	for _, r := range s.Results {
		x := t4Result{Configuration: map[string]any{}, Invalidity: words[r.Failure], Correctness: 1, Objectives: []string{"time"}, Timestamp: r.Timestamp,
			Times: t4Times{Compilation: milliseconds(r.CompileTime), CompilationTime: milliseconds(r.CompileTime), Runtimes: []any{},
				Framework: 0, SearchAlgorithm: 0, Validation: 0}}
		for d, v := range r.Values {
			x.Configuration[s.Parameters[d].Name] = scalar(v)
		}
		if r.Failure == OK {
			for _, t := range r.Times {
				x.Times.Runtimes = append(x.Times.Runtimes, milliseconds(t))
			}
			x.Measurements = []t4Measurement{{"time", milliseconds(r.Time), "ms"}}
		} else {
			x.Correctness = 0
			x.Measurements = []t4Measurement{{"time", classOf(r.Failure), "ms"}}
		}
		f.Results = append(f.Results, x)
	}
	e := json.NewEncoder(out)
	e.SetIndent("", " ")
	return e.Encode(f)
}
