package plots

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"example.org/bench/framework/axis"
	"example.org/bench/plots/picture"
)

// groups are horizontal bars in groups: one group per point, one bar per level.
type groups struct {
	picture.Groups
	x scale
}

func newGroups(g picture.Groups) *groups { return &groups{g, scaleOf(g.X)} }

const (
	groupBar = vg.Length(15)
	groupGap = groupBar * picture.GroupGap
)

func (g *groups) step() vg.Length { return groupBar*vg.Length(len(g.Kinds)) + groupGap }

func (g *groups) height(vg.Length) vg.Length {
	return g.step()*vg.Length(len(g.Names)) + 110
}

func (g *groups) legend() []entry {
	var all []entry
	for _, s := range g.Kinds {
		all = append(all, entry{s.Name, func(b draw.Canvas) {
			fillBox(b, s.Style, false, b.Min.X+4, b.Center().Y-4, b.Max.X-4, b.Center().Y+4)
		}})
	}
	if g.Undecided {
		all = append(all, entry{undecidedWords, func(b draw.Canvas) {
			fillBox(b, peerBar, true, b.Min.X+4, b.Center().Y-4, b.Max.X-4, b.Center().Y+4)
		}})
	}
	return all
}

// undecidedWords explains the hollow bars of a comparison.
const undecidedWords = "hollow: no difference is shown"

// fillBox draws a bar, hollow if its value is doubtful.
func fillBox(c draw.Canvas, style int, doubtful bool, left, bottom, right, top vg.Length) {
	box := []vg.Point{{X: left, Y: bottom}, {X: right, Y: bottom}, {X: right, Y: top}, {X: left, Y: top}}
	if doubtful {
		c.FillPolygon(color.White, box)
		c.StrokeLines(lineStyle(style, false), append(box, box[0]))
		return
	}
	c.FillPolygon(palette[style%len(palette)], box)
}

func (g *groups) draw(canvas draw.Canvas) vg.Rectangle {
	names := rows(len(g.Names))
	for i, n := range g.Names {
		names.Ticks = append(names.Ticks, axis.Tick{Value: g.place(i), Text: rowLabel(n, canvas.Size().X, 2)})
	}
	return frame(canvas, g.x, names, 0, grid{x: g.x.Ticks}, g)
}

// place returns the ordinate of a group.
func (g *groups) place(i int) float64 { return float64(len(g.Names) - 1 - i) }

// Plot draws the bars with their values.
func (g *groups) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	step := c.Size().Y / vg.Length(len(g.Names))
	thick := (step - groupGap) / vg.Length(len(g.Kinds))
	label := textStyle(9, ink)
	drop := label.FontExtents().Ascent / 2.6
	zero := x(g.Origin)
	if g.Relative {
		c.StrokeLine2(limitStyle(0), x(1), c.Min.Y, x(1), c.Max.Y)
	}
	for i, s := range g.Kinds {
		for _, b := range s.Bars {
			at := y(g.place(b.Group)) + thick*(vg.Length(len(g.Kinds)-1)/2-vg.Length(i))
			end := x(b.End)
			fillBox(c, s.Style, b.Undecided, zero, at-thick*0.42, end, at+thick*0.42)
			end = max(end, zero)
			if !math.IsNaN(b.Low) && !math.IsNaN(b.High) && x(b.High)-x(b.Low) >= 1 {
				line := draw.LineStyle{Color: ink, Width: vg.Points(0.9)}
				c.StrokeLine2(line, x(b.Low), at, x(b.High), at)
				for _, v := range []float64{b.Low, b.High} {
					c.StrokeLine2(line, x(v), at-2.5, x(v), at+2.5)
				}
				end = max(end, x(b.High))
			}
			switch width := label.Width(b.Text); {
			case thick < 8:
			case end+4+width <= c.Max.X:
				onWhite(c, label, vg.Point{X: end + 4, Y: at - drop}, b.Text)
			default: // no room: inside the bar
				inside := textStyle(9, color.White)
				if b.Undecided {
					inside.Color = ink
				}
				c.FillText(inside, vg.Point{X: x(math.Min(b.End, orElse(b.Low, b.End))) - 4 - width, Y: at - drop}, b.Text)
			}
		}
	}
}

// onWhite writes a text that neither grid nor lines cross.
func onWhite(c draw.Canvas, style text.Style, at vg.Point, s string) {
	e := style.FontExtents()
	left, right, bottom, top := at.X-1, at.X+style.Width(s)+1, at.Y-e.Descent*0.6, at.Y+e.Ascent*0.85
	c.FillPolygon(color.White, []vg.Point{{X: left, Y: bottom}, {X: right, Y: bottom}, {X: right, Y: top}, {X: left, Y: top}})
	c.FillText(style, at, s)
}
