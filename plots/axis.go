package plots

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"example.org/bench/framework/axis"
)

// scale is an axis as a figure draws it.
type scale struct {
	axis.Axis
	bare bool // without tick marks
}

func scaleOf(a axis.Axis) scale { return scale{Axis: a} }

// rows returns an axis of n places side by side.
func rows(n int) scale {
	return scale{axis.Axis{Min: -0.5, Max: float64(n) - 0.5}, true}
}

// apart returns the ticks of a horizontal axis of that width, without the labels that would touch others. Of
// evenly spaced labels every second, third, … stays; of others those that do not touch the one before, and
// the last.
func (a scale) apart(width vg.Length) []plot.Tick {
	style := textStyle(10, ink)
	const gap = 4
	ticks := a.marks()
	var named []int
	for i, t := range ticks {
		if t.Label != "" {
			named = append(named, i)
		}
	}
	ends := func(i int) (left, right vg.Length) {
		at, half := width*vg.Length(a.Share(ticks[i].Value)), style.Width(ticks[i].Label)/2
		return at - half, at + half
	}
	touch := func(i, j int) bool {
		_, right := ends(i)
		left, _ := ends(j)
		return right+gap > left
	}
	kept := map[int]bool{}
	if a.even(named) {
		for every := 1; ; every++ {
			some := everyNth(named, every)
			clash := false
			for k := 1; k < len(some); k++ {
				clash = clash || touch(some[k-1], some[k])
			}
			if !clash {
				for _, i := range some {
					kept[i] = true
				}
				break
			}
		}
	} else {
		last, before := named[len(named)-1], -1
		for _, i := range named {
			if i == last || (before < 0 || !touch(before, i)) && !touch(i, last) {
				kept[i], before = true, i
			}
		}
	}
	for i := range ticks {
		if !kept[i] {
			ticks[i].Label = ""
		}
	}
	return ticks
}

// even reports whether ticks are at even distances.
func (a scale) even(ticks []int) bool {
	for k := 2; k < len(ticks); k++ {
		first, own := a.Share(a.Ticks[ticks[1]].Value)-a.Share(a.Ticks[ticks[0]].Value), a.Share(a.Ticks[ticks[k]].Value)-a.Share(a.Ticks[ticks[k-1]].Value)
		if math.Abs(own-first) > 0.02 {
			return false
		}
	}
	return true
}

func everyNth(list []int, n int) (some []int) {
	for i := 0; i < len(list); i += n {
		some = append(some, list[i])
	}
	return some
}

// marks returns the ticks in gonum's form.
func (a scale) marks() []plot.Tick {
	marks := make([]plot.Tick, len(a.Ticks))
	for i, t := range a.Ticks {
		marks[i] = plot.Tick{Value: t.Value, Label: t.Text}
	}
	return marks
}

// Normalize implements gonum's plot.Normalizer. Gonum's own scales have places at any distance beyond the
// axis, which take as long to draw.
func (a scale) Normalize(_, _, x float64) float64 { return a.Share(x) }

// apply sets a gonum axis without its label: frame draws the label.
func (a scale) apply(to *plot.Axis) {
	to.Min, to.Max, to.Scale = a.Min, a.Max, a
	to.Tick.Marker = plot.ConstantTicks(a.marks())
	style := textStyle(10, ink)
	to.Tick.Label.Font, to.Tick.Label.Color, to.Tick.Label.Handler = style.Font, ink, style.Handler
	to.Tick.Length = 5
	to.Color, to.Tick.Color = ink, ink
	to.Padding = 0
}

// frame draws axes, a grid and content, and returns the rectangle of the
// data. It draws the axes' labels itself: gonum reserves room for a label as if
// every axis were linear.
func frame(c draw.Canvas, x, y scale, edge vg.Length, lines grid, content plot.Plotter) vg.Rectangle {
	p, inner := axes(c, x, y, edge)
	p.Add(lines, content)
	p.Draw(inner)
	data := p.DataCanvas(inner).Rectangle
	style := textStyle(11, ink)
	style.XAlign = text.XCenter
	middle := vg.Point{X: (data.Min.X + data.Max.X) / 2, Y: (data.Min.Y + data.Max.Y) / 2}
	c.FillText(style, vg.Point{X: middle.X, Y: c.Min.Y + style.FontExtents().Descent}, x.Label)
	if words := fit(style, y.Label, c.Max.Y-c.Min.Y, 1); len(words) > 0 {
		style.Rotation = math.Pi / 2
		half := style.Width(words[0]) / 2
		middle.Y = max(c.Min.Y+half, min(middle.Y, c.Max.Y-half))
		c.FillText(style, vg.Point{X: c.Min.X + style.FontExtents().Ascent, Y: middle.Y}, words[0])
	}
	return data
}

// axes returns a plot with axes alone, and the canvas within their labels.
func axes(c draw.Canvas, x, y scale, edge vg.Length) (*plot.Plot, draw.Canvas) {
	p := plot.New()
	p.BackgroundColor = nil
	x.apply(&p.X)
	y.apply(&p.Y)
	p.Y.Padding = edge
	if y.bare {
		p.Y.Tick.Length = 0
	}
	room := textStyle(11, ink).FontExtents().Height + 3
	left := vg.Length(0)
	if y.Label != "" {
		left = room
	}
	below := room
	if x.Label == "" {
		below = 0
	}
	inner := draw.Crop(c, left, 0, below, 0)
	p.X.Tick.Marker = plot.ConstantTicks(x.apart(p.DataCanvas(inner).Size().X))
	return p, inner
}
