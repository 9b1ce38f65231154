package exchange

import (
	"cmp"
	"math"
	"strings"

	"example.org/bench/framework/expression"
	"example.org/bench/tuning/recorded"
)

func whole(x float64) expression.Value {
	return expression.Value{Number: x, Float: x != math.Trunc(x)}
}

// FromRecorded is a recorded space as a study.
func FromRecorded(r *recorded.Space) *Study {
	kernel, device, _ := strings.Cut(r.Name, "-")
	s := &Study{Kernel: kernel, Device: device, Points: r.Space.Len()}
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
		q := Parameter{Name: p.Name}
		for _, v := range p.Values {
			q.Values = append(q.Values, value(p.Name, v))
		}
		s.Parameters = append(s.Parameters, q)
	}
	for i, c := range r.Costs {
		x := Result{Failure: Run}
		for d, p := range s.Parameters {
			x.Values = append(x.Values, value(p.Name, r.Space.Value(i, d)))
		}
		if r.Compile != nil {
			x.CompileTime, x.RunTime = r.Compile[i], r.Run[i]
		}
		if !math.IsNaN(c) {
			x.Failure, x.Time = OK, c
		}
		s.Results = append(s.Results, x)
	}
	return s
}
