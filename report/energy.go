package report

import (
	"math"

	"example.org/bench/framework/record"
	"example.org/bench/internal/terminal/digits"
	"example.org/bench/plots/picture"
)

// energies returns the run's points by time and energy.
func (r *runReader) energies() (all []Figure) {
	pictures := picture.Energies(r.run, r.sweep)
	for _, e := range pictures {
		f := timeEnergyFigure(e)
		if len(pictures) > 1 {
			f.Group = "time and energy of one run"
		}
		all = append(all, f)
	}
	return all
}

// traces returns the power readings of each point, a figure each.
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
