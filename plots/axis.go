package plots

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bench/framework/axis"
)

// scale is an axis as a figure draws it.
type scale struct {
	axis.Axis
	bare bool // without tick marks
}

func scaleOf(a axis.Axis) scale { return scale{Axis: a} }

// rows is an axis of n places side by side.
func rows(n int) scale {
	return scale{axis.Axis{Min: -0.5, Max: float64(n) - 0.5}, true}
}

// apart are the ticks of a horizontal axis of that width, without the labels that
// would touch the one before; the last one is kept.
func (a scale) apart(width vg.Length) []plot.Tick {
	style := textStyle(10, ink)
	left := func(t plot.Tick) (at, end vg.Length) {
		share, half := vg.Length(a.Share(t.Value)), style.Width(t.Label)/2
		return width*share - half, width*share + half
	}
	const gap = 4
	ticks := a.marks()
	next := vg.Length(math.Inf(1))
	if n := len(ticks); n > 0 && ticks[n-1].Label != "" {
		next, _ = left(ticks[n-1])
	}
	last := vg.Length(math.Inf(-1))
	for i, t := range ticks {
		if t.Label == "" {
			continue
		}
		at, end := left(t)
		if at < last+gap || i < len(ticks)-1 && end+gap > next {
			ticks[i].Label = ""
			continue
		}
		last = end
	}
	return ticks
}

// marks are the ticks as gonum has them.
func (a scale) marks() []plot.Tick {
	marks := make([]plot.Tick, len(a.Ticks))
	for i, t := range a.Ticks {
		marks[i] = plot.Tick{Value: t.Value, Label: t.Text}
	}
	return marks
}

// Normalize makes a scale gonum's. Gonum's own have places of any distance beyond the
// axis, which take as long to draw.
func (a scale) Normalize(_, _, x float64) float64 { return a.Share(x) }

// apply sets a gonum axis, without its label: see frame.
func (a scale) apply(to *plot.Axis) {
	to.Min, to.Max, to.Scale = a.Min, a.Max, a
	to.Tick.Marker = plot.ConstantTicks(a.marks())
	to.Tick.Label.Font = textStyle(10, ink).Font
	to.Tick.Label.Color = ink
	to.Tick.Length = 5
	to.Color, to.Tick.Color = ink, ink
	to.Padding = 0
}

// frame draws axes, a grid and content, and returns the rectangle of the
// data. It draws the axes' labels itself: gonum reserves room for a label as if
// every axis were linear.
func frame(c draw.Canvas, x, y scale, edge vg.Length, lines grid, content plot.Plotter) vg.Rectangle {
	p := plot.New()
	p.BackgroundColor = nil
	x.apply(&p.X)
	y.apply(&p.Y)
	p.Y.Padding = edge
	if y.bare {
		p.Y.Tick.Length = 0
	}
	p.Add(lines, content)
	style := textStyle(11, ink)
	style.XAlign = text.XCenter
	room := style.FontExtents().Height + 3
	left := vg.Length(0)
	if y.Label != "" {
		left = room
	}
	inner := draw.Crop(c, left, 0, room, 0)
	p.X.Tick.Marker = plot.ConstantTicks(x.apart(p.DataCanvas(inner).Size().X))
	p.Draw(inner)
	data := p.DataCanvas(inner).Rectangle
	middle := vg.Point{X: (data.Min.X + data.Max.X) / 2, Y: (data.Min.Y + data.Max.Y) / 2}
	c.FillText(style, vg.Point{X: middle.X, Y: c.Min.Y + style.FontExtents().Descent}, x.Label)
	if y.Label != "" {
		style.Rotation = math.Pi / 2
		c.FillText(style, vg.Point{X: c.Min.X + style.FontExtents().Ascent, Y: middle.Y}, y.Label)
	}
	return data
}
