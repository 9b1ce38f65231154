package plots

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"example.org/bench/framework/axis"
	"example.org/bench/internal/lazy"
	"example.org/bench/plots/picture"
)

// maxHeatMaps bounds the files of one search.
const maxHeatMaps = 40

var notInNames = lazy.Regexp(`[^A-Za-z0-9]+`)

// HeatMaps returns a figure of each map that holds a cost, named heatmap-NAME.
func HeatMaps(all []picture.HeatMap) (figures Figures) {
	for _, m := range all[:min(len(all), maxHeatMaps)] {
		if c := m.Cells(); c != nil {
			figures = append(figures, figure{"heatmap-" + notInNames().ReplaceAllString(c.Name, "-"), page{title: c.Title, note: c.Note, content: newHeat(c)}})
		}
	}
	return figures
}

// heat is a map with its axes.
type heat struct {
	*picture.Cells
	x, y scale
}

func newHeat(c *picture.Cells) *heat { return &heat{c, placed(c.X), placed(c.Y)} }

// placed returns an axis on which values stand side by side.
func placed(p picture.Places) scale {
	const most = 24
	s := rows(len(p.Texts))
	s.Label = p.Label
	every := (len(p.Texts) + most - 1) / most
	for place, text := range p.Texts {
		t := axis.Tick{Value: float64(place)}
		if place%every == 0 {
			t.Text = text
		}
		s.Ticks = append(s.Ticks, t)
	}
	return s
}

func (*heat) height(vg.Length) vg.Length { return 0 }

// heatColor goes from white at 0 to blue at 1.
func heatColor(share float64) color.Color {
	mix := func(from, to uint8) uint8 { return uint8(float64(from) + share*(float64(to)-float64(from))) }
	return color.NRGBA{R: mix(0xff, 0x00), G: mix(0xff, 0x72), B: mix(0xff, 0xb2), A: 255}
}

func (h *heat) legend() []entry {
	var all []entry
	for _, share := range []float64{1, 0.8, 0.6, 0.4, 0.2} {
		all = append(all, entry{fmt.Sprintf("%.0f %%", 100*share), func(b draw.Canvas) {
			b.SetColor(heatColor(share))
			b.Fill(vg.Rectangle{Min: vg.Point{X: b.Min.X, Y: b.Min.Y + 2}, Max: vg.Point{X: b.Max.X, Y: b.Max.Y - 2}}.Path())
		}})
	}
	if h.Has(math.IsNaN) {
		all = append(all, entry{"none valid", func(b draw.Canvas) {
			b.DrawGlyphNoClip(draw.GlyphStyle{Color: grey, Radius: 2, Shape: faultShape}, b.Center())
		}})
	}
	if h.Has(func(share float64) bool { return share == 0 }) {
		all = append(all, entry{"(empty) " + h.Empty, func(draw.Canvas) {}})
	}
	return all
}

func (h *heat) draw(c draw.Canvas) vg.Rectangle { return frame(c, h.x, h.y, 0, grid{}, h) }

// Plot fills a cell for each pair and writes its share where there is room.
func (h *heat) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for i, row := range h.Share {
		for j, share := range row {
			cell := vg.Rectangle{Min: vg.Point{X: x(float64(j) - 0.5), Y: y(float64(i) - 0.5)}, Max: vg.Point{X: x(float64(j) + 0.5), Y: y(float64(i) + 0.5)}}
			middle := vg.Point{X: (cell.Min.X + cell.Max.X) / 2, Y: (cell.Min.Y + cell.Max.Y) / 2}
			if math.IsNaN(share) {
				c.DrawGlyphNoClip(draw.GlyphStyle{Color: grey, Radius: 2, Shape: faultShape}, middle)
				continue
			}
			if share == 0 {
				continue
			}
			c.SetColor(heatColor(share))
			c.Fill(cell.Path())
			style := textStyle(9, ink)
			if share > 0.6 {
				style.Color = color.White
			}
			text := fmt.Sprintf("%.0f", 100*share)
			if style.Width(text) < cell.Size().X-2 && style.FontExtents().Height < cell.Size().Y-1 {
				c.FillText(style, vg.Point{X: middle.X - style.Width(text)/2, Y: middle.Y - style.FontExtents().Ascent/2 + 1}, text)
			}
		}
	}
}
