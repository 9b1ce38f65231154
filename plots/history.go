package plots

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"example.org/bench/framework/history"
	"example.org/bench/internal/terminal"
	"example.org/bench/plots/picture"
)

// mostSeries bounds the figures of a history. Series with a change come first.
const mostSeries = 40

// History returns a figure of each series of results run by run, with its levels.
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

// quiet returns 1 for a series without a change, to sort by.
func quiet(j *history.Judged) int {
	if j.Verdict == history.NoChange {
		return 1
	}
	return 0
}

// historyFigure returns the figure of a series; nil for a series without a dated run.
func historyFigure(j *history.Judged) *figure {
	h := picture.HistoryOf(j)
	if h == nil {
		return nil
	}
	c := &course{chart: chart{hollow: "hollow: an outlier", x: scaleOf(h.X), y: scaleOf(h.Y), lines: h.Lines, doubtful: h.Doubtful}, levels: h.Levels}
	note := fmt.Sprintf("%s; %s: %s; error bars: 95 %% interval of each run", j.MachineName, terminal.Count(h.Runs, "run"), j.Text())
	return &figure{page: page{title: j.Point + ": " + j.Series.Metric.Title, note: note, content: c}}
}

// course is values run by run, with their levels.
type course struct {
	chart
	levels []picture.Level
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
		canvas.StrokeLine2(courseStyle, x(l.From)-markerRadius, y(l.Value), x(l.To)+markerRadius, y(l.Value))
	}
}
