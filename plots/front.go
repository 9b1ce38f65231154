package plots

import (
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"example.org/bench/framework/axis"
	"example.org/bench/framework/pareto"
)

// TimeEnergy is choices by time (X, in s) and energy (Y, in J).
type TimeEnergy struct {
	Name string
	// Note says what Others and Front are of.
	Note string
	// Others are drawn small.
	Others []pareto.Point
	// Front is the line, with what it is.
	Front     pareto.Set
	FrontName string
	// Again are choices as a trial has them and as they are when measured again at length.
	Again [][2]pareto.Point
	// Marked are named choices, each list with a marker of its own.
	Marked []Marked
}

// Marked is choices of one kind.
type Marked struct {
	Name   string
	Points []pareto.Point
}

// room is how far a figure reaches beyond the front and what is marked, in extents of these,
// and leastRoom at least, as a share of their greatest: what costs more says little of the front.
const room, leastRoom = 1, 0.2

// Fronts shows each that has a front, as front-NAME.
func Fronts(all []TimeEnergy) (figures Figures) {
	for _, e := range all {
		if len(e.Front) > 0 {
			figures = append(figures, timeEnergyFigure(e))
		}
	}
	return figures
}

func timeEnergyFigure(e TimeEnergy) figure {
	c := newTimeEnergyChart(e)
	note := e.Note
	if c.beyond > 0 {
		note += fmt.Sprintf("; %d that cost more are beyond the figure", c.beyond)
	}
	return figure{"front-" + notInNames().ReplaceAllString(e.Name, "-"), page{title: e.Name + ": time and energy of one run", note: note, content: c}}
}

type timeEnergyChart struct {
	TimeEnergy
	x, y   scale
	beyond int
}

func newTimeEnergyChart(e TimeEnergy) *timeEnergyChart {
	c := &timeEnergyChart{TimeEnergy: e}
	times, energies := axis.NewSpan(), axis.NewSpan()
	include := func(p pareto.Point) {
		times.Include(p.X)
		energies.Include(p.Y)
	}
	for _, p := range e.Front {
		include(p)
	}
	for _, m := range e.Marked {
		for _, p := range m.Points {
			include(p)
		}
	}
	until := func(s axis.Span) float64 { return s.Max + max(room*(s.Max-s.Min), leastRoom*s.Max) }
	right, top := until(times), until(energies)
	c.Others = nil
	const across = 500 // places of dots, each way: more are none that a reader tells apart
	taken := map[[2]int]bool{}
	for _, p := range e.Others {
		if p.X > right || p.Y > top {
			c.beyond++
			continue
		}
		place := [2]int{int(across * (p.X - times.Min) / (right - times.Min)), int(across * (p.Y - energies.Min) / (top - energies.Min))}
		if taken[place] && len(e.Others) > across {
			continue
		}
		taken[place] = true
		c.Others = append(c.Others, p)
		include(p)
	}
	c.x, c.y = scaleOf(axis.Around(times, "time of one run", "s")), scaleOf(axis.Around(energies, "energy of one run", "J"))
	return c
}

func (*timeEnergyChart) height(vg.Length) vg.Length { return 0 }

var otherStyle = draw.GlyphStyle{Color: color.NRGBA{R: 0x99, G: 0x99, B: 0x99, A: 255}, Radius: 1.2, Shape: draw.CircleGlyph{}}

// soleStyle is of a front of one point.
var soleStyle = draw.GlyphStyle{Color: frontStyle.Color, Radius: markerRadius, Shape: draw.CircleGlyph{}}

// againStyle joins what a choice cost in its trial with what it cost at length.
var againStyle = draw.LineStyle{Color: grey, Width: vg.Points(0.7)}

func (c *timeEnergyChart) legend() []entry {
	var all []entry
	if len(c.Front) > 1 {
		all = append(all, entry{c.FrontName, func(b draw.Canvas) {
			b.StrokeLine2(frontStyle, b.Min.X, b.Center().Y, b.Max.X, b.Center().Y)
		}})
	} else if len(c.Marked) == 0 {
		all = append(all, entry{c.FrontName, func(b draw.Canvas) { b.DrawGlyphNoClip(soleStyle, b.Center()) }})
	}
	for i, m := range c.Marked {
		if len(m.Points) == 0 {
			continue
		}
		all = append(all, entry{m.Name, func(b draw.Canvas) { b.DrawGlyphNoClip(marker(i, false), b.Center()) }})
	}
	if len(c.Again) > 0 {
		all = append(all, entry{"from a trial to the same at length", func(b draw.Canvas) {
			b.StrokeLine2(againStyle, b.Min.X, b.Center().Y, b.Max.X, b.Center().Y)
			b.DrawGlyphNoClip(otherStyle, vg.Point{X: b.Min.X, Y: b.Center().Y})
		}})
	}
	if len(c.Others) > 0 {
		all = append(all, entry{"others", func(b draw.Canvas) { b.DrawGlyphNoClip(otherStyle, b.Center()) }})
	}
	return all
}

func (c *timeEnergyChart) draw(canvas draw.Canvas) vg.Rectangle {
	return frame(canvas, c.x, c.y, edge, grid{c.x.Ticks, c.y.Ticks}, c)
}

// Plot draws the front as a staircase: all to its upper right is beaten.
func (c *timeEnergyChart) Plot(canvas draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&canvas)
	for _, o := range c.Others {
		canvas.DrawGlyphNoClip(otherStyle, vg.Point{X: x(o.X), Y: y(o.Y)})
	}
	for _, a := range c.Again {
		canvas.StrokeLine2(againStyle, x(a[0].X), y(a[0].Y), x(a[1].X), y(a[1].Y))
	}
	var line []vg.Point
	for i, f := range c.Front {
		if i > 0 {
			line = append(line, vg.Point{X: x(f.X), Y: y(c.Front[i-1].Y)})
		}
		line = append(line, vg.Point{X: x(f.X), Y: y(f.Y)})
	}
	if len(line) > 1 {
		canvas.StrokeLines(frontStyle, line)
	} else { // which has no length
		canvas.DrawGlyphNoClip(soleStyle, line[0])
	}
	for i, m := range slices.Backward(c.Marked) { // the first on top
		for _, q := range m.Points {
			canvas.DrawGlyphNoClip(marker(i, false), vg.Point{X: x(q.X), Y: y(q.Y)})
		}
	}
}
