package picture

import (
	"cmp"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/framework/record"
)

// Names tells the points of a run apart, whatever its sweep.
type Names struct {
	// Common is what all points share: devices and settings.
	Common         string
	parts, problem []func(*record.Row) string
}

// NamesOf returns the names of a run.
func NamesOf(run *record.Run) Names {
	s := &Sweep{Run: run}
	if len(run.Rows) == 0 {
		return Names{}
	}
	params, tunables, constant := run.Varying()
	n := Names{Common: s.common(constant), parts: s.differing(s.identity())}
	n.parts = slices.Concat(n.parts, s.undecided(nil, params, false))
	n.parts = slices.Concat(n.parts, s.undecided(n.parts, tunables, true))
	isUse := func(c record.Column) bool { return framework.UsageParam(c.Name) != nil }
	n.problem = s.undecided(nil, slices.DeleteFunc(slices.Clone(params), isUse), false)
	return n
}

// Of returns the name of a row.
func (n Names) Of(w *record.Row) string { return cmp.Or(name(n.parts, w), w.Version) }

// Problem names the problem of a row, whatever the version and its use; empty if all rows have one problem.
func (n Names) Problem(w *record.Row) string { return name(n.problem, w) }
