package plots

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"example.org/bench/framework/record"
	"example.org/bench/internal/safefile"
	"example.org/bench/plots/picture"
)

// Fronts returns a figure of each that has a front, named front-NAME.
func Fronts(all []*picture.TimeEnergy) (figures Figures) {
	for _, e := range all {
		if len(e.Fronts[0].Points) > 0 {
			figures = append(figures, timeEnergyFigure("front-"+notInNames().ReplaceAllString(e.Name, "-"), e))
		}
	}
	return figures
}

// energyFolder draws a run's points by time and energy, several figures into a folder of their own.
func (m Medium) energyFolder(run *record.Run, into *safefile.Folder) ([]string, error) {
	all := energies(picture.NewSweep(run), run)
	if len(all) < 2 {
		return nil, nil
	}
	folder, err := into.Make(run.Prefix + "_energy_time")
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	return m.writeAll(m.inParts(all), folder, "")
}

// energies returns a run's points by time and energy, a figure for each problem.
func energies(s *picture.Sweep, run *record.Run) (figures []figure) {
	for _, e := range picture.Energies(run, s) {
		f := timeEnergyFigure(e.Name, e)
		f.page.title = s.Title + ": " + e.Title
		figures = append(figures, f)
	}
	return figures
}

func timeEnergyFigure(name string, e *picture.TimeEnergy) figure {
	return figure{name, page{title: e.Title, note: e.Note, content: &timeEnergyChart{e, scaleOf(e.X), scaleOf(e.Y)}}}
}

type timeEnergyChart struct {
	*picture.TimeEnergy
	x, y scale
}

func (*timeEnergyChart) height(vg.Length) vg.Length { return 0 }

var frontStyle = draw.LineStyle{Color: grey, Width: vg.Points(1.1), Dashes: []vg.Length{4, 2}}

var otherStyle = draw.GlyphStyle{Color: color.NRGBA{R: 0x99, G: 0x99, B: 0x99, A: 255}, Radius: 1.2, Shape: draw.CircleGlyph{}}

// soleStyle is the style of a front of one point.
var soleStyle = draw.GlyphStyle{Color: frontStyle.Color, Radius: markerRadius, Shape: draw.CircleGlyph{}}

// againStyle joins the costs of a choice in its trial with its costs at length.
var againStyle = draw.LineStyle{Color: grey, Width: vg.Points(0.7)}

func (c *timeEnergyChart) legend() []entry {
	var all []entry
	if c.Lines() {
		all = append(all, entry{c.FrontName, func(b draw.Canvas) {
			b.StrokeLine2(frontStyle, b.Min.X, b.Center().Y, b.Max.X, b.Center().Y)
		}})
	} else if len(c.Marked) == 0 {
		all = append(all, entry{c.FrontName, func(b draw.Canvas) { b.DrawGlyphNoClip(soleStyle, b.Center()) }})
	}
	for _, m := range c.Marked {
		if len(m.Points) == 0 || c.Named {
			continue
		}
		all = append(all, entry{m.Name, func(b draw.Canvas) { b.DrawGlyphNoClip(marker(m.Style, false), b.Center()) }})
	}
	if len(c.Again) > 0 {
		all = append(all, entry{picture.AgainName, func(b draw.Canvas) {
			b.StrokeLine2(againStyle, b.Min.X, b.Center().Y, b.Max.X, b.Center().Y)
			b.DrawGlyphNoClip(otherStyle, vg.Point{X: b.Min.X, Y: b.Center().Y})
		}})
	}
	if len(c.Others) > 0 {
		all = append(all, entry{picture.OthersName, func(b draw.Canvas) { b.DrawGlyphNoClip(otherStyle, b.Center()) }})
	}
	return all
}

func (c *timeEnergyChart) draw(canvas draw.Canvas) vg.Rectangle {
	return frame(canvas, c.x, c.y, edge, grid{c.x.Ticks, c.y.Ticks}, c)
}

// Plot draws each front as a staircase: all points to its upper right are beaten.
func (c *timeEnergyChart) Plot(canvas draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&canvas)
	texts := annotations{page: canvas.Rectangle, corners: true}
	for _, m := range c.Marked {
		for _, q := range m.Points {
			texts.keepOff(vg.Point{X: x(q.X), Y: y(q.Y)}, markerRadius+1)
		}
	}
	for _, o := range c.Others {
		canvas.DrawGlyphNoClip(otherStyle, vg.Point{X: x(o.X), Y: y(o.Y)})
	}
	for _, a := range c.Again {
		canvas.StrokeLine2(againStyle, x(a[0].X), y(a[0].Y), x(a[1].X), y(a[1].Y))
	}
	for _, f := range c.Fronts {
		var line []vg.Point
		for i, q := range f.Points {
			if i > 0 {
				line = append(line, vg.Point{X: x(q.X), Y: y(f.Points[i-1].Y)})
			}
			line = append(line, vg.Point{X: x(q.X), Y: y(q.Y)})
		}
		if len(line) > 1 {
			canvas.StrokeLines(frontStyle, line)
			texts.keepLine(line)
		} else { // which has no length
			canvas.DrawGlyphNoClip(soleStyle, line[0])
		}
	}
	if c.NamesFronts() {
		for _, f := range c.Fronts {
			texts.beside(canvas, textStyle(9, grey), vg.Point{X: x(f.Points[0].X), Y: y(f.Points[0].Y)}, f.Name)
		}
	}
	for i := len(c.Marked) - 1; i >= 0; i-- { // the first on top
		m := c.Marked[i]
		for k, q := range m.Points {
			at := vg.Point{X: x(q.X), Y: y(q.Y)}
			if m.Low != nil && !math.IsNaN(m.Low[k]) {
				errorBar(canvas, m.Style, at.X, y(m.Low[k]), y(m.High[k]), false, false)
			}
			canvas.DrawGlyphNoClip(marker(m.Style, false), at)
			if c.Named && !texts.beside(canvas, textStyle(9, ink), at, m.Name) {
				canvas.FillText(textStyle(9, ink), vg.Point{X: at.X + markerRadius + 2.5, Y: at.Y - 3}, m.Name) // nothing else names it
			}
		}
	}
}
