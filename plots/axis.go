package plots

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bench/framework/record"
)

// span is a range of values that grows with each value added.
type span struct{ min, max float64 }

func newSpan() span { return span{math.Inf(1), math.Inf(-1)} }

func (s *span) include(values ...float64) {
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			s.min, s.max = math.Min(s.min, v), math.Max(s.max, v)
		}
	}
}

// wide reports whether a linear axis would hide the small values.
func (s span) wide() bool { return s.min > 0 && s.max/s.min > 12 }

// scale is an axis: its range, ticks and label.
type scale struct {
	log      bool
	min, max float64
	ticks    []plot.Tick
	label    string
	bare     bool // without tick marks
}

// linearFromZero is an axis from zero that holds all of s, with some room
// above.
func linearFromZero(s span, title, unit string) scale {
	top := s.max
	if top <= 0 {
		top = 1
	}
	step := niceStep(top, 7)
	a := scale{max: top * 1.06}
	p := record.PrefixOf(step * math.Floor(a.max/step))
	for i := 0; float64(i)*step <= a.max*(1+1e-9); i++ {
		v := float64(i) * step
		a.ticks = append(a.ticks, plot.Tick{Value: v, Label: compact(v / p.Factor)})
	}
	a.label = title + " (" + p.Symbol + unit + ")"
	return a
}

// niceStep is 1, 2 or 5 times a power of ten, such that about n steps make x.
func niceStep(x float64, n int) float64 {
	raw := x / float64(n)
	mag := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, f := range []float64{1, 2, 5} {
		if f*mag >= raw*(1-1e-9) {
			return f * mag
		}
	}
	return 10 * mag
}

// logarithmic is an axis that holds all of s, which is positive, with some
// room on both sides. Each tick has its own prefix and unit, so the label
// needs none.
func logarithmic(s span, title, unit string) scale {
	room := math.Pow(s.max/s.min, 0.05)
	room = math.Max(room, 1.1)
	a := scale{log: true, min: s.min / room, max: s.max * room, label: title}
	decades := math.Log10(a.max / a.min)
	labelled := []float64{1}
	switch {
	case decades < 1.5:
		labelled = []float64{1, 2, 5}
	case decades < 3:
		labelled = []float64{1, 3}
	}
	every := max(1, int(math.Ceil(decades/8)))
	first := int(math.Floor(math.Log10(a.min)))
	for e := first; float64(e) <= math.Log10(a.max); e++ {
		for f := 1.0; f < 10; f++ {
			v := f * math.Pow(10, float64(e))
			if v < a.min || v > a.max {
				continue
			}
			t := plot.Tick{Value: v}
			for _, l := range labelled {
				if f == l && e%every == 0 {
					p := record.PrefixOf(v)
					t.Label = compact(v/p.Factor) + " " + p.Symbol + unit
				}
			}
			if every == 1 || f == 1 {
				a.ticks = append(a.ticks, t)
			}
		}
	}
	return a
}

// compact writes a tick's value without needless digits.
func compact(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }

// abscissa is the axis of a swept parameter; values are sorted and distinct.
func abscissa(name string, values []float64, log bool) scale {
	low, high := values[0], values[len(values)-1]
	a := scale{log: log, min: low, max: high, label: name}
	if low == high {
		a.min, a.max = low-0.5, high+0.5
		if log {
			a.min, a.max = low/2, high*2
		}
	}
	const most = 12 // whether labels fit side by side
	if log || len(values) <= most && sparse(values) {
		shown := values
		if log {
			shown = distinct(values)
		}
		every := (len(shown) + most - 1) / most
		for i, v := range shown {
			t := plot.Tick{Value: v}
			if i%every == 0 {
				t.Label = count(v, binary(values))
			}
			a.ticks = append(a.ticks, t)
		}
		return a
	}
	step := niceStep(high-low, 6)
	for v := math.Ceil(low/step) * step; v <= high*(1+1e-9); v += step {
		a.ticks = append(a.ticks, plot.Tick{Value: v, Label: count(v, false)})
	}
	return a
}

// distinct are values without those that a reader cannot tell from the one before, on a
// logarithmic axis that holds all; the last one is kept.
func distinct(values []float64) (some []float64) {
	last := values[len(values)-1]
	near := math.Pow(last/values[0], 0.004)
	for i, v := range values {
		if i == len(values)-1 || len(some) == 0 || v > some[len(some)-1]*near && v*near < last {
			some = append(some, v)
		}
	}
	return some
}

// sparse reports whether labels at the values themselves would not touch on
// a linear axis.
func sparse(values []float64) bool {
	for i := 1; i < len(values); i++ {
		if (values[i]-values[i-1])/(values[len(values)-1]-values[0]) < 0.06 {
			return false
		}
	}
	return true
}

// binary reports whether all values are powers of two of at least 1.
func binary(values []float64) bool {
	for _, v := range values {
		if f, _ := math.Frexp(v); f != 0.5 || v < 1 {
			return false
		}
	}
	return true
}

// count writes powers of two as 64, 1Ki, 8Mi, and other numbers in full, or as
// 2.5e6 from a million on: a k would be 1000 to some readers and 1024 to others.
func count(v float64, binary bool) string {
	if !binary {
		if math.Abs(v) < 1e6 && (v == math.Trunc(v) || math.Abs(v) >= 1000) {
			return strconv.FormatFloat(math.Round(v), 'f', -1, 64)
		}
		return strings.Replace(compact(v), "e+0", "e", 1)
	}
	i := 0
	for ; v >= 1024 && i < 6; i++ {
		v /= 1024
	}
	return compact(v) + []string{"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"}[i]
}

// apart are the ticks of a horizontal axis of that width, without the labels that
// would touch the one before; the last one is kept.
func (a scale) apart(width vg.Length) []plot.Tick {
	style := textStyle(10, ink)
	left := func(t plot.Tick) (at, end vg.Length) {
		share := (t.Value - a.min) / (a.max - a.min)
		if a.log {
			share = math.Log(t.Value/a.min) / math.Log(a.max/a.min)
		}
		half := style.Width(t.Label) / 2
		return width*vg.Length(share) - half, width*vg.Length(share) + half
	}
	const gap = 4
	ticks := slices.Clone(a.ticks)
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

// apply sets a gonum axis, without its label: see frame.
func (a scale) apply(to *plot.Axis) {
	to.Min, to.Max = a.min, a.max
	if a.log {
		to.Scale = plot.LogScale{}
	}
	to.Tick.Marker = plot.ConstantTicks(a.ticks)
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
	if y.label != "" {
		left = room
	}
	inner := draw.Crop(c, left, 0, room, 0)
	p.X.Tick.Marker = plot.ConstantTicks(x.apart(p.DataCanvas(inner).Size().X))
	p.Draw(inner)
	data := p.DataCanvas(inner).Rectangle
	middle := vg.Point{X: (data.Min.X + data.Max.X) / 2, Y: (data.Min.Y + data.Max.Y) / 2}
	c.FillText(style, vg.Point{X: middle.X, Y: c.Min.Y + style.FontExtents().Descent}, x.label)
	if y.label != "" {
		style.Rotation = math.Pi / 2
		c.FillText(style, vg.Point{X: c.Min.X + style.FontExtents().Ascent, Y: middle.Y}, y.label)
	}
	return data
}
