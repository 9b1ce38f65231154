package plots

import (
	"math"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// annotations puts texts where they cover neither each other nor anything that is kept, and leaves out texts
// for which there is no room.
type annotations struct {
	page vg.Rectangle // within which they stay
	kept []vg.Rectangle
	// corners allows a name in a corner of its marker, if markers are not close.
	corners bool
}

func (a *annotations) keep(r vg.Rectangle) { a.kept = append(a.kept, r) }

func (a *annotations) keepOff(p vg.Point, radius vg.Length) {
	a.keep(vg.Rectangle{Min: vg.Point{X: p.X - radius, Y: p.Y - radius}, Max: vg.Point{X: p.X + radius, Y: p.Y + radius}})
}

// keepLine keeps texts off a line.
func (a *annotations) keepLine(line []vg.Point) {
	for i := 1; i < len(line); i++ {
		p, q := line[i-1], line[i]
		const step = 3 // pieces so short that their boxes follow a slope
		n := 1
		if p.X != q.X && p.Y != q.Y {
			n = max(1, int(min(1000, math.Hypot(float64(q.X-p.X), float64(q.Y-p.Y))/step)))
		}
		at := func(k int) vg.Point {
			share := vg.Length(k) / vg.Length(n)
			return vg.Point{X: p.X + share*(q.X-p.X), Y: p.Y + share*(q.Y-p.Y)}
		}
		for k := range n {
			u, v := at(k), at(k+1)
			a.keep(vg.Rectangle{Min: vg.Point{X: min(u.X, v.X) - 1, Y: min(u.Y, v.Y) - 1}, Max: vg.Point{X: max(u.X, v.X) + 1, Y: max(u.Y, v.Y) + 1}})
		}
	}
}

// textBox returns the rectangle of a line of text at a point. Digits and capitals are about 0.72 of the
// font's size high.
func textBox(s text.Style, at vg.Point, words string) vg.Rectangle {
	return vg.Rectangle{Min: at, Max: vg.Point{X: at.X + s.Width(words), Y: at.Y + 0.72*s.Font.Size}}
}

// beside writes a name to the right of a marker, to its left, above or below, where there is room first. It
// reports whether there is room.
func (a *annotations) beside(c draw.Canvas, s text.Style, at vg.Point, name string) bool {
	const gap = markerRadius + 2.5
	w, h := s.Width(name), 0.72*s.Font.Size
	places := []vg.Point{
		{X: at.X + gap, Y: at.Y - h/2}, {X: at.X - gap - w, Y: at.Y - h/2},
		{X: at.X - w/2, Y: at.Y + gap}, {X: at.X - w/2, Y: at.Y - gap - h},
	}
	if a.corners {
		places = append(places, vg.Point{X: at.X + gap, Y: at.Y + gap}, vg.Point{X: at.X + gap, Y: at.Y - gap - h}, vg.Point{X: at.X - gap - w, Y: at.Y + gap}, vg.Point{X: at.X - gap - w, Y: at.Y - gap - h})
	}
	for _, corner := range places {
		if box := textBox(s, corner, name); a.free(box) {
			c.FillText(s, corner, name)
			a.keep(box)
			return true
		}
	}
	return false
}

// along writes a name above a sloping line where there is room, or in its middle, and keeps texts off the
// line.
func (a *annotations) along(c draw.Canvas, s text.Style, from, to vg.Point, name string) {
	s.Rotation = math.Atan2(float64(to.Y-from.Y), float64(to.X-from.X))
	sin, cos := math.Sincos(s.Rotation)
	level := s
	level.Rotation = 0
	width, length := level.Width(name), vg.Length(math.Hypot(float64(to.X-from.X), float64(to.Y-from.Y)))
	const over = 4 // above the line
	on := func(along, above vg.Length) vg.Point {
		return vg.Point{X: from.X + along*vg.Length(cos) - above*vg.Length(sin), Y: from.Y + along*vg.Length(sin) + above*vg.Length(cos)}
	}
	// covered are squares along the text that starts there.
	covered := func(start vg.Length) (all []vg.Rectangle) {
		const half = 4
		for at := start; at <= start+width; at += half {
			m := on(at, over+half)
			all = append(all, vg.Rectangle{Min: vg.Point{X: m.X - half, Y: m.Y - half}, Max: vg.Point{X: m.X + half, Y: m.Y + half}})
		}
		return all
	}
	start := (length - width) / 2
	for _, share := range []vg.Length{0.5, 0.7, 0.9, 0.3, 0.1} {
		if at := share * (length - width); !slices.ContainsFunc(covered(at), func(r vg.Rectangle) bool { return !a.free(r) }) {
			start = at
			break
		}
	}
	for _, r := range covered(start) {
		a.keep(r)
	}
	for at := vg.Length(0); at <= length; at += 4 {
		a.keepOff(on(at, 0), 2)
	}
	c.FillText(s, on(start, over), name)
}

func (a *annotations) free(r vg.Rectangle) bool {
	if r.Min.X < a.page.Min.X || r.Max.X > a.page.Max.X || r.Min.Y < a.page.Min.Y || r.Max.Y > a.page.Max.Y {
		return false
	}
	for _, k := range a.kept {
		if r.Min.X < k.Max.X && k.Min.X < r.Max.X && r.Min.Y < k.Max.Y && k.Min.Y < r.Max.Y {
			return false
		}
	}
	return true
}

// endsFirst returns the indices below n: the ends first, since the others are between.
func endsFirst(n int) []int {
	if n == 0 {
		return nil
	}
	order := []int{0}
	if n > 1 {
		order = append(order, n-1)
	}
	for i := 1; i < n-1; i++ {
		order = append(order, i)
	}
	return order
}
