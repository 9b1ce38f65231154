package plots

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"example.org/bench/plots/picture"
)

// Converging returns the figure of how searches converged; none for nil.
func Converging(c *picture.Convergence) Figures {
	if c == nil {
		return nil
	}
	return Figures{{"convergence", page{title: c.Title, note: c.Note, content: newCurves(c)}}}
}

type curves struct {
	*picture.Convergence
	x, y scale
}

func newCurves(c *picture.Convergence) *curves { return &curves{c, scaleOf(c.X), scaleOf(c.Y)} }

func (*curves) height(vg.Length) vg.Length { return 0 }

func (c *curves) legend() []entry {
	var all []entry
	for i, l := range c.Curves {
		all = append(all, entry{l.Name, func(b draw.Canvas) {
			b.FillPolygon(band(i), []vg.Point{{X: b.Min.X, Y: b.Center().Y}, {X: b.Max.X, Y: b.Center().Y},
				{X: b.Max.X, Y: b.Center().Y - 6}, {X: b.Min.X, Y: b.Center().Y - 6}})
			b.StrokeLine2(lineStyle(i, false), b.Min.X, b.Center().Y, b.Max.X, b.Center().Y)
		}})
	}
	return append(all, limitEntries(c.limits())...)
}

func (c *curves) limits() []picture.Limit { return []picture.Limit{c.Limit} }

func (c *curves) draw(canvas draw.Canvas) vg.Rectangle {
	return frame(canvas, c.x, c.y, 0, grid{c.x.Ticks, c.y.Ticks}, c)
}

func band(style int) color.Color {
	r, g, b, _ := palette[style%len(palette)].RGBA()
	return color.NRGBA{R: uint8(r >> 8), G: uint8(g >> 8), B: uint8(b >> 8), A: 45}
}

// Plot draws steps: the best found stays until a better point is evaluated.
func (c *curves) Plot(canvas draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&canvas)
	for i, l := range c.limits() {
		canvas.StrokeLine2(limitStyle(i), canvas.Min.X, y(l.Value), canvas.Max.X, y(l.Value))
	}
	steps := func(l picture.Curve, values []float64) []vg.Point {
		var line []vg.Point
		for _, i := range l.Places() {
			at := vg.Point{X: x(float64(i + 1)), Y: y(max(values[i], c.y.Min))}
			if i > 0 {
				line = append(line, vg.Point{X: at.X, Y: line[len(line)-1].Y})
			}
			line = append(line, at)
		}
		return line
	}
	for i, l := range c.Curves {
		area, low := steps(l, l.Median), steps(l, l.Low)
		for j := len(low) - 1; j >= 0; j-- {
			area = append(area, low[j])
		}
		canvas.FillPolygon(band(i), area)
	}
	for i, l := range c.Curves {
		canvas.StrokeLines(lineStyle(i, false), steps(l, l.Median))
	}
}
