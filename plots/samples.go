package plots

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"example.org/bench/framework/axis"
	"example.org/bench/framework/record"
	"example.org/bench/internal/terminal"
	"example.org/bench/plots/picture"
)

const (
	// mostSampled is the most rows of a run whose samples are drawn: for more rows, reading the samples takes
	// longer than all other figures.
	mostSampled = 400
	// mostProblems is how many problems the figure of samples shows.
	mostProblems = 6
	// clearSpread is the least share of the axis, for the middle 90 % of a version's samples, at which a
	// problem gets a chart. Lines that all stand upright show no spread.
	clearSpread = 0.04
	// mostSteps is how many steps the line of a version has.
	mostSteps = 200
	// shownSamples is the share of samples that the axis holds.
	shownSamples = 0.99
)

// sampleFigures returns figures of how the samples of each version spread, problem by problem.
func sampleFigures(run *record.Run, dir string) ([]figure, error) {
	if len(run.Rows) == 0 || len(run.Rows) > mostSampled {
		return nil, nil
	}
	samples, err := record.ReadSamples(dir, run)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return samplesFigure(run, samples), nil
}

// problem is the lines of one problem.
type problem struct {
	name  string
	at    float64
	lines []picture.Line
}

func samplesFigure(run *record.Run, samples *record.Samples) []figure {
	s := picture.NewSweep(run)
	var all []problem
	for i := range run.Rows {
		w := &run.Rows[i]
		id := s.LineName(w)
		times := headline(samples, w.Point)
		if w.Status != record.OK || len(times) == 0 {
			continue
		}
		title := s.PanelName(w)
		at := 0.0
		if s.X.Name != "" {
			at = s.At(w)
			title = s.X.Name + " " + axis.Count(at)
			if more := s.PanelName(w); more != "" {
				title += ", " + more
			}
		}
		k := slices.IndexFunc(all, func(p problem) bool { return p.name == title })
		if k < 0 {
			k = len(all)
			all = append(all, problem{name: title, at: at})
		}
		l := picture.Line{Name: id, Style: s.Style(w), Peer: slices.Contains(run.Info.Peers, w.Version), Points: shares(times, w.HollowTime())}
		if old := slices.IndexFunc(all[k].lines, func(o picture.Line) bool { return o.Name == id }); old >= 0 {
			if s.Best && middle(l) < middle(all[k].lines[old]) {
				all[k].lines[old] = l
			}
			continue
		}
		all[k].lines = append(all[k].lines, l)
	}
	all = slices.DeleteFunc(all, func(p problem) bool { return !newShareChart(p).spreads() })
	if len(all) == 0 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b problem) int { return int(math.Copysign(1, a.at-b.at)) * map[bool]int{true: 1}[a.at != b.at] })
	note := s.Note + "; up to the 99th percentile; markers: the median"
	if len(all) > mostProblems {
		note += fmt.Sprintf("; %d of %s whose samples spread", mostProblems, terminal.Count(len(all), "problem"))
		all = spaced(all, mostProblems)
	}
	if s.Best {
		note += ", fastest of the tunings"
	}
	sheet := &sheet{}
	for _, p := range all {
		sheet.charts = append(sheet.charts, newShareChart(p))
	}
	return []figure{{name: "samples", page: page{title: s.Title + ": samples of the time of one run", note: note, content: sheet}}}
}

// spaced returns n of the problems, with the first and the last.
func spaced(all []problem, n int) (some []problem) {
	for i := range n {
		some = append(some, all[i*(len(all)-1)/(n-1)])
	}
	return some
}

// headline returns a point's samples of its headline time, ascending: with cold caches if there are such
// samples.
func headline(samples *record.Samples, point int) (times []float64) {
	mode := ""
	for series := range samples.Of(point) {
		if mode == "" || series.Mode == "cold" && mode != "cold" {
			mode, times = series.Mode, nil
		}
		if series.Mode == mode {
			times = append(times, series.Times...)
		}
	}
	slices.Sort(times)
	return times
}

// shares returns, for ascending times, the shares of times up to each, thinned, with the median in the
// middle.
func shares(times []float64, doubtful bool) (points []picture.Point) {
	n := max(1, int(math.Ceil(shownSamples*float64(len(times)))))
	every := max(1, n/mostSteps)
	for i := 0; i < n; i += every {
		points = append(points, picture.Point{X: times[i], Y: float64(i+1) / float64(len(times)), Doubtful: doubtful})
	}
	return points
}

func middle(l picture.Line) float64 { return within(l, 0.5) }

// within returns the time within which a share of the samples lies.
func within(l picture.Line, share float64) float64 {
	i := slices.IndexFunc(l.Points, func(p picture.Point) bool { return p.Y >= share })
	if i < 0 {
		i = len(l.Points) - 1
	}
	return l.Points[i].X
}

// shareChart is the share of a problem's samples up to each time.
type shareChart struct {
	chart
	name string
}

func newShareChart(p problem) *shareChart {
	c := &shareChart{name: p.name, chart: chart{lines: p.lines}}
	times := axis.NewSpan()
	for _, l := range p.lines {
		for _, pt := range l.Points {
			times.Include(pt.X)
			c.doubtful = c.doubtful || pt.Doubtful
		}
	}
	c.x = scaleOf(axis.Around(times, "time of one run", "s"))
	if !c.x.Log {
		c.x.Axis = axis.Linear(c.x.Min, c.x.Max, 4, "time of one run", "s")
	}
	c.y = scaleOf(axis.Axis{Min: 0, Max: 1.04, Label: "share of samples", Ticks: []axis.Tick{{Value: 0, Text: "0"}, {Value: 0.5, Text: "50 %"}, {Value: 1, Text: "100 %"}}})
	return c
}

// spreads reports whether some line is not nearly upright.
func (c *shareChart) spreads() bool {
	return slices.ContainsFunc(c.lines, func(l picture.Line) bool {
		return c.x.Share(within(l, 0.95))-c.x.Share(within(l, 0.05)) > clearSpread
	})
}

const nameRoom = vg.Length(14)

func (c *shareChart) draw(canvas draw.Canvas) vg.Rectangle {
	inner := canvas
	inner.Max.Y -= nameRoom
	data := frame(inner, c.x, c.y, edge, grid{c.x.Ticks, c.y.Ticks}, c)
	style := textStyle(10, ink)
	words := fit(style, c.name, data.Max.X-data.Min.X, 1)
	if len(words) > 0 {
		canvas.FillText(style, vg.Point{X: data.Min.X, Y: data.Max.Y + 3}, words[0])
	}
	data.Max.Y += nameRoom
	return data
}

// Plot draws steps, and the median with a marker.
func (c *shareChart) Plot(canvas draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&canvas)
	for _, l := range c.lines {
		steps := []vg.Point{{X: x(l.Points[0].X), Y: y(0)}}
		for _, pt := range l.Points {
			steps = append(steps, vg.Point{X: x(pt.X), Y: steps[len(steps)-1].Y}, vg.Point{X: x(pt.X), Y: y(pt.Y)})
		}
		canvas.StrokeLines(lineStyle(l.Style, l.Peer), steps)
	}
	for _, l := range c.lines {
		canvas.DrawGlyphNoClip(marker(l.Style, l.Points[0].Doubtful), vg.Point{X: x(middle(l)), Y: y(0.5)})
	}
}
