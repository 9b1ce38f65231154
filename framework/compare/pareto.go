package compare

import "example.org/bench/framework/pareto"

// Choice is one way to do the same work, with its time and energy.
type Choice struct {
	Name         string
	Time, Energy float64
}

// Front returns the choices that no other beats, fastest first. One choice
// beats another if it takes at most as much time and energy, and less of
// one. Equal choices are all kept. Uncertainties are ignored.
func Front(choices []Choice) []Choice {
	points := make([]pareto.Point, len(choices))
	for i, c := range choices {
		points[i] = pareto.Point{X: c.Time, Y: c.Energy}
	}
	var front []Choice
	for _, i := range pareto.Front(points) {
		front = append(front, choices[i])
	}
	return front
}

// Choices returns the levels of each point that have both time and energy, in the order of Levels.
func (c *Comparison) Choices() [][]Choice {
	type at struct {
		point int
		level string
	}
	times, energies := map[at]float64{}, map[at]float64{}
	for _, t := range c.Tables {
		var values map[at]float64
		switch t.Metric.Name {
		case "time":
			values = times
		case "energy":
			values = energies
		default:
			continue
		}
		for _, cell := range t.Cells {
			values[at{cell.Point, cell.Level}] = cell.Value
		}
	}
	all := make([][]Choice, len(c.Points))
	if len(times) == 0 || len(energies) == 0 {
		return all
	}
	for i := range c.Points {
		for _, l := range c.Levels {
			if x := (at{i, l}); times[x] > 0 && energies[x] > 0 {
				all[i] = append(all[i], Choice{l, times[x], energies[x]})
			}
		}
	}
	return all
}

func (c *Comparison) fronts() {
	for i, choices := range c.Choices() {
		if len(choices) < 2 {
			continue
		}
		for _, f := range Front(choices) {
			c.Points[i].Front = append(c.Points[i].Front, f.Name)
		}
	}
}
