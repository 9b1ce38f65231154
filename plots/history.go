package plots

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bench/framework/axis"
	"bench/framework/history"
	"bench/plots/picture"
	"bench/terminal"
)

// mostSeries bounds the figures of a history: first come series with a change.
const mostSeries = 40

// History shows each series of results run by run, with its levels.
func History(c *history.Check) (all Figures) {
	series := slices.Clone(c.Series)
	slices.SortStableFunc(series, func(a, b *history.Judged) int { return quiet(a) - quiet(b) })
	for _, j := range series {
		if len(all) == mostSeries {
			break
		}
		if f := historyFigure(j); f != nil {
			f.name = fmt.Sprintf("history_%02d_%s", len(all)+1, picture.FileName(j.Metric))
			all = append(all, *f)
		}
	}
	return all
}

// quiet is 1 for a series in which nothing changed.
func quiet(j *history.Judged) int {
	if j.Verdict == history.NoChange {
		return 1
	}
	return 0
}

// historyFigure is nil for a series without a dated run.
func historyFigure(j *history.Judged) *figure {
	alike, other := picture.Line{Name: "runs", Apart: true}, picture.Line{Name: "other surroundings", Style: 1, Apart: true}
	var at []float64 // the run's number of each of Alikes
	var numbers []float64
	span := axis.NewSpan()
	for i, e := range j.Entries {
		m, ok := e.Metrics[j.Metric]
		if !ok {
			continue
		}
		p := picture.Point{X: float64(i + 1), Y: m.Value, Low: math.NaN(), High: math.NaN()}
		if m.Low > 0 {
			p.Low, p.High = m.Low, m.High
		}
		span.Include(p.Y, p.Low, p.High)
		numbers = append(numbers, p.X)
		if len(at) < len(j.Alikes) && j.Alikes[len(at)] == e {
			p.Doubtful = slices.Contains(j.Result.Outliers, len(at))
			at = append(at, p.X)
			alike.Points = append(alike.Points, p)
		} else {
			other.Points = append(other.Points, p)
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	c := &course{chart: chart{hollow: "hollow: an outlier"}}
	for _, l := range []picture.Line{alike, other} {
		if len(l.Points) > 0 {
			c.lines = append(c.lines, l)
			c.doubtful = c.doubtful || slices.ContainsFunc(l.Points, func(p picture.Point) bool { return p.Doubtful })
		}
	}
	for _, l := range j.Result.Levels {
		mean := math.Exp(l.Mean)
		c.levels = append(c.levels, [3]float64{at[l.From], at[l.To-1], mean})
		span.Include(mean)
	}
	c.x = scaleOf(axis.Swept("run", numbers, false))
	// Not from zero: a change of some percent is what is looked for.
	c.y = scaleOf(axis.Around(span, j.Series.Metric.Title, j.Series.Metric.Unit))
	note := fmt.Sprintf("%s; %s: %s; error bars: 95 %% interval of each run", j.MachineName, terminal.Count(len(numbers), "run"), j.Text())
	return &figure{page: page{title: j.Point + ": " + j.Series.Metric.Title, note: note, content: c}}
}

// course is values run by run, with the levels that they stay at.
type course struct {
	chart
	levels [][3]float64 // the first and the last abscissa, and the value
}

func (c *course) legend() []entry {
	all := c.chart.legend()
	if len(c.levels) > 0 {
		all = append(all, entry{"level", func(b draw.Canvas) {
			b.StrokeLine2(courseStyle, b.Min.X, b.Center().Y, b.Max.X, b.Center().Y)
		}})
	}
	return all
}

var courseStyle = draw.LineStyle{Color: ink, Width: vg.Points(1.6)}

func (c *course) draw(canvas draw.Canvas) vg.Rectangle {
	return frame(canvas, c.x, c.y, edge, grid{c.x.Ticks, c.y.Ticks}, c)
}

// Plot draws the values and, over them, the levels.
func (c *course) Plot(canvas draw.Canvas, p *plot.Plot) {
	c.chart.Plot(canvas, p)
	x, y := p.Transforms(&canvas)
	for _, l := range c.levels {
		canvas.StrokeLine2(courseStyle, x(l[0])-markerRadius, y(l[2]), x(l[1])+markerRadius, y(l[2]))
	}
}
