package plots

import (
	"cmp"
	"math"
	"slices"

	"example.org/bench/plots/picture"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// ending is the name of a line beside its last point.
type ending struct {
	line  int
	share float64 // of the height of the axis
}

const (
	mostEnds  = 5
	widestEnd = vg.Length(96)
	endGap    = vg.Length(7)
	// endsApart is the least distance of two names, and endMoved how far one may be from its line's
	// end, as shares of the height of the lowest chart.
	endsApart = 0.07
	endMoved  = 0.045
)

// label names lines at their ends instead of in the legend, if there are few, all end at the
// right, and their names stay apart.
func (c *chart) label() {
	if len(c.lines) == 0 || len(c.lines) > mostEnds {
		return
	}
	var all []ending
	for i, l := range c.lines {
		last, ok := l.Last()
		if !ok || c.x.Share(last.X) < 0.999 && c.x.Min < c.x.Max && len(l.Points) > 1 || legendStyle.Width(l.Named()) > widestEnd {
			return
		}
		all = append(all, ending{i, c.y.Share(last.Y)})
	}
	slices.SortStableFunc(all, func(a, b ending) int { return cmp.Compare(a.share, b.share) })
	at := make([]float64, len(all))
	for i, e := range all {
		at[i] = e.share
	}
	spread(at, endsApart)
	for i := range all {
		if math.Abs(at[i]-all[i].share) > endMoved || at[i] < 0 || at[i] > 1 {
			return
		}
		all[i].share = at[i]
	}
	c.ends = all
}

// spread moves ascending places apart. Places that are too near move by the same on both sides.
func spread(at []float64, least float64) {
	type group struct {
		sum   float64 // of the places at which its members would have it begin
		count int
	}
	var groups []group
	begin := func(g group) float64 { return g.sum / float64(g.count) }
	for _, v := range at {
		groups = append(groups, group{v, 1})
		for n := len(groups); n > 1; n = len(groups) {
			a, b := groups[n-2], groups[n-1]
			length := least * float64(a.count)
			if begin(b) >= begin(a)+length {
				break
			}
			groups = append(groups[:n-2], group{a.sum + b.sum - length*float64(b.count), a.count + b.count})
		}
	}
	i := 0
	for _, g := range groups {
		for k := range g.count {
			at[i] = begin(g) + least*float64(k)
			i++
		}
	}
}

func (c *chart) endsWidth() (w vg.Length) {
	for _, e := range c.ends {
		w = max(w, endGap+legendStyle.Width(c.lines[e.line].Named()))
	}
	return w
}

// drawEnds writes the names beside the data.
func (c *chart) drawEnds(canvas draw.Canvas, data vg.Rectangle) {
	for _, e := range c.ends {
		l := c.lines[e.line]
		style := textStyle(10, palette[l.Style%len(palette)])
		y := data.Min.Y + vg.Length(e.share)*(data.Max.Y-data.Min.Y)
		canvas.FillText(style, vg.Point{X: data.Max.X + endGap, Y: y - 0.36*style.Font.Size}, l.Named())
	}
}

// thinned returns n such that markers at every nth point of a line do not touch.
func thinned(l picture.Line, width vg.Length) int {
	const apart = 5 * markerRadius
	return max(1, int(math.Ceil(float64(apart*vg.Length(len(l.Points))/width))))
}
