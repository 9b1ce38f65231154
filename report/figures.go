package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"bench/framework"
	"bench/framework/record"
)

// decade is the span of values beyond which an axis is logarithmic.
const decade = 10

// overSweep are the quantities over the swept parameter, a figure for each
// panel; of a run that swept no number, by series.
func (r *runReader) overSweep() []Figure {
	var all []Figure
	for _, q := range slices.Concat(quantities()[:1], peerSpeed(r.run), quantities()[1:]) {
		panels := r.panelsOf(func(w *record.Row) bool { return q.value(w).IsSet() })
		for _, panel := range panels {
			f := r.quantityFigure(q, panel)
			if len(panels) > 1 {
				f.Group = q.title
				f.Title += ": " + panel
			}
			all = append(all, f)
		}
	}
	return all
}

// panelsOf are the panels of the rows that have; a GPU's come first.
func (r *runReader) panelsOf(has func(*record.Row) bool) []string {
	var gpu, others []string
	seen := map[string]bool{}
	for i := range r.run.Rows {
		w := &r.run.Rows[i]
		p := r.panel(w)
		if !has(w) || seen[p] {
			continue
		}
		if seen[p] = true; w.Processor == framework.GPU {
			gpu = append(gpu, p)
		} else {
			others = append(others, p)
		}
	}
	return append(gpu, others...)
}

func (r *runReader) quantityFigure(q quantity, panel string) Figure {
	f := Figure{Title: q.title, Note: q.note, X: r.axisX(), Y: Axis{Title: q.title, Unit: q.unit, Log: q.log}}
	if to := r.run.Info.RelativeTo; to != "" && q.unit == "s" {
		f.Title += " relative to " + to
		f.Y.Title, f.Y.Unit = f.Title, ""
	}
	lying := r.x.Name == "" // one value a series: they lie along the abscissa
	if lying {
		f.X = f.Y
	}
	least, most := math.Inf(1), 0.0
	var limits []ceiling
	from, to := math.Inf(1), math.Inf(-1)
	failed := false
	for _, n := range r.ofPanel[panel] {
		s, valued := Series{Name: r.series[n], Mark: MarkLine, Colour: n}, false
		for _, i := range r.members[n] {
			w := &r.run.Rows[i]
			if r.panel(w) != panel || !lying && math.IsNaN(r.at(w)) {
				continue
			}
			y := math.NaN() // the line has a gap
			if w.Status == record.OK {
				y = q.value(w).Float() * q.factor
			}
			if !math.IsNaN(y) {
				least, most = min(least, y), max(most, y)
				valued = true
			}
			if w.Failed() {
				s.Failed = append(s.Failed, len(s.Y))
			}
			label := ""
			if w.Status != record.OK {
				label = string(w.Status)
			}
			s.Y, s.Label = append(s.Y, y), append(s.Label, label)
			s.X = append(s.X, r.at(w))
			from, to = min(from, r.at(w)), max(to, r.at(w))
			if q.low != nil {
				s.Low, s.High = append(s.Low, q.low(w).Float()*q.factor), append(s.High, q.high(w).Float()*q.factor)
			}
			if q.doubtful != nil && !math.IsNaN(y) && q.doubtful(w) {
				s.Doubtful = append(s.Doubtful, len(s.Point))
			}
			s.Point = append(s.Point, i)
			if q.limit != nil {
				for _, c := range q.limit(r.run.Info.Limits(w.Device, w.PowerMode)) {
					if c.value > 0 && !slices.Contains(limits, c) {
						limits = append(limits, c)
					}
				}
			}
		}
		if !valued && len(s.Failed) == 0 {
			continue
		}
		if failed = failed || len(s.Failed) > 0; s.Low.blank() {
			s.Low, s.High = nil, nil
		}
		if lying {
			s.Mark, s.X, s.Y = MarkPoints, s.Y, nil
			for range s.X {
				s.Y = append(s.Y, float64(len(f.Y.Names)))
			}
		} else {
			sortByX(&s)
		}
		if lying {
			f.Y.Names = append(f.Y.Names, s.Name)
		}
		f.Series = append(f.Series, s)
	}
	if failed {
		f.Note = strings.TrimSpace(f.Note + " " + crosses)
	}
	log := least > 0 && (q.log || most > decade*least)
	if lying {
		f.X.Log, f.Y = log, Axis{Title: "version", Names: f.Y.Names}
		for _, c := range limits {
			f.Series = append(f.Series, Series{Name: c.name, Mark: MarkLimit, Colour: -1, X: Reals{c.value, c.value}, Y: Reals{-0.5, float64(len(f.Y.Names)) - 0.5}})
		}
		return f
	}
	f.Y.Log = log
	for _, c := range limits {
		f.Series = append(f.Series, Series{Name: c.name, Mark: MarkLimit, Colour: -1, X: Reals{from, to}, Y: Reals{c.value, c.value}})
	}
	return f
}

// sortByX has a line go from left to right.
func sortByX(s *Series) {
	order := make([]int, len(s.X))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.X[a], s.X[b]) })
	pick := func(r Reals) Reals {
		if r == nil {
			return nil
		}
		out := make(Reals, len(order))
		for i, j := range order {
			out[i] = r[j]
		}
		return out
	}
	s.X, s.Y, s.Low, s.High = pick(s.X), pick(s.Y), pick(s.Low), pick(s.High)
	points, labels := make([]int, len(order)), make([]string, len(order))
	var doubtful, failed []int
	for i, j := range order {
		points[i], labels[i] = s.Point[j], s.Label[j]
		if slices.Contains(s.Doubtful, j) {
			doubtful = append(doubtful, i)
		}
		if slices.Contains(s.Failed, j) {
			failed = append(failed, i)
		}
	}
	s.Point, s.Label, s.Doubtful, s.Failed = points, labels, doubtful, failed
}

// place is where ceilings hold: a device, and a power mode where the run switched.
type place struct{ device, mode string }

func (r *runReader) placeOf(w *record.Row) place {
	for _, d := range r.run.Info.Devices {
		if d.ID == w.Device && d.PowerMode != "" {
			return place{w.Device, w.PowerMode}
		}
	}
	return place{device: w.Device}
}

// rooflines show rates over arithmetic intensity under the measured ceilings
// (Williams, Waterman and Patterson, "Roofline: an insightful visual performance
// model for multicore architectures"), a figure for each device and power mode.
func (r *runReader) rooflines() []Figure {
	var places []place
	for i := range r.run.Rows {
		w := &r.run.Rows[i]
		c := r.run.Info.Limits(w.Device, w.PowerMode)
		if at := r.placeOf(w); c.Copy > 0 && c.FMA > 0 && w.Work.FLOPPerByte.IsSet() && w.Work.GFLOPPerS.IsSet() && !slices.Contains(places, at) {
			places = append(places, at)
		}
	}
	var all []Figure
	for _, at := range places {
		f := r.roofline(at)
		if len(places) > 1 {
			f.Group = "roofline"
			f.Title += ": " + at.device
			if at.mode != "" {
				f.Title += ", " + at.mode
			}
		}
		all = append(all, f)
	}
	return all
}

func (r *runReader) roofline(at place) Figure {
	f := Figure{Title: "roofline", Note: "Nominal operations and bytes of the problem; the lines are the measured ceilings.",
		X: Axis{Title: "nominal operations per byte", Unit: "", Log: true}, Y: Axis{Title: "rate of operations", Unit: "FLOP/s", Log: true}}
	if r.x.Name != "" {
		f.Note += fmt.Sprintf(" The larger a mark, the larger its %s.", r.x.Name)
	}
	f.Note += " " + hollowTime
	c := r.run.Info.Limits(at.device, at.mode)
	least, most := math.Inf(1), 0.0
	single, double := false, false
	from, to := math.Inf(1), math.Inf(-1)
	for i := range r.run.Rows {
		if x := r.at(&r.run.Rows[i]); !math.IsNaN(x) {
			from, to = min(from, x), max(to, x)
		}
	}
	for n, name := range r.series {
		s := Series{Name: name, Mark: MarkPoints, Colour: n}
		for _, i := range r.members[n] {
			w := &r.run.Rows[i]
			x, y := w.Work.FLOPPerByte.Float(), w.Work.GFLOPPerS.Float()*1e9
			if r.placeOf(w) != at || !(x > 0) || !(y > 0) {
				continue
			}
			least, most = min(least, x), max(most, x)
			isDouble := record.IsDouble(w.Params)
			single, double = single || !isDouble, double || isDouble
			s.X, s.Y, s.Point = append(s.X, x), append(s.Y, y), append(s.Point, i)
			if r.x.Name != "" {
				s.Size = append(s.Size, r.share(r.at(w), from, to))
			}
			if w.HollowTime() {
				s.Doubtful = append(s.Doubtful, len(s.X)-1)
			}
		}
		if s.Size.blank() {
			s.Size = nil
		}
		if len(s.X) > 0 {
			f.Series = append(f.Series, s)
		}
	}
	var roofs []ceiling
	if single {
		roofs = append(roofs, ceiling{"measured FMA f32", c.FMA})
	}
	if double && c.FMA64 > 0 {
		roofs = append(roofs, ceiling{"measured FMA f64", c.FMA64})
	}
	highest := 0.0
	for _, roof := range roofs {
		highest = max(highest, roof.value)
		most = max(most, 3*roof.value/c.Copy)
	}
	f.Series = append(f.Series, Series{Name: "measured copy", Mark: MarkLimit, Colour: -1, X: Reals{least / 2, highest / c.Copy}, Y: Reals{least / 2 * c.Copy, highest}})
	for _, roof := range roofs {
		f.Series = append(f.Series, Series{Name: roof.name, Mark: MarkLimit, Colour: -1, X: Reals{roof.value / c.Copy, most}, Y: Reals{roof.value, roof.value}})
	}
	return f
}

// share is where x lies between the ends, from 0 to 1.
func (r *runReader) share(x, from, to float64) float64 {
	switch {
	case !(to > from):
		return 0.5
	case r.log:
		return math.Log(x/from) / math.Log(to/from)
	}
	return (x - from) / (to - from)
}
