// Package exchange reads and writes the files of other tuners: Kernel Tuner's cache files, KTT's results,
// and the T1 (what to tune) and T4 (what came of it) formats that several tuners share.
package exchange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/expression"
	"example.org/bench/tuning"
	"example.org/bench/tuning/recorded"
)

// Failure says why a configuration has no time.
type Failure string

// The failures that the formats tell apart. OK is not a failure.
const (
	OK      Failure = ""
	Compile Failure = "compile"
	Run     Failure = "runtime"
	Timeout Failure = "timeout"
	Invalid Failure = "constraints"
	Wrong   Failure = "correctness"
)

// Parameter is one tuning parameter with its values in declared order.
type Parameter struct {
	Name   string
	Values []expression.Value
	// Default is one of the values; nil where the file has none.
	Default *expression.Value
}

// Result is one configuration.
type Result struct {
	// Values by parameter.
	Values  []expression.Value
	Failure Failure
	// Time is the mean of Times where the file gives these; seconds.
	Time  float64
	Times []float64
	// CompileTime in seconds; 0 where unknown.
	CompileTime float64
	// RunTime is the seconds for which checking and measuring held the device; 0 where unknown.
	RunTime   float64
	Timestamp string // as written
}

// Study is a kernel's parameters and what came of its configurations.
type Study struct {
	Kernel, Device string
	// ProblemSize as written: a number, a list or a word; nil where missing.
	ProblemSize any
	Parameters  []Parameter
	// Conditions are Python expressions that hold for every configuration.
	Conditions []string
	Results    []Result
	// Points counts the points of the space; 0 where it is not known.
	Points int
	// Lost are constraints that Conditions lack as Python has no form for them,
	// and Beyond says what else may hold.
	Lost   []string
	Beyond string
	// Notes are what the reader mended or left out.
	Notes []string
}

func (s *Study) note(format string, args ...any) {
	s.Notes = append(s.Notes, fmt.Sprintf(format, args...))
}

// maxResults bounds what a file may hold.
const maxResults = tuning.MaxPoints

// Declaration is the study's space as data for tuning.
func (s *Study) Declaration() (tuning.Declaration, error) {
	d := tuning.Declaration{Parameters: s.parameters()}
	for _, text := range s.Conditions {
		c, err := tuning.ParsePythonConstraint(text)
		if err != nil {
			return d, err
		}
		d.Constraints = append(d.Constraints, c)
	}
	return d, nil
}

// Loss says how the space that WriteT1 writes differs from the study's; empty
// where it does not, or where the study's is not known.
func (s *Study) Loss(ctx context.Context) string {
	var parts []string
	for _, text := range s.Lost {
		parts = append(parts, "not exported: "+text)
	}
	want := s.Points
	if want == 0 {
		want = len(s.Results)
	}
	if want == 0 {
		return strings.Join(parts, "; ")
	}
	count := "an unknown number of"
	if d, err := s.Declaration(); err == nil {
		if space, err := d.Enumerate(ctx); err != nil {
			parts = append(parts, err.Error())
		} else if count = strconv.Itoa(space.Len()); space.Len() == want {
			return strings.Join(parts, "; ")
		}
	}
	text := fmt.Sprintf("the T1 file's space has %s points, this one %d", count, want)
	if s.Beyond != "" {
		text += ": " + s.Beyond
	}
	return strings.Join(append(parts, text), "; ")
}

// parameters keep words as labels.
func (s *Study) parameters() []tuning.Parameter {
	var list []tuning.Parameter
	for _, p := range s.Parameters {
		q := tuning.Parameter{Name: p.Name}
		words := slices.ContainsFunc(p.Values, func(v expression.Value) bool { return v.IsWord })
		for i, v := range p.Values {
			if words {
				q.Labels = append(q.Labels, v.String())
				q.Values = append(q.Values, float64(i))
				q.Settings = append(q.Settings, framework.TextValue(v.String()))
			} else {
				q.Values = append(q.Values, v.Number)
			}
		}
		if slices.ContainsFunc(q.Values, func(x float64) bool { return x != math.Trunc(x) }) {
			for _, x := range q.Values {
				q.Settings = append(q.Settings, framework.FloatValue(x))
			}
		}
		list = append(list, q)
	}
	return list
}

// Recorded is the study as a recorded space, whose points are the
// configurations in declared order. Of a configuration that occurs twice the last
// counts. Words become their place among the parameter's values, as a recorded
// space holds numbers only.
func (s *Study) Recorded(name string) (*recorded.Space, error) {
	if len(s.Results) == 0 {
		return nil, errors.New("no configurations")
	}
	if len(s.Parameters) == 0 {
		return nil, errors.New("the configurations have no parameters")
	}
	parameters := s.parameters()
	for i := range parameters {
		parameters[i].Labels = nil
	}
	rows := make([][]uint16, len(s.Results))
	for i, r := range s.Results {
		rows[i] = make([]uint16, len(parameters))
		for d, v := range r.Values {
			at := slices.IndexFunc(s.Parameters[d].Values, func(x expression.Value) bool { return same(x, v) })
			if at < 0 || at > math.MaxUint16 {
				return nil, fmt.Errorf("configuration %d: %s is %s, which is not among its values", i, s.Parameters[d].Name, v)
			}
			rows[i][d] = uint16(at)
		}
	}
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return slices.Compare(rows[a], rows[b]) })
	var points [][]uint16
	rec := &recorded.Space{Name: name}
	for i, o := range order {
		if i+1 < len(order) && slices.Equal(rows[o], rows[order[i+1]]) {
			continue
		}
		points = append(points, rows[o])
		cost := math.NaN()
		if r := s.Results[o]; r.Failure == OK {
			cost = r.Time
		}
		rec.Costs = append(rec.Costs, cost)
		rec.Compile = append(rec.Compile, s.Results[o].CompileTime)
		rec.Run = append(rec.Run, s.Results[o].RunTime)
	}
	rec.ForgetUnknown()
	var err error
	rec.Space, err = tuning.NewSpace(parameters, points)
	return rec, err
}

func same(a, b expression.Value) bool {
	return a.IsWord == b.IsWord && a.Word == b.Word && a.Number == b.Number
}

// fill gives parameters that declare no values those that occur.
func (s *Study) fill() {
	for d := range s.Parameters {
		p := &s.Parameters[d]
		if p.Values != nil {
			continue
		}
		for _, r := range s.Results {
			v := r.Values[d]
			if !slices.ContainsFunc(p.Values, func(x expression.Value) bool { return same(x, v) }) {
				p.Values = append(p.Values, v)
			}
		}
		slices.SortStableFunc(p.Values, func(a, b expression.Value) int { return cmp.Compare(a.Number, b.Number) })
	}
}
