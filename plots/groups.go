package plots

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"example.org/bench/framework/axis"
	"example.org/bench/internal/terminal/digits"
)

// groups are horizontal bars in groups: one group per point, one bar per level.
type groups struct {
	unit     string
	relative bool // the bars are ratios to the baseline
	names    []string
	series   []series
	scale    scale
}

// series is one level at all points.
type series struct {
	name  string
	style int
	bars  []bar
}

type bar struct {
	group               int
	value               float64
	low, high           *float64
	ratio               float64
	ratioLow, ratioHigh *float64
}

// shown is the bar's length and its error bar.
func (g *groups) shown(b bar) (x float64, low, high *float64) {
	if g.relative {
		return b.ratio, b.ratioLow, b.ratioHigh
	}
	return b.value, b.low, b.high
}

func (g *groups) axis(title, unit string) scale {
	s := axis.NewSpan()
	for _, l := range g.series {
		for _, b := range l.bars {
			x, _, high := g.shown(b)
			s.Include(x)
			if high != nil {
				s.Include(*high)
			}
		}
	}
	if g.relative && s.Wide() { // bars from zero would hide the small ratios: these begin at 1
		s.Include(1)
		s.Max *= 1.5
		return scaleOf(axis.Logarithmic(s, title, ""))
	}
	s.Max *= 1.12 // room for the values at the bars' ends
	return scaleOf(axis.FromZero(s, title, unit))
}

const (
	groupBar = vg.Length(15)
	groupGap = vg.Length(12)
)

func (g *groups) step() vg.Length { return groupBar*vg.Length(len(g.series)) + groupGap }

func (g *groups) height(vg.Length) vg.Length {
	return g.step()*vg.Length(len(g.names)) + 110
}

func (g *groups) legend() []entry {
	var all []entry
	for _, s := range g.series {
		all = append(all, entry{s.name, func(b draw.Canvas) {
			fillBox(b, s.style, false, b.Min.X+4, b.Center().Y-4, b.Max.X-4, b.Center().Y+4)
		}})
	}
	return all
}

// fillBox draws a bar, hollow if its value is doubtful.
func fillBox(c draw.Canvas, style int, doubtful bool, left, bottom, right, top vg.Length) {
	box := []vg.Point{{X: left, Y: bottom}, {X: right, Y: bottom}, {X: right, Y: top}, {X: left, Y: top}}
	if doubtful {
		c.FillPolygon(color.White, box)
		c.StrokeLines(lineStyle(style, false), append(box, box[0]))
		return
	}
	c.FillPolygon(palette[style%len(palette)], box)
}

func (g *groups) draw(canvas draw.Canvas) vg.Rectangle {
	names := rows(len(g.names))
	for i, n := range g.names {
		names.Ticks = append(names.Ticks, axis.Tick{Value: g.place(i), Text: rowLabel(n, canvas.Size().X, 2)})
	}
	return frame(canvas, g.scale, names, 0, grid{x: g.scale.Ticks}, g)
}

// place is the ordinate of a group.
func (g *groups) place(i int) float64 { return float64(len(g.names) - 1 - i) }

// Plot draws the bars with their values.
func (g *groups) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	step := c.Size().Y / vg.Length(len(g.names))
	thick := (step - groupGap) / vg.Length(len(g.series))
	label := textStyle(9, ink)
	drop := label.FontExtents().Ascent / 2.6
	origin := 0.0
	if g.scale.Log { // of ratios
		origin = 1
	}
	zero := x(origin)
	if g.relative {
		c.StrokeLine2(limitStyle(0), x(1), c.Min.Y, x(1), c.Max.Y)
	}
	for i, s := range g.series {
		for _, b := range s.bars {
			value, low, high := g.shown(b)
			at := y(g.place(b.group)) + thick*(vg.Length(len(g.series)-1)/2-vg.Length(i))
			end := x(value)
			fillBox(c, s.style, false, zero, at-thick*0.42, end, at+thick*0.42)
			end = max(end, zero)
			if low != nil && high != nil && x(*high)-x(*low) >= 1 {
				line := draw.LineStyle{Color: ink, Width: vg.Points(0.9)}
				c.StrokeLine2(line, x(*low), at, x(*high), at)
				for _, v := range []float64{*low, *high} {
					c.StrokeLine2(line, x(v), at-2.5, x(v), at+2.5)
				}
				end = max(end, x(*high))
			}
			text := axis.Text(b.value, 4)
			if g.unit != "" {
				text = digits.Scaled(b.value, g.unit)
			}
			if thick >= 8 {
				onWhite(c, label, vg.Point{X: end + 4, Y: at - drop}, text)
			}
		}
	}
}

// onWhite writes a text that neither grid nor lines cross.
func onWhite(c draw.Canvas, style text.Style, at vg.Point, s string) {
	e := style.FontExtents()
	left, right, bottom, top := at.X-1, at.X+style.Width(s)+1, at.Y-e.Descent*0.6, at.Y+e.Ascent*0.85
	c.FillPolygon(color.White, []vg.Point{{X: left, Y: bottom}, {X: right, Y: bottom}, {X: right, Y: top}, {X: left, Y: top}})
	c.FillText(style, at, s)
}
