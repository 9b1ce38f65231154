package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"bench/framework"
	"bench/framework/record"
)

// mostLines is how many lines one figure may hold: readers cannot tell more apart.
const mostLines = 8

// sweep says how a run's rows become figures: what the abscissa is, what tells
// series apart, and what tells figures apart.
type sweep struct {
	run *record.Run
	// x is the abscissa; its Name is empty where no number was swept.
	x        record.Column
	ofTuning bool // x is a tunable
	log      bool
	// others are the parameters beside x that problems differ by; panels are those that
	// have figures of their own.
	others, panels []record.Column
	tunables       []record.Column  // that tell points of one version and problem apart
	device, mode   bool             // tell series apart
	series         []string         // names, in the order in which they come up
	of             []int            // the number of a row's series
	members        [][]int          // the rows of a series
	ofPanel        map[string][]int // the series that a panel has rows of
}

func newSweep(run *record.Run) *sweep {
	s := &sweep{run: run}
	params, tunables, _ := run.Varying()
	s.chooseX(params, tunables)
	for _, c := range params {
		if c.Name != s.x.Name && s.isAxis(c) {
			s.others = append(s.others, c)
		}
	}
	where := map[string]string{}
	for i := range run.Rows {
		w := &run.Rows[i]
		s.mode = s.mode || w.PowerMode != run.Rows[0].PowerMode
		had, ok := where[w.Version]
		s.device = s.device || ok && had != w.Device
		where[w.Version] = w.Device
	}
	for _, c := range params { // that no axis sweeps, and that do not follow from these
		if c.Name == s.x.Name || s.isAxis(c) {
			continue
		}
		of := func(w *record.Row) string { return w.Params.Get(c.Name).String() }
		if s.splits(of) {
			s.others = append(s.others, c)
		} else if s.device && s.followsFromDevice(of) { // other problems, as where a GPU computes larger batches
			s.panels = append(s.panels, c)
		}
	}
	for _, c := range tunables {
		if c.Name != s.x.Name && s.splits(func(w *record.Row) string { return w.Tunables.Get(c.Name).String() }) {
			s.tunables = append(s.tunables, c)
		}
	}
	if s.collect(); len(s.series) > mostLines && len(s.others) > 0 {
		s.panels, s.others = append(s.panels, s.others...), nil
		s.collect()
	}
	return s
}

// chooseX takes the first number that the config sweeps, else the first that
// varies, else a tunable that every row has.
func (s *sweep) chooseX(params, tunables []record.Column) {
	number := func(c record.Column) bool { return c.Kind != framework.Text.String() }
	params = slices.Clone(params)
	slices.SortStableFunc(params, func(a, b record.Column) int { return cmp.Compare(s.run.Axis(a), s.run.Axis(b)) })
	if i := slices.IndexFunc(params, number); i >= 0 {
		s.x = params[i]
	} else if i := slices.IndexFunc(tunables, func(c record.Column) bool {
		return number(c) && !slices.ContainsFunc(s.run.Rows, func(w record.Row) bool { return !w.Tunables.Get(c.Name).IsSet() })
	}); i >= 0 {
		s.x, s.ofTuning = tunables[i], true
	}
	if s.x.Name == "" {
		return
	}
	least, most := math.Inf(1), 0.0
	for i := range s.run.Rows {
		if at := s.at(&s.run.Rows[i]); !math.IsNaN(at) {
			least, most = min(least, at), max(most, at)
		}
	}
	i := s.run.Axis(s.x)
	s.log = least > 0 && (i < len(s.run.Axes) && s.run.Axes[i].Geometric || most > 30*least)
}

func (s *sweep) isAxis(c record.Column) bool { return s.run.Axis(c) < len(s.run.Axes) }

// at is a row's abscissa; NaN where it has none.
func (s *sweep) at(w *record.Row) float64 {
	v := w.Params.Get(s.x.Name)
	if s.ofTuning {
		v = w.Tunables.Get(s.x.Name)
	}
	if s.x.Name == "" || !v.IsSet() || v.Kind() == framework.Text {
		return math.NaN()
	}
	return v.Float()
}

// splits reports whether two rows that are alike in all else differ in this.
func (s *sweep) splits(of func(*record.Row) string) bool {
	first := map[string]string{}
	for i := range s.run.Rows {
		w := &s.run.Rows[i]
		key := strings.Join([]string{s.name(w), s.panel(w), fmt.Sprint(s.at(w)), w.Version, w.Device, w.PowerMode, s.tuning(w)}, "\x00")
		if had, ok := first[key]; ok && had != of(w) {
			return true
		}
		first[key] = of(w)
	}
	return false
}

// followsFromDevice reports whether each device has one value.
func (s *sweep) followsFromDevice(of func(*record.Row) string) bool {
	had := map[string]string{}
	for i := range s.run.Rows {
		w := &s.run.Rows[i]
		if v, ok := had[w.Device]; ok && v != of(w) {
			return false
		}
		had[w.Device] = of(w)
	}
	return true
}

// collect names the series, and finds their rows.
func (s *sweep) collect() {
	s.series, s.of, s.members, s.ofPanel = nil, nil, nil, map[string][]int{}
	number := map[string]int{}
	type line struct {
		panel string
		n     int
	}
	seen := map[line]bool{}
	for i := range s.run.Rows {
		w := &s.run.Rows[i]
		name, panel := s.name(w), s.panel(w)
		n, ok := number[name]
		if !ok {
			n = len(s.series)
			number[name] = n
			s.series, s.members = append(s.series, name), append(s.members, nil)
		}
		s.of, s.members[n] = append(s.of, n), append(s.members[n], i)
		if !seen[line{panel, n}] {
			seen[line{panel, n}] = true
			s.ofPanel[panel] = append(s.ofPanel[panel], n)
		}
	}
	for _, list := range s.ofPanel { // in the order of all series
		slices.Sort(list)
	}
}

// name is that of the row's series.
func (s *sweep) name(w *record.Row) string {
	parts := []string{w.Version}
	if s.device {
		parts = append(parts, w.Device)
	}
	if s.mode {
		parts = append(parts, w.PowerMode)
	}
	parts = append(parts, settings(s.others, w.Params)...)
	return strings.Join(append(parts, settings(s.tunables, w.Tunables)...), ", ")
}

// panel names the figure that a row belongs to.
func (s *sweep) panel(w *record.Row) string {
	return strings.Join(settings(s.panels, w.Params), ", ")
}

// problem names what is computed, whatever the version.
func (s *sweep) problem(w *record.Row) string {
	var parts []string
	if s.x.Name != "" && !s.ofTuning && !isUse(s.x) {
		parts = settings([]record.Column{s.x}, w.Params)
	}
	parts = append(parts, settings(s.panels, w.Params)...)
	of := slices.DeleteFunc(slices.Clone(s.others), isUse)
	return strings.Join(append(parts, settings(of, w.Params)...), ", ")
}

// isUse is of parameters that say how a version is used, whatever the problem.
func isUse(c record.Column) bool { return framework.UsageParam(c.Name) != nil }

// tuning names what tells the row from others of its version and problem.
func (s *sweep) tuning(w *record.Row) string {
	columns := s.tunables
	if s.ofTuning {
		columns = append([]record.Column{s.x}, columns...)
	}
	return strings.Join(settings(columns, w.Tunables), ", ")
}

// full names a point among all of the run.
func (s *sweep) full(w *record.Row) string {
	parts := []string{w.Version}
	if s.device {
		parts = append(parts, w.Device)
	}
	used := slices.DeleteFunc(append([]record.Column{s.x}, s.others...), func(c record.Column) bool { return !isUse(c) })
	use := strings.Join(settings(used, w.Params), ", ")
	for _, p := range []string{w.PowerMode, s.problem(w), use, s.tuning(w)} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, ", ")
}

func settings(columns []record.Column, values framework.Settings) []string {
	var parts []string
	for _, c := range columns {
		if v := values.Get(c.Name); v.IsSet() {
			parts = append(parts, fmt.Sprintf("%s %s", c.Name, v))
		}
	}
	return parts
}

// axisX is the abscissa of a figure over the sweep.
func (s *sweep) axisX() Axis {
	x := Axis{Title: s.x.Name, Log: s.log, Swept: true}
	if i := s.run.Axis(s.x); i < len(s.run.Axes) {
		x.Unit = s.run.Axes[i].Unit
	}
	return x
}
