package plots

import (
	"bytes"
	"image/color"
	"io"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

const margin = vg.Length(10)

var (
	ink     = color.NRGBA{R: 0x22, G: 0x22, B: 0x22, A: 255}
	grey    = color.NRGBA{R: 0x66, G: 0x66, B: 0x66, A: 255}
	gridInk = color.NRGBA{R: 0xe2, G: 0xe2, B: 0xe2, A: 255}
)

// page is a figure's layout: title and note on top, the legend in columns below, the
// content in the rest. For print it has no title.
type page struct {
	title, note string
	content     content
}

// content is the part of a figure below its title.
type content interface {
	legend() []entry
	// height is the height of a page of that width that suits the content; 0 for the
	// usual one.
	height(width vg.Length) vg.Length
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
		Handler: raised{text.Plain{Fonts: font.DefaultCache}},
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

// height returns the height that has room for the lines of long titles and names.
func (p page) height(m Medium) vg.Length {
	width := m.width - 2*margin
	h := p.content.height(width)
	if h == 0 {
		h = m.height
	}
	entries := p.content.legend()
	for _, row := range legendRows(entries, width) {
		h += legendStep(row.lines)
	}
	if m.print {
		return h
	}
	more := vg.Length(0)
	for _, h := range p.headings(width) {
		more += h.style.FontExtents().Height * vg.Length(max(0, len(h.lines)-1))
	}
	return h + more
}

func (p page) draw(c draw.Canvas, m Medium) boxes {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	c = draw.Crop(c, margin, -margin, margin, -margin)
	var b boxes
	entries := p.content.legend()
	if m.print {
		c.Max.X -= 4 // half of the last tick's label may stand out
		b.title = vg.Rectangle{Min: c.Max, Max: c.Max}
	} else {
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
	}
	if len(entries) > 0 {
		b.legend = drawLegend(c, entries)
		c.Min.Y = b.legend.Max.Y
	}
	b.data = p.content.draw(c)
	return b
}

const thumbWidth = vg.Length(26)

var legendStyle = textStyle(10, ink)

// lines returns an entry's lines in that width.
func (e entry) lines(width vg.Length) []string {
	return fit(legendStyle, e.text, width-thumbWidth-6, 3)
}

// legendStep returns the height of an entry.
func legendStep(lines int) vg.Length {
	return legendStyle.FontExtents().Height*vg.Length(max(1, lines)) + 5
}

func entryWidth(lines []string) vg.Length {
	var width vg.Length
	for _, line := range lines {
		width = max(width, thumbWidth+6+legendStyle.Width(line))
	}
	return width
}

// draw draws an entry to the lower right of a point.
func (e entry) draw(c draw.Canvas, at vg.Point, lines []string) {
	x := legendStyle.FontExtents()
	box, step := c, legendStep(1)
	box.Min, box.Max = vg.Point{X: at.X, Y: at.Y - step}, vg.Point{X: at.X + thumbWidth, Y: at.Y}
	e.thumb(box)
	for j, line := range lines {
		c.FillText(legendStyle, vg.Point{X: at.X + thumbWidth + 6, Y: at.Y - step/2 - x.Ascent/2 + x.Descent/2 - x.Height*vg.Length(j)}, line)
	}
}

// legendRow is the entries side by side in a legend below the figure.
type legendRow struct {
	entries []entry
	texts   [][]string
	at      []vg.Length // where each begins
	lines   int         // of the highest
}

const legendGap = vg.Length(14)

// legendRows sets entries in columns, as many as fit, or side by side without columns if that takes fewer
// rows.
func legendRows(entries []entry, width vg.Length) []legendRow {
	columns, free := legendColumns(entries, width), []legendRow{{}}
	for _, e := range entries {
		lines := e.lines(width)
		own, r := entryWidth(lines), &free[len(free)-1]
		at := vg.Length(0)
		if n := len(r.at); n > 0 {
			at = r.at[n-1] + entryWidth(r.texts[n-1]) + legendGap
		}
		if at > 0 && at+own > width {
			free = append(free, legendRow{})
			at, r = 0, &free[len(free)-1]
		}
		r.entries, r.texts, r.at, r.lines = append(r.entries, e), append(r.texts, lines), append(r.at, at), max(r.lines, len(lines))
	}
	if len(free) < len(columns) {
		return free
	}
	return columns
}

func legendColumns(entries []entry, width vg.Length) (rows []legendRow) {
	texts, own := make([][]string, len(entries)), make([]vg.Length, len(entries))
	for i, e := range entries {
		texts[i] = e.lines(width)
		own[i] = entryWidth(texts[i])
	}
	at, n := []vg.Length{0}, 1
	for columns := len(entries); columns > 1; columns-- {
		widths, sum := make([]vg.Length, columns), vg.Length(0)
		for i, w := range own {
			widths[i%columns] = max(widths[i%columns], w)
		}
		for _, w := range widths {
			sum += w
		}
		if room := (width - sum) / vg.Length(columns-1); room >= legendGap {
			room = min(room, 3*legendGap)
			n, at = columns, at[:1]
			for _, w := range widths[:columns-1] {
				at = append(at, at[len(at)-1]+w+room)
			}
			break
		}
	}
	for i, e := range entries {
		if i%n == 0 {
			rows = append(rows, legendRow{at: at})
		}
		r := &rows[len(rows)-1]
		r.entries, r.texts, r.lines = append(r.entries, e), append(r.texts, texts[i]), max(r.lines, len(texts[i]))
	}
	return rows
}

// drawLegend draws at the lower edge of c and returns the rectangle it took.
func drawLegend(c draw.Canvas, entries []entry) vg.Rectangle {
	rows := legendRows(entries, c.Size().X)
	height := vg.Length(0)
	for _, r := range rows {
		height += legendStep(r.lines)
	}
	y := c.Min.Y + height
	box := vg.Rectangle{Min: c.Min, Max: vg.Point{X: c.Max.X, Y: y}}
	for _, r := range rows {
		for i, e := range r.entries {
			e.draw(c, vg.Point{X: c.Min.X + r.at[i], Y: y}, r.texts[i])
		}
		y -= legendStep(r.lines)
	}
	return box
}

// rendered is a figure in a file format, for a medium.
type rendered struct {
	figure figure
	format string // one of formats
	medium Medium
}

func (r rendered) WriteTo(w io.Writer) (int64, error) {
	m := r.medium
	height := r.figure.page.height(m)
	x, y := m.width*vg.Length(m.scale), height*vg.Length(m.scale)
	var c vg.CanvasWriterTo
	switch r.format {
	case "svg":
		c = vgsvg.New(x, y)
	case "pdf":
		c = newPDF(x, y)
	default:
		dpi := 144
		if m.print {
			dpi = 300
		}
		c = pngCanvas{vgimg.NewWith(vgimg.UseWH(x, y), vgimg.UseDPI(dpi))}
	}
	c.Scale(m.scale, m.scale)
	r.figure.page.draw(draw.NewCanvas(c, m.width, height), m)
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

// inXML returns the character, or its replacement if XML cannot have it (XML 1.0, 2.2).
func inXML(r rune) rune {
	if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
		return 0xFFFD
	}
	return r
}
