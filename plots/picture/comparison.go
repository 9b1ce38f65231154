package picture

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.org/bench/framework/axis"
	"example.org/bench/framework/compare"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
)

// GroupGap is the room between two groups, in bars.
const GroupGap = 0.8

// maxGroups is how many points one figure of bars may hold.
const maxGroups = 40

// Groups are the bars of one metric of a comparison: a group for each point, a bar for each level.
type Groups struct {
	Name, Title, Note string
	X                 axis.Axis
	Unit              string // of the values; empty of ratios
	// Relative says that bars are ratios to the baseline. Bars begin at Origin.
	Relative bool
	Origin   float64
	Names    []string // of the points, the first on top
	Kinds    []Bars
	// Undecided says that there are bars whose difference from the baseline is not shown.
	Undecided bool
}

// Bars are the bars of one level.
type Bars struct {
	Name  string
	Style int
	Bars  []Bar
}

// Bar is a level at one point.
type Bar struct {
	Group     int
	End       float64
	Low, High float64 // NaN if unknown
	Text      string  // the value
	Verdict   compare.Verdict
	Undecided bool // its difference from the baseline is not shown: hollow
}

// Compared returns the bars of a comparison, one picture per metric.
func Compared(c *compare.Comparison) (all []Groups) {
	for _, t := range c.Tables {
		all = append(all, groupsOf(c, t))
	}
	return all
}

func groupsOf(c *compare.Comparison, t compare.Table) Groups {
	g := Groups{Name: "compare_" + t.Metric.Name}
	for i, p := range c.Points {
		if i < maxGroups {
			g.Names = append(g.Names, pointName(c, p))
		}
	}
	cells := slices.DeleteFunc(slices.Clone(t.Cells), func(x compare.Cell) bool { return x.Point >= maxGroups })
	values := axis.NewSpan()
	for _, x := range cells {
		values.Include(x.Value)
	}
	g.Relative = values.Wide()
	for i, l := range c.Levels {
		kind := Bars{Name: levelName(c, l), Style: i}
		for _, x := range cells {
			if x.Level == l {
				b := barOf(x, t.Metric.Unit, g.Relative)
				g.Undecided = g.Undecided || b.Undecided
				kind.Bars = append(kind.Bars, b)
			}
		}
		if len(kind.Bars) > 0 {
			g.Kinds = append(g.Kinds, kind)
		}
	}
	var more []string
	if len(c.Points) > maxGroups {
		more = append(more, fmt.Sprintf("the first %d of %s", maxGroups, terminal.Count(len(c.Points), "point")))
	}
	if slices.ContainsFunc(t.Cells, func(x compare.Cell) bool { return x.Low != nil && x.High != nil }) {
		more = append(more, "error bars: 95 % interval")
	}
	title, unit := t.Metric.Title, t.Metric.Unit
	if g.Relative {
		if unit != "" {
			title += ", relative to the baseline"
		}
		unit = ""
	}
	g.scale(title, unit)
	g.Title, g.Note = title+", by "+words(string(c.By)), comparisonNote(c, strings.Join(more, ", "))
	return g
}

func barOf(x compare.Cell, unit string, relative bool) Bar {
	b := Bar{Group: x.Point, End: x.Value, Low: known(x.Low), High: known(x.High), Text: axis.Text(x.Value, 4)}
	if unit != "" {
		b.Text = digits.Scaled(x.Value, unit)
	}
	r := x.Ratio
	if r != nil {
		b.Verdict, b.Undecided = r.Verdict, r.Verdict != compare.Better && r.Verdict != compare.Worse
	}
	switch {
	case relative && r != nil:
		b.End, b.Low, b.High = r.Value, known(r.Low), known(r.High)
	case relative:
		b.End, b.Low, b.High = 1, math.NaN(), math.NaN()
	}
	return b
}

func known(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}

// scale makes the axis. Bars from zero would hide small ratios of a wide range, which therefore begin at 1.
func (g *Groups) scale(title, unit string) {
	s := axis.NewSpan()
	for _, kind := range g.Kinds {
		for _, b := range kind.Bars {
			s.Include(b.End, b.High)
		}
	}
	if g.Relative && s.Wide() {
		g.Origin = 1
		s.Include(1)
		s.Max *= 1.5
		g.X = axis.Logarithmic(s, title, "")
		return
	}
	s.Max *= 1.12 // room for the values at the bars' ends
	g.X, g.Unit = axis.FromZero(s, title, unit), unit
}

// comparisonNote says what all points of a comparison have in common.
func comparisonNote(c *compare.Comparison, more string) string {
	var parts []string
	for _, s := range c.Constant {
		if s.Name == "algorithm" || s.Name == "version" || s.Name == "processor" {
			parts = append(parts, s.Value)
		} else {
			parts = append(parts, s.Name+" "+s.Value)
		}
	}
	if more != "" {
		parts = append(parts, more)
	}
	return strings.Join(parts, ", ")
}

// pointName names a point in a figure: its factors with their names.
func pointName(c *compare.Comparison, p compare.Point) string {
	var parts []string
	for i, v := range p.Factors {
		switch c.Factors[i] {
		case "algorithm", "version", "processor", "run", "power_mode":
			parts = append(parts, v)
		default:
			parts = append(parts, c.Factors[i]+" "+v)
		}
	}
	return strings.Join(parts, ", ")
}

// levelName returns a level, with its dimension if it is a bare number.
func levelName(c *compare.Comparison, level string) string {
	if _, err := strconv.ParseFloat(level, 64); err != nil {
		return level
	}
	return words(string(c.By)) + " " + level
}

// words returns the words of a name with underscores.
func words(name string) string { return strings.ReplaceAll(name, "_", " ") }
