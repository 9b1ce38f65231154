package plots

import (
	"math"
	"slices"

	"bench/framework/record"
)

// point is one row in a figure.
type point struct {
	x, y, low, high float64 // y is NaN where there is no value
	time            float64 // that the fastest is chosen by
	fault           bool    // wrong, failed or timed out
	doubtful        bool
	apart           bool   // not a step of the sweep: a rate that was found
	note            string // status where there is no value
}

// line is the points of one version.
type line struct {
	name   string
	peer   bool
	apart  bool // no sweep joins the points
	style  int
	dash   int // of dashes, of a line without markers
	points []point
}

// panel is the lines of one figure.
type panel struct {
	name  string
	lines []line
	limit map[string]float64 // by device, as sweep.where tells them apart
}

// collect makes the panels of a quantity; panels without a value are left
// out. A line has the same style in every figure of the run.
func (s *sweep) collect(q quantity) []panel {
	var panels []panel
	styles := map[string]int{}
	for i := range s.run.Rows {
		w := &s.run.Rows[i]
		id := name(s.labels, w)
		if _, ok := styles[id]; !ok {
			styles[id] = len(styles)
		}
		at := name(s.panels, w)
		k := slices.IndexFunc(panels, func(p panel) bool { return p.name == at })
		if k < 0 {
			panels = append(panels, panel{name: at, limit: map[string]float64{}})
			k = len(panels) - 1
		}
		p := &panels[k]
		j := slices.IndexFunc(p.lines, func(l line) bool { return l.name == id })
		if j < 0 {
			p.lines = append(p.lines, line{name: id, style: styles[id], peer: slices.Contains(s.run.Info.Peers, w.Version)})
			j = len(p.lines) - 1
		}
		p.lines[j].add(s.point(q, w), s.best)
		if q.limit != nil {
			if c := q.limit(s.run.Info.Limits(w.Device, w.PowerMode)); c > 0 && w.Status == record.OK {
				p.limit[s.where()(w)] = c
			}
		}
	}
	var kept []panel
	for _, p := range panels {
		p.lines = slices.DeleteFunc(p.lines, func(l line) bool { return !l.hasValue() && !l.hasFault() })
		if slices.ContainsFunc(p.lines, line.hasValue) {
			kept = append(kept, p)
		}
	}
	return kept
}

func (s *sweep) point(q quantity, w *record.Row) point {
	p := point{x: s.at(w), y: math.NaN(), low: math.NaN(), high: math.NaN()}
	if w.Status != record.OK {
		p.note = string(w.Status)
		p.fault = w.Failed()
		return p
	}
	p.y, p.time = q.value(w).Float(), w.Time.Median.Float()
	if q.low != nil {
		p.low, p.high = q.low(w).Float(), q.high(w).Float()
	}
	p.apart = s.found[w.Point]
	p.doubtful = q.doubtful != nil && !math.IsNaN(p.y) && q.doubtful(w)
	return p
}

// add appends a point; with best it replaces a slower one at the same place.
func (l *line) add(p point, best bool) {
	if best {
		for i, old := range l.points {
			if old.x != p.x {
				continue
			}
			if math.IsNaN(old.y) || p.time < old.time {
				l.points[i] = p
			}
			return
		}
	}
	l.points = append(l.points, p)
}

// hasBars reports whether a point has an interval.
func (p panel) hasBars() bool {
	return slices.ContainsFunc(p.lines, func(l line) bool {
		return slices.ContainsFunc(l.points, func(pt point) bool { return !math.IsNaN(pt.low) || !math.IsNaN(pt.high) })
	})
}

// hasOpenBars reports whether a point's interval has one end.
func (p panel) hasOpenBars() bool {
	return slices.ContainsFunc(p.lines, func(l line) bool {
		return slices.ContainsFunc(l.points, func(pt point) bool { return math.IsNaN(pt.low) != math.IsNaN(pt.high) })
	})
}

func (l line) hasValue() bool {
	return slices.ContainsFunc(l.points, func(p point) bool { return !math.IsNaN(p.y) })
}

func (l line) hasFault() bool {
	return slices.ContainsFunc(l.points, func(p point) bool { return p.fault })
}

// named is the line's name with what its dashes say.
func (l line) named() string {
	if l.peer {
		return l.name + " (peer)"
	}
	return l.name
}

// isEnd reports whether a line does not go on from a point to both sides.
func (l line) isEnd(i int) bool {
	joins := func(j int) bool {
		return j >= 0 && j < len(l.points) && !math.IsNaN(l.points[j].y) && !l.points[j].apart
	}
	return l.apart || !joins(i) || !joins(i-1) || !joins(i+1)
}
