package plots

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"example.org/bench/framework/axis"
	"example.org/bench/plots/picture"
)

// chart is lines over a swept parameter.
type chart struct {
	x, y   scale
	lines  []picture.Line
	limits []picture.Limit
	faults bool
	// doubtful says that there are hollow markers.
	doubtful bool
	hollow   string  // what these mean; empty: in doubt
	bands    bool    // instead of error bars
	level    float64 // has a line of its own unless it is 0
	ends     []ending
}

func newChart(c picture.Chart) *chart {
	return &chart{x: scaleOf(c.X), y: scaleOf(c.Y), lines: c.Lines, limits: c.Limits, faults: c.Faults, doubtful: c.Doubtful, bands: c.Bands, level: c.Level}
}

func (*chart) height(vg.Length) vg.Length { return 0 }

func (c *chart) legend() []entry {
	var all []entry
	for _, l := range c.lines {
		if c.ends != nil {
			break
		}
		all = append(all, entry{l.Named(), func(b draw.Canvas) {
			if !l.Apart {
				b.StrokeLine2(lineStyle(l.Style, l.Peer), b.Min.X, b.Center().Y, b.Max.X, b.Center().Y)
			}
			b.DrawGlyphNoClip(marker(l.Style, false), b.Center())
		}})
	}
	all = append(all, limitEntries(c.limits)...)
	if c.doubtful {
		e := hollowEntry
		e.text = cmp.Or(c.hollow, e.text)
		all = append(all, e)
	}
	if c.faults {
		all = append(all, entry{"wrong, failed or timeout", func(b draw.Canvas) {
			b.DrawGlyphNoClip(draw.GlyphStyle{Color: grey, Radius: faultRadius, Shape: faultShape}, b.Center())
		}})
	}
	return all
}

// hollowEntry explains hollow markers and bars.
var hollowEntry = entry{"hollow: in doubt, see the table", func(b draw.Canvas) {
	s := marker(0, true)
	s.Color = grey
	b.DrawGlyphNoClip(s, b.Center())
}}

func limitEntries(limits []picture.Limit) []entry {
	var all []entry
	for i, l := range limits {
		all = append(all, entry{l.Name, func(b draw.Canvas) {
			b.StrokeLine2(limitStyle(i), b.Min.X, b.Center().Y, b.Max.X, b.Center().Y)
		}})
	}
	return all
}

// edge keeps markers at the ends of the sweep off the axes.
const edge = vg.Length(8)

func (c *chart) draw(canvas draw.Canvas) vg.Rectangle { return c.drawAs(canvas, c) }

func (c *chart) inset(canvas draw.Canvas) vg.Length {
	p, inner := axes(canvas, c.x, c.y, edge)
	return p.DataCanvas(inner).Min.X - canvas.Min.X
}

// drawAs draws the chart with content in place of its lines.
func (c *chart) drawAs(canvas draw.Canvas, content plot.Plotter) vg.Rectangle {
	inner := canvas
	inner.Max.X -= c.endsWidth()
	data := frame(inner, c.x, c.y, edge, grid{c.x.Ticks, c.y.Ticks}, content)
	c.drawEnds(canvas, data)
	return data
}

// Plot draws the lines, with gaps at points without a value and marks at the bottom for points that failed.
func (c *chart) Plot(canvas draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&canvas)
	for i, l := range c.limits {
		canvas.StrokeLine2(limitStyle(i), canvas.Min.X-edge, y(l.Value), canvas.Max.X, y(l.Value))
	}
	if c.level > 0 {
		canvas.StrokeLine2(levelStyle, canvas.Min.X-edge, y(c.level), canvas.Max.X, y(c.level))
	}
	if c.bands {
		for _, l := range c.lines {
			for _, area := range areas(l.Points) {
				for i := range area {
					area[i].X, area[i].Y = x(float64(area[i].X)), y(float64(area[i].Y))
				}
				canvas.FillPolygon(band(l.Style), area)
			}
		}
	}
	defer c.nameFound(canvas, x, y)
	var crowd = map[float64]int{} // faults marked at an abscissa
	for _, l := range c.lines {
		every, own := thinned(l, canvas.Size().X), 0
		var run []vg.Point
		end := func() {
			if len(run) > 1 && !l.Apart {
				canvas.StrokeLines(lineStyle(l.Style, l.Peer), run)
			}
			run = nil
		}
		for i, pt := range l.Points {
			if math.IsNaN(pt.X) || math.IsInf(pt.X, 0) { // it has no place
				continue
			}
			if math.IsNaN(pt.Y) {
				end()
				if pt.Fault {
					at := vg.Point{X: x(pt.X), Y: canvas.Min.Y + 5 + vg.Length(crowd[pt.X])*9}
					crowd[pt.X]++
					s := marker(l.Style, false)
					s.Shape, s.Radius = faultShape, faultRadius
					canvas.DrawGlyphNoClip(s, at)
				}
				continue
			}
			at := vg.Point{X: x(pt.X), Y: y(pt.Y)}
			if pt.Apart {
				end()
			} else {
				run = append(run, at)
			}
			if !c.bands {
				low, high := at.Y, at.Y
				if !math.IsNaN(pt.Low) {
					low = y(pt.Low)
				}
				if !math.IsNaN(pt.High) {
					high = y(pt.High)
				}
				errorBar(canvas, l.Style, at.X, low, high, math.IsNaN(pt.Low) && !math.IsNaN(pt.High), math.IsNaN(pt.High) && !math.IsNaN(pt.Low))
			}
			if own++; every == 1 || pt.Doubtful || l.IsEnd(i) || (own+l.Style)%every == 0 {
				canvas.DrawGlyphNoClip(marker(l.Style, pt.Doubtful), at)
			}
		}
		end()
	}
}

// areas returns the outlines of a line's intervals in values, one for each part without a gap.
func areas(points []picture.Point) (all [][]vg.Point) {
	var low, high []vg.Point
	end := func() {
		if len(low) > 1 {
			slices.Reverse(high)
			all = append(all, append(low, high...))
		}
		low, high = nil, nil
	}
	for _, pt := range points {
		if math.IsNaN(pt.X) || math.IsInf(pt.X, 0) {
			continue
		}
		if math.IsNaN(pt.Y) || math.IsNaN(pt.Low) || math.IsNaN(pt.High) {
			end()
			continue
		}
		low, high = append(low, vg.Point{X: vg.Length(pt.X), Y: vg.Length(pt.Low)}), append(high, vg.Point{X: vg.Length(pt.X), Y: vg.Length(pt.High)})
	}
	end()
	return all
}

// errorBar draws a bar unless the marker hides it. An open end, which is unknown, has an arrow.
func errorBar(c draw.Canvas, style int, x, low, high vg.Length, openLow, openHigh bool) {
	const arrow = 14
	if openLow {
		low -= arrow
	}
	if openHigh {
		high += arrow
	}
	if high-low < 2*markerRadius {
		return
	}
	s := lineStyle(style, false)
	s.Width = vg.Points(0.9)
	const cap = 3
	c.StrokeLine2(s, x, low, x, high)
	end := func(y, back vg.Length) {
		c.StrokeLines(s, []vg.Point{{X: x - cap, Y: y + back}, {X: x, Y: y}, {X: x + cap, Y: y + back}})
	}
	back := map[bool]vg.Length{true: cap}
	end(low, back[openLow])
	end(high, -back[openHigh])
}

// grid draws lines at the labelled ticks.
type grid struct{ x, y []axis.Tick }

func (g grid) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	s := draw.LineStyle{Color: gridInk, Width: vg.Points(0.6)}
	for _, t := range g.x {
		if at := x(t.Value); t.Text != "" && c.ContainsX(at) {
			c.StrokeLine2(s, at, c.Min.Y, at, c.Max.Y)
		}
	}
	for _, t := range g.y {
		if at := y(t.Value); t.Text != "" && c.ContainsY(at) {
			c.StrokeLine2(s, c.Min.X, at, c.Max.X, at)
		}
	}
}
