package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.org/bench/framework/axis"
	"example.org/bench/plots/picture"
)

// overSweep returns the charts of the run's quantities.
func (r *runReader) overSweep() []Figure {
	var all []Figure
	for _, q := range picture.BothRates(r.run) {
		charts := r.sweep.Charts(q)
		for _, c := range charts {
			f := r.chartFigure(c)
			if len(charts) > 1 {
				f.Group = c.Title
				f.Title += ": " + c.Panel
			}
			all = append(all, f)
		}
	}
	return all
}

// chartFigure returns a chart for the page: lines, or for a run that swept no number a point per version.
func (r *runReader) chartFigure(c picture.Chart) Figure {
	f := Figure{Title: c.Title, X: sweptAxis(c.X, r.sweep.X.Name, r.sweep.Unit()), Y: axisOf(c.Y, c.Title, c.Unit)}
	if to := r.run.Info.RelativeTo; to != "" && c.Unit == "s" {
		f.Title += " relative to " + to
		f.Y.Title, f.Y.Drawn.Label, f.Y.Unit = f.Title, f.Title, ""
	}
	notes := []string{c.Meaning}
	if c.Intervals != "" {
		notes = append(notes, upper(c.Intervals)+".")
	}
	if c.Doubtful {
		notes = append(notes, hollowMarks)
	}
	if c.Faults {
		notes = append(notes, crosses)
	}
	if r.sweep.Best {
		notes = append(notes, "Of several tunings the fastest is shown.")
	}
	f.Note = strings.Join(slices.DeleteFunc(notes, func(n string) bool { return n == "" }), " ")
	if c.Bars {
		f.X, f.Y = f.Y, Axis{Title: "version"}
	}
	for _, l := range c.Lines {
		found := l
		found.Points = slices.DeleteFunc(slices.Clone(l.Points), func(p picture.Point) bool { return !p.Apart })
		if l.Points = slices.DeleteFunc(slices.Clone(l.Points), func(p picture.Point) bool { return p.Apart }); len(found.Points) > 0 && !c.Bars {
			s := seriesOf(found, r.rowOf)
			s.Name, s.Mark = s.Name+" (highest)", MarkPoints // a rate that was found is no step of the sweep
			f.Series = append(f.Series, s)
		}
		s := seriesOf(l, r.rowOf)
		if c.Bars {
			s.Mark, s.X, s.Y = MarkPoints, s.Y, Reals{float64(len(f.Y.Names))}
			f.Y.Names = append(f.Y.Names, s.Name)
		}
		f.Series = append(f.Series, s)
	}
	limits := slices.Clone(c.Limits)
	if c.Level > 0 {
		limits = append(limits, picture.Limit{Name: c.LevelName, Value: c.Level})
	}
	for _, l := range limits {
		s := Series{Name: l.Name, Mark: MarkLimit, Colour: -1, X: Reals{c.X.Min, c.X.Max}, Y: Reals{l.Value, l.Value}}
		if c.Bars {
			s.X, s.Y = s.Y, Reals{-0.5, float64(len(f.Y.Names)) - 0.5}
		}
		f.Series = append(f.Series, s)
	}
	return f
}

// sweptAxis returns an axis with room at both ends, so that marks there are off the frame.
func sweptAxis(of axis.Axis, title, unit string) Axis {
	of.Widen(0.06)
	return axisOf(of, title, unit)
}

// seriesOf returns a line for the page. row returns the page's point of a picture's point, and is negative
// for none.
func seriesOf(l picture.Line, row func(picture.Point) int) Series {
	s := Series{Name: l.Name, Mark: MarkLine, Colour: l.Style}
	if l.Apart {
		s.Mark = MarkPoints
	}
	for _, p := range l.Points {
		if math.IsInf(p.X, 0) { // it has no place
			continue
		}
		at := len(s.X)
		if p.Fault {
			s.Failed = append(s.Failed, at)
		}
		if p.Doubtful {
			s.Doubtful = append(s.Doubtful, at)
		}
		s.X, s.Y, s.Low, s.High = append(s.X, p.X), append(s.Y, p.Y), append(s.Low, p.Low), append(s.High, p.High)
		s.Label = append(s.Label, p.Note)
		if i := row(p); i >= 0 {
			s.Point = append(s.Point, i)
		}
	}
	if s.Low.blank() && s.High.blank() {
		s.Low, s.High = nil, nil
	}
	return s
}

// rowOf returns a point's row in the run. The sweep of a run with rates leaves out rows without a rate.
func (r *runReader) rowOf(p picture.Point) int { return r.rows[r.sweep.Run.Rows[p.Row].Point] }

func upper(sentence string) string { return strings.ToUpper(sentence[:1]) + sentence[1:] }

// rooflines returns the rooflines of nominal and of counted bytes.
func (r *runReader) rooflines() []Figure {
	var all []Figure
	list := r.sweep.Rooflines()
	for _, roofline := range list {
		f := r.roofline(roofline)
		if len(list) > 1 {
			f.Group = "roofline"
		}
		all = append(all, f)
	}
	return all
}

func (r *runReader) roofline(of picture.Roofline) Figure {
	f := Figure{Title: strings.TrimPrefix(of.Title, r.sweep.Title+": "), Note: "Nominal operations of the problem; the lines are the measured ceilings of " + of.Device + ".", X: axisOf(of.X, "nominal operations per byte", ""), Y: axisOf(of.Y, "rate of operations", "FLOP/s")}
	if of.Mode != "" {
		f.Title += ", " + of.Mode
	}
	if of.Swept != "" {
		f.Note += fmt.Sprintf(" The larger a mark, the larger its %s.", of.Swept)
	}
	least, most, doubtful := math.Inf(1), 0.0, false
	span := axis.NewSpan()
	for _, l := range of.Lines {
		for _, p := range l.Points {
			least, most = min(least, p.X), max(most, p.X)
			if of.Swept != "" {
				span.Include(r.sweep.At(&r.sweep.Run.Rows[p.Row]))
			}
		}
	}
	for i, l := range of.Lines {
		s := Series{Name: l.Name, Mark: MarkPoints, Colour: l.Style}
		for j, p := range l.Points {
			if p.Doubtful {
				s.Doubtful = append(s.Doubtful, j)
			}
			s.X, s.Y, s.Point = append(s.X, p.X), append(s.Y, p.Y), append(s.Point, r.rowOf(p))
			if of.Swept != "" {
				s.Size = append(s.Size, r.share(r.sweep.At(&r.sweep.Run.Rows[p.Row]), span))
				s.Label = append(s.Label, of.Swept+" "+of.Names[i][j])
			}
		}
		doubtful = doubtful || len(s.Doubtful) > 0
		f.Series = append(f.Series, s)
	}
	if doubtful {
		f.Note += " " + hollowMarks
	}
	highest := of.Y.Max
	if len(of.Roofs) > 0 {
		highest = of.Roofs[0].Value
	}
	for _, slope := range of.Slopes {
		from := math.Max(of.X.Min, of.Y.Min/slope.Value)
		f.Series = append(f.Series, Series{Name: "measured " + slope.Name, Mark: MarkLimit, Colour: -1, X: Reals{from, highest / slope.Value}, Y: Reals{from * slope.Value, highest}})
	}
	for _, roof := range of.Roofs {
		f.Series = append(f.Series, Series{Name: "measured " + roof.Name, Mark: MarkLimit, Colour: -1, X: Reals{roof.Value / of.Slopes[0].Value, of.X.Max}, Y: Reals{roof.Value, roof.Value}})
	}
	return f
}

// share returns where x lies between the ends, from 0 to 1.
func (r *runReader) share(x float64, ends axis.Span) float64 {
	switch {
	case !(ends.Max > ends.Min):
		return 0.5
	case r.sweep.Log:
		return math.Log(x/ends.Min) / math.Log(ends.Max/ends.Min)
	}
	return (x - ends.Min) / (ends.Max - ends.Min)
}
