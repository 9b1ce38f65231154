package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"example.org/bench/framework/axis"
	"example.org/bench/internal/terminal/digits"
)

// HeatMap is the least cost found for each pair of values of two tunables.
type HeatMap struct {
	Name string
	X, Y string
	// XShare and YShare are the shares of the cost's variance that X and Y
	// explain.
	XShare, YShare   float64
	XValues, YValues []float64
	// Ranged says that a value stands for all up to the next.
	Ranged bool
	// Cost by y and x; NaN where nothing valid was found, +Inf where the space
	// has no point.
	Cost      [][]float64
	Objective string // "time", "energy" or "edp"
	// Evaluated says that the space is known by what was evaluated alone: +Inf is then of what was not.
	Evaluated bool
	// Full is the cost of which cells are shares; 0: the least.
	Full float64
	// Title and Note are the page's; empty: those of a search.
	Title, Note string
}

// maxHeatMaps bounds the files of one search.
const maxHeatMaps = 40

var notInNames = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^A-Za-z0-9]+`) })

// HeatMaps shows each map that holds a cost, as heatmap-NAME.
func HeatMaps(all []HeatMap) (figures Figures) {
	for _, m := range all[:min(len(all), maxHeatMaps)] {
		least := math.Inf(1)
		for _, row := range m.Cost {
			for _, c := range row {
				if c < least { // false for NaN
					least = c
				}
			}
		}
		if math.IsInf(least, 1) {
			continue
		}
		h := newHeat(m, cmp.Or(m.Full, least))
		figures = append(figures, figure{"heatmap-" + notInNames().ReplaceAllString(m.Name, "-"), page{
			title:   cmp.Or(m.Title, m.Name+": best "+m.Objective+" as % of the least found for each "+m.X+" and "+m.Y),
			note:    cmp.Or(m.Note, m.note(least)),
			content: h,
		}})
	}
	return figures
}

func (m *HeatMap) note(least float64) string {
	note := fmt.Sprintf("best %s; of the variance %s explains %.0f %%, %s %.0f %%", digits.Scaled(least, unitOf(m.Objective)), m.X, 100*m.XShare, m.Y, 100*m.YShare)
	if m.Ranged {
		note += "; a value stands for all up to the next"
	}
	return note
}

func unitOf(objective string) string {
	switch objective {
	case "energy":
		return "J"
	case "edp":
		return "Js"
	}
	return "s"
}

// heat is a map with ascending values, its cells as shares of the best.
type heat struct {
	x, y  scale
	share [][]float64 // of the full by the cost; NaN: none found, 0: no point
	empty string      // what a cell without a point is
}

func newHeat(m HeatMap, full float64) *heat {
	ascending := func(values []float64) []int {
		order := make([]int, len(values))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
		return order
	}
	xs, ys := ascending(m.XValues), ascending(m.YValues)
	h := &heat{x: places(m.X, m.XValues, xs), y: places(m.Y, m.YValues, ys), empty: "not in the space"}
	if m.Evaluated {
		h.empty = "not evaluated"
	}
	for _, i := range ys {
		var row []float64
		for _, j := range xs {
			row = append(row, full/m.Cost[i][j])
		}
		h.share = append(h.share, row)
	}
	return h
}

// places is an axis on which values stand side by side.
func places(name string, values []float64, order []int) scale {
	const most = 24
	s := rows(len(order))
	s.Label = name
	every := (len(order) + most - 1) / most
	for place, i := range order {
		t := axis.Tick{Value: float64(place)}
		if place%every == 0 {
			t.Text = strconv.FormatFloat(values[i], 'f', -1, 64)
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
	has := func(what func(float64) bool) bool {
		return slices.ContainsFunc(h.share, func(row []float64) bool { return slices.ContainsFunc(row, what) })
	}
	if has(math.IsNaN) {
		all = append(all, entry{"none valid", func(b draw.Canvas) {
			b.DrawGlyphNoClip(draw.GlyphStyle{Color: grey, Radius: 2, Shape: faultShape}, b.Center())
		}})
	}
	if has(func(share float64) bool { return share == 0 }) {
		all = append(all, entry{"(empty) " + h.empty, func(draw.Canvas) {}})
	}
	return all
}

func (h *heat) draw(c draw.Canvas) vg.Rectangle { return frame(c, h.x, h.y, 0, grid{}, h) }

// Plot fills a cell for each pair and writes its share where there is room.
func (h *heat) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for i, row := range h.share {
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
