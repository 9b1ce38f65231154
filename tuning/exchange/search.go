package exchange

import (
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/expression"
	"example.org/bench/framework/record"
	"example.org/bench/tuning"
	"example.org/bench/tuning/search"
)

// trialFailures say what a trial's status is elsewhere.
var trialFailures = map[record.Status]Failure{
	record.Wrong: Wrong, record.Impossible: Wrong, record.Timeout: Timeout, record.Failed: Run, record.Skipped: Run,
}

// FromSearch are the sweep points of a search's folder, by name.
func FromSearch(dir string) (map[string]*Study, error) {
	report, err := search.Read(dir)
	if err != nil {
		return nil, err
	}
	trials, err := report.Trials(dir)
	if err != nil {
		return nil, err
	}
	named := map[string]*Study{}
	for i, t := range report.Tasks {
		s := &Study{Kernel: t.Algorithm + "_" + t.Version, Device: report.Place.Name}
		for _, p := range t.Space {
			q := Parameter{Name: p.Name}
			for _, v := range p.Values {
				q.Values = append(q.Values, settingOf(p, v))
			}
			s.Parameters = append(s.Parameters, q)
		}
		s.Points = t.Points
		s.Conditions, s.Lost = conditionsOf(t, report.Constraints)
		s.Beyond = "what the version itself refuses is code"
		for _, row := range trials[i] {
			x := resultOf(row, t.Space)
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
// parameters' values instead of their names; lost are those that Python has no form
// for. A constraint on another version's tunable does not concern this one.
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

// settingOf is a value of a tunable, or a power mode's number, as other tuners
// know one.
func settingOf(p search.Values, v float64) expression.Value {
	if p.Words != nil && p.Name != tuning.PowerMode {
		return expression.Value{Word: p.Words[slices.Index(p.Values, v)], IsWord: true}
	}
	return whole(v)
}

// resultOf is a trial as other tuners know one.
func resultOf(row search.Row, space []search.Values) Result {
	x := Result{Failure: trialFailures[row.Status], Time: row.Time}
	for i, v := range row.Values {
		x.Values = append(x.Values, settingOf(space[i], v))
	}
	if strings.HasPrefix(row.Reason, "compile ") {
		x.Failure = Compile
	}
	if x.Failure == OK {
		x.Times = []float64{x.Time}
	}
	return x
}
