package picture

import (
	"maps"
	"math"
	"slices"

	"example.org/bench/framework/pareto"
	"example.org/bench/framework/record"
)

// Energies returns the points of a run by time and energy: a picture for each problem of which several points
// have both. Marks have the names and styles of the lines in the run's sweep.
func Energies(run *record.Run, s *Sweep) (all []*TimeEnergy) {
	names := NamesOf(run)
	var problems []string
	rows := map[string][]int{}
	for i := range run.Rows {
		w := &run.Rows[i]
		if !w.Energy.Get().Total.IsSet() || !(timeOfEnergy(w) > 0) {
			continue
		}
		p := names.Problem(w)
		if rows[p] == nil {
			problems = append(problems, p)
		}
		rows[p] = append(rows[p], i)
	}
	problems = slices.DeleteFunc(problems, func(p string) bool { return len(rows[p]) < 2 })
	for _, p := range problems {
		e := s.energies(run, rows[p])
		if len(problems) > 1 {
			e.Name, e.Title = FileName(p), e.Title+": "+p
		}
		all = append(all, e)
	}
	return all
}

// timeOfEnergy returns the time that belongs to a row's energy: that of the sustained runs.
func timeOfEnergy(w *record.Row) float64 {
	if t := w.Energy.Get().RunTime; t.IsSet() {
		return t.Float()
	}
	return w.Time.Median.Float()
}

func (s *Sweep) energies(run *record.Run, rows []int) *TimeEnergy {
	e := &TimeEnergy{Name: "energy_time", Title: "time and energy of one run", Note: "in the sustained runs", FrontName: "front: no other beats both"}
	marked := map[int]*Marked{}
	var points []pareto.Point
	for _, i := range rows {
		w := &run.Rows[i]
		style := s.Style(w)
		m := marked[style]
		if m == nil {
			m = &Marked{Name: s.LineName(w), Style: style}
			marked[style] = m
		}
		p := pareto.Point{X: timeOfEnergy(w), Y: Energy.value(w).Float()}
		points = append(points, p)
		m.Points, m.Rows = append(m.Points, p), append(m.Rows, i)
		m.Low, m.High = append(m.Low, Energy.low(w).Float()), append(m.High, Energy.high(w).Float())
	}
	for _, style := range slices.Sorted(maps.Keys(marked)) {
		m := *marked[style]
		if slices.ContainsFunc(m.Low, func(v float64) bool { return !math.IsNaN(v) }) {
			e.Note = "in the sustained runs; error bars: " + Energy.bar
		} else {
			m.Low, m.High = nil, nil
		}
		e.Marked = append(e.Marked, m)
	}
	var front Front
	for _, i := range pareto.Front(points) {
		front.Points = append(front.Points, points[i])
	}
	e.Fronts = []Front{front}
	e.Scale()
	return e
}
