package plots

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// palette begins with the colours of Okabe and Ito for colour vision deficiencies ("Color Universal Design"),
// without yellow, which is too pale for lines on white, and with a grey. Darker colours of the same hues
// follow: no two of sixteen lines have one colour.
var palette = []color.Color{
	color.NRGBA{R: 0x00, G: 0x72, B: 0xb2, A: 255}, // blue
	color.NRGBA{R: 0xd5, G: 0x5e, B: 0x00, A: 255}, // vermillion
	color.NRGBA{R: 0x00, G: 0x9e, B: 0x73, A: 255}, // bluish green
	color.NRGBA{R: 0xcc, G: 0x79, B: 0xa7, A: 255}, // reddish purple
	color.NRGBA{R: 0xe6, G: 0x9f, B: 0x00, A: 255}, // orange
	color.NRGBA{R: 0x56, G: 0xb4, B: 0xe9, A: 255}, // sky blue
	color.NRGBA{R: 0x00, G: 0x00, B: 0x00, A: 255}, // black
	color.NRGBA{R: 0x80, G: 0x80, B: 0x80, A: 255}, // grey
	color.NRGBA{R: 0x00, G: 0x2f, B: 0x5c, A: 255}, // dark blue
	color.NRGBA{R: 0x7a, G: 0x2c, B: 0x00, A: 255}, // brown
	color.NRGBA{R: 0x00, G: 0x4f, B: 0x39, A: 255}, // dark green
	color.NRGBA{R: 0x7d, G: 0x1f, B: 0x5c, A: 255}, // plum
	color.NRGBA{R: 0x8f, G: 0x72, B: 0x00, A: 255}, // olive
	color.NRGBA{R: 0x1b, G: 0x7f, B: 0x8f, A: 255}, // teal
	color.NRGBA{R: 0xe7, G: 0x29, B: 0x8a, A: 255}, // pink
	color.NRGBA{R: 0x6a, G: 0x51, B: 0xd6, A: 255}, // violet
}

// glyph is a marker: an outline of corners on the unit circle, or near it, filled if the value is well known
// and hollow if it is not.
type glyph struct {
	corners []vg.Point
	hollow  bool
}

// polygon returns n corners on a circle, the first at an angle. With inner below 1, further corners between
// them at that radius make a star.
func polygon(n int, first, radius, inner float64) (corners []vg.Point) {
	at := func(angle, r float64) vg.Point {
		return vg.Point{X: vg.Length(r * math.Cos(angle)), Y: vg.Length(r * math.Sin(angle))}
	}
	step := 2 * math.Pi / float64(n)
	for i := range n {
		angle := first + float64(i)*step
		corners = append(corners, at(angle, radius))
		if inner < 1 {
			corners = append(corners, at(angle+step/2, radius*inner))
		}
	}
	return corners
}

// shapes differ, so that lines can be told apart without colour. A cross is kept for
// faults.
var shapes = [][]vg.Point{
	polygon(24, 0, 1, 1),              // circle
	polygon(4, math.Pi/4, 1.25, 1),    // square
	polygon(3, math.Pi/2, 1.35, 1),    // triangle
	polygon(4, math.Pi/2, 1.3, 1),     // diamond
	polygon(3, -math.Pi/2, 1.35, 1),   // triangle on its tip
	polygon(5, math.Pi/2, 1.55, 0.42), // star
	polygon(6, 0, 1.15, 1),            // hexagon
	polygon(4, math.Pi/2, 1.6, 0.38),  // star of four
}

func (g glyph) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	var path vg.Path
	for i, p := range g.corners {
		p = vg.Point{X: at.X + s.Radius*p.X, Y: at.Y + s.Radius*p.Y}
		if i == 0 {
			path.Move(p)
		} else {
			path.Line(p)
		}
	}
	path.Close()
	c.SetLineStyle(draw.LineStyle{Color: s.Color, Width: vg.Points(1)})
	if g.hollow { // white inside, so that its line does not cross it
		c.SetColor(color.White)
		c.Fill(path)
		c.SetColor(s.Color)
	} else {
		c.Fill(path)
	}
	c.Stroke(path)
}

func lineStyle(style int, peer bool) draw.LineStyle {
	l := draw.LineStyle{Color: palette[style%len(palette)], Width: vg.Points(1.4)}
	if peer {
		l.Dashes = []vg.Length{5, 3}
	}
	return l
}

// marker shifts the shapes after each round of colours: no two of 128 lines
// look the same.
func marker(style int, doubtful bool) draw.GlyphStyle {
	return draw.GlyphStyle{
		Color:  palette[style%len(palette)],
		Radius: markerRadius,
		Shape:  glyph{shapes[(style+style/len(palette))%len(shapes)], doubtful},
	}
}

const (
	markerRadius = vg.Length(3)
	faultRadius  = vg.Length(4)
)

var faultShape = draw.CrossGlyph{}

// limitStyle returns the style of the i-th ceiling from the top.
func limitStyle(i int) draw.LineStyle {
	dashes := [][]vg.Length{{2, 2}, {7, 2, 2, 2}, {10, 3}}
	return draw.LineStyle{Color: grey, Width: vg.Points(1.1), Dashes: dashes[i%len(dashes)]}
}

// levelStyle is the style of a line at a value with which others are compared.
var levelStyle = draw.LineStyle{Color: grey, Width: vg.Points(0.9)}
