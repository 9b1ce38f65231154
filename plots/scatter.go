package plots

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"example.org/bench/framework/axis"
	"example.org/bench/framework/compare"
)

// scatter is energy over time: one marker per level and point, and for each
// point the front of the levels that no other beats.
type scatter struct {
	x, y   scale
	dots   []dot
	fronts [][]compare.Choice // by point, fastest first
	names  []string           // of the points
}

type dot struct {
	style  int
	name   string
	choice compare.Choice
}

func (s *scatter) axes() {
	times, energies := axis.NewSpan(), axis.NewSpan()
	for _, d := range s.dots {
		times.Include(d.choice.Time)
		energies.Include(d.choice.Energy)
	}
	s.x = scaleOf(axis.Around(times, "time of one run", "s"))
	s.y = scaleOf(axis.Around(energies, "energy of one run", "J"))
}

func (*scatter) height(vg.Length) vg.Length { return 0 }

func (s *scatter) legend() []entry {
	var all []entry
	seen := map[int]bool{}
	dots := slices.Clone(s.dots)
	slices.SortStableFunc(dots, func(a, b dot) int { return a.style - b.style })
	for _, d := range dots {
		if seen[d.style] || s.named() {
			continue
		}
		seen[d.style] = true
		all = append(all, entry{d.name, func(b draw.Canvas) { b.DrawGlyphNoClip(marker(d.style, false), b.Center()) }})
	}
	if !slices.ContainsFunc(s.fronts, func(f []compare.Choice) bool { return len(f) > 1 }) {
		return all
	}
	return append(all, entry{"front: no other beats both", func(b draw.Canvas) {
		b.StrokeLine2(frontStyle, b.Min.X, b.Center().Y, b.Max.X, b.Center().Y)
	}})
}

var frontStyle = draw.LineStyle{Color: grey, Width: vg.Points(1.1), Dashes: []vg.Length{4, 2}}

func (s *scatter) draw(canvas draw.Canvas) vg.Rectangle {
	return frame(canvas, s.x, s.y, edge, grid{s.x.Ticks, s.y.Ticks}, s)
}

// named reports whether the levels' names are beside their dots, and not in the legend.
func (s *scatter) named() bool { return len(s.fronts) == 1 && len(s.dots) <= maxNamed }

// maxNamed is how many points are named beside their fronts.
const maxNamed = 8

// Plot draws each front as a staircase: all to its upper right is beaten.
func (s *scatter) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	label := textStyle(9, grey)
	texts := annotations{page: c.Rectangle, corners: true}
	for _, d := range s.dots {
		texts.keepOff(vg.Point{X: x(d.choice.Time), Y: y(d.choice.Energy)}, markerRadius+1)
	}
	for _, f := range s.fronts {
		var line []vg.Point
		for j, ch := range f {
			if j > 0 {
				line = append(line, vg.Point{X: x(ch.Time), Y: y(f[j-1].Energy)})
			}
			line = append(line, vg.Point{X: x(ch.Time), Y: y(ch.Energy)})
		}
		if len(line) > 1 {
			c.StrokeLines(frontStyle, line)
			texts.keepLine(line)
		}
	}
	for i, f := range s.fronts {
		if name := s.names[i]; name != "" && len(s.fronts) > 1 && len(s.fronts) <= maxNamed {
			texts.beside(c, label, vg.Point{X: x(f[0].Time), Y: y(f[0].Energy)}, name)
		}
	}
	for _, d := range s.dots {
		at := vg.Point{X: x(d.choice.Time), Y: y(d.choice.Energy)}
		c.DrawGlyphNoClip(marker(d.style, false), at)
		if s.named() && !texts.beside(c, textStyle(9, ink), at, d.name) {
			c.FillText(textStyle(9, ink), vg.Point{X: at.X + markerRadius + 2.5, Y: at.Y - 3}, d.name) // nothing else names it
		}
	}
}
