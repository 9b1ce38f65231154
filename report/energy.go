package report

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"example.org/bench/framework/axis"
	"example.org/bench/framework/record"
	"example.org/bench/internal/terminal/digits"
	"example.org/bench/plots/picture"
)

// timeOf is the time that goes with a row's energy: that of the sustained run.
func timeOf(w *record.Row) float64 {
	if w.Energy.Get().RunTime.IsSet() {
		return w.Energy.Get().RunTime.Float()
	}
	return w.Time.Median.Float()
}

func hasBoth(w *record.Row) bool { return w.Energy.Get().Total.IsSet() && timeOf(w) > 0 }

// energies show energy against time, a figure for each problem that several points
// have both of, with the front: the points that no other beats in both.
func (r *runReader) energies() []Figure {
	var problems []string
	rows := map[string][]int{}
	for i := range r.run.Rows {
		w := &r.run.Rows[i]
		if !hasBoth(w) {
			continue
		}
		p := r.names.Problem(w)
		if rows[p] == nil {
			problems = append(problems, p)
		}
		rows[p] = append(rows[p], i)
	}
	problems = slices.DeleteFunc(problems, func(p string) bool { return len(rows[p]) < 2 })
	var all []Figure
	for _, p := range problems {
		f := r.energyFigure(rows[p])
		if len(problems) > 1 {
			f.Group = "energy against time"
			f.Title += ": " + p
		}
		all = append(all, f)
	}
	return all
}

func (r *runReader) energyFigure(rows []int) Figure {
	f := Figure{Title: "energy against time",
		Note: "Of one run in the sustained run. The line is the front: no other point takes less time and less energy. Error bars are 95 % intervals if the same sensor measured again.",
		X:    Axis{Title: "time of one run", Unit: "s"}, Y: Axis{Title: "energy of one run", Unit: "J"}}
	lines := map[int]*Series{}
	for _, i := range rows {
		w := &r.run.Rows[i]
		n := r.sweep.Style(w)
		s := lines[n]
		if s == nil {
			s = &Series{Name: r.sweep.LineName(w), Mark: MarkPoints, Colour: n}
			lines[n] = s
		}
		s.X, s.Y, s.Point = append(s.X, timeOf(w)), append(s.Y, w.Energy.Get().Total.Float()), append(s.Point, i)
		s.Low, s.High = append(s.Low, picture.EnergyAt(w, -1).Float()), append(s.High, picture.EnergyAt(w, 1).Float())
	}
	for _, n := range slices.Sorted(maps.Keys(lines)) {
		s := *lines[n]
		if s.Low.blank() {
			s.Low, s.High = nil, nil
		}
		f.Series = append(f.Series, s)
	}
	line := Series{Name: "front", Mark: MarkPlain, Colour: -1}
	for _, i := range r.front(rows) {
		w := &r.run.Rows[i]
		line.X, line.Y = append(line.X, timeOf(w)), append(line.Y, w.Energy.Get().Total.Float())
	}
	f.Series = append(f.Series, line)
	times, energies := axis.NewSpan(), axis.NewSpan()
	for _, s := range f.Series {
		times.Include(s.X...)
		energies.Include(s.Y...)
	}
	f.X.Log, f.Y.Log = times.Wide(), energies.Wide()
	return f
}

// front are the rows that no other beats in both time and energy, fastest first.
func (r *runReader) front(rows []int) (front []int) {
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b int) int {
		x, y := &r.run.Rows[a], &r.run.Rows[b]
		return cmp.Or(cmp.Compare(timeOf(x), timeOf(y)), cmp.Compare(x.Energy.Get().Total.Float(), y.Energy.Get().Total.Float()))
	})
	least := math.Inf(1)
	for _, i := range rows {
		if e := r.run.Rows[i].Energy.Get().Total.Float(); e < least {
			least = e
			front = append(front, i)
		}
	}
	return front
}

// traces are the power readings of each point, a figure each.
func (r *runReader) traces() []Figure {
	var all []Figure
	for i := range r.run.Rows {
		if f, ok := r.trace(&r.run.Rows[i]); ok {
			all = append(all, f)
		}
	}
	if len(all) > 1 {
		for i := range all {
			all[i].Group = "power readings"
		}
	}
	return all
}

func (r *runReader) trace(w *record.Row) (Figure, bool) {
	t := picture.TraceOf(r.run, w, r.power[w.Point])
	if t == nil {
		return Figure{}, false
	}
	f := Figure{Title: "power readings: " + r.names.Of(w), Note: "Power is taken from the window's start to its end.", X: axisOf(t.X, "time since the window's start", "s"), Y: axisOf(t.Y, "power", "W")}
	for _, l := range t.Lines {
		s := Series{Name: picture.RailName(l), Mark: MarkPlain, Colour: l.Style}
		for _, p := range l.Points {
			s.X, s.Y = append(s.X, p.X), append(s.Y, p.Y)
		}
		f.Series = append(f.Series, s)
	}
	line := func(name string, x, y Reals) {
		f.Series = append(f.Series, Series{Name: name, Mark: MarkLimit, Colour: -1, X: x, Y: y})
	}
	if !math.IsNaN(t.Idle) {
		line("idle power "+digits.Scaled(t.Idle, "W"), Reals{t.From, t.Window}, Reals{t.Idle, t.Idle})
	}
	if !math.IsNaN(t.Mean) {
		line("mean of the window "+digits.Scaled(t.Mean, "W"), Reals{0, t.Window}, Reals{t.Mean, t.Mean})
	}
	line("window's start", Reals{0, 0}, Reals{0, t.Y.Max})
	line("window's end", Reals{t.Window, t.Window}, Reals{0, t.Y.Max})
	return f, true
}
