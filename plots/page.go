package plots

import (
	"bytes"
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
	// longer names take lines.
	legendShare = 0.42
)

var (
	ink     = color.NRGBA{R: 0x22, G: 0x22, B: 0x22, A: 255}
	grey    = color.NRGBA{R: 0x66, G: 0x66, B: 0x66, A: 255}
	gridInk = color.NRGBA{R: 0xe2, G: 0xe2, B: 0xe2, A: 255}
)

// page is a figure's layout: title and note on top, the legend in a margin on
// the right, the content in the rest.
type page struct {
	title, note string
	content     content
}

// content is the part of a figure below its title.
type content interface {
	legend() []entry
	// height is the height of a page that suits the content; 0 for the usual
	// one.
	height() vg.Length
	// draw returns the rectangle in which it drew the data.
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

// heading is the title or the note.
type heading struct {
	style text.Style
	lines []string
}

func (p page) headings(width vg.Length) []heading {
	title, note := bold(textStyle(13, ink)), textStyle(9.5, grey)
	return []heading{{title, fit(title, p.title, width, 2)}, {note, fit(note, p.note, width, 2)}}
}

// height has room for the lines that long titles and names need.
func (p page) height() vg.Length {
	const width = pageWidth - 2*margin
	more := vg.Length(0)
	for _, h := range p.headings(width) {
		more += h.style.FontExtents().Height * vg.Length(max(0, len(h.lines)-1))
	}
	least := vg.Length(70) // title and margins
	for _, e := range p.content.legend() {
		least += legendStep(len(e.lines(width)))
	}
	h := p.content.height()
	if h == 0 {
		h = pageHeight
	}
	return max(h, least) + more
}

func (p page) draw(c draw.Canvas) boxes {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	c = draw.Crop(c, margin, -margin, margin, -margin)
	var b boxes

	top := c.Max.Y
	for _, h := range p.headings(c.Size().X) {
		e := h.style.FontExtents()
		for _, line := range h.lines {
			c.FillText(h.style, vg.Point{X: c.Min.X, Y: top - e.Ascent}, line)
			top -= e.Height
		}
	}
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

var legendStyle = textStyle(10, ink)

// lines are an entry's lines on a page of that width.
func (e entry) lines(width vg.Length) []string {
	return fit(legendStyle, e.text, legendShare*width-thumbWidth-6, 3)
}

// legendStep is the height of an entry.
func legendStep(lines int) vg.Length {
	return legendStyle.FontExtents().Height*vg.Length(max(1, lines)) + 5
}

// drawLegend draws at the right edge of c, from the top, and returns the
// rectangle it took.
func drawLegend(c draw.Canvas, entries []entry) vg.Rectangle {
	var width vg.Length
	all := make([][]string, len(entries))
	for i, en := range entries {
		all[i] = en.lines(c.Size().X)
		for _, line := range all[i] {
			width = max(width, thumbWidth+6+legendStyle.Width(line))
		}
	}
	left := c.Max.X - width
	e := legendStyle.FontExtents()
	y := c.Max.Y
	for i, en := range entries {
		box, step := c, legendStep(1)
		box.Min, box.Max = vg.Point{X: left, Y: y - step}, vg.Point{X: left + thumbWidth, Y: y}
		en.thumb(box)
		for j, line := range all[i] {
			c.FillText(legendStyle, vg.Point{X: left + thumbWidth + 6, Y: y - step/2 - e.Ascent/2 + e.Descent/2 - e.Height*vg.Length(j)}, line)
		}
		y -= legendStep(len(all[i]))
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
	if r.format != "svg" {
		return c.WriteTo(w)
	}
	var text bytes.Buffer
	if _, err := c.WriteTo(&text); err != nil {
		return 0, err
	}
	n, err := w.Write(bytes.Map(inXML, text.Bytes()))
	return int64(n), err
}

// inXML is a character, or the one that stands for those that XML cannot have
// (XML 1.0, 2.2).
func inXML(r rune) rune {
	if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
		return 0xFFFD
	}
	return r
}
