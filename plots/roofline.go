package plots

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"example.org/bench/internal/terminal/digits"
	"example.org/bench/plots/picture"
)

type roofline struct {
	picture.Roofline
	x, y scale
}

func rooflines(s *picture.Sweep) (all []figure) {
	for _, r := range s.Rooflines() {
		all = append(all, figure{name: r.Name, page: page{title: r.Title, note: r.Note, content: newRoofline(r)}})
	}
	return all
}

func newRoofline(r picture.Roofline) *roofline {
	return &roofline{Roofline: r, x: scaleOf(r.X), y: scaleOf(r.Y)}
}

func (*roofline) height(vg.Length) vg.Length { return 0 }

func (r *roofline) legend() []entry {
	var all []entry
	for _, l := range r.Lines {
		all = append(all, entry{l.Name, func(b draw.Canvas) { b.DrawGlyphNoClip(marker(l.Style, false), b.Center()) }})
	}
	all = append(all, entry{"measured ceiling", func(b draw.Canvas) {
		b.StrokeLine2(roofStyle, b.Min.X, b.Center().Y, b.Max.X, b.Center().Y)
	}})
	if slices.ContainsFunc(r.Lines, func(l picture.Line) bool {
		return slices.ContainsFunc(l.Points, func(p picture.Point) bool { return p.Doubtful })
	}) {
		all = append(all, hollowEntry)
	}
	return all
}

var roofStyle = draw.LineStyle{Color: ink, Width: vg.Points(1.2)}

func (r *roofline) draw(canvas draw.Canvas) vg.Rectangle {
	return frame(canvas, r.x, r.y, 0, grid{r.x.Ticks, r.y.Ticks}, r)
}

// Plot draws the roofs with their names, and the points of a line in the order of
// the sweep.
func (r *roofline) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	label := textStyle(9, ink)
	texts := annotations{page: c.Rectangle}
	for _, l := range r.Lines {
		for _, pt := range l.Points {
			texts.keepOff(vg.Point{X: x(pt.X), Y: y(pt.Y)}, markerRadius+1)
		}
	}
	for _, slope := range r.Slopes {
		if len(r.Roofs) == 0 {
			break
		}
		ridge := r.Roofs[0].Value / slope.Value
		from := math.Max(r.x.Min, r.y.Min/slope.Value)
		a, b := vg.Point{X: x(from), Y: y(from * slope.Value)}, vg.Point{X: x(ridge), Y: y(r.Roofs[0].Value)}
		c.StrokeLine2(roofStyle, a.X, a.Y, b.X, b.Y)
		texts.along(c, label, a, b, slope.Name+" "+digits.Scaled(slope.Value, "B/s"))
	}
	for _, roof := range r.Roofs {
		ridge := roof.Value / r.Slopes[0].Value
		c.StrokeLine2(roofStyle, x(ridge), y(roof.Value), c.Max.X, y(roof.Value))
		name := roof.Name + " " + digits.Scaled(roof.Value, "FLOP/s")
		at := vg.Point{X: c.Max.X - label.Width(name) - 4, Y: y(roof.Value) + 3}
		c.FillText(label, at, name)
		texts.keep(textBox(label, at, name))
	}
	for _, l := range r.Lines {
		var order []vg.Point
		for _, pt := range l.Points {
			order = append(order, vg.Point{X: x(pt.X), Y: y(pt.Y)})
		}
		if len(order) > 1 {
			thin := lineStyle(l.Style, l.Peer)
			thin.Width = vg.Points(0.5)
			c.StrokeLines(thin, order)
			texts.keepLine(order)
		}
	}
	for i, l := range r.Lines {
		for _, pt := range l.Points {
			c.DrawGlyphNoClip(marker(l.Style, pt.Doubtful), vg.Point{X: x(pt.X), Y: y(pt.Y)})
		}
		small := textStyle(8, palette[l.Style%len(palette)])
		for _, j := range endsFirst(len(r.Names[i])) {
			pt := l.Points[j]
			texts.beside(c, small, vg.Point{X: x(pt.X), Y: y(pt.Y)}, r.Names[i][j])
		}
	}
}
