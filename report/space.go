package report

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
	"example.org/bench/tuning"
	"example.org/bench/tuning/recorded"
	"example.org/bench/tuning/search"
)

// evaluated is points of a space with their costs.
type evaluated struct {
	name  string
	space *tuning.Space
	costs []float64 // by point; NaN for an invalid one
	cost  string    // name of the cost
	unit  string
}

// text returns a value of a parameter.
func (e *evaluated) text(parameter, value int) string {
	p := e.space.Parameters[parameter]
	if p.Labels != nil {
		return p.Labels[value]
	}
	return strconv.FormatFloat(p.Values[value], 'g', -1, 64)
}

// setting returns a point's tunables in words.
func (e *evaluated) setting(point int) string {
	var parts []string
	for d, v := range e.space.Indexes(point) {
		parts = append(parts, e.space.Parameters[d].Name+" "+e.text(d, int(v)))
	}
	return strings.Join(parts, ", ")
}

// best returns the point of least cost; -1 if every point is invalid.
func (e *evaluated) best() int {
	best := -1
	for i, c := range e.costs {
		if !math.IsNaN(c) && (best < 0 || c < e.costs[best]) {
			best = i
		}
	}
	return best
}

// valid returns the valid points with their costs.
func (e *evaluated) valid() (points []int, costs []float64) {
	for i, c := range e.costs {
		if !math.IsNaN(c) {
			points, costs = append(points, i), append(costs, c)
		}
	}
	return points, costs
}

// varying returns the parameters of which the points have several values.
func (e *evaluated) varying() (list []int) {
	for d := range e.space.Parameters {
		if len(e.space.Occurring(d)) > 1 {
			list = append(list, d)
		}
	}
	return list
}

// figures returns parallel coordinates and the importance of the parameters.
func (e *evaluated) figures() []Figure {
	points, costs := e.valid()
	varying := e.varying()
	if len(points) == 0 || len(varying) == 0 {
		return nil
	}
	all := []Figure{e.parallel(varying)}
	if len(points) < 3 {
		return all
	}
	shares := search.Importance(e.space, points, costs)
	slices.SortStableFunc(varying, func(a, b int) int { return cmp.Compare(shares[b], shares[a]) })
	bars := Figure{Title: "importance: " + e.name, Group: "importance",
		Note: "Share of the variance of the logarithm of the " + e.cost + " that a tunable's values explain, beyond chance, of the valid points.",
		X:    Axis{Title: "share of the variance"}, Series: []Series{{Name: "importance", Mark: MarkBar}}}
	for i, d := range varying {
		bars.Y.Names = append(bars.Y.Names, e.space.Parameters[d].Name)
		s := &bars.Series[0]
		s.X, s.Y = append(s.X, shares[d]), append(s.Y, float64(i))
	}
	all = append(all, bars)
	return all
}

func (e *evaluated) parallel(varying []int) Figure {
	p := &Parallel{Cost: e.cost, Unit: e.unit}
	shown, note := e.shown()
	slices.Sort(shown)
	var costs Reals
	for _, i := range shown {
		costs = append(costs, e.costs[i])
	}
	for _, d := range varying {
		axis := ParallelAxis{Name: e.space.Parameters[d].Name}
		place := map[int]int{}
		occurring := e.space.Occurring(d)
		for v, x := range e.space.Parameters[d].Values {
			if slices.Contains(occurring, x) {
				place[v] = len(axis.Values)
				axis.Values = append(axis.Values, e.text(d, v))
			}
		}
		var column Reals
		for _, i := range shown {
			column = append(column, float64(place[int(e.space.Indexes(i)[d])]))
		}
		p.Axes, p.Columns = append(p.Axes, axis), append(p.Columns, column)
	}
	p.Axes, p.Columns = append(p.Axes, ParallelAxis{Name: e.cost}), append(p.Columns, costs)
	return Figure{Title: "parallel coordinates: " + e.name, Group: "parallel coordinates",
		Note: "A line for each valid point, from the best on top. Drag along an axis, or choose in the lists, to see some of them." + note, Parallel: p}
}

// mostPoints is how many points of a space a page has: a browser takes seconds for more.
const mostPoints = 20000

// shown returns the points that the page has, the best first, and a note if these are not all.
func (e *evaluated) shown() (order []int, note string) {
	order = make([]int, len(e.costs))
	for i := range order {
		order[i] = i
	}
	rank := func(c float64) float64 {
		if math.IsNaN(c) {
			return math.Inf(1)
		}
		return c
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rank(e.costs[a]), rank(e.costs[b])) })
	if len(order) > mostPoints {
		return order[:mostPoints], fmt.Sprintf(" The best %d of %s.", mostPoints, terminal.Count(len(order), "point"))
	}
	return order, ""
}

// table has the points, the best first.
func (e *evaluated) table() Table {
	order, note := e.shown()
	t := Table{Title: "all points: " + e.name, Note: strings.TrimSpace(note)}
	if note != "" {
		t.Title = "best points: " + e.name
	}
	for d := range e.space.Parameters {
		t.Head = append(t.Head, Head{e.space.Parameters[d].Name, e.space.Parameters[d].Labels == nil})
	}
	t.Head = append(t.Head, Head{e.cost, true}, Head{"of the best", true})
	best := e.best()
	for _, i := range order {
		var row []cell
		for d, v := range e.space.Indexes(i) {
			row = append(row, factorCell(e.text(d, int(v))))
		}
		share := math.NaN()
		if best >= 0 {
			share = e.costs[best] / e.costs[i]
		}
		text := "invalid"
		if !math.IsNaN(share) {
			text = digits.Percent(share)
		}
		t.add(-1, append(row, cell{digits.Scaled(e.costs[i], e.unit), e.costs[i]}, cell{text, share})...)
	}
	return t
}

func isSpace(path string) bool {
	name := strings.TrimSuffix(filepath.Base(path), ".gz")
	return filepath.Ext(name) == ".csv"
}

// readSpace returns the section of a recorded space.
func readSpace(path, name string) (*Section, error) {
	r, err := recorded.Open(path, nil)
	if err != nil {
		return nil, err
	}
	e := &evaluated{name: r.Name, space: r.Space, costs: r.Costs, cost: "time", unit: "s"}
	points, costs := e.valid()
	s := &Section{Title: name, Kind: "recorded space", Warnings: r.Notes, Figures: e.figures(), Tables: []Table{e.table()}}
	for i := range s.Figures {
		s.Figures[i].Group = ""
	}
	if m, ok := search.HeatMapOf(e.space, points, costs); ok {
		m.Name, m.Objective = e.name, e.cost
		if c := m.Cells(); c != nil {
			s.Figures = append(s.Figures, heatFigure(c))
		}
	}
	best := e.best()
	if best < 0 {
		s.Verdict = []string{fmt.Sprintf("None of %s is valid.", terminal.Count(len(e.costs), "point"))}
		return s, nil
	}
	near := 0
	for _, c := range costs {
		if c <= e.costs[best]/0.95 {
			near++
		}
	}
	slices.Sort(costs)
	s.Verdict = []string{
		fmt.Sprintf("Best of %s: %s at %s.", terminal.Count(len(e.costs), "point"), digits.Scaled(e.costs[best], e.unit), e.setting(best)),
		fmt.Sprintf("%d reach 95 %% of it; the median of the valid ones takes %s times as long. %d are invalid.", near, number(costs[len(costs)/2]/e.costs[best]), len(e.costs)-len(points)),
	}
	return s, nil
}
