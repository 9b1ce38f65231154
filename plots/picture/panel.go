package picture

import (
	"math"
	"slices"

	"example.org/bench/framework/record"
)

// Point is one row in a figure.
type Point struct {
	Row             int     // its index in the sweep's run
	X, Y, Low, High float64 // Y is NaN without a value, Low and High if an end is unknown
	time            float64 // by which the fastest is chosen
	Fault           bool    // wrong, failed or timed out
	Doubtful        bool
	Apart           bool   // not a step of the sweep: a rate that was found
	Note            string // status of a point without a value
}

// Line is the points of one version.
type Line struct {
	Name   string
	Peer   bool
	Apart  bool // no sweep joins the points
	Style  int
	Dash   int // of dashes, of a line without markers
	Points []Point
}

// Panel is the lines of one figure.
type Panel struct {
	Name  string
	Lines []Line
	Limit map[string]float64 // the measured ceilings, by device, as sweep.where tells them apart
}

// collect makes the panels of a quantity; panels without a value are left
// out. A line has the same style in every figure of the run.
func (s *Sweep) collect(q Quantity) []Panel {
	var panels []Panel
	for i := range s.Run.Rows {
		w := &s.Run.Rows[i]
		id := name(s.labels, w)
		at := name(s.panels, w)
		k := slices.IndexFunc(panels, func(p Panel) bool { return p.Name == at })
		if k < 0 {
			panels = append(panels, Panel{Name: at, Limit: map[string]float64{}})
			k = len(panels) - 1
		}
		p := &panels[k]
		j := slices.IndexFunc(p.Lines, func(l Line) bool { return l.Name == id })
		if j < 0 {
			p.Lines = append(p.Lines, Line{Name: id, Style: s.styles[id], Peer: slices.Contains(s.Run.Info.Peers, w.Version)})
			j = len(p.Lines) - 1
		}
		p.Lines[j].add(s.point(q, i), s.Best)
		if q.limit != nil {
			if c := q.limit(s.Run.Info.Limits(w.Device, w.PowerMode)); c > 0 && w.Status == record.OK {
				p.Limit[s.where()(w)] = c
			}
		}
	}
	var kept []Panel
	for _, p := range panels {
		p.Lines = slices.DeleteFunc(p.Lines, func(l Line) bool { return !l.hasValue() && !l.hasFault() })
		if slices.ContainsFunc(p.Lines, Line.hasValue) {
			kept = append(kept, p)
		}
	}
	return kept
}

func (s *Sweep) point(q Quantity, i int) Point {
	w := &s.Run.Rows[i]
	p := Point{Row: i, X: s.At(w), Y: math.NaN(), Low: math.NaN(), High: math.NaN()}
	if w.Status != record.OK {
		p.Note = string(w.Status)
		p.Fault = w.Failed()
		return p
	}
	p.Y, p.time = q.value(w).Float(), w.Time.Median.Float()
	if q.low != nil {
		p.Low, p.High = q.low(w).Float(), q.high(w).Float()
	}
	p.Apart = s.found[w.Point]
	p.Doubtful = q.doubtful != nil && !math.IsNaN(p.Y) && q.doubtful(w)
	return p
}

// add appends a point; with best it replaces a slower one at the same place.
func (l *Line) add(p Point, best bool) {
	if best {
		for i, old := range l.Points {
			if old.X != p.X {
				continue
			}
			if math.IsNaN(old.Y) || p.time < old.time {
				l.Points[i] = p
			}
			return
		}
	}
	l.Points = append(l.Points, p)
}

// hasBars reports whether a point has an interval.
func (p Panel) hasBars() bool {
	return slices.ContainsFunc(p.Lines, func(l Line) bool {
		return slices.ContainsFunc(l.Points, func(pt Point) bool { return !math.IsNaN(pt.Low) || !math.IsNaN(pt.High) })
	})
}

// hasOpenBars reports whether a point's interval has one end.
func (p Panel) hasOpenBars() bool {
	return slices.ContainsFunc(p.Lines, func(l Line) bool {
		return slices.ContainsFunc(l.Points, func(pt Point) bool { return math.IsNaN(pt.Low) != math.IsNaN(pt.High) })
	})
}

func (l Line) hasValue() bool {
	return slices.ContainsFunc(l.Points, func(p Point) bool { return !math.IsNaN(p.Y) })
}

func (l Line) hasFault() bool {
	return slices.ContainsFunc(l.Points, func(p Point) bool { return p.Fault })
}

// Named returns the line's name with the meaning of its dashes.
func (l Line) Named() string {
	if l.Peer {
		return l.Name + " (peer)"
	}
	return l.Name
}

// IsEnd reports whether a line does not go on from a point to both sides.
func (l Line) IsEnd(i int) bool {
	joins := func(j int) bool {
		return j >= 0 && j < len(l.Points) && !math.IsNaN(l.Points[j].Y) && !l.Points[j].Apart
	}
	return l.Apart || !joins(i) || !joins(i-1) || !joins(i+1)
}

// Last returns the line's last point that has a value.
func (l Line) Last() (p Point, ok bool) {
	for _, p := range slices.Backward(l.Points) {
		if !math.IsNaN(p.Y) && !math.IsNaN(p.X) && !math.IsInf(p.X, 0) {
			return p, true
		}
	}
	return p, false
}
