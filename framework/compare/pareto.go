package compare

import "bench/framework/pareto"

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

// Choices are the levels of a point that have both time and energy, in the
// order of Levels.
func (c *Comparison) Choices(point int) []Choice {
	values := map[string]map[string]float64{}
	for _, t := range c.Tables {
		for _, cell := range t.Cells {
			if cell.Point == point {
				if values[cell.Level] == nil {
					values[cell.Level] = map[string]float64{}
				}
				values[cell.Level][t.Metric.Name] = cell.Value
			}
		}
	}
	var list []Choice
	for _, l := range c.Levels {
		if v := values[l]; v["time"] > 0 && v["energy"] > 0 {
			list = append(list, Choice{l, v["time"], v["energy"]})
		}
	}
	return list
}

func (c *Comparison) fronts() {
	for i := range c.Points {
		choices := c.Choices(i)
		if len(choices) < 2 {
			continue
		}
		for _, f := range Front(choices) {
			c.Points[i].Front = append(c.Points[i].Front, f.Name)
		}
	}
}
