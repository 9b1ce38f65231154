package plots

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"example.org/bench/framework"
	"example.org/bench/framework/axis"
	"example.org/bench/framework/record"
	"example.org/bench/internal/terminal/digits"
	"example.org/bench/plots/picture"
)

// mostCrossings is how many rings a legend has room for.
const mostCrossings = 6

// marked is a chart with the rates at which lines change places.
type marked struct {
	*chart
	at []picture.Crossing
}

func (m marked) legend() []entry {
	all := m.chart.legend()
	for _, c := range m.at {
		all = append(all, entry{"change places at " + digits.Scaled(c.X, "Hz"), func(b draw.Canvas) { b.DrawGlyphNoClip(crossingGlyph, b.Center()) }})
	}
	return all
}

var crossingGlyph = draw.GlyphStyle{Color: ink, Radius: vg.Points(6), Shape: draw.RingGlyph{}}

func (m marked) draw(canvas draw.Canvas) vg.Rectangle {
	return m.drawAs(canvas, m)
}

// Plot draws the chart and rings where lines cross.
func (m marked) Plot(canvas draw.Canvas, p *plot.Plot) {
	m.chart.Plot(canvas, p)
	x, y := p.Transforms(&canvas)
	for _, c := range m.at {
		canvas.DrawGlyphNoClip(crossingGlyph, vg.Point{X: x(c.X), Y: y(c.Y)})
	}
}

// distribution is the share of releases that are later than a latency. Both axes are logarithmic, so that the
// tail has as much room as the middle.
type distribution struct{ chart }

func (d *distribution) draw(canvas draw.Canvas) vg.Rectangle {
	return frame(canvas, d.x, d.y, edge, grid{d.x.Ticks, d.y.Ticks}, d)
}

func (d *distribution) legend() []entry {
	var all []entry
	for _, l := range d.lines {
		all = append(all, entry{l.Name, func(b draw.Canvas) {
			b.StrokeLine2(withoutMarkers(l), b.Min.X, b.Center().Y, b.Max.X, b.Center().Y)
		}})
	}
	return all
}

// Plot draws steps.
func (d *distribution) Plot(canvas draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&canvas)
	for _, l := range d.lines {
		var steps []vg.Point
		for i, pt := range l.Points {
			if i > 0 {
				steps = append(steps, vg.Point{X: x(pt.X), Y: steps[len(steps)-1].Y})
			}
			steps = append(steps, vg.Point{X: x(pt.X), Y: y(pt.Y)})
		}
		canvas.StrokeLines(withoutMarkers(l), steps)
	}
}

// distributions returns the latencies of a run's points, in each figure as many as a reader can tell apart.
func distributions(run *record.Run, dir string) ([]figure, error) {
	bins, err := record.ReadLatencies(dir, run)
	if err != nil || len(bins) == 0 {
		return nil, err
	}
	counts := map[int][]record.Latency{}
	for _, b := range bins {
		counts[b.Point] = append(counts[b.Point], b)
	}
	names := picture.NamesOf(run)
	var lines []picture.Line
	for i := range run.Rows {
		w := &run.Rows[i]
		if l := tail(counts[w.Point]); l != nil {
			lines = append(lines, picture.Line{Name: names.Of(w), Style: len(lines) % picture.MostLines, Points: l})
		}
	}
	var all []figure
	for n := 0; len(lines) > 0; n++ {
		some := lines[:min(picture.MostLines, len(lines))]
		lines = lines[len(some):]
		byRate(some)
		f := figure{name: "latency", page: page{title: run.Rows[0].Algorithm + ": releases later than a latency", note: names.Common}}
		if n > 0 {
			f.name = fmt.Sprintf("latency_%d", n+1)
		}
		x, y := axis.NewSpan(), axis.NewSpan()
		y.Include(1)
		for _, l := range some {
			for _, p := range l.Points {
				x.Include(p.X)
				y.Include(p.Y)
			}
		}
		d := &distribution{chart{lines: some, x: scaleOf(axis.Logarithmic(x, "latency", "s")), y: scaleOf(axis.Logarithmic(y, "share of releases that are later", ""))}}
		for i, t := range d.y.Ticks {
			if t.Text != "" {
				d.y.Ticks[i].Text = axis.Text(100*t.Value, 4) + " %"
			}
		}
		f.page.content = d
		all = append(all, f)
	}
	return all, nil
}

// dashes tell lines of one colour apart.
var dashes = [][]vg.Length{nil, {6, 3}, {2, 2}, {8, 2, 2, 2}}

// withoutMarkers returns the style of a line without markers.
func withoutMarkers(l picture.Line) draw.LineStyle {
	s := lineStyle(l.Style, false)
	s.Dashes = dashes[l.Dash]
	return s
}

// byRate gives lines of several rates a colour by rate, and a dash by the rest of their names if there are
// enough dashes.
func byRate(lines []picture.Line) {
	var rates, rests []string
	at := func(list *[]string, of string) int {
		i := slices.Index(*list, of)
		if i < 0 {
			i = len(*list)
			*list = append(*list, of)
		}
		return i
	}
	styles := make([][2]int, len(lines))
	for i, l := range lines {
		var rate string
		rest := slices.DeleteFunc(strings.Split(l.Name, ", "), func(part string) bool {
			is := strings.HasPrefix(part, framework.RateParam+" ")
			if is {
				rate = part
			}
			return is
		})
		styles[i] = [2]int{at(&rates, rate), at(&rests, strings.Join(rest, ", "))}
	}
	if len(rates) < 2 || len(rests) < 2 || len(rests) > len(dashes) {
		return
	}
	for i := range lines {
		lines[i].Style, lines[i].Dash = styles[i][0], styles[i][1]
	}
}

// tail returns the share of releases beyond each latency, thinned to what a figure shows.
func tail(bins []record.Latency) (points []picture.Point) {
	total, later := int64(0), int64(0)
	slices.SortStableFunc(bins, func(a, b record.Latency) int { return int(math.Copysign(1, a.Upper-b.Upper)) })
	for _, b := range bins {
		total += b.Count
	}
	later = total
	const factor = 1.01 // between neighbouring latencies or shares
	for i, b := range bins {
		if !(b.Upper > 0) {
			continue
		}
		share := float64(later) / float64(total)
		if n := len(points); n == 0 || i == len(bins)-1 || b.Upper > factor*points[n-1].X || share*factor < points[n-1].Y {
			points = append(points, picture.Point{X: b.Upper, Y: share})
		}
		later -= b.Count
	}
	return points
}

// nameFound writes a remark beside points whose rate was found, where there is room.
func (c *chart) nameFound(canvas draw.Canvas, x, y func(float64) vg.Length) {
	texts := annotations{page: canvas.Rectangle}
	texts.page.Min.X, texts.page.Max.X = texts.page.Min.X-edge, texts.page.Max.X+endGap
	at := func(p picture.Point) vg.Point { return vg.Point{X: x(p.X), Y: y(p.Y)} }
	each := func(visit func(l picture.Line, p picture.Point)) {
		for _, l := range c.lines {
			for _, p := range l.Points {
				if !math.IsNaN(p.X) && !math.IsNaN(p.Y) && !math.IsInf(p.X, 0) {
					visit(l, p)
				}
			}
		}
	}
	found := false
	each(func(_ picture.Line, p picture.Point) {
		texts.keepOff(at(p), markerRadius+1)
		found = found || p.Apart
	})
	if !found {
		return
	}
	each(func(l picture.Line, p picture.Point) {
		if p.Apart {
			texts.beside(canvas, textStyle(8, palette[l.Style%len(palette)]), at(p), "max")
		}
	})
}
