package plots

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"example.org/bench/framework/axis"
	"example.org/bench/framework/record"
	"example.org/bench/internal/terminal/digits"
	"example.org/bench/plots/picture"
)

// stageFigures returns the shares of a run's kernels, as many figures as its points need.
func stageFigures(run *record.Run) (all []figure) {
	s := picture.StagesOf(run)
	if s == nil {
		return nil
	}
	for some := range slices.Chunk(s.Points, picture.MostStaged) {
		f := figure{name: "stages", page: page{title: s.Title, note: s.Note, content: &stages{some, s.Kernels, s.Doubtful}}}
		if n := len(all); n > 0 {
			f.name = fmt.Sprintf("stages_%d", n+1)
		}
		all = append(all, f)
	}
	return all
}

// stages are two stacked bars for each point: time above energy.
type stages struct {
	points   []picture.StagedPoint
	kernels  []string
	doubtful bool
}

// stackEnd is where a stack's axis ends, with room for the whole run's value behind 1.
const stackEnd = 1.2

func (s *stages) height(vg.Length) vg.Length {
	bars := 0
	for _, p := range s.points {
		bars += len(stacksOf(p))
	}
	return groupBar*1.3*vg.Length(bars) + groupGap*vg.Length(len(s.points)) + 110
}

// stack is one bar.
type stack struct {
	shares []picture.Share
	whole  string
}

// stacksOf returns the stacks of a point.
func stacksOf(p picture.StagedPoint) (all []stack) {
	all = append(all, stack{p.Time, digits.Scaled(p.WholeTime, "s")})
	if len(p.Energy) > 0 {
		all = append(all, stack{p.Energy, digits.Scaled(p.WholeEnergy, "J")})
	}
	return all
}

func (s *stages) legend() (all []entry) {
	for i, name := range s.kernels {
		all = append(all, entry{name, func(b draw.Canvas) {
			fillBox(b, i, false, b.Min.X+4, b.Center().Y-4, b.Max.X-4, b.Center().Y+4)
		}})
	}
	if s.doubtful {
		all = append(all, hollowEntry)
	}
	return all
}

func (s *stages) draw(canvas draw.Canvas) vg.Rectangle {
	names := rows(len(s.points))
	for i, p := range s.points {
		names.Ticks = append(names.Ticks, axis.Tick{Value: s.place(i), Text: rowLabel(p.Name, canvas.Size().X, 2)})
	}
	shares := scaleOf(axis.Axis{Max: stackEnd, Label: "share of the kernels' sum", Ticks: picture.ShareTicks()})
	return frame(canvas, shares, names, 0, grid{x: shares.Ticks}, s)
}

// place returns the ordinate of a point.
func (s *stages) place(i int) float64 { return float64(len(s.points) - 1 - i) }

// Plot draws the stacks, each part with its kernel and share where there is room, and the whole run's value behind.
func (s *stages) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	step := c.Size().Y / vg.Length(len(s.points))
	label := textStyle(9, ink)
	drop := label.FontExtents().Ascent / 2.6
	for i, point := range s.points {
		all := stacksOf(point)
		thick := (step - groupGap) / vg.Length(len(all))
		for n, of := range all {
			at := y(s.place(i)) + thick*(vg.Length(len(all)-1)/2-vg.Length(n))
			from := 0.0
			for _, part := range of.shares {
				left, right := x(from), x(from+part.Share)
				from += part.Share
				fillBox(c, part.Kernel, part.Doubtful, left, at-thick*0.42, right, at+thick*0.42)
				c.StrokeLine2(draw.LineStyle{Color: color.White, Width: vg.Points(0.8)}, right, at-thick*0.42, right, at+thick*0.42)
				style := label
				if !part.Doubtful && dark(part.Kernel) {
					style.Color = color.White
				}
				share := digits.Percent(part.Share)
				for _, text := range []string{s.kernels[part.Kernel] + " " + share, share} {
					if w := style.Width(text); w+6 <= right-left {
						c.FillText(style, vg.Point{X: (left + right - w) / 2, Y: at - drop}, text)
						break
					}
				}
			}
			onWhite(c, label, vg.Point{X: x(from) + 4, Y: at - drop}, of.whole)
		}
	}
}

// dark reports whether white is easier to read than black on a colour of the palette, by its luma.
func dark(style int) bool {
	r, g, b, _ := palette[style%len(palette)].RGBA()
	return 0.299*float64(r)+0.587*float64(g)+0.114*float64(b) < 0.55*math.MaxUint16
}
