package plots

import (
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"example.org/bench/framework"
	"example.org/bench/framework/axis"
	"example.org/bench/framework/record"
	"example.org/bench/plots/picture"
)

// traceStrip is readings beside power over the same time: clocks or temperatures.
type traceStrip struct {
	y      scale
	window float64
	lines  []picture.Line
	// limited are the times at which the clocks were limited by power or heat.
	limited []float64
}

// mostStripLines is how many channels a strip shows: a board has more temperatures than can be told apart.
const mostStripLines = 3

// stripsOf returns the strips of a point: of the clocks that the kernel runs by, and of temperatures.
func stripsOf(run *record.Run, w *record.Row, samples []record.PowerSample, from, to float64, first int) (all []*traceStrip) {
	for _, kind := range []struct{ unit, shown string }{{"Hz", "Hz"}, {"degC", "°C"}} {
		s := &traceStrip{}
		values := axis.NewSpan()
		for _, sensor := range sensorsFor(run, w) {
			for _, c := range sensor.Channels {
				if c.Unit != kind.unit || c.Role != framework.Other || c.Name == memoryClock || len(s.lines) == mostStripLines {
					continue
				}
				l := picture.Line{Name: c.Name, Style: first + len(s.lines), Points: picture.Readings(samples, w.Point, sensor.Name, c.Name, from, to)}
				if len(l.Points) == 0 {
					continue
				}
				for _, p := range l.Points {
					values.Include(p.Y)
				}
				s.lines = append(s.lines, l)
			}
		}
		if len(s.lines) == 0 {
			continue
		}
		if kind.unit == "Hz" {
			s.limited = limitedTimes(run, w, samples, from, to)
		}
		s.window = w.Power.Get().Window.Float()
		room := max(0.08*(values.Max-values.Min), 0.01*math.Abs(values.Max))
		s.y = scaleOf(axis.Linear(values.Min-room, values.Max+room, 3, "", kind.shown))
		s.y.Label = strings.Trim(s.y.Label, " ()") // the legend has the names
		first += len(s.lines)
		all = append(all, s)
	}
	return all
}

// sensorsFor returns the sensors that were opened for a row's device.
func sensorsFor(run *record.Run, w *record.Row) []record.Sensor {
	return slices.DeleteFunc(slices.Clone(run.Info.Sensors), func(s record.Sensor) bool { return s.Device != w.Device })
}

const (
	memoryClock = "memory_clock" // the same all the time
	throttled   = "throttled"    // 1 where power or heat limits the clocks
)

func limitedTimes(run *record.Run, w *record.Row, samples []record.PowerSample, from, to float64) (times []float64) {
	for _, sensor := range sensorsFor(run, w) {
		for _, p := range picture.Readings(samples, w.Point, sensor.Name, throttled, from, to) {
			if p.Y > 0 {
				times = append(times, p.X)
			}
		}
	}
	return times
}

func (s *traceStrip) legend() (all []entry) {
	for _, l := range s.lines {
		all = append(all, entry{l.Name, func(b draw.Canvas) {
			b.StrokeLine2(traceStyle(l.Style, false), b.Min.X, b.Center().Y, b.Max.X, b.Center().Y)
		}})
	}
	if len(s.limited) > 0 {
		all = append(all, entry{"clocks limited by power or heat", func(b draw.Canvas) {
			for _, x := range []vg.Length{6, 10, 14, 18} {
				b.StrokeLine2(limitedStyle, b.Min.X+x, b.Center().Y-4, b.Min.X+x, b.Center().Y+4)
			}
		}})
	}
	return all
}

var limitedStyle = draw.LineStyle{Color: color.NRGBA{R: 0xd5, G: 0x5e, B: 0x00, A: 255}, Width: vg.Points(0.8)}

// Plot draws the readings and, at the lower edge, the times at which clocks were limited.
func (s *traceStrip) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	a, b := x(0), x(s.window)
	c.FillPolygon(shade, []vg.Point{{X: a, Y: c.Min.Y}, {X: b, Y: c.Min.Y}, {X: b, Y: c.Max.Y}, {X: a, Y: c.Max.Y}})
	for _, t := range s.limited {
		c.StrokeLine2(limitedStyle, x(t), c.Min.Y, x(t), c.Min.Y+4)
	}
	for _, l := range s.lines {
		style := traceStyle(l.Style, false)
		style.Width = vg.Points(1)
		var run []vg.Point
		for _, pt := range l.Points {
			run = append(run, vg.Point{X: x(pt.X), Y: y(pt.Y)})
		}
		c.StrokeLines(style, run)
	}
}

// stripShare is a strip's share of the height of a trace.
const stripShare = 0.22

// draw draws the power and, below it and under the same times, the strips.
func (t *trace) draw(canvas draw.Canvas) vg.Rectangle {
	bare := t.x
	bare.Label = ""
	bare.Ticks = slices.Clone(t.x.Ticks)
	for i := range bare.Ticks {
		bare.Ticks[i].Text = ""
	}
	type panel struct {
		x, y    scale
		content plot.Plotter
		canvas  draw.Canvas
	}
	panels := []panel{{t.x, t.y, t, canvas}}
	for _, s := range t.strips {
		panels[len(panels)-1].x = bare
		panels = append(panels, panel{t.x, s.y, s, canvas})
	}
	const gap = 6
	below := axesRoom()
	step := stripShare * (canvas.Size().Y - below)
	inset, y := vg.Length(0), canvas.Min.Y
	for i, p := range slices.Backward(panels) {
		c := &panels[i].canvas
		c.Min.Y = y
		if i > 0 {
			c.Max.Y = y + step - gap
		}
		if i == len(panels)-1 && i > 0 {
			c.Max.Y += below
		}
		y = c.Max.Y + gap
		full, inner := axes(*c, p.x, p.y, 0)
		inset = max(inset, full.DataCanvas(inner).Min.X-c.Min.X)
	}
	var data vg.Rectangle
	for i, p := range panels {
		full, inner := axes(p.canvas, p.x, p.y, 0)
		p.canvas.Min.X += inset - (full.DataCanvas(inner).Min.X - p.canvas.Min.X)
		in := frame(p.canvas, p.x, p.y, 0, grid{t.x.Ticks, p.y.Ticks}, p.content)
		if i == 0 {
			data = in
		}
		data.Min.Y = min(data.Min.Y, in.Min.Y)
	}
	return data
}

// axesRoom returns the height of the texts below a horizontal axis.
func axesRoom() vg.Length {
	return textStyle(11, ink).FontExtents().Height + textStyle(10, ink).FontExtents().Height + 8
}
