package plots

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bench/framework/axis"
	"bench/terminal/digits"
)

// chart is lines over a swept parameter.
type chart struct {
	x, y   scale
	lines  []line
	limits []limit
	faults bool
	// doubtful says that hollow markers are there.
	doubtful bool
	hollow   string  // what these are; empty: in doubt
	bands    bool    // instead of error bars
	level    float64 // has a line of its own, unless it is 0
	ends     []ending
}

// limit is a horizontal line at a measured ceiling.
type limit struct {
	name  string
	value float64
}

// limitInSight is how far a ceiling may be above the data: one further away
// would flatten them.
const limitInSight = 8

func limitsInSight(q quantity, p panel, top float64) []limit {
	var all []limit
	for device, v := range p.limit {
		if v > top*limitInSight {
			continue
		}
		name := q.limitName
		if len(p.limit) > 1 {
			name += ", " + device
		}
		all = append(all, limit{name + " " + digits.Scaled(v, q.unit), v})
	}
	slices.SortFunc(all, func(a, b limit) int { return cmp.Compare(b.value, a.value) })
	return all
}

func newChart(q quantity, p panel, x string, logX bool) *chart {
	c := &chart{lines: p.lines, bands: q.band, level: q.line}
	var xs []float64
	values := axis.NewSpan()
	for _, l := range p.lines {
		slices.SortStableFunc(l.points, func(a, b point) int { return cmp.Compare(a.x, b.x) })
		for _, pt := range l.points {
			if math.IsNaN(pt.x) || math.IsInf(pt.x, 0) {
				continue
			}
			xs = append(xs, pt.x)
			values.Include(pt.y, pt.low, pt.high)
			c.faults, c.doubtful = c.faults || pt.fault, c.doubtful || pt.doubtful
		}
	}
	c.limits = limitsInSight(q, p, values.Max)
	for _, l := range c.limits {
		values.Include(l.value)
	}
	if c.level > 0 {
		values.Include(c.level)
	}
	slices.Sort(xs)
	xs = slices.Compact(xs)
	for i := range p.lines {
		p.lines[i].apart = len(xs) < leastSweep
	}
	c.x = scaleOf(axis.Swept(x, xs, logX))
	if values.Wide() || values.Min > 0 && flattened(p.lines, values.Max) {
		if c.faults { // room for their marks below the data
			values.Min /= math.Pow(values.Max/values.Min, 0.08)
		}
		c.y = scaleOf(axis.Logarithmic(values, q.title, q.unit))
	} else {
		c.y = scaleOf(axis.FromZero(values, q.title, q.unit))
	}
	return c
}

// flattened reports whether a linear axis up to top would press at least half of
// several lines into its lowest sixth.
func flattened(lines []line, top float64) bool {
	low, all := 0, 0
	for _, l := range lines {
		highest := math.Inf(-1)
		for _, pt := range l.points {
			if pt.y > highest { // false for NaN
				highest = pt.y
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

func (*chart) height(vg.Length) vg.Length { return 0 }

func (c *chart) legend() []entry {
	var all []entry
	for _, l := range c.lines {
		if c.ends != nil {
			break
		}
		all = append(all, entry{l.named(), func(b draw.Canvas) {
			if !l.apart {
				b.StrokeLine2(lineStyle(l.style, l.peer), b.Min.X, b.Center().Y, b.Max.X, b.Center().Y)
			}
			b.DrawGlyphNoClip(marker(l.style, false), b.Center())
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

func limitEntries(limits []limit) []entry {
	var all []entry
	for i, l := range limits {
		all = append(all, entry{l.name, func(b draw.Canvas) {
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

// drawAs draws the chart with more than its lines.
func (c *chart) drawAs(canvas draw.Canvas, content plot.Plotter) vg.Rectangle {
	inner := canvas
	inner.Max.X -= c.endsWidth()
	data := frame(inner, c.x, c.y, edge, grid{c.x.Ticks, c.y.Ticks}, content)
	c.drawEnds(canvas, data)
	return data
}

// Plot draws the lines, with gaps where a point has no value and marks at
// the bottom where it failed.
func (c *chart) Plot(canvas draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&canvas)
	for i, l := range c.limits {
		canvas.StrokeLine2(limitStyle(i), canvas.Min.X-edge, y(l.value), canvas.Max.X, y(l.value))
	}
	if c.level > 0 {
		canvas.StrokeLine2(levelStyle, canvas.Min.X-edge, y(c.level), canvas.Max.X, y(c.level))
	}
	if c.bands {
		for _, l := range c.lines {
			for _, area := range areas(l.points) {
				for i := range area {
					area[i].X, area[i].Y = x(float64(area[i].X)), y(float64(area[i].Y))
				}
				canvas.FillPolygon(band(l.style), area)
			}
		}
	}
	defer c.nameFound(canvas, x, y)
	var crowd = map[float64]int{} // faults marked at an abscissa
	for _, l := range c.lines {
		every, own := thinned(l, canvas.Size().X), 0
		var run []vg.Point
		end := func() {
			if len(run) > 1 && !l.apart {
				canvas.StrokeLines(lineStyle(l.style, l.peer), run)
			}
			run = nil
		}
		for i, pt := range l.points {
			if math.IsNaN(pt.x) || math.IsInf(pt.x, 0) { // it has no place
				continue
			}
			if math.IsNaN(pt.y) {
				end()
				if pt.fault {
					at := vg.Point{X: x(pt.x), Y: canvas.Min.Y + 5 + vg.Length(crowd[pt.x])*9}
					crowd[pt.x]++
					s := marker(l.style, false)
					s.Shape, s.Radius = faultShape, faultRadius
					canvas.DrawGlyphNoClip(s, at)
				}
				continue
			}
			at := vg.Point{X: x(pt.x), Y: y(pt.y)}
			if pt.apart {
				end()
			} else {
				run = append(run, at)
			}
			if !c.bands {
				low, high := at.Y, at.Y
				if !math.IsNaN(pt.low) {
					low = y(pt.low)
				}
				if !math.IsNaN(pt.high) {
					high = y(pt.high)
				}
				errorBar(canvas, l.style, at.X, low, high, math.IsNaN(pt.low) && !math.IsNaN(pt.high), math.IsNaN(pt.high) && !math.IsNaN(pt.low))
			}
			if own++; every == 1 || pt.doubtful || l.isEnd(i) || (own+l.style)%every == 0 {
				canvas.DrawGlyphNoClip(marker(l.style, pt.doubtful), at)
			}
		}
		end()
	}
}

// areas are the outlines of a line's intervals, one for each part without a gap, in values.
func areas(points []point) (all [][]vg.Point) {
	var low, high []vg.Point
	end := func() {
		if len(low) > 1 {
			slices.Reverse(high)
			all = append(all, append(low, high...))
		}
		low, high = nil, nil
	}
	for _, pt := range points {
		if math.IsNaN(pt.x) || math.IsInf(pt.x, 0) {
			continue
		}
		if math.IsNaN(pt.y) || math.IsNaN(pt.low) || math.IsNaN(pt.high) {
			end()
			continue
		}
		low, high = append(low, vg.Point{X: vg.Length(pt.x), Y: vg.Length(pt.low)}), append(high, vg.Point{X: vg.Length(pt.x), Y: vg.Length(pt.high)})
	}
	end()
	return all
}

// errorBar draws a bar unless the marker hides it; an end that is open, not known, has an arrow.
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
