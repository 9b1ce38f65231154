package search

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"bench/framework/safefile"
	"bench/plots"
	"bench/tuning"
)

// Plot draws how the searches converged and, of each sweep point, the two most
// important tunables; it returns how many files it wrote.
func (s *Search) Plot(dir *safefile.Folder) (int, error) {
	var lines []plots.Convergence
	var maps []plots.HeatMap
	var fronts []plots.TimeEnergy
	what, optimum := "best "+string(s.Objective)+" so far", "the optimum is the best found at the end"
	if s.Objective == Front {
		what, optimum = "front of time and energy so far", "share of the hypervolume of the front found at the end"
	}
	for _, v := range s.Versions {
		var fractions [][]float64 // by sweep point and evaluation
		for _, t := range v.Tasks {
			points, costs, best := s.progress(t)
			if len(costs) == 0 {
				continue
			}
			fraction := make([]float64, len(best))
			for i, c := range best {
				fraction[i] = best[len(best)-1] / c // 0 before the first valid trial
			}
			if s.Objective == Front {
				fraction = s.shares(t)
			}
			fractions = append(fractions, fraction)
			if f, ok := s.frontFigure(v, t); ok {
				fronts = append(fronts, f)
			}
			if m, ok := heatMap(t.Space, points, costs); ok {
				m.Name, m.Objective = v.Name+" "+t.Name, string(s.Objective.Cost())
				maps = append(maps, m)
			}
		}
		if len(fractions) > 0 {
			lines = append(lines, convergence(v.Name, fractions))
		}
	}
	if len(lines) == 0 {
		return 0, nil
	}
	dir, err := dir.Make(plots.Folder)
	if err != nil {
		return 0, err
	}
	defer dir.Close()
	files, err := plots.Converging(fmt.Sprintf("%s, strategy %s", what, s.Strategy.Name),
		"median over the sweep points, and 5th percentile; "+optimum, lines, dir)
	if err != nil {
		return 0, err
	}
	more, err := plots.HeatMaps(maps, dir)
	if files = append(files, more...); err != nil {
		return len(files), err
	}
	more, err = plots.Fronts(fronts, dir)
	return len(files) + len(more), err
}

// progress is a task's valid trials, and the best so far after each of all.
func (s *Search) progress(t *Task) (points []int, costs, best []float64) {
	least := math.Inf(1)
	for _, r := range s.trialsOf(t) {
		if r.OK {
			least = min(least, r.Cost)
			points, costs = append(points, r.Point), append(costs, r.Cost)
		}
		best = append(best, least)
	}
	return points, costs, best
}

// convergence is the median and the 5th percentile over sweep points; one that
// has ended keeps its best.
func convergence(name string, fractions [][]float64) plots.Convergence {
	c := plots.Convergence{Name: name}
	longest := 0
	for _, f := range fractions {
		longest = max(longest, len(f))
	}
	for i := range longest {
		var now []float64
		for _, f := range fractions {
			now = append(now, f[min(i, len(f)-1)])
		}
		slices.Sort(now)
		c.Median = append(c.Median, stat.Quantile(0.5, stat.LinInterp, now, nil))
		c.Low = append(c.Low, stat.Quantile(0.05, stat.LinInterp, now, nil))
	}
	return c
}

// heatMap holds the least cost for every pair of values of the two tunables
// that explain most of the costs' variance.
func heatMap(space *tuning.Space, points []int, costs []float64) (plots.HeatMap, bool) {
	importance := Importance(space, points, costs)
	var order []int // of what differs
	for d := range importance {
		if slices.ContainsFunc(points, func(p int) bool { return space.Indexes(p)[d] != space.Indexes(points[0])[d] }) {
			order = append(order, d)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(importance[b], importance[a]) })
	if len(order) < 2 {
		return plots.HeatMap{}, false
	}
	x, y := order[0], order[1]
	g := NewGrid(space, x, y, points, costs)
	m := plots.HeatMap{X: space.Parameters[x].Name, Y: space.Parameters[y].Name, XShare: importance[x], YShare: importance[y], Cost: g.Cost, Ranged: g.Ranged()}
	for _, r := range g.X {
		m.XValues = append(m.XValues, r.First)
	}
	for _, r := range g.Y {
		m.YValues = append(m.YValues, r.First)
	}
	return m, true
}
