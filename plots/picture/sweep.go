// Package picture provides the pictures of a run as data: axes, lines, limits, names and marks of doubt.
// Package plots draws them as files, package report as the charts of a page.
package picture

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/axis"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// MostLines is how many lines one figure may hold: readers cannot tell more
// apart.
const MostLines = 8

// Sweep says how the rows of a run become figures: which parameter is the
// abscissa, what distinguishes lines, and what gets separate figures.
type Sweep struct {
	Run *record.Run
	// X is the abscissa. Its Name is empty if nothing numeric was swept; the figure then has bars.
	X     record.Column
	axis  plan.Axis // of x, if the config sweeps it
	Log   bool
	Title string
	Note  string // what all points have in common
	// labels are the parts of a line's name that differ between rows.
	labels []func(*record.Row) string
	panels []func(*record.Row) string // likewise of a figure's
	Best   bool                       // the fastest of several tunings counts
	styles map[string]int             // of lines by name, the same in every figure
	found  map[int]bool               // points whose rate was found, which are not of the sweep; nil for a run without rates
}

// NewSweep returns the sweep of a run. If the run has rates, these are the abscissa.
func NewSweep(run *record.Run) *Sweep {
	over := atRate(run)
	s := &Sweep{Run: over}
	if over != run {
		s.found = foundRates(run)
	}
	run = over
	if len(run.Rows) == 0 {
		return s
	}
	params, tunables, constant := run.Varying()
	params = inOrderOfAxes(run, params)
	params, tunables = s.chooseAbscissa(params, inOrderOfAxes(run, tunables))
	s.Title, s.Note = run.Rows[0].Algorithm, s.common(constant)

	identity := s.identity()
	s.labels = s.differing(identity)
	if len(s.labels) == 0 {
		s.labels = identity[:1]
	}
	own := s.labels
	if s.X.Name != "" {
		own = slices.Concat(own, []func(*record.Row) string{func(w *record.Row) string { return fmt.Sprint(s.At(w)) }})
	}
	others := s.undecided(own[len(s.labels):], params, false)
	tunings := s.undecided(slices.Concat(own, others), tunables, true)
	if !s.ambiguous(slices.Concat(s.labels, others)) {
		tunings = nil // each point has one tuning, that of its size
	}
	switch lines := s.count; {
	case lines(s.labels, others, tunings) <= MostLines:
		s.labels = slices.Concat(s.labels, others, tunings)
	case lines(s.labels, others) <= MostLines:
		s.labels, s.Best = slices.Concat(s.labels, others), len(tunings) > 0
	default:
		s.panels, s.Best = others, len(tunings) > 0
	}
	s.styles = map[string]int{}
	for i := range run.Rows {
		if id := s.LineName(&run.Rows[i]); !s.styled(id) {
			s.styles[id] = len(s.styles)
		}
	}
	return s
}

// OverRates reports whether the abscissa is the rate of releases.
func (s *Sweep) OverRates() bool { return s.found != nil }

// LineName returns the name of a row's line, and PanelName that of its panel; empty if there is only one.
func (s *Sweep) LineName(w *record.Row) string  { return name(s.labels, w) }
func (s *Sweep) PanelName(w *record.Row) string { return name(s.panels, w) }

// Style returns the number of a row's line among all of the run, by which it is drawn alike in every figure.
func (s *Sweep) Style(w *record.Row) int { return s.styles[s.LineName(w)] }

func (s *Sweep) styled(line string) bool {
	_, ok := s.styles[line]
	return ok
}

// identity returns the parts of a name that say what ran, and where.
func (s *Sweep) identity() []func(*record.Row) string {
	return []func(*record.Row) string{
		func(w *record.Row) string { return w.Version },
		s.where(),
		func(w *record.Row) string { return w.PowerMode },
	}
}

// chooseAbscissa takes the first number that was swept, or else the first
// tunable that every row has, and returns what is left.
func (s *Sweep) chooseAbscissa(params, tunables []record.Column) (otherParams, otherTunables []record.Column) {
	isNumber := func(c record.Column) bool { return c.Kind != framework.Text.String() }
	i := slices.IndexFunc(params, isNumber)
	if i >= 0 {
		s.X = params[i]
		params = slices.Delete(slices.Clone(params), i, i+1)
	} else if i = slices.IndexFunc(tunables, s.everywhere); i >= 0 {
		s.X, s.axis.Tunable = tunables[i], true
		tunables = slices.Delete(slices.Clone(tunables), i, i+1)
	} else {
		return params, tunables
	}
	if i := s.Run.Axis(s.X); i < len(s.Run.Axes) {
		s.axis = s.Run.Axes[i]
	}
	s.Log = s.logarithmic()
	return params, tunables
}

func (s *Sweep) everywhere(c record.Column) bool {
	return !slices.ContainsFunc(s.Run.Rows, func(w record.Row) bool { return !w.Tunables.Get(c.Name).IsSet() })
}

// At returns a row's abscissa.
func (s *Sweep) At(w *record.Row) float64 {
	if s.axis.Tunable {
		return w.Tunables.Get(s.X.Name).Float()
	}
	return w.Params.Get(s.X.Name).Float()
}

// inOrderOfAxes sorts columns in the order in which the config sweeps them; the
// others follow.
func inOrderOfAxes(run *record.Run, columns []record.Column) []record.Column {
	columns = slices.Clone(columns)
	slices.SortStableFunc(columns, func(a, b record.Column) int { return run.Axis(a) - run.Axis(b) })
	return columns
}

// logarithmic reports whether the abscissas grow by factors: because the
// config says so, or because they span more than a linear axis shows. For
// even steps that is more than two decades.
func (s *Sweep) logarithmic() bool {
	x := axis.NewSpan()
	var values []float64
	for i := range s.Run.Rows {
		x.Include(s.At(&s.Run.Rows[i]))
		values = append(values, s.At(&s.Run.Rows[i]))
	}
	most := 30.0
	if even(values) {
		most = 100
	}
	return x.Min > 0 && (s.axis.Geometric || x.Max/x.Min > most)
}

// even reports whether the distinct values are evenly spaced.
func even(values []float64) bool {
	slices.Sort(values)
	values = slices.Compact(values)
	for i := 2; i < len(values); i++ {
		step := values[1] - values[0]
		if math.Abs(values[i]-values[i-1]-step) > 1e-9*values[i] {
			return false
		}
	}
	return true
}

// common names the devices that something was timed on, and the settings that all points share. A
// whole number that is 0 everywhere is left out: none, or what the algorithm chooses.
func (s *Sweep) common(constant []record.Column) string {
	var parts []string
	for i := range s.Run.Rows {
		w := &s.Run.Rows[i]
		if d := s.Device(w.Device); (w.Time.Median.IsSet() || w.Rate.Get().IsSet()) && !slices.Contains(parts, d) {
			parts = append(parts, d)
		}
	}
	for _, c := range constant {
		if v := s.Run.Rows[0].Params.Get(c.Name); v.IsSet() && (v.Kind() != framework.Int || v.Float() != 0) {
			parts = append(parts, c.Name+" "+v.String())
		}
	}
	return strings.Join(parts, ", ")
}

// Device returns the name of a device for readers.
func (s *Sweep) Device(id string) string {
	for _, d := range s.Run.Info.Devices {
		if d.ID == id && d.Facts != nil && d.Facts.Name != "" {
			return d.Facts.Name
		}
	}
	if id == "cpu" && s.Run.Info.Machine.CPU != "" {
		return s.Run.Info.Machine.CPU
	}
	return id
}

// where distinguishes devices: by processor if that suffices, because names
// are long.
func (s *Sweep) where() func(*record.Row) string {
	byProcessor := map[framework.Processor]string{}
	for _, w := range s.Run.Rows {
		if d, ok := byProcessor[w.Processor]; ok && d != w.Device {
			return func(w *record.Row) string { return w.Device }
		}
		byProcessor[w.Processor] = w.Device
	}
	return func(w *record.Row) string { return string(w.Processor) }
}

// differing keeps the parts that differ between rows.
func (s *Sweep) differing(parts []func(*record.Row) string) []func(*record.Row) string {
	var kept []func(*record.Row) string
	for _, p := range parts {
		for i := range s.Run.Rows {
			if p(&s.Run.Rows[i]) != p(&s.Run.Rows[0]) {
				kept = append(kept, p)
				break
			}
		}
	}
	return kept
}

// undecided returns the parts of a name for the columns that nothing else in it decides: a batch that follows
// from the size is not named. decided are the parts that the name has already.
func (s *Sweep) undecided(decided []func(*record.Row) string, columns []record.Column, tunables bool) (parts []func(*record.Row) string) {
	for _, c := range columns {
		own := settings([]record.Column{c}, tunables)
		seen := map[string]string{}
		follows := len(decided) > 0
		for i := range s.Run.Rows {
			w := &s.Run.Rows[i]
			key, value := fmt.Sprintf("%q", each(decided, w)), name(own, w)
			if old, ok := seen[key]; ok && old != value {
				follows = false
				break
			}
			seen[key] = value
		}
		if !follows {
			parts, decided = append(parts, own...), slices.Concat(decided, own)
		}
	}
	return parts
}

func each(parts []func(*record.Row) string, w *record.Row) (all []string) {
	for _, p := range parts {
		all = append(all, p(w))
	}
	return all
}

// settings returns parts of a name such as "precision f64".
func settings(columns []record.Column, tunables bool) []func(*record.Row) string {
	var parts []func(*record.Row) string
	for _, c := range columns {
		parts = append(parts, func(w *record.Row) string {
			v := w.Params.Get(c.Name)
			if tunables {
				v = w.Tunables.Get(c.Name)
			}
			if !v.IsSet() {
				return ""
			}
			if v.Kind() == framework.Text {
				if c.Name == framework.RateParam { // a number, or a word about numbers
					return c.Name + " " + v.String()
				}
				return v.String()
			}
			return c.Name + " " + setting(v)
		})
	}
	return parts
}

// setting returns the text of a value, with large powers of two as on the axis: 64Mi.
func setting(v framework.Value) string {
	if x := v.Float(); v.Kind() == framework.Int && x >= 1024 && axis.Binary([]float64{x}) {
		return axis.Count(x)
	}
	return v.String()
}

// ambiguous reports whether two rows with one name have the same abscissa.
func (s *Sweep) ambiguous(labels []func(*record.Row) string) bool {
	seen := map[string]bool{}
	for i := range s.Run.Rows {
		w := &s.Run.Rows[i]
		key := name(labels, w)
		if s.X.Name != "" {
			key += fmt.Sprint(" at ", s.At(w))
		}
		if seen[key] {
			return true
		}
		seen[key] = true
	}
	return false
}

// count returns how many lines these parts of names make.
func (s *Sweep) count(parts ...[]func(*record.Row) string) int {
	seen := map[string]bool{}
	all := slices.Concat(parts...)
	for i := range s.Run.Rows {
		seen[name(all, &s.Run.Rows[i])] = true
	}
	return len(seen)
}

func name(parts []func(*record.Row) string, w *record.Row) string {
	var words []string
	for _, p := range parts {
		if s := p(w); s != "" {
			words = append(words, s)
		}
	}
	return strings.Join(words, ", ")
}

// Unit returns the abscissa's unit; empty if it has none.
func (s *Sweep) Unit() string { return s.axis.Unit }

func (s *Sweep) xLabel() string {
	if s.axis.Unit == "" {
		return s.X.Name
	}
	return s.X.Name + " (" + s.axis.Unit + ")"
}

// FileName returns a name as a part of a file's name: letters, digits, points and hyphens.
func FileName(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-':
			return r
		case r == ',':
			return -1
		}
		return '-'
	}, s)
}
