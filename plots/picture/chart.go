package picture

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"example.org/bench/framework/axis"
	"example.org/bench/framework/record"
	"example.org/bench/internal/terminal/digits"
)

// Chart is a quantity over the sweep: lines, or bars if nothing numeric was swept.
type Chart struct {
	Quantity
	Panel string // which of the quantity's charts it is; empty: the only one
	// Note says what all points have in common, and what error bars are; Intervals is the latter alone.
	Note, Intervals string
	// Bars is set if nothing numeric was swept. Each line then has one point, and X is empty.
	Bars   bool
	X, Y   axis.Axis
	Lines  []Line
	Limits []Limit // highest first
	// Faults says that points failed, Doubtful that some are in doubt.
	Faults, Doubtful bool
	Crossings        []Crossing
}

// Limit is a line at a measured ceiling.
type Limit struct {
	Name  string
	Value float64 // in the quantity's unit
}

// Charts returns the charts of a quantity, one for each panel that has a value.
func (s *Sweep) Charts(q Quantity) []Chart {
	var all []Chart
	for _, p := range s.collect(q) {
		c := s.chart(q, p)
		if s.found != nil && q.Name == Energy.Name {
			c.Crossings = crossings(c.Lines)
		}
		all = append(all, c)
	}
	return all
}

func (s *Sweep) chart(q Quantity, p Panel) Chart {
	var c Chart
	if s.X.Name == "" {
		c = NewBars(q, p)
	} else {
		c = NewChart(q, p, s.xLabel(), s.Log)
	}
	note := s.Note
	if p.Name != "" {
		note = strings.Join([]string{p.Name, note}, ", ")
	}
	if s.Best {
		note += ", fastest of the tunings"
	}
	if q.cold && slices.ContainsFunc(s.Run.Rows, func(w record.Row) bool { return w.Hot.Get().Median.IsSet() }) {
		note += "; on the GPU with cold caches"
	}
	if q.bar != "" && p.hasBars() {
		c.Intervals = "error bars: " + q.bar
		if q.Bands && s.X.Name != "" {
			c.Intervals = "bands: " + q.bar
		}
		if p.hasOpenBars() && !q.Bands {
			c.Intervals += ", an arrow where the samples bound no end"
		}
		note += "; " + c.Intervals
	}
	c.Note = note
	return c
}

// limitInSight is how far a ceiling may be above the data, as a factor: one further away would flatten them.
const limitInSight = 8

func limitsInSight(q Quantity, p Panel, top float64) []Limit {
	var all []Limit
	for device, v := range p.Limit {
		if v > top*limitInSight {
			continue
		}
		name := q.limitName
		if len(p.Limit) > 1 {
			name += ", " + device
		}
		all = append(all, Limit{name + " " + digits.Scaled(v, q.Unit), v})
	}
	slices.SortFunc(all, func(a, b Limit) int { return cmp.Compare(b.Value, a.Value) })
	return all
}

// leastSweep is how many abscissas a sweep has: two say nothing of what is between.
const leastSweep = 3

// NewChart returns the chart of a panel's lines over an abscissa with that label.
func NewChart(q Quantity, p Panel, x string, logX bool) Chart {
	c := Chart{Quantity: q, Panel: p.Name, Lines: p.Lines}
	var xs []float64
	values := axis.NewSpan()
	for _, l := range p.Lines {
		slices.SortStableFunc(l.Points, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
		for _, pt := range l.Points {
			if math.IsNaN(pt.X) || math.IsInf(pt.X, 0) {
				continue
			}
			xs = append(xs, pt.X)
			values.Include(pt.Y, pt.Low, pt.High)
			c.mark(pt)
		}
	}
	c.Limits = limitsInSight(q, p, values.Max)
	for _, l := range c.Limits {
		values.Include(l.Value)
	}
	if q.Level > 0 {
		values.Include(q.Level)
	}
	slices.Sort(xs)
	xs = slices.Compact(xs)
	for i := range p.Lines {
		p.Lines[i].Apart = len(xs) < leastSweep
	}
	c.X = axis.Swept(x, xs, logX)
	if values.Wide() || values.Min > 0 && flattened(p.Lines, values.Max) {
		if c.Faults { // room for their marks below the data
			values.Min /= math.Pow(values.Max/values.Min, 0.08)
		}
		c.Y = axis.Logarithmic(values, q.Title, q.Unit)
	} else {
		c.Y = axis.FromZero(values, q.Title, q.Unit)
	}
	return c
}

// NewBars returns the chart of a panel without an abscissa.
func NewBars(q Quantity, p Panel) Chart {
	c := Chart{Quantity: q, Panel: p.Name, Bars: true}
	s := axis.NewSpan()
	for _, l := range p.Lines {
		for _, pt := range l.Points {
			single := l
			single.Points = []Point{pt}
			c.Lines = append(c.Lines, single)
			s.Include(pt.Y, pt.Low, pt.High)
			c.mark(pt)
		}
	}
	c.Limits = limitsInSight(q, p, s.Max)
	for _, l := range c.Limits {
		s.Include(l.Value)
	}
	s.Max *= 1.12 // room for the values at the bars' ends
	c.Y = axis.FromZero(s, q.Title, q.Unit)
	return c
}

func (c *Chart) mark(p Point) {
	c.Faults, c.Doubtful = c.Faults || p.Fault, c.Doubtful || p.Doubtful
}

// flattened reports whether a linear axis up to top would press at least half of
// several lines into its lowest sixth.
func flattened(lines []Line, top float64) bool {
	low, all := 0, 0
	for _, l := range lines {
		highest := math.Inf(-1)
		for _, pt := range l.Points {
			if pt.Y > highest { // false for NaN
				highest = pt.Y
			}
		}
		if math.IsInf(highest, -1) {
			continue
		}
		all++
		if highest < top/6 {
			low++
		}
	}
	return all > 1 && 2*low >= all
}
