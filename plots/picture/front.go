package picture

import (
	"fmt"
	"slices"

	"example.org/bench/framework/axis"
	"example.org/bench/framework/compare"
	"example.org/bench/framework/pareto"
)

// TimeEnergy is choices by time (X, in s) and energy (Y, in J) of one run.
type TimeEnergy struct {
	Name        string
	Title, Note string
	X, Y        axis.Axis
	// Others are drawn small.
	Others []pareto.Point
	// Fronts are staircases: a front beats all points to its upper right.
	Fronts    []Front
	FrontName string // name of the fronts
	// Again are choices with their costs in a trial and with those measured again at length.
	Again [][2]pareto.Point
	// Marked are named choices, each list with a marker of its own.
	Marked []Marked
	// Named says that each of Marked is named beside its points, and not in the legend.
	Named bool
}

// Front is the choices that no other beats in both costs.
type Front struct {
	Name   string // of its points, if there are several fronts
	Points []pareto.Point
}

// Marked is choices of one kind.
type Marked struct {
	Name   string
	Style  int
	Points []pareto.Point
	Texts  []string // of each; nil: Name says it
	// Low and High are the ends of the energies' intervals; NaN if unknown, nil if none is known.
	Low, High []float64
	Rows      []int // of the run, of which the choices are points; nil: of none
}

// Names of marks.
const (
	OthersName = "others"
	AgainName  = "from a trial to the same at length"
)

// maxNamed is how many points are named beside their fronts.
const maxNamed = 8

// frontRoom is how far a figure reaches beyond the front and the marks, in extents of these; leastRoom is the
// least of that, as a share of their greatest. Points that cost more say little of the front.
const frontRoom, leastRoom = 1, 0.2

// Scale gives the picture its axes. It leaves out others that cost much more than the front, and those that a
// reader cannot tell apart.
func (e *TimeEnergy) Scale() {
	times, energies := axis.NewSpan(), axis.NewSpan()
	include := func(p pareto.Point) {
		times.Include(p.X)
		energies.Include(p.Y)
	}
	for _, f := range e.Fronts {
		for _, p := range f.Points {
			include(p)
		}
	}
	for _, m := range e.Marked {
		for _, p := range m.Points {
			include(p)
		}
		energies.Include(m.Low...)
		energies.Include(m.High...)
	}
	until := func(s axis.Span) float64 { return s.Max + max(frontRoom*(s.Max-s.Min), leastRoom*s.Max) }
	right, top := until(times), until(energies)
	const across = 500 // places of dots, each way, that a reader tells apart
	taken := map[[2]int]bool{}
	var others []pareto.Point
	beyond := 0
	for _, p := range e.Others {
		if p.X > right || p.Y > top {
			beyond++
			continue
		}
		place := [2]int{int(across * (p.X - times.Min) / (right - times.Min)), int(across * (p.Y - energies.Min) / (top - energies.Min))}
		if taken[place] && len(e.Others) > across {
			continue
		}
		taken[place] = true
		others = append(others, p)
		include(p)
	}
	e.Others = others
	if beyond > 0 {
		e.Note += fmt.Sprintf("; %d that cost more are beyond the figure", beyond)
	}
	e.X, e.Y = axis.Around(times, "time of one run", "s"), axis.Around(energies, "energy of one run", "J")
}

// Lines reports whether a front has a line: a front of one point has none.
func (e *TimeEnergy) Lines() bool {
	return slices.ContainsFunc(e.Fronts, func(f Front) bool { return len(f.Points) > 1 })
}

// NamesFronts reports whether fronts are named beside their first points.
func (e *TimeEnergy) NamesFronts() bool { return len(e.Fronts) > 1 && len(e.Fronts) <= maxNamed }

// ComparedEnergies returns the levels of a comparison by time and energy, with the front of each point; nil
// if no point has two such levels.
func ComparedEnergies(c *compare.Comparison) *TimeEnergy {
	e := &TimeEnergy{Name: "compare_time_energy", Title: "time and energy of one run, by " + words(string(c.By)), Note: comparisonNote(c, ""), FrontName: "front: no other beats both"}
	dots := 0
	marked := make([]Marked, len(c.Levels))
	for i, l := range c.Levels {
		marked[i] = Marked{Name: levelName(c, l), Style: i}
	}
	for i, choices := range c.Choices() {
		if len(choices) < 2 {
			continue
		}
		f := Front{Name: pointName(c, c.Points[i])}
		for _, ch := range compare.Front(choices) {
			f.Points = append(f.Points, pareto.Point{X: ch.Time, Y: ch.Energy})
		}
		e.Fronts = append(e.Fronts, f)
		for _, ch := range choices {
			at := slices.Index(c.Levels, ch.Name)
			marked[at].Points = append(marked[at].Points, pareto.Point{X: ch.Time, Y: ch.Energy})
			marked[at].Texts = append(marked[at].Texts, f.Name)
			dots++
		}
	}
	if dots == 0 {
		return nil
	}
	e.Marked = slices.DeleteFunc(marked, func(m Marked) bool { return len(m.Points) == 0 })
	e.Named = len(e.Fronts) == 1 && dots <= maxNamed
	e.Scale()
	return e
}
