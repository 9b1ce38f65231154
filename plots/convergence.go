package plots

import (
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"example.org/bench/framework/axis"
	"example.org/bench/plots/picture"
)

// Convergence is one strategy's quality after 1, 2, … evaluations.
type Convergence struct {
	Name string
	// Median and Low are fractions of the optimum; Low is the 5th percentile.
	Median, Low []float64
}

// Converging shows the fraction of the optimum against the evaluations, a
// line a strategy: the median, with a band down to the 5th percentile.
func Converging(title, note string, all []Convergence) Figures {
	return Figures{{"convergence", page{title: title, note: note, content: newCurves(all)}}}
}

// standard is the fraction of the optimum that the standards of a search ask
// for.
const standard = 0.95

type curves struct {
	all  []Convergence
	x, y scale
}

func newCurves(all []Convergence) *curves {
	c := &curves{all: all}
	longest := 1
	values := axis.NewSpan()
	values.Include(standard)
	for _, l := range all {
		longest = max(longest, len(l.Median))
		values.Include(l.Median...)
		values.Include(l.Low...)
	}
	evaluations := make([]float64, longest)
	for i := range evaluations {
		evaluations[i] = float64(i + 1)
	}
	c.x = scaleOf(axis.Swept("evaluations", evaluations, false))
	step := axis.Step(1-values.Min, 7)
	c.y = scaleOf(axis.Axis{Min: max(0, values.Min-step/2), Max: 1 + step/4, Label: "fraction of the optimum"})
	for _, v := range slices.Backward(axis.Multiples(step, c.y.Min, 1)) {
		c.y.Ticks = append(c.y.Ticks, axis.Tick{Value: v, Text: fmt.Sprintf("%.*f", axis.Decimals(step), v)})
	}
	return c
}

func (*curves) height(vg.Length) vg.Length { return 0 }

func (c *curves) legend() []entry {
	var all []entry
	for i, l := range c.all {
		all = append(all, entry{l.Name, func(b draw.Canvas) {
			b.FillPolygon(band(i), []vg.Point{{X: b.Min.X, Y: b.Center().Y}, {X: b.Max.X, Y: b.Center().Y},
				{X: b.Max.X, Y: b.Center().Y - 6}, {X: b.Min.X, Y: b.Center().Y - 6}})
			b.StrokeLine2(lineStyle(i, false), b.Min.X, b.Center().Y, b.Max.X, b.Center().Y)
		}})
	}
	return append(all, limitEntries(c.limits())...)
}

func (*curves) limits() []picture.Limit {
	return []picture.Limit{{Name: fmt.Sprintf("%.0f %% of the optimum", standard*100), Value: standard}}
}

func (c *curves) draw(canvas draw.Canvas) vg.Rectangle {
	return frame(canvas, c.x, c.y, 0, grid{c.x.Ticks, c.y.Ticks}, c)
}

func band(style int) color.Color {
	r, g, b, _ := palette[style%len(palette)].RGBA()
	return color.NRGBA{R: uint8(r >> 8), G: uint8(g >> 8), B: uint8(b >> 8), A: 45}
}

// Plot draws steps: the best found stays until a better point is evaluated.
func (c *curves) Plot(canvas draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&canvas)
	for i, l := range c.limits() {
		canvas.StrokeLine2(limitStyle(i), canvas.Min.X, y(l.Value), canvas.Max.X, y(l.Value))
	}
	steps := func(values []float64) []vg.Point {
		var line []vg.Point
		every := (len(values) + picture.MostReadings - 1) / picture.MostReadings
		for i, v := range values {
			if i%every != 0 && i != len(values)-1 {
				continue
			}
			at := vg.Point{X: x(float64(i + 1)), Y: y(max(v, c.y.Min))}
			if i > 0 {
				line = append(line, vg.Point{X: at.X, Y: line[len(line)-1].Y})
			}
			line = append(line, at)
		}
		return line
	}
	for i, l := range c.all {
		area, low := steps(l.Median), steps(l.Low)
		for j := len(low) - 1; j >= 0; j-- {
			area = append(area, low[j])
		}
		canvas.FillPolygon(band(i), area)
	}
	for i, l := range c.all {
		canvas.StrokeLines(lineStyle(i, false), steps(l.Median))
	}
}
