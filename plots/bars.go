package plots

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"example.org/bench/framework/axis"
	"example.org/bench/internal/terminal/digits"
	"example.org/bench/plots/picture"
)

// bars is one horizontal bar per version, for runs without a sweep.
type bars struct {
	unit   string
	values scale
	lines  []picture.Line // of one point each; the first on top
	limits []picture.Limit
}

func newBars(c picture.Chart) *bars {
	return &bars{unit: c.Unit, values: scaleOf(c.Y), lines: c.Lines, limits: c.Limits}
}

const barStep = vg.Length(30)

func (b *bars) height(vg.Length) vg.Length { return barStep*vg.Length(len(b.lines)) + 110 }

func (b *bars) legend() []entry {
	all := limitEntries(b.limits)
	if slices.ContainsFunc(b.lines, func(l picture.Line) bool { return l.Points[0].Doubtful }) {
		all = append(all, hollowEntry)
	}
	return all
}

func (b *bars) draw(canvas draw.Canvas) vg.Rectangle {
	names := rows(len(b.lines))
	for i, l := range b.lines {
		names.Ticks = append(names.Ticks, axis.Tick{Value: b.place(i), Text: rowLabel(l.Named(), canvas.Size().X, 2)})
	}
	return frame(canvas, b.values, names, 0, grid{x: b.values.Ticks}, b)
}

// place returns the ordinate of a bar.
func (b *bars) place(i int) float64 { return float64(len(b.lines) - 1 - i) }

// Plot draws the bars with their values, or the status of points without one.
func (b *bars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	label := textStyle(9.5, ink)
	drop := label.FontExtents().Ascent / 2.6
	half := min(barStep, c.Size().Y/vg.Length(len(b.lines))) * 0.33
	for i, l := range b.limits {
		c.StrokeLine2(limitStyle(i), x(l.Value), c.Min.Y, x(l.Value), c.Max.Y)
	}
	for i, l := range b.lines {
		pt, at := l.Points[0], y(b.place(i))
		if math.IsNaN(pt.Y) {
			c.FillText(textStyle(9.5, grey), vg.Point{X: x(0) + 5, Y: at - drop}, pt.Note)
			continue
		}
		end := x(pt.Y)
		fillBox(c, barStyle(l), pt.Doubtful, x(0), at-half, end, at+half)
		if !math.IsNaN(pt.Low) && !math.IsNaN(pt.High) {
			s := draw.LineStyle{Color: ink, Width: vg.Points(0.9)}
			c.StrokeLine2(s, x(pt.Low), at, x(pt.High), at)
			for _, v := range []float64{pt.Low, pt.High} {
				c.StrokeLine2(s, x(v), at-3, x(v), at+3)
			}
			end = max(end, x(pt.High))
		}
		text := digits.Scaled(pt.Y, b.unit)
		if end+7+label.Width(text) > c.Max.X { // no room: inside the bar
			inside := textStyle(9.5, color.White)
			if pt.Doubtful {
				inside.Color = ink
			}
			c.FillText(inside, vg.Point{X: x(math.Min(pt.Y, orElse(pt.Low, pt.Y))) - 5 - inside.Width(text), Y: at - drop}, text)
			continue
		}
		onWhite(c, label, vg.Point{X: end + 5, Y: at - drop}, text)
	}
}

// barStyle returns one style for all bars, since names are beside them, and grey for peers.
func barStyle(l picture.Line) int {
	if l.Peer {
		return peerBar
	}
	return 0
}

// peerBar is the number of grey among the styles.
const peerBar = 7

// orElse returns x, or y if x is NaN.
func orElse(x, y float64) float64 {
	if math.IsNaN(x) {
		return y
	}
	return x
}
