package strategy

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"example.org/bench/tuning"
	"example.org/bench/tuning/models"
)

// coordinates places a space's points in the unit cube. A parameter's value counts by its rank, so that
// powers of two lie at equal distances. If the values are not in the order of how often 2 divides them, that
// count is a coordinate too.
type coordinates struct {
	space *tuning.Space
	axes  []coordinate
	dims  int
}

// coordinate is one coordinate of a space's points.
type coordinate struct {
	parameter, coordinate int
	place                 []float64 // of the parameter's values
}

// coordinateNames numbers the coordinates of all tasks. Parameters of the same name have the same
// coordinates.
func coordinateNames(tasks []tuning.Task) map[string]int {
	names := map[string]int{}
	add := func(name string) {
		if _, ok := names[name]; !ok {
			names[name] = len(names)
		}
	}
	for _, t := range tasks {
		f := featuresOf(t.Space, true)
		for _, d := range f.parameters {
			add(t.Space.Parameters[d].Name)
		}
		for _, d := range f.divisible {
			add(twosOf(t.Space.Parameters[d].Name))
		}
	}
	return names
}

func twosOf(name string) string { return "twos of " + name }

func coordinatesOf(s *tuning.Space, names map[string]int) *coordinates {
	c := &coordinates{space: s, dims: len(names)}
	f := featuresOf(s, true)
	for _, d := range f.parameters {
		p := s.Parameters[d]
		sorted := slices.Sorted(slices.Values(p.Values))
		a := coordinate{d, names[p.Name], make([]float64, len(p.Values))}
		for i, v := range p.Values {
			rank, _ := slices.BinarySearch(sorted, v)
			a.place[i] = float64(rank) / float64(len(sorted)-1)
		}
		c.axes = append(c.axes, a)
	}
	for _, d := range f.divisible {
		p := s.Parameters[d]
		a := coordinate{d, names[twosOf(p.Name)], make([]float64, len(p.Values))}
		for i, v := range p.Values {
			a.place[i] = twos(v)
		}
		// Some differ: equal ones would be in order.
		floats.Scale(1/floats.Max(a.place), a.place)
		c.axes = append(c.axes, a)
	}
	return c
}

func (c *coordinates) row(point int) []float64 {
	x := make([]float64, c.dims)
	row := c.space.Indexes(point)
	for _, a := range c.axes {
		x[a.coordinate] = a.place[row[a.parameter]]
	}
	return x
}

func (t *boTask) input(task, point int) models.Input {
	return models.Input{Task: task, X: t.coordinates.row(point)}
}

// described returns a point's coordinates and its task's size.
func (t *boTask) described(point int) []float64 {
	return append(t.coordinates.row(point), t.size...)
}

// fit finds the hyperparameters anew and chooses candidates. The next fit is due when there are a fifth more
// trials.
func (b *boSearch) fit() {
	b.refit = len(b.trials) + max(5, len(b.trials)/5)
	b.standardize()
	modelled := b.limited(boModelPoints)
	x, y := b.observations(b.limited(boFitPoints))
	b.process.Fit(x, y, boFitSteps)
	x, y = b.observations(modelled)
	b.posterior = b.process.Posterior()
	b.watched = b.watched[:0]
	b.choose()
	for i := range x {
		b.posterior.Observe(x[i], y[i])
	}
}

// standardize centres and scales each size's logarithms of costs. Since few observations say little of their
// scale, the spread of all sizes counts for some.
func (b *boSearch) standardize() {
	logs := make([][]float64, len(b.tasks))
	for _, t := range b.trials {
		logs[t.Task] = append(logs[t.Task], math.Log(t.Cost))
	}
	var all []float64
	for i, l := range logs {
		if len(l) == 0 {
			continue
		}
		b.tasks[i].center = stat.Mean(l, nil)
		for _, v := range l {
			all = append(all, v-b.tasks[i].center)
		}
	}
	const weight = 3
	common := stat.Variance(all, nil)
	if !(common > 1e-12) {
		common = 1
	}
	for i, l := range logs {
		sum := weight * common
		for _, v := range l {
			d := v - b.tasks[i].center
			sum += d * d
		}
		b.tasks[i].scale = math.Sqrt(sum / float64(weight+len(l)))
	}
}

// limited returns at most n trials: half of them the best by standardised cost, the rest at random.
func (b *boSearch) limited(n int) []tuning.Trial {
	if len(b.trials) <= n {
		return b.trials
	}
	sorted := slices.Clone(b.trials)
	slices.SortStableFunc(sorted, func(u, v tuning.Trial) int { return cmp.Compare(b.outcome(u), b.outcome(v)) })
	rest := sorted[n/2:]
	b.rand.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	return sorted[:n]
}

func (b *boSearch) outcome(t tuning.Trial) float64 {
	task := &b.tasks[t.Task]
	return (math.Log(t.Cost) - task.center) / task.scale
}

func (b *boSearch) observations(trials []tuning.Trial) (x []models.Input, y []float64) {
	for _, t := range trials {
		x = append(x, b.tasks[t.Task].input(t.Task, t.Point))
		y = append(y, b.outcome(t))
	}
	return x, y
}

// choose makes the candidates: all points of small spaces; of large spaces the points around the best of each
// size, and random others.
func (b *boSearch) choose() {
	open := 0
	for i := range b.tasks {
		b.tasks[i].watched = map[int]bool{}
		if !b.tasks[i].done {
			open++
		}
	}
	best := make([][]tuning.Trial, len(b.tasks))
	for _, t := range b.trials {
		best[t.Task] = append(best[t.Task], t)
	}
	for i := range b.tasks {
		t := &b.tasks[i]
		if t.done {
			continue
		}
		share := boCandidates / open
		if t.left <= share {
			for p := range t.known {
				b.watch(i, p)
			}
			continue
		}
		slices.SortStableFunc(best[i], func(u, v tuning.Trial) int { return cmp.Compare(u.Cost, v.Cost) })
		for _, trial := range best[i][:min(boNeighbours, len(best[i]))] {
			if len(t.watched) < share/2 {
				b.surroundings(i, trial.Point)
			}
		}
		for len(t.watched) < share {
			b.watch(i, b.rand.IntN(len(t.known)))
		}
	}
}

// surroundings makes candidates of the points that differ from one in one
// parameter, or in two by a step.
func (b *boSearch) surroundings(task, point int) {
	t := &b.tasks[task]
	row := slices.Clone(t.space.Indexes(point))
	look := func() {
		if p := t.space.Find(row); p >= 0 {
			b.watch(task, p)
		}
	}
	steps := func(d int, visit func()) {
		old := row[d]
		for _, to := range []uint16{old - 1, old + 1} { // no point has what is beyond the ends
			row[d] = to
			visit()
		}
		row[d] = old
	}
	for d := range row {
		old := row[d]
		for v := range t.space.Parameters[d].Values {
			row[d] = uint16(v)
			look()
		}
		row[d] = old
		steps(d, func() {
			for e := range d {
				steps(e, look)
			}
		})
	}
}

func (b *boSearch) watch(task, point int) {
	t := &b.tasks[task]
	if t.known[point] || t.watched[point] {
		return
	}
	t.watched[point] = true
	b.posterior.Watch(t.input(task, point))
	b.watched = append(b.watched, [2]int{task, point})
}

// validity predicts which points are invalid, by a random forest over all
// sizes' trials. Until one was invalid, all are taken for valid.
type validity struct {
	forest  models.Forest
	learned bool
	x       [][]float64
	y       []float64 // 1 where valid
	invalid int
	due     int // number of trials at which to learn again
}

func (v *validity) tell(x []float64, ok bool) {
	outcome := 1.0
	if !ok {
		outcome = 0
		v.invalid++
	}
	v.x, v.y = append(v.x, x), append(v.y, outcome)
	if v.invalid > 0 && v.invalid < len(v.y) && (!ok || len(v.y) >= v.due) {
		v.forest.Fit(v.x, v.y)
		v.learned = true
		v.due = len(v.y) + max(5, len(v.y)/5)
	}
}

// chance returns the probability that a point is valid. likely is false if that is below a quarter or, in a
// space with few valid points, below half of their share.
func (v *validity) chance(x []float64) (chance float64, likely bool) {
	if !v.learned {
		return 1, true
	}
	chance = v.forest.Predict(x)
	share := 1 - float64(v.invalid)/float64(len(v.y))
	return chance, chance >= min(0.25, share/2)
}
