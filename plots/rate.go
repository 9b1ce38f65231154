package plots

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bench/framework"
	"bench/framework/axis"
	"bench/framework/plan"
	"bench/framework/record"
	"bench/terminal/digits"
)

// latencyFigures show percentiles of the latency with their intervals.
var latencyFigures = []quantity{
	{
		name: "latency_p50", title: "median latency", unit: "s",
		value: func(w *record.Row) record.Number { return w.Rate.Get().P50 },
		low:   func(w *record.Row) record.Number { return w.Rate.Get().P50Low },
		high:  func(w *record.Row) record.Number { return w.Rate.Get().P50High },
		bar:   "95 % interval of the percentile",
	}, {
		name: "latency_p99", title: "99th percentile of the latency", unit: "s",
		value: func(w *record.Row) record.Number { return w.Rate.Get().P99 },
		low:   func(w *record.Row) record.Number { return w.Rate.Get().P99Low },
		high:  func(w *record.Row) record.Number { return w.Rate.Get().P99High },
		bar:   "95 % interval of the percentile",
	},
}

// atRate is a run over the rates of its points: the abscissa is the first axis, and the
// highest rate of a point is a number. Where none was found there is no point. A run
// without rates is as it is.
func atRate(run *record.Run) *record.Run {
	if !slices.ContainsFunc(run.Rows, func(w record.Row) bool { return w.Rate.Get().IsSet() }) {
		return run
	}
	over := *run
	over.Rows = slices.DeleteFunc(slices.Clone(run.Rows), func(w record.Row) bool {
		return !w.Rate.Get().IsSet() && w.Params.Get(framework.RateParam).Kind() == framework.Text
	})
	for i := range over.Rows {
		w := &over.Rows[i]
		if w.Rate.Get().IsSet() {
			w.Params = w.Params.With(framework.RateParam, framework.FloatValue(w.Rate.Get().Hz.Float()))
		}
	}
	over.Columns.Params = slices.Clone(run.Columns.Params)
	for i := range over.Columns.Params {
		if c := &over.Columns.Params[i]; c.Name == framework.RateParam {
			c.Kind = framework.Float.String()
		}
	}
	over.Axes = []plan.Axis{{Name: framework.RateParam, Unit: "Hz", Geometric: true}}
	for _, a := range run.Axes {
		if a.Name != framework.RateParam {
			over.Axes = append(over.Axes, a)
		}
	}
	return &over
}

// foundRates are the points of a run whose rate is not given: it was looked for, and stands in no
// order with the others.
func foundRates(run *record.Run) map[int]bool {
	found := map[int]bool{}
	for i := range run.Rows {
		w := &run.Rows[i]
		if _, err := strconv.ParseFloat(w.Params.Get(framework.RateParam).String(), 64); err != nil && w.Rate.Get().IsSet() {
			found[w.Point] = true
		}
	}
	return found
}

// crossing is where two lines of a chart change places.
type crossing struct{ x, y float64 }

// crossings are those of each two lines, between neighbouring abscissas that both have,
// along straight lines in the logarithms.
func crossings(lines []line) (all []crossing) {
	for i, a := range lines {
		for _, b := range lines[i+1:] {
			type pair struct{ x, a, b float64 }
			var both []pair
			for _, p := range a.points {
				if j := slices.IndexFunc(b.points, func(q point) bool { return q.x == p.x }); j >= 0 && p.y > 0 && b.points[j].y > 0 {
					both = append(both, pair{p.x, p.y, b.points[j].y})
				}
			}
			slices.SortFunc(both, func(p, q pair) int { return int(math.Copysign(1, p.x-q.x)) })
			for k := 1; k < len(both); k++ {
				before, after := math.Log(both[k-1].a/both[k-1].b), math.Log(both[k].a/both[k].b)
				if before*after >= 0 {
					continue
				}
				share := before / (before - after)
				all = append(all, crossing{
					both[k-1].x * math.Pow(both[k].x/both[k-1].x, share),
					both[k-1].a * math.Pow(both[k].a/both[k-1].a, share)})
			}
		}
	}
	return all
}

// marked is a chart with the rates at which lines change places.
type marked struct {
	*chart
	at []crossing
}

func (m marked) legend() []entry {
	all := m.chart.legend()
	for _, c := range m.at {
		all = append(all, entry{"change places at " + digits.Scaled(c.x, "Hz"), func(b draw.Canvas) { b.DrawGlyphNoClip(crossingGlyph, b.Center()) }})
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
		canvas.DrawGlyphNoClip(crossingGlyph, vg.Point{X: x(c.x), Y: y(c.y)})
	}
}

// markCrossings puts rings on the charts of a quantity where lines of one version cross,
// which then differ by power mode or usage.
func markCrossings(figures []figure) {
	const most = 6 // rings that a legend has room for
	for i := range figures {
		if c, ok := figures[i].page.content.(*chart); ok {
			if at := crossings(c.lines); len(at) > 0 && len(at) <= most {
				figures[i].page.content = marked{c, at}
			}
		}
	}
}

// distribution is the share of releases that are later than a latency, both axes
// logarithmic, so that the tail has as much room as the middle.
type distribution struct{ chart }

func (d *distribution) draw(canvas draw.Canvas) vg.Rectangle {
	return frame(canvas, d.x, d.y, edge, grid{d.x.Ticks, d.y.Ticks}, d)
}

func (d *distribution) legend() []entry {
	var all []entry
	for _, l := range d.lines {
		all = append(all, entry{l.name, func(b draw.Canvas) {
			b.StrokeLine2(l.stepped(), b.Min.X, b.Center().Y, b.Max.X, b.Center().Y)
		}})
	}
	return all
}

// Plot draws steps.
func (d *distribution) Plot(canvas draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&canvas)
	for _, l := range d.lines {
		var steps []vg.Point
		for i, pt := range l.points {
			if i > 0 {
				steps = append(steps, vg.Point{X: x(pt.x), Y: steps[len(steps)-1].Y})
			}
			steps = append(steps, vg.Point{X: x(pt.x), Y: y(pt.y)})
		}
		canvas.StrokeLines(l.stepped(), steps)
	}
}

// distributions are the latencies of a run's points, as many a figure as a reader can
// tell apart.
func distributions(run *record.Run, dir string) ([]figure, error) {
	bins, err := record.ReadLatencies(dir, run)
	if err != nil || len(bins) == 0 {
		return nil, err
	}
	counts := map[int][]record.Latency{}
	for _, b := range bins {
		counts[b.Point] = append(counts[b.Point], b)
	}
	params, tunables, constant := run.Varying()
	s := &sweep{run: run}
	identity := s.differing([]func(*record.Row) string{
		func(w *record.Row) string { return w.Version }, s.where(), func(w *record.Row) string { return w.PowerMode },
	})
	named := s.undecided(nil, params, false)
	labels := slices.Concat(identity, named, s.undecided(slices.Concat(identity, named), tunables, true))
	var lines []line
	for i := range run.Rows {
		w := &run.Rows[i]
		if l := tail(counts[w.Point]); l != nil {
			label := name(labels, w)
			if label == "" {
				label = w.Version
			}
			lines = append(lines, line{name: label, style: len(lines) % maxLines, points: l})
		}
	}
	var all []figure
	for n := 0; len(lines) > 0; n++ {
		some := lines[:min(maxLines, len(lines))]
		lines = lines[len(some):]
		byRate(some)
		f := figure{name: "latency", page: page{title: run.Rows[0].Algorithm + ": releases later than a latency", note: s.common(constant)}}
		if n > 0 {
			f.name = fmt.Sprintf("latency_%d", n+1)
		}
		x, y := axis.NewSpan(), axis.NewSpan()
		y.Include(1)
		for _, l := range some {
			for _, p := range l.points {
				x.Include(p.x)
				y.Include(p.y)
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

// stepped is the style of a line without markers.
func (l line) stepped() draw.LineStyle {
	s := lineStyle(l.style, false)
	s.Dashes = dashes[l.dash]
	return s
}

// byRate gives lines of several rates a colour by rate and a dash by what else is in their names, where there are dashes for it.
func byRate(lines []line) {
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
		rest := slices.DeleteFunc(strings.Split(l.name, ", "), func(part string) bool {
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
		lines[i].style, lines[i].dash = styles[i][0], styles[i][1]
	}
}

// tail is the share of releases beyond each latency, thinned to what a figure shows.
func tail(bins []record.Latency) (points []point) {
	total, later := int64(0), int64(0)
	slices.SortStableFunc(bins, func(a, b record.Latency) int { return int(math.Copysign(1, a.Upper-b.Upper)) })
	for _, b := range bins {
		total += b.Count
	}
	later = total
	const factor = 1.01 // of neighbouring latencies or shares
	for i, b := range bins {
		if !(b.Upper > 0) {
			continue
		}
		share := float64(later) / float64(total)
		if n := len(points); n == 0 || i == len(bins)-1 || b.Upper > factor*points[n-1].x || share*factor < points[n-1].y {
			points = append(points, point{x: b.Upper, y: share})
		}
		later -= b.Count
	}
	return points
}

// nameFound writes beside points whose rate was found that they are, where there is room.
func (c *chart) nameFound(canvas draw.Canvas, x, y func(float64) vg.Length) {
	texts := annotations{page: canvas.Rectangle}
	texts.page.Min.X, texts.page.Max.X = texts.page.Min.X-edge, texts.page.Max.X+endGap
	at := func(p point) vg.Point { return vg.Point{X: x(p.x), Y: y(p.y)} }
	each := func(visit func(l line, p point)) {
		for _, l := range c.lines {
			for _, p := range l.points {
				if !math.IsNaN(p.x) && !math.IsNaN(p.y) && !math.IsInf(p.x, 0) {
					visit(l, p)
				}
			}
		}
	}
	found := false
	each(func(_ line, p point) {
		texts.keepOff(at(p), markerRadius+1)
		found = found || p.apart
	})
	if !found {
		return
	}
	each(func(l line, p point) {
		if p.apart {
			texts.beside(canvas, textStyle(8, palette[l.style%len(palette)]), at(p), "max")
		}
	})
}
