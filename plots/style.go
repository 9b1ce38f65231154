package plots

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// palette is Okabe and Ito's for colour vision deficiencies ("Color Universal
// Design"), without its yellow, which is too pale for lines on white, and with
// a grey.
var palette = []color.Color{
	color.NRGBA{R: 0x00, G: 0x72, B: 0xb2, A: 255}, // blue
	color.NRGBA{R: 0xd5, G: 0x5e, B: 0x00, A: 255}, // vermillion
	color.NRGBA{R: 0x00, G: 0x9e, B: 0x73, A: 255}, // bluish green
	color.NRGBA{R: 0xcc, G: 0x79, B: 0xa7, A: 255}, // reddish purple
	color.NRGBA{R: 0xe6, G: 0x9f, B: 0x00, A: 255}, // orange
	color.NRGBA{R: 0x56, G: 0xb4, B: 0xe9, A: 255}, // sky blue
	color.NRGBA{R: 0x00, G: 0x00, B: 0x00, A: 255}, // black
	color.NRGBA{R: 0x80, G: 0x80, B: 0x80, A: 255}, // grey
}

// markers differ in shape and filling, so that lines can be told apart
// without colour. A cross is kept for faults.
var markers = []draw.GlyphDrawer{
	draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, diamond{},
	draw.RingGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.PlusGlyph{},
}

// diamond is a filled square on its tip.
type diamond struct{}

func (diamond) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, p vg.Point) {
	r := s.Radius * 1.25
	c.SetColor(s.Color)
	var path vg.Path
	path.Move(vg.Point{X: p.X, Y: p.Y + r})
	path.Line(vg.Point{X: p.X + r, Y: p.Y})
	path.Line(vg.Point{X: p.X, Y: p.Y - r})
	path.Line(vg.Point{X: p.X - r, Y: p.Y})
	path.Close()
	c.Fill(path)
}

func lineStyle(style int, peer bool) draw.LineStyle {
	l := draw.LineStyle{Color: palette[style%len(palette)], Width: vg.Points(1.4)}
	if peer {
		l.Dashes = []vg.Length{5, 3}
	}
	return l
}

// marker shifts the shapes after each round of colours: no two of 64 lines
// look the same.
func marker(style int) draw.GlyphStyle {
	return draw.GlyphStyle{
		Color:  palette[style%len(palette)],
		Radius: markerRadius,
		Shape:  markers[(style+style/len(palette))%len(markers)],
	}
}

const (
	markerRadius = vg.Length(3)
	faultRadius  = vg.Length(4)
)

var faultShape = draw.CrossGlyph{}

// limitStyle is the style of the i-th ceiling from the top.
func limitStyle(i int) draw.LineStyle {
	dashes := [][]vg.Length{{2, 2}, {7, 2, 2, 2}, {10, 3}}
	return draw.LineStyle{Color: grey, Width: vg.Points(1.1), Dashes: dashes[i%len(dashes)]}
}
