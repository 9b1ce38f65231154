package report

import (
	"slices"

	"example.org/bench/framework/axis"
)

// drawAxes gives the axes of the sections' figures their ends and ticks.
func (d *Document) drawAxes() {
	for _, s := range d.Sections {
		drawAxes(s.Figures)
	}
}

func drawAxes(figures []Figure) {
	for i := range figures {
		figures[i].drawAxes()
	}
}

func (f *Figure) drawAxes() {
	if p := f.Parallel; p != nil {
		last := len(p.Axes) - 1
		cost := Axis{Unit: p.Unit, Log: true}
		cost.draw(p.Columns[last])
		p.Axes[last].Log, p.Axes[last].Drawn = true, cost.Drawn
		return
	}
	var x, y Reals
	for _, s := range f.Series {
		x, y = append(x, s.X...), append(y, s.Y...)
		if f.Y.Names != nil {
			x = append(append(x, s.Low...), s.High...)
		} else {
			y = append(append(y, s.Low...), s.High...)
		}
		if s.Mark == MarkBar {
			x = append(x, 0)
		}
	}
	f.X.draw(x)
	f.Y.draw(y)
}

// draw makes the axis for values.
func (a *Axis) draw(values Reals) {
	if len(a.Names) > 0 || a.Drawn != nil {
		return
	}
	s := axis.NewSpan()
	for _, v := range values {
		if !a.Log || v > 0 {
			s.Include(v)
		}
	}
	var drawn axis.Axis
	switch {
	case a.Swept:
		slices.Sort(values)
		drawn = axis.Swept(a.Title, slices.Compact(values), a.Log)
		if a.Unit != "" {
			drawn.Label += " (" + a.Unit + ")"
		}
		drawn.Widen(0.06)
	case a.Log:
		drawn = axis.Logarithmic(s, a.Title, a.Unit)
	case s.Min >= 0 && s.Min <= 2*(s.Max-s.Min), s.Max < s.Min, s.Min == 0:
		drawn = axis.FromZero(s, a.Title, a.Unit)
	default:
		drawn = axis.Around(s, a.Title, a.Unit)
	}
	*a = axisOf(drawn, a.Title, a.Unit)
}

// axisOf returns an axis of a figure with that title and unit.
func axisOf(of axis.Axis, title, unit string) Axis {
	a := Axis{Title: title, Unit: unit, Log: of.Log, Drawn: &Drawn{Label: of.Label, From: of.Min, To: of.Max, At: []float64{}, Texts: []string{}}}
	for _, t := range of.Ticks {
		if t.Text != "" {
			a.Drawn.At, a.Drawn.Texts = append(a.Drawn.At, t.Value), append(a.Drawn.Texts, t.Text)
		}
	}
	return a
}
