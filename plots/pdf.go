package plots

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// pdfCanvas draws on a page of PDF. gonum's own canvas (vgpdf) knows only the characters of Windows-1252 and
// no bold fonts. This one embeds the characters that occur, whatever they are.
type pdfCanvas struct {
	doc           *fpdf.Fpdf
	width, height vg.Length
	now           pdfState
	stack         []pdfState
	fonts         map[string]bool
}

// pdfState is the state that Push keeps: the style, and the transformation, which scales alike in both
// directions.
type pdfState struct {
	a, b, c, d, e, f float64 // x' = a x + c y + e, y' = b x + d y + f
	lineWidth        vg.Length
	dashes           []vg.Length
	dashOffset       vg.Length
	color            color.Color
}

func newPDF(width, height vg.Length) *pdfCanvas {
	doc := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: width.Points(), Ht: height.Points()}})
	// The same figure has the same bytes.
	doc.SetCreationDate(time.Unix(0, 0).UTC())
	doc.SetModificationDate(time.Unix(0, 0).UTC())
	doc.SetCatalogSort(true)
	doc.SetMargins(0, 0, 0)
	doc.SetAutoPageBreak(false, 0)
	doc.AddPage()
	return &pdfCanvas{doc: doc, width: width, height: height, fonts: map[string]bool{},
		now: pdfState{a: 1, d: 1, lineWidth: vg.Points(1), color: color.Black}}
}

func (p *pdfCanvas) Size() (w, h vg.Length) { return p.width, p.height }

func (p *pdfCanvas) SetLineWidth(w vg.Length) { p.now.lineWidth = w }

func (p *pdfCanvas) SetLineDash(dashes []vg.Length, offset vg.Length) {
	p.now.dashes, p.now.dashOffset = dashes, offset
}

func (p *pdfCanvas) SetColor(c color.Color) {
	if c == nil {
		c = color.Black
	}
	p.now.color = c
}

func (p *pdfCanvas) Push() { p.stack = append(p.stack, p.now) }

func (p *pdfCanvas) Pop() {
	p.now, p.stack = p.stack[len(p.stack)-1], p.stack[:len(p.stack)-1]
}

func (p *pdfCanvas) transform(a, b, c, d, e, f float64) {
	t := &p.now
	t.a, t.b, t.c, t.d, t.e, t.f = t.a*a+t.c*b, t.b*a+t.d*b, t.a*c+t.c*d, t.b*c+t.d*d, t.a*e+t.c*f+t.e, t.b*e+t.d*f+t.f
}

func (p *pdfCanvas) Rotate(rad float64) {
	sin, cos := math.Sincos(rad)
	p.transform(cos, sin, -sin, cos, 0, 0)
}

func (p *pdfCanvas) Translate(by vg.Point) { p.transform(1, 0, 0, 1, by.X.Points(), by.Y.Points()) }

func (p *pdfCanvas) Scale(x, y float64) { p.transform(x, 0, 0, y, 0, 0) }

// at returns a point on the page, from its upper left corner.
func (p *pdfCanvas) at(x, y vg.Length) (float64, float64) {
	t := p.now
	return t.a*x.Points() + t.c*y.Points() + t.e, p.height.Points() - (t.b*x.Points() + t.d*y.Points() + t.f)
}

// scale returns the factor by which lengths grow.
func (p *pdfCanvas) scale() float64 { return math.Hypot(p.now.a, p.now.b) }

func (p *pdfCanvas) Stroke(path vg.Path) {
	if p.now.lineWidth <= 0 || !p.ink() {
		return
	}
	k := p.scale()
	p.doc.SetLineWidth(p.now.lineWidth.Points() * k)
	dashes := make([]float64, len(p.now.dashes))
	for i, d := range p.now.dashes {
		dashes[i] = d.Points() * k
	}
	p.doc.SetDashPattern(dashes, p.now.dashOffset.Points()*k)
	p.outline(path)
	p.doc.DrawPath("D")
}

func (p *pdfCanvas) Fill(path vg.Path) {
	if !p.ink() {
		return
	}
	p.outline(path)
	p.doc.DrawPath("F")
}

// ink sets the color, and reports whether it can be seen.
func (p *pdfCanvas) ink() bool {
	c := color.NRGBAModel.Convert(p.now.color).(color.NRGBA)
	if c.A == 0 {
		return false
	}
	r, g, b := int(c.R), int(c.G), int(c.B)
	p.doc.SetDrawColor(r, g, b)
	p.doc.SetFillColor(r, g, b)
	p.doc.SetTextColor(r, g, b)
	p.doc.SetAlpha(float64(c.A)/255, "Normal")
	return true
}

func (p *pdfCanvas) outline(path vg.Path) {
	for _, c := range path {
		switch c.Type {
		case vg.MoveComp:
			p.doc.MoveTo(p.at(c.Pos.X, c.Pos.Y))
		case vg.LineComp:
			p.doc.LineTo(p.at(c.Pos.X, c.Pos.Y))
		case vg.ArcComp:
			p.arc(c)
		case vg.CurveComp:
			x, y := p.at(c.Pos.X, c.Pos.Y)
			first, second := c.Control[0], c.Control[len(c.Control)-1]
			x1, y1 := p.at(first.X, first.Y)
			if len(c.Control) == 1 {
				p.doc.CurveTo(x1, y1, x, y)
				continue
			}
			x2, y2 := p.at(second.X, second.Y)
			p.doc.CurveBezierCubicTo(x1, y1, x2, y2, x, y)
		case vg.CloseComp:
			p.doc.ClosePath()
		}
	}
}

// arc draws cubic curves of at most a right angle each.
func (p *pdfCanvas) arc(c vg.PathComp) {
	n := max(1, int(math.Ceil(math.Abs(c.Angle)/(math.Pi/2)-1e-9)))
	step := c.Angle / float64(n)
	reach := 4.0 / 3 * math.Tan(step/4) // of the control points, in radii
	on := func(angle, ahead float64) (float64, float64) {
		sin, cos := math.Sincos(angle)
		return p.at(c.Pos.X+c.Radius*vg.Length(cos-ahead*sin), c.Pos.Y+c.Radius*vg.Length(sin+ahead*cos))
	}
	p.doc.LineTo(on(c.Start, 0))
	for i := range n {
		from := c.Start + float64(i)*step
		x1, y1 := on(from, reach)
		x2, y2 := on(from+step, -reach)
		x, y := on(from+step, 0)
		p.doc.CurveBezierCubicTo(x1, y1, x2, y2, x, y)
	}
}

func (p *pdfCanvas) FillString(face font.Face, at vg.Point, s string) {
	if !p.ink() {
		return
	}
	name := face.Name()
	if !p.fonts[name] {
		p.fonts[name] = true
		var source bytes.Buffer
		if _, err := face.Face.WriteSourceTo(nil, &source); err != nil {
			p.doc.SetError(fmt.Errorf("font %s: %w", name, err))
			return
		}
		p.doc.AddUTF8FontFromBytes(name, "", source.Bytes())
	}
	p.doc.SetFont(name, "", face.Font.Size.Points()*p.scale())
	x, y := p.at(at.X, at.Y)
	p.doc.TransformBegin()
	p.doc.TransformRotate(math.Atan2(p.now.b, p.now.a)*180/math.Pi, x, y)
	p.doc.Text(x, y, s)
	p.doc.TransformEnd()
}

// DrawImage implements vg.Canvas. It does nothing, since no figure has images.
func (p *pdfCanvas) DrawImage(vg.Rectangle, image.Image) {
	p.doc.SetError(fmt.Errorf("figures have no images"))
}

func (p *pdfCanvas) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	if err := p.doc.Output(&b); err != nil {
		return 0, err
	}
	return b.WriteTo(w)
}
