package search

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"example.org/bench/framework/pareto"
	"example.org/bench/internal/safefile"
	"example.org/bench/plots"
	"example.org/bench/plots/picture"
	"example.org/bench/tuning"
)

// Figures returns figures of how a search with these trials converged and, for each sweep point, of the two
// most important tunables and the front.
func (r *Report) Figures(trials [][]Row) (plots.Figures, error) {
	p, err := r.Pictures(trials)
	if err != nil {
		return nil, err
	}
	return slices.Concat(plots.Converging(p.Convergence), plots.HeatMaps(p.Maps), plots.Fronts(p.Fronts)), nil
}

// Pictures are the pictures of a search, as data. Without a valid trial there are none.
type Pictures struct {
	Convergence *picture.Convergence
	Maps        []picture.HeatMap     // of sweep points
	Fronts      []*picture.TimeEnergy // of sweep points
}

// Pictures returns the pictures of the search with these trials.
func (r *Report) Pictures(trials [][]Row) (all Pictures, err error) {
	fractions := map[string][][]float64{} // by version, sweep point and evaluation
	var versions []string
	for i, t := range r.Tasks {
		curve := t.SoFar(trials[i])
		if curve == nil {
			continue
		}
		if fractions[t.Version] == nil {
			versions = append(versions, t.Version)
		}
		fractions[t.Version] = append(fractions[t.Version], curve)
		name := strings.TrimSpace(t.Version + " " + t.point(r))
		if t.Front != nil {
			all.Fronts = append(all.Fronts, t.timeEnergy(name, trials[i]))
		}
		m, ok, err := t.heatMap(trials[i])
		if err != nil {
			return all, err
		}
		if ok {
			m.Name, m.Objective = name, string(r.Objective.Cost())
			all.Maps = append(all.Maps, m)
		}
	}
	var lines []picture.Curve
	for _, v := range versions {
		lines = append(lines, convergence(v, fractions[v]))
	}
	what, optimum := "best "+string(r.Objective)+" so far", "the optimum is the best found at the end"
	if r.Objective == Front {
		what, optimum = "front of time and energy so far", "share of the hypervolume of the front found at the end"
	}
	all.Convergence = picture.NewConvergence(fmt.Sprintf("%s, strategy %s", what, r.Strategy), "median over the sweep points, and 5th percentile; "+optimum, lines)
	return all, nil
}

// Draw draws the figures of the search's report for a medium and returns how many files it wrote.
func (s *Search) Draw(r *Report, m plots.Medium, dir *safefile.Folder) (int, error) {
	all, err := r.Figures(s.Rows(r))
	if err != nil {
		return 0, err
	}
	files, err := m.Write(all, dir)
	return len(files), err
}

// FiguresOf returns the figures of the search in a folder.
func FiguresOf(dir string) (plots.Figures, error) {
	r, err := Read(dir)
	if err != nil {
		return nil, err
	}
	trials, err := r.Trials(dir)
	if errors.Is(err, fs.ErrNotExist) { // computed, not measured
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return r.Figures(trials)
}

// point names a sweep point by what is swept; in a report that was read, by what differs from the others.
func (t TaskReport) point(r *Report) string {
	if t.Task != nil {
		return t.Task.Name
	}
	var words []string
	for _, n := range t.Varying(r) {
		words = append(words, n+" "+t.Params[n].String())
	}
	return strings.Join(words, " ")
}

// SoFar returns, after each trial, the share of the best found at the end, or of its front's hypervolume,
// that was reached; nil if no trial was valid.
func (t TaskReport) SoFar(trials []Row) []float64 {
	if !slices.ContainsFunc(trials, func(x Row) bool { return !math.IsNaN(x.Price()) }) {
		return nil
	}
	if t.Front != nil {
		var points []pareto.Point
		for _, x := range trials {
			p := pareto.Point{X: x.Price(), Y: x.Energy}
			if !(x.Energy > 0) {
				p.X = math.NaN()
			}
			points = append(points, p)
		}
		return pareto.Shares(points)
	}
	var best []float64
	least := math.Inf(1)
	for _, x := range trials {
		if c := x.Price(); c < least { // false for NaN
			least = c
		}
		best = append(best, least)
	}
	for i := range best {
		best[i] = least / best[i] // 0 before the first valid trial
	}
	return best
}

// Evaluated returns the space of the points of a sweep point that were tried, and the cost of each; NaN for
// an invalid one.
func (t TaskReport) Evaluated(trials []Row) (*tuning.Space, []float64, error) {
	var parameters []tuning.Parameter
	for _, p := range t.Space {
		parameters = append(parameters, tuning.Parameter{Name: p.Name, Values: p.Values})
	}
	var points [][]uint16
	var costs []float64
	seen := map[string]bool{}
	for _, x := range trials {
		point := make([]uint16, len(parameters))
		for d, v := range x.Values {
			at := slices.Index(parameters[d].Values, v)
			if at < 0 {
				return nil, nil, fmt.Errorf("%s has a trial with %s %v, which is none of its values", t.Version, parameters[d].Name, v)
			}
			point[d] = uint16(at)
		}
		if key := fmt.Sprint(point); !seen[key] {
			seen[key] = true
			points, costs = append(points, point), append(costs, x.Price())
		}
	}
	space, err := tuning.NewSpace(parameters, points)
	return space, costs, err
}

// timeEnergy returns the picture of the front and the trials.
func (t TaskReport) timeEnergy(name string, trials []Row) *picture.TimeEnergy {
	front := picture.Marked{Name: "on the front", Points: t.Front.set()}
	f := &picture.TimeEnergy{Name: name, Title: name + ": time and energy of one run", Fronts: []picture.Front{{Points: front.Points}}, FrontName: "front: no other beats both", Note: "grey: trials, measured briefly"}
	if t.Front.Again {
		f.Note += "; the front, measured again at length"
	}
	for _, p := range t.Front.Points {
		front.Texts = append(front.Texts, p.Text())
	}
	f.Marked = []picture.Marked{front}
	if d := t.Front.Defaults; d != nil {
		f.Marked = append(f.Marked, picture.Marked{Name: "the defaults", Style: 1, Points: []pareto.Point{d.costs()}, Texts: []string{d.Text()}})
	}
	for _, x := range trials {
		if math.IsNaN(x.Price()) || !(x.Energy > 0) {
			continue
		}
		brief := pareto.Point{X: x.Price(), Y: x.Energy}
		f.Others = append(f.Others, brief)
		for _, p := range t.Front.Points {
			if t.Front.Again && t.isAt(x, p) {
				f.Again = append(f.Again, [2]pareto.Point{brief, p.costs()})
			}
		}
	}
	f.Scale()
	return f
}

// convergence returns the median and the 5th percentile over sweep points. A sweep point that has ended keeps
// its best.
func convergence(name string, fractions [][]float64) picture.Curve {
	c := picture.Curve{Name: name}
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

// isAt reports whether a trial was of a front's point.
func (t TaskReport) isAt(x Row, p FrontPoint) bool {
	for d, own := range t.Space {
		value, ok := p.Tunables[own.Name]
		text := value.String()
		if own.Name == tuning.PowerMode {
			text, ok = p.PowerMode, true
		}
		if !ok {
			return false
		}
		if v, err := own.number(text); err != nil || v != x.Values[d] {
			return false
		}
	}
	return true
}

// heatMap returns the map of the trials' two most important tunables.
func (t TaskReport) heatMap(trials []Row) (m picture.HeatMap, ok bool, err error) {
	space, all, err := t.Evaluated(trials)
	if err != nil {
		return m, false, err
	}
	var points []int
	var costs []float64
	for p, c := range all {
		if math.IsNaN(c) {
			continue
		}
		if t.Task != nil {
			values := make([]float64, len(t.Space))
			for d := range values {
				values[d] = space.Value(p, d)
			}
			p = t.Task.Space.FindValues(values)
		}
		points, costs = append(points, p), append(costs, c)
	}
	if t.Task != nil { // with the points that were not tried
		space = t.Task.Space
	}
	m, ok = HeatMapOf(space, points, costs)
	m.Evaluated = t.Task == nil
	return m, ok, nil
}

// HeatMapOf returns the least cost for every pair of values of the two tunables that explain most of the
// costs' variance; false if no two differ.
func HeatMapOf(space *tuning.Space, points []int, costs []float64) (picture.HeatMap, bool) {
	importance := Importance(space, points, costs)
	var order []int // of what differs
	for d := range importance {
		if slices.ContainsFunc(points, func(p int) bool { return space.Indexes(p)[d] != space.Indexes(points[0])[d] }) {
			order = append(order, d)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(importance[b], importance[a]) })
	if len(order) < 2 {
		return picture.HeatMap{}, false
	}
	x, y := order[0], order[1]
	g := NewGrid(space, x, y, points, costs)
	m := picture.HeatMap{X: space.Parameters[x].Name, Y: space.Parameters[y].Name, XShare: importance[x], YShare: importance[y], Cost: g.Cost, Ranged: g.Ranged()}
	m.XValues, m.XTexts = firsts(g.X, space.Parameters[x])
	m.YValues, m.YTexts = firsts(g.Y, space.Parameters[y])
	return m, true
}

// firsts returns the first value of each range, and their labels if the parameter has any.
func firsts(ranges []Range, p tuning.Parameter) (values []float64, texts []string) {
	for _, r := range ranges {
		values = append(values, r.First)
		if p.Labels != nil {
			texts = append(texts, p.Labels[slices.Index(p.Values, r.First)])
		}
	}
	return values, texts
}
