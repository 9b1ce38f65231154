package plots

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"example.org/bench/framework/axis"
	"example.org/bench/framework/compare"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/plan"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
)

// Repeats are the ratios of one pair of versions that took turns.
type Repeats struct {
	Algorithm string
	Point     string // what distinguishes the problem from the others: "N 1024"
	A, B      string
	*compare.Turns
}

// RepeatsOf are the pairs that were measured, told apart by the parameters that
// differ between these.
func RepeatsOf(r *experiment.Turns) []Repeats {
	var points []plan.Point
	for _, p := range r.Pairs {
		if p.Result != nil {
			points = append(points, p.A)
		}
	}
	varying := experiment.VaryingParams(points)
	var all []Repeats
	for _, p := range r.Pairs {
		if p.Result == nil {
			continue
		}
		var settings []string
		for _, n := range p.A.ParamOrder {
			if varying[n] {
				settings = append(settings, n+" "+p.A.Params[n].String())
			}
		}
		all = append(all, Repeats{Algorithm: p.A.Algorithm, Point: strings.Join(settings, ", "), A: p.A.Version, B: p.B.Version, Turns: p.Result})
	}
	return all
}

// Turns shows every repeat's ratio, control and treatment; nothing without repeats.
func Turns(all []Repeats) Figures {
	if len(all) == 0 {
		return nil
	}
	return Figures{turnsFigure(all)}
}

func turnsFigure(all []Repeats) figure {
	s := &strips{}
	repeats := 0
	for _, r := range all {
		s.rows = append(s.rows, strip{r.Point, r.A + " by itself", r.Control, 0})
		repeats = len(r.Control.Ratios)
		if r.Treatment != nil {
			s.rows = append(s.rows, strip{r.Point, r.B + " / " + r.A, *r.Treatment, 1})
		}
	}
	s.axis()
	note := fmt.Sprintf("%s; %s, the first on top", all[0].Algorithm, terminal.Count(repeats, "repeat"))
	return figure{"ab", page{title: "ratio of median times, samples taken in turns", note: note, content: s}}
}

// strips are a row of dots for each control and treatment.
type strips struct {
	rows []strip
	x    scale
}

type strip struct {
	point, name string
	mean        compare.Mean
	style       int
}

// label is on one line, or has one or two for the point and one for the name.
func (s strip) label(width vg.Length) string {
	if s.point == "" {
		return rowLabel(s.name, width, 2)
	}
	if all := rowLabel(s.point+": "+s.name, width, 3); !strings.Contains(all, "\n") {
		return all
	}
	return rowLabel(s.point+":", width, 2) + "\n" + rowLabel(s.name, width, 1)
}

// axis holds all ratios, and 1.
func (s *strips) axis() {
	all := axis.NewSpan()
	all.Include(1)
	for _, r := range s.rows {
		all.Include(r.mean.Ratios...)
		all.Include(r.mean.Low, r.mean.High)
	}
	if all.Wide() {
		s.x = scaleOf(axis.Logarithmic(all, "ratio of the medians", ""))
		return
	}
	room := math.Max((all.Max-all.Min)*0.06, 1e-4)
	s.x = scaleOf(axis.Axis{Min: all.Min - room, Max: all.Max + room, Label: "ratio of the medians"})
	step := axis.Step(s.x.Max-s.x.Min, 7)
	for _, v := range axis.Multiples(step, s.x.Min, s.x.Max) {
		s.x.Ticks = append(s.x.Ticks, axis.Tick{Value: v, Text: fmt.Sprintf("%.*f", axis.Decimals(step), v)})
	}
}

const stripStep = vg.Length(64)

func (s *strips) height(vg.Length) vg.Length { return stripStep*vg.Length(len(s.rows)) + 110 }

func (s *strips) legend() []entry {
	var all []entry
	for style, name := range []string{"a repeat, A by itself", "a repeat, B / A"} {
		if slices.ContainsFunc(s.rows, func(r strip) bool { return r.style == style }) {
			all = append(all, entry{name, func(b draw.Canvas) { b.DrawGlyphNoClip(repeatGlyph(style), b.Center()) }})
		}
	}
	return append(all, entry{"mean, 95 % interval", func(b draw.Canvas) {
		left, right, bottom, top := b.Min.X+3, b.Max.X-3, b.Center().Y-5, b.Center().Y+5
		b.FillPolygon(intervalShade, []vg.Point{{X: left, Y: bottom}, {X: right, Y: bottom}, {X: right, Y: top}, {X: left, Y: top}})
		b.StrokeLine2(meanStyle, b.Center().X, bottom, b.Center().X, top)
	}}, entry{"no difference", func(b draw.Canvas) {
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
	names := rows(len(s.rows))
	for i, r := range s.rows {
		names.Ticks = append(names.Ticks, axis.Tick{Value: s.place(i), Text: r.label(canvas.Size().X)})
	}
	return frame(canvas, s.x, names, 0, grid{x: s.x.Ticks}, s)
}

func (s *strips) place(i int) float64 { return float64(len(s.rows) - 1 - i) }

// Plot draws each row: the interval as a band, the repeats as dots from top to
// bottom, and what it says.
func (s *strips) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	c.StrokeLine2(limitStyle(0), x(1), c.Min.Y, x(1), c.Max.Y)
	step := c.Size().Y / vg.Length(len(s.rows))
	label := textStyle(9, ink)
	for i, r := range s.rows {
		at := y(s.place(i))
		top, bottom := at+step*0.20, at-step*0.42
		left, right := x(r.mean.Low), x(r.mean.High)
		c.FillPolygon(intervalShade, []vg.Point{{X: left, Y: bottom}, {X: right, Y: bottom}, {X: right, Y: top}, {X: left, Y: top}})
		c.StrokeLine2(meanStyle, x(r.mean.Value), bottom, x(r.mean.Value), top)
		for j, v := range r.mean.Ratios {
			h := bottom + (top-bottom)*(1-(vg.Length(j)+0.5)/vg.Length(len(r.mean.Ratios)))
			c.DrawGlyphNoClip(repeatGlyph(r.style), vg.Point{X: x(v), Y: h})
		}
		text := digits.Interval(r.mean.Value, r.mean.Low, r.mean.High, "")
		pos := (left+right)/2 - label.Width(text)/2
		pos = max(c.Min.X+4, min(pos, c.Max.X-4-label.Width(text)))
		// White behind the text keeps the line at 1 from crossing it.
		right = pos + label.Width(text)
		c.FillPolygon(color.White, []vg.Point{{X: pos - 1, Y: top + 2}, {X: right + 1, Y: top + 2}, {X: right + 1, Y: top + 13}, {X: pos - 1, Y: top + 13}})
		c.FillText(label, vg.Point{X: pos, Y: top + 4}, text)
	}
}
