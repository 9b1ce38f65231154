package strategy

import (
	"math"
	"slices"

	"example.org/bench/framework/pareto"
	"example.org/bench/tuning"
)

// Settings of a search for the front.
const (
	// slack is how far beyond the worst of the front its reference is, as a share of the front's extent.
	// slackLeast is the least of that, in standard deviations of the targets: points beyond the ends of a
	// short front are worth something.
	slack, slackLeast = 0.1, 0.25
)

// second is what a search for the front knows of the second cost, in the form in which the searcher knows the
// first. Candidates are chosen by the expected improvement of the hypervolume of the targets
// ("Hypervolume-based expected improvement: Monotonicity properties and exact computation", Emmerich, Deutz
// and Klinkenberg), with the margins of a search for the least cost. The costs are two processes of one
// kernel, taken to be independent.
type second struct {
	costs        []float64 // logarithms, NaN if invalid
	least        []float64 // of each task
	shift, scale float64
	base         []float64
	fronts       []pareto.Set // of each task, of targets
}

func newSecond(tasks int) *second {
	s := &second{least: make([]float64, tasks), fronts: make([]pareto.Set, tasks)}
	for t := range s.least {
		s.least[t] = math.Inf(1)
	}
	return s
}

// take keeps the second cost of a trial. first is the logarithm of its first cost.
func (s *second) take(t tuning.Trial, first float64) {
	if s == nil {
		return
	}
	y := math.NaN()
	if !math.IsNaN(first) {
		y = math.Log(t.Second)
		s.least[t.Task] = min(s.least[t.Task], y)
	}
	s.costs = append(s.costs, y)
}

// fit standardises the costs anew.
func (s *second) fit(b *searcher) {
	if s == nil {
		return
	}
	s.base = slices.Clone(s.least)
	var relative []float64
	for i, y := range s.costs {
		if !math.IsNaN(y) {
			relative = append(relative, y-s.base[b.task(b.points[i])])
		}
	}
	n, squares := float64(len(relative)), 0.0
	s.shift = 0
	for _, r := range relative {
		s.shift += r / n
	}
	for _, r := range relative {
		d := r - s.shift
		squares += d * d
	}
	if s.scale = math.Sqrt(squares / n); s.scale < 1e-9 { // all alike
		s.scale = 1
	}
	for t := range s.fronts {
		s.fronts[t] = nil
	}
}

// target returns the second target of a valid trial for the model.
func (s *second) target(trial, task int) float64 {
	if s == nil {
		return 0
	}
	return bent((s.costs[trial] - s.base[task] - s.shift) / s.scale)
}

// extend takes an outcome into its task's front.
func (s *second) extend(task int, o outcome) {
	if s != nil {
		s.fronts[task].Add(pareto.Point{X: o.target, Y: o.second})
	}
}

// reference returns the bounds of the hypervolume of a front of targets.
func reference(front pareto.Set) (x, y float64) {
	if len(front) == 0 {
		return 0, 0 // nothing valid yet: better than the average
	}
	first, last := front[0], front[len(front)-1]
	return last.X + max(slackLeast, slack*(last.X-first.X)), first.Y + max(slackLeast, slack*(first.Y-last.Y))
}

// expected returns the growth of the hypervolume of a task's front to expect from a candidate of the pool,
// beyond a margin of both costs. It sums over the strips between neighbours on the front the expected part of
// their width to the right of the candidate, times the expected height from it to the front. root is the root
// of the candidate's variance in units of the signals'.
func (s *second) expected(m *process, i, task int, root, margin float32) float32 {
	dx, dy := float32(math.Sqrt(m.signal))*root, float32(math.Sqrt(m.otherSignal))*root
	x, y := m.mean[i]+float32(m.offset)+margin, m.other[i]+float32(m.otherOffset)+margin
	right, top := reference(s.fronts[task])
	sum, until := float32(0), float32(0)
	for _, p := range s.fronts[task] {
		to := dx * improves((float32(p.X)-x)/dx)
		sum += (to - until) * dy * improves((float32(top)-y)/dy)
		until, top = to, p.Y
	}
	to := dx * improves((float32(right)-x)/dx)
	return sum + (to-until)*dy*improves((float32(top)-y)/dy)
}

// optimistic sets bounds: minus the hypervolume that each candidate would add at optimism deviations below
// both means, or the sum of these for a candidate that would add none.
func (s *second) optimistic(b *searcher, bound []float32) {
	m := b.model
	dx, dy := optimism*math.Sqrt(m.signal), optimism*math.Sqrt(m.otherSignal)
	for i, c := range m.pool {
		root := math.Sqrt(float64(max(m.variance[i], 0)))
		p := pareto.Point{X: float64(m.mean[i]) + m.offset - dx*root, Y: float64(m.other[i]) + m.otherOffset - dy*root}
		front := s.fronts[b.task(c)]
		right, top := reference(front)
		with := slices.Clone(front)
		with.Add(p)
		r := pareto.Point{X: right, Y: top}
		if gain := with.Hypervolume(r) - front.Hypervolume(r); gain > 0 {
			bound[i] = float32(-gain)
		} else {
			bound[i] = float32(math.Exp(min(p.X+p.Y, 80)))
		}
	}
}

// front returns the trials on the fronts.
func (s *second) front(b *searcher) []int {
	var all []int
	for t := range s.fronts {
		var trials []int
		var points []pareto.Point
		for i, p := range b.points {
			if b.task(p) == t && !math.IsNaN(s.costs[i]) {
				trials, points = append(trials, i), append(points, pareto.Point{X: b.costs[i], Y: s.costs[i]})
			}
		}
		for _, i := range pareto.Front(points) {
			all = append(all, trials[i])
		}
	}
	slices.Sort(all)
	return all
}
