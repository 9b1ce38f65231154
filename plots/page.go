package plots

import (
	"image/color"
	"io"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

const (
	pageWidth  = 8 * vg.Inch
	pageHeight = 4.8 * vg.Inch
	margin     = vg.Length(10)
	// legendShare is the largest part of the width that the legend takes;
	// longer names are cut.
	legendShare = 0.42
)

var (
	ink     = color.NRGBA{R: 0x22, G: 0x22, B: 0x22, A: 255}
	grey    = color.NRGBA{R: 0x66, G: 0x66, B: 0x66, A: 255}
	gridInk = color.NRGBA{R: 0xe2, G: 0xe2, B: 0xe2, A: 255}
)

// page is a figure's layout: title and note on top, the legend in a margin of
// its own on the right, the content in what is left.
type page struct {
	title, note string
	content     content
}

// content is the part of a figure below its title.
type content interface {
	legend() []entry
	// height is that of the page that suits the content; 0 for the usual.
	height() vg.Length
	// draw returns the rectangle that the data were drawn in.
	draw(draw.Canvas) vg.Rectangle
}

// entry is one line of the legend.
type entry struct {
	text  string
	thumb func(c draw.Canvas)
}

// boxes are where the parts of a page are.
type boxes struct{ title, legend, data vg.Rectangle }

func textStyle(size vg.Length, c color.Color) text.Style {
	return text.Style{
		Color:   c,
		Font:    font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, size),
		Handler: plot.DefaultTextHandler,
	}
}

func bold(s text.Style) text.Style {
	s.Font.Weight = xfont.WeightBold
	return s
}

// fit cuts s to a width.
func fit(style text.Style, s string, width vg.Length) string {
	if style.Width(s) <= width {
		return s
	}
	runes := []rune(s)
	for len(runes) > 0 && style.Width(string(runes)+"…") > width {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "…"
}

func (p page) height() vg.Length {
	if h := p.content.height(); h > 0 {
		return h
	}
	const head = 70 // title and margins
	return max(pageHeight, head+legendStep()*vg.Length(len(p.content.legend())))
}

func (p page) draw(c draw.Canvas) boxes {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	c = draw.Crop(c, margin, -margin, margin, -margin)
	var b boxes

	title, note := bold(textStyle(13, ink)), textStyle(9.5, grey)
	top := c.Max.Y
	write := func(s text.Style, t string) {
		if t == "" {
			return
		}
		e := s.FontExtents()
		c.FillText(s, vg.Point{X: c.Min.X, Y: top - e.Ascent}, fit(s, t, c.Size().X))
		top -= e.Height
	}
	write(title, p.title)
	write(note, p.note)
	b.title = vg.Rectangle{Min: vg.Point{X: c.Min.X, Y: top}, Max: c.Max}
	c.Max.Y = top - 8

	entries := p.content.legend()
	if len(entries) > 0 {
		b.legend = drawLegend(c, entries)
		c.Max.X = b.legend.Min.X - 12
	}
	b.data = p.content.draw(c)
	return b
}

const thumbWidth = vg.Length(26)

func legendStep() vg.Length { return textStyle(10, ink).FontExtents().Height + 5 }

// drawLegend draws at the right edge of c, from the top, and returns the
// rectangle it took.
func drawLegend(c draw.Canvas, entries []entry) vg.Rectangle {
	style := textStyle(10, ink)
	room := vg.Length(legendShare) * c.Size().X
	var width vg.Length
	for i := range entries {
		entries[i].text = fit(style, entries[i].text, room-thumbWidth-6)
		width = max(width, thumbWidth+6+style.Width(entries[i].text))
	}
	left := c.Max.X - width
	e := style.FontExtents()
	step := legendStep()
	y := c.Max.Y
	for _, en := range entries {
		box := c
		box.Min, box.Max = vg.Point{X: left, Y: y - step}, vg.Point{X: left + thumbWidth, Y: y}
		en.thumb(box)
		c.FillText(style, vg.Point{X: left + thumbWidth + 6, Y: y - step/2 - e.Ascent/2 + e.Descent/2}, en.text)
		y -= step
	}
	return vg.Rectangle{Min: vg.Point{X: left, Y: y}, Max: vg.Point{X: c.Max.X, Y: c.Max.Y}}
}

// rendered is a figure in a file format.
type rendered struct {
	figure figure
	format string // "svg" or "png"
}

func (r rendered) WriteTo(w io.Writer) (int64, error) {
	height := r.figure.page.height()
	var c vg.CanvasWriterTo
	if r.format == "svg" {
		c = vgsvg.New(pageWidth, height)
	} else {
		const dpi = 144
		c = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(pageWidth, height), vgimg.UseDPI(dpi))}
	}
	r.figure.page.draw(draw.NewCanvas(c, pageWidth, height))
	return c.WriteTo(w)
}
