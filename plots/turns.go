package plots

import (
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"example.org/bench/framework/axis"
	"example.org/bench/plots/picture"
)

// Turns returns a figure of every repeat's ratio, control and treatment; none for nil.
func Turns(t *picture.Turns) Figures {
	if t == nil {
		return nil
	}
	return Figures{{"ab", page{title: t.Title, note: t.Note, content: &strips{t, scaleOf(t.X)}}}}
}

// strips are a row of dots for each control and treatment.
type strips struct {
	*picture.Turns
	x scale
}

// stripLabel returns a label of one line, or of one or two lines for the point and one for the name.
func stripLabel(s picture.Strip, width vg.Length) string {
	if s.Point == "" {
		return rowLabel(s.Name, width, 2)
	}
	if all := rowLabel(s.Point+": "+s.Name, width, 3); !strings.Contains(all, "\n") {
		return all
	}
	return rowLabel(s.Point+":", width, 2) + "\n" + rowLabel(s.Name, width, 1)
}

const stripStep = vg.Length(64)

func (s *strips) height(vg.Length) vg.Length { return stripStep*vg.Length(len(s.Rows)) + 110 }

func (s *strips) legend() []entry {
	var all []entry
	for style, name := range picture.Kinds {
		if slices.ContainsFunc(s.Rows, func(r picture.Strip) bool { return r.Style == style }) {
			all = append(all, entry{name, func(b draw.Canvas) { b.DrawGlyphNoClip(repeatGlyph(style), b.Center()) }})
		}
	}
	return append(all, entry{picture.MeanName, func(b draw.Canvas) {
		left, right, bottom, top := b.Min.X+3, b.Max.X-3, b.Center().Y-5, b.Center().Y+5
		b.FillPolygon(intervalShade, []vg.Point{{X: left, Y: bottom}, {X: right, Y: bottom}, {X: right, Y: top}, {X: left, Y: top}})
		b.StrokeLine2(meanStyle, b.Center().X, bottom, b.Center().X, top)
	}}, entry{picture.SameName, func(b draw.Canvas) {
		b.StrokeLine2(limitStyle(0), b.Center().X, b.Min.Y+1, b.Center().X, b.Max.Y-1)
	}})
}

var (
	intervalShade = color.NRGBA{R: 0xc8, G: 0xc8, B: 0xc8, A: 160}
	meanStyle     = draw.LineStyle{Color: ink, Width: vg.Points(1)}
)

func repeatGlyph(style int) draw.GlyphStyle {
	g := marker(style, false)
	g.Radius = 2.2
	return g
}

func (s *strips) draw(canvas draw.Canvas) vg.Rectangle {
	names := rows(len(s.Rows))
	for i, r := range s.Rows {
		names.Ticks = append(names.Ticks, axis.Tick{Value: s.place(i), Text: stripLabel(r, canvas.Size().X)})
	}
	return frame(canvas, s.x, names, 0, grid{x: s.x.Ticks}, s)
}

func (s *strips) place(i int) float64 { return float64(len(s.Rows) - 1 - i) }

// Plot draws each row: the interval as a band, the repeats as dots from top to bottom, and the verdict.
func (s *strips) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	c.StrokeLine2(limitStyle(0), x(1), c.Min.Y, x(1), c.Max.Y)
	step := c.Size().Y / vg.Length(len(s.Rows))
	label := textStyle(9, ink)
	for i, r := range s.Rows {
		at := y(s.place(i))
		top, bottom := at+step*picture.StripAbove, at-step*picture.StripBelow
		left, right := x(r.Low), x(r.High)
		c.FillPolygon(intervalShade, []vg.Point{{X: left, Y: bottom}, {X: right, Y: bottom}, {X: right, Y: top}, {X: left, Y: top}})
		c.StrokeLine2(meanStyle, x(r.Value), bottom, x(r.Value), top)
		for j, v := range r.Ratios {
			h := at + step*vg.Length(r.Offset(j))
			c.DrawGlyphNoClip(repeatGlyph(r.Style), vg.Point{X: x(v), Y: h})
		}
		text := r.Text()
		pos := (left+right)/2 - label.Width(text)/2
		pos = max(c.Min.X+4, min(pos, c.Max.X-4-label.Width(text)))
		// White behind the text keeps the line at 1 from crossing it.
		right = pos + label.Width(text)
		c.FillPolygon(color.White, []vg.Point{{X: pos - 1, Y: top + 2}, {X: right + 1, Y: top + 2}, {X: right + 1, Y: top + 13}, {X: pos - 1, Y: top + 13}})
		c.FillText(label, vg.Point{X: pos, Y: top + 4}, text)
	}
}
