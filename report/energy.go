package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"bench/framework/axis"
	"bench/framework/record"
	"bench/plots/picture"
	"bench/terminal/digits"
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

// mostReadings is how many readings of a channel a trace shows; of more every second,
// third, ….
const mostReadings = 2000

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
	f := Figure{Title: "power readings: " + r.names.Of(w), X: Axis{Title: "time since the window's start", Unit: "s"}, Y: Axis{Title: "power", Unit: "W"}}
	highest := 0.0
	for _, rail := range r.run.Columns.Rails {
		if rail.Counter {
			continue // it shows joules
		}
		s := Series{Name: rail.Channel, Mark: MarkPlain, Colour: len(f.Series)}
		if rail.Role != "total" {
			s.Name += " (not in the total)"
		}
		for _, x := range r.power[w.Point] {
			if x.Sensor == rail.Sensor && x.Channel == rail.Channel && x.Time.IsSet() && x.Value.IsSet() {
				s.X, s.Y = append(s.X, x.Time.Float()), append(s.Y, x.Value.Float())
				highest = max(highest, x.Value.Float())
			}
		}
		if step := (len(s.X) + mostReadings - 1) / mostReadings; step > 1 {
			s.X, s.Y = every(s.X, step), every(s.Y, step)
			f.Note = fmt.Sprintf("Every %d. reading is shown. ", step)
		}
		if len(s.X) > 0 {
			f.Series = append(f.Series, s)
		}
	}
	if len(f.Series) == 0 || !w.Power.Get().Window.IsSet() {
		return f, false
	}
	window := w.Power.Get().Window.Float()
	add := func(name string, from, to float64, level record.Number) {
		if level.IsSet() {
			f.Series = append(f.Series, Series{Name: name, Mark: MarkLimit, Colour: -1, X: Reals{from, to}, Y: Reals{level.Float(), level.Float()}})
		}
	}
	begin := 0.0
	for _, s := range f.Series {
		begin = min(begin, s.X[0])
	}
	add("idle power "+digits.Scaled(w.Power.Get().Idle.Float(), "W"), begin, window, w.Power.Get().Idle)
	add("mean of the window "+digits.Scaled(w.Power.Get().Total.Float(), "W"), 0, window, w.Power.Get().Total)
	for i, edge := range []float64{0, window} {
		f.Series = append(f.Series, Series{Name: []string{"window's start", "window's end"}[i], Mark: MarkLimit, Colour: -1, X: Reals{edge, edge}, Y: Reals{0, highest}})
	}
	f.Note += "Power is taken from the window's start to its end."
	return f, true
}

func every(r Reals, step int) (kept Reals) {
	for i := 0; i < len(r); i += step {
		kept = append(kept, r[i])
	}
	return kept
}
