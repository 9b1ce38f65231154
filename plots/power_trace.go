package plots

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"example.org/bench/framework/record"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/terminal/digits"
	"example.org/bench/plots/picture"
)

// trace is the readings of a point's power channels over time.
type trace struct {
	x, y   scale
	window float64 // length in seconds; it begins at 0
	idle   float64 // of the totals together; NaN if it was not measured
	lines  []picture.Line
	strips []*traceStrip // below
}

// powerTraces draws a trace for each point of the run in dir whose power was
// measured, into a folder of their own.
func (m Medium) powerTraces(run *record.Run, dir string, into *safefile.Folder) ([]string, error) {
	samples, err := record.ReadPowerSamples(dir, run)
	if err != nil || len(samples) == 0 {
		return nil, err
	}
	folder, err := into.Make(run.Prefix + "_power_trace")
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	s := picture.NewSweep(run)
	var written []string
	for i := range run.Rows {
		w := &run.Rows[i]
		t := newTrace(run, w, samples)
		if t == nil {
			continue
		}
		files, err := m.write(figure{fmt.Sprintf("%03d_%s", w.Point, picture.FileName(w.Version)),
			page{title: "power readings of point " + fmt.Sprint(w.Point), note: traceNote(s, w), content: t}}, folder)
		if written = append(written, files...); err != nil {
			return written, err
		}
	}
	return written, nil
}

// traceNote names the point and what was measured.
func traceNote(s *picture.Sweep, w *record.Row) string {
	parts := []string{w.Version + " on " + s.Device(w.Device)}
	if board := s.Run.Info.Machine.Board; board != "" {
		parts = append(parts, board)
	}
	if w.PowerMode != "" {
		parts = append(parts, w.PowerMode)
	}
	text := "mean " + digits.PlusMinus(w.Power.Get().Total.Float(), w.Power.Get().Uncertainty.Float(), "W")
	if w.Power.Get().Idle.IsSet() {
		text += ", idle " + digits.Scaled(w.Power.Get().Idle.Float(), "W")
	}
	parts = append(parts, text)
	return strings.Join(parts, ", ")
}

// newTrace returns the trace of a point; nil for a point without readings in watts.
func newTrace(run *record.Run, w *record.Row, samples []record.PowerSample) *trace {
	of := picture.TraceOf(run, w, samples)
	if of == nil {
		return nil
	}
	return &trace{x: scaleOf(of.X), y: scaleOf(of.Y), window: of.Window, idle: of.Idle, lines: of.Lines, strips: stripsOf(run, w, samples, of.From, of.To, len(of.Lines))}
}

// traceDashes are the dashes of totals and of other lines, for each round of colours, since boards have more
// rails than there are colours.
var traceDashes = [][2][]vg.Length{
	{nil, {5, 3}},
	{{10, 2}, {1.2, 2}},
	{{10, 2, 1.2, 2}, {6, 2, 1.2, 2, 1.2, 2}},
}

// traceStyle differs between 24 rails.
func traceStyle(style int, peer bool) draw.LineStyle {
	l := lineStyle(style, peer)
	dashes := traceDashes[style/len(palette)%len(traceDashes)]
	if l.Dashes = dashes[0]; peer {
		l.Dashes = dashes[1]
	}
	return l
}

func (*trace) height(vg.Length) vg.Length { return 0 }

func (t *trace) legend() []entry {
	var all []entry
	for _, l := range t.lines {
		all = append(all, entry{picture.RailName(l), func(b draw.Canvas) {
			b.StrokeLine2(traceStyle(l.Style, l.Peer), b.Min.X, b.Center().Y, b.Max.X, b.Center().Y)
		}})
	}
	if !math.IsNaN(t.idle) {
		all = append(all, entry{"idle, total", func(b draw.Canvas) {
			b.StrokeLine2(limitStyle(0), b.Min.X, b.Center().Y, b.Max.X, b.Center().Y)
		}})
	}
	for _, s := range t.strips {
		all = append(all, s.legend()...)
	}
	return append(all, entry{"window of the energy", func(b draw.Canvas) {
		left, right, bottom, top := b.Min.X+3, b.Max.X-3, b.Center().Y-5, b.Center().Y+5
		b.FillPolygon(shade, []vg.Point{{X: left, Y: bottom}, {X: right, Y: bottom}, {X: right, Y: top}, {X: left, Y: top}})
	}})
}

// shade marks the window in which the energy was measured.
var shade = color.NRGBA{R: 0xd8, G: 0xe6, B: 0xf4, A: 130}

// Plot draws the readings, connected by lines as in the integral.
func (t *trace) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	a, b := x(0), x(t.window)
	c.FillPolygon(shade, []vg.Point{{X: a, Y: c.Min.Y}, {X: b, Y: c.Min.Y}, {X: b, Y: c.Max.Y}, {X: a, Y: c.Max.Y}})
	if !math.IsNaN(t.idle) {
		c.StrokeLine2(limitStyle(0), c.Min.X, y(t.idle), c.Max.X, y(t.idle))
	}
	for _, l := range slices.Backward(t.lines) { // totals on top
		style := traceStyle(l.Style, l.Peer)
		style.Width = vg.Points(1)
		var run []vg.Point
		for _, pt := range l.Points {
			run = append(run, vg.Point{X: x(pt.X), Y: y(pt.Y)})
		}
		c.StrokeLines(style, run)
	}
}
