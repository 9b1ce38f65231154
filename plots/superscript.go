package plots

import (
	"math"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// raised draws the superscript digits of a text as small digits above the line: the font lacks ⁰, ⁹ and ⁻,
// and has the others in two sizes.
type raised struct{ text.Plain }

const (
	superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"
	raisedSize   = 0.72 // by the size of the text
	raise        = 0.36 // of its baseline, by the same
)

var digitsOf = strings.NewReplacer("⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9", "⁻", "-")

// part is a piece of a line.
type part struct {
	text string
	up   bool
}

func parts(line string) (all []part) {
	for _, r := range line {
		up := strings.ContainsRune(superscripts, r)
		if n := len(all); n == 0 || all[n-1].up != up {
			all = append(all, part{up: up})
		}
		all[len(all)-1].text += string(r)
	}
	for i := range all {
		if all[i].up {
			all[i].text = digitsOf.Replace(all[i].text)
		}
	}
	return all
}

// sized returns the font of a part.
func (p part) sized(f font.Font) font.Font {
	if p.up {
		f.Size *= raisedSize
	}
	return f
}

// Box implements text.Handler.
func (h raised) Box(line string, f font.Font) (width, height, depth vg.Length) {
	_, height, depth = h.Plain.Box(line, f)
	for _, p := range parts(line) {
		w, _, _ := h.Plain.Box(p.text, p.sized(f))
		width += w
	}
	return width, height, depth
}

// Draw implements text.Handler.
func (h raised) Draw(c vg.Canvas, s string, style text.Style, at vg.Point) {
	if !strings.ContainsAny(s, superscripts) || strings.Contains(s, "\n") {
		h.Plain.Draw(c, s, style, at)
		return
	}
	sin, cos := math.Sincos(style.Rotation)
	along := func(x, y vg.Length) vg.Point {
		return vg.Point{X: at.X + x*vg.Length(cos) - y*vg.Length(sin), Y: at.Y + x*vg.Length(sin) + y*vg.Length(cos)}
	}
	width, height, depth := h.Box(s, style.Font)
	x := width * vg.Length(style.XAlign)
	// The baseline is where text.Plain has it for a line.
	y := (height+depth)*vg.Length(style.YAlign) + style.Font.Size - height
	for _, p := range parts(s) {
		piece := style
		piece.Font, piece.XAlign, piece.YAlign = p.sized(style.Font), 0, 0
		_, ascent, _ := h.Plain.Box(p.text, piece.Font)
		base := y
		if p.up {
			base += raise * style.Font.Size
		}
		h.Plain.Draw(c, p.text, piece, along(x, base-piece.Font.Size+ascent))
		w, _, _ := h.Plain.Box(p.text, piece.Font)
		x += w
	}
}
