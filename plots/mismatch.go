package plots

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"example.org/bench/framework/axis"
	"example.org/bench/framework/mismatch"
	"example.org/bench/internal/safefile"
)

// Mismatch draws where an answer is wrong, as a map of its elements, into a PNG file of
// a folder.
func Mismatch(dir *safefile.Folder, name, title string, m *mismatch.Mismatch) error {
	w := newWrongMap(m)
	f := figure{name, page{title: title, note: m.String(), content: w}}
	return dir.Write(name, rendered{f, "png", Screen})
}

// Cells of a map; one stands for several elements where there are more.
const (
	mostCellRows    = 240
	mostCellColumns = 320
)

// wrongMap is a map of an answer.
type wrongMap struct {
	rows, columns int // of elements
	down, across  int // elements of a cell
	cells         [][]wrongCell
	least, most   float64 // errors of wrong elements, without infinite ones; 0 if there is none
	states        map[wrongKind]bool
	folded        bool // an array of one dimension, in rows
}

// wrongKind says what is drawn for a cell.
type wrongKind int

const (
	outside wrongKind = iota // no element
	rightKind
	writtenKind
	boundlessKind // NaN, or an infinite error
	unwrittenKind
)

// wrongCell is the worst of a cell's elements.
type wrongCell struct {
	kind  wrongKind
	error float64
}

func newWrongMap(m *mismatch.Mismatch) *wrongMap {
	rows, columns := m.Grid()
	w := &wrongMap{rows: rows, columns: columns, states: map[wrongKind]bool{}, folded: len(m.Shape) < 2,
		down: max(1, (rows+mostCellRows-1)/mostCellRows), across: max(1, (columns+mostCellColumns-1)/mostCellColumns)}
	w.cells = make([][]wrongCell, (rows+w.down-1)/w.down)
	for i := range w.cells {
		w.cells[i] = make([]wrongCell, (columns+w.across-1)/w.across)
	}
	for i := range m.Elements {
		d, state := m.At(i)
		c := &w.cells[i/columns/w.down][i%columns/w.across]
		kind := rightKind
		switch {
		case state == mismatch.Unwritten:
			kind = unwrittenKind
		case state == mismatch.Written && (math.IsNaN(d) || math.IsInf(d, 0)):
			kind = boundlessKind
		case state == mismatch.Written:
			kind = writtenKind
			c.error = max(c.error, d)
			w.most = max(w.most, d)
			if d > 0 && (w.least == 0 || d < w.least) {
				w.least = d
			}
		}
		c.kind = max(c.kind, kind)
		w.states[kind] = true
	}
	return w
}

// Colours of a map.
var (
	rightInk     = color.NRGBA{R: 0xe8, G: 0xe8, B: 0xe8, A: 255}
	slightInk    = color.NRGBA{R: 0xf7, G: 0xd1, B: 0x96, A: 255}
	grossInk     = color.NRGBA{R: 0xb0, G: 0x3a, B: 0x00, A: 255}
	boundlessInk = color.NRGBA{A: 255}
	unwrittenInk = palette[0].(color.NRGBA)
)

// share returns the place of an error between the least and the largest, by their logarithms.
func (w *wrongMap) share(e float64) float64 {
	if w.least == w.most || e <= w.least {
		return map[bool]float64{true: 1}[e >= w.most]
	}
	return math.Log(e/w.least) / math.Log(w.most/w.least)
}

func (w *wrongMap) ink(c wrongCell) color.NRGBA {
	switch c.kind {
	case outside:
		return color.NRGBA{R: 255, G: 255, B: 255, A: 255}
	case rightKind:
		return rightInk
	case boundlessKind:
		return boundlessInk
	case unwrittenKind:
		return unwrittenInk
	}
	return mixed(slightInk, grossInk, w.share(c.error))
}

func mixed(from, to color.NRGBA, share float64) color.NRGBA {
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + share*(float64(b)-float64(a)))) }
	return color.NRGBA{R: mix(from.R, to.R), G: mix(from.G, to.G), B: mix(from.B, to.B), A: 255}
}

func (*wrongMap) height(vg.Length) vg.Length { return 0 }

func (w *wrongMap) legend() (all []entry) {
	add := func(text string, ink color.Color) {
		all = append(all, entry{text, func(b draw.Canvas) {
			b.SetColor(ink)
			b.Fill(vg.Rectangle{Min: vg.Point{X: b.Min.X, Y: b.Min.Y + 2}, Max: vg.Point{X: b.Max.X, Y: b.Max.Y - 2}}.Path())
		}})
	}
	if w.states[rightKind] {
		add("right", rightInk)
	}
	if w.states[writtenKind] {
		if w.least > 0 && w.least < w.most {
			add(fmt.Sprintf("wrong by %.2g", w.least), slightInk)
			middle := math.Sqrt(w.least * w.most)
			add(fmt.Sprintf("wrong by %.2g", middle), mixed(slightInk, grossInk, 0.5))
		}
		add(fmt.Sprintf("wrong by %.2g", w.most), grossInk)
	}
	if w.states[boundlessKind] {
		add("not a number, or infinite", boundlessInk)
	}
	if w.states[unwrittenKind] {
		add("never written", unwrittenInk)
	}
	return all
}

func (w *wrongMap) draw(c draw.Canvas) vg.Rectangle {
	x, y := "column", "row"
	if w.folded {
		x, y = fmt.Sprintf("index modulo %d", w.columns), fmt.Sprintf("index / %d", w.columns)
	}
	return frame(c, indexes(w.columns, x, false), indexes(w.rows, y, true), 0, grid{}, w)
}

// indexes returns an axis of elements from 0. A downward axis has 0 at the top.
func indexes(n int, name string, downward bool) scale {
	s := scaleOf(axis.Axis{Min: -0.5, Max: float64(n) - 0.5, Label: name})
	step := max(1, int(axis.Step(float64(n), 8)))
	for i := 0; i < n; i += step {
		at := float64(i)
		if downward {
			at = float64(n-1) - at
		}
		s.Ticks = append(s.Ticks, axis.Tick{Value: at, Text: fmt.Sprint(i)})
	}
	return s
}

// Plot implements plot.Plotter. The cells are one image, of whole pixels each, for
// which a file of any size takes the same time.
func (w *wrongMap) Plot(c draw.Canvas, p *plot.Plot) {
	if w.rows == 0 {
		return
	}
	x, y := p.Transforms(&c)
	const pixels = 1600 // more than the page has
	scale := max(1, pixels/max(len(w.cells), len(w.cells[0])))
	picture := image.NewNRGBA(image.Rect(0, 0, scale*len(w.cells[0]), scale*len(w.cells)))
	for i, row := range w.cells {
		for j, cell := range row {
			ink := w.ink(cell)
			for v := i * scale; v < (i+1)*scale; v++ {
				for u := j * scale; u < (j+1)*scale; u++ {
					picture.SetNRGBA(u, v, ink)
				}
			}
		}
	}
	// The last cells may reach beyond the last elements.
	right, below := float64(len(w.cells[0])*w.across), float64(len(w.cells)*w.down)
	c.DrawImage(vg.Rectangle{
		Min: vg.Point{X: x(-0.5), Y: y(float64(w.rows) - 0.5 - below)},
		Max: vg.Point{X: x(right - 0.5), Y: y(float64(w.rows) - 0.5)},
	}, picture)
}
