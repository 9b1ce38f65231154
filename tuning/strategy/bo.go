package strategy

import (
	"math"
	"math/rand/v2"
	"slices"

	"example.org/bench/tuning"
	"example.org/bench/tuning/models"
)

var (
	optPatience = tuning.Option{Name: "patience", Doc: "trials of a size without progress after which the search leaves it; 0: never", Default: 5, High: tuning.MaxCount, Whole: true}
	optInitial  = tuning.Option{Name: "initial", Doc: "random trials of each size before the model is used; 0: 5, with several sizes 3", High: tuning.MaxCount, Whole: true}
)

// bo is Bayesian optimisation of all sizes together.
var bo = tuning.Info{
	Name: "bo",
	Doc: "Gaussian process over all sizes (linear coregionalisation), Expected Improvement times the probability " +
		"of being valid",
	Source: "Diéguez, Amor López, Performance Tuning for GPU-Embedded Systems: Machine-Learning-based and Analytical " +
		"Model-driven Tuning Methodologies, IV.B",
	Options: []tuning.Option{optPatience, optInitial},
	New:     newBO,
}

// Bounds of the strategy's own time.
const (
	boCandidates  = 1500 // of all sizes together
	boNeighbours  = 6    // of each size's best points, whose surroundings are candidates
	boFitPoints   = 100  // that the hyperparameters are fitted to
	boFitSteps    = 25   // evaluations of the likelihood
	boModelPoints = 400  // that the process observes
	boValidTrees  = 20
)

// boSearch is a search under way. Cost enters the process as its logarithm,
// each size's centred and scaled by its own observations.
type boSearch struct {
	rand     *rand.Rand
	initial  int
	patience int
	tasks    []boTask
	next     int // task

	process   *models.Process
	posterior *models.Posterior // nil before the first fit
	watched   [][2]int          // task and point of each candidate
	trials    []tuning.Trial    // valid ones
	pending   []pendingPoint
	refit     int // number of valid trials at which to fit again

	validity validity
}

// pendingPoint is a point that is proposed and has no trial yet.
type pendingPoint struct {
	task, point int
	input       models.Input
}

// boTask is the state of one size.
type boTask struct {
	space         *tuning.Space
	size          []float64
	coordinates   *coordinates
	known         []bool // proposed
	left          int    // points not proposed
	watched       map[int]bool
	proposals     int
	evaluations   int
	stale         int // evaluations since progress, without those at random
	done          bool
	best          float64 // logarithm of the cost
	bestPoint     int
	center, scale float64 // of the logarithms
}

func newBO(s tuning.Search) (tuning.Strategy, error) {
	if err := s.CheckOptions(optPatience, optInitial); err != nil {
		return nil, err
	}
	b := &boSearch{rand: s.Rand, initial: int(s.Option(optInitial)), patience: int(s.Option(optPatience))}
	b.validity.forest = models.Forest{Trees: boValidTrees, Rand: s.Rand}
	if b.initial == 0 {
		b.initial = 5
		if len(s.Tasks) > 1 {
			b.initial = 3
		}
	}
	names := coordinateNames(s.Tasks)
	for _, t := range s.Tasks {
		n := t.Space.Len()
		b.tasks = append(b.tasks, boTask{
			space: t.Space, size: t.Size, coordinates: coordinatesOf(t.Space, names), known: make([]bool, n), left: n,
			best: math.Inf(1), scale: 1,
		})
	}
	b.process = models.NewProcess(len(s.Tasks), len(names))
	return b, nil
}

func (b *boSearch) Next() (task, point int, ok bool) {
	for range b.tasks {
		i := b.next
		b.next = (b.next + 1) % len(b.tasks)
		t := &b.tasks[i]
		if t.done || t.left == 0 {
			continue
		}
		point = -1
		if t.proposals >= b.initial && len(b.trials) >= 2 && !math.IsInf(t.best, 1) {
			if b.posterior == nil || len(b.trials) >= b.refit {
				b.fit()
			}
			point = b.improve(i)
		}
		if point < 0 {
			point = t.anywhere(&b.validity, b.rand)
		}
		t.known[point] = true
		t.left--
		t.proposals++
		b.pending = append(b.pending, pendingPoint{i, point, t.input(i, point)})
		return i, point, true
	}
	return 0, 0, false
}

// anywhere returns a random point: the likeliest to be valid of a few.
func (t *boTask) anywhere(v *validity, rnd *rand.Rand) int {
	const draws = 10
	best, chance := -1, -1.0
	for range draws {
		p := t.draw(rnd)
		if c, _ := v.chance(t.described(p)); c > chance {
			best, chance = p, c
		}
		if !v.learned {
			break
		}
	}
	return best
}

// draw returns a random point that was not proposed.
func (t *boTask) draw(rnd *rand.Rand) int {
	if t.left*4 > len(t.known) {
		for {
			if p := rnd.IntN(len(t.known)); !t.known[p] {
				return p
			}
		}
	}
	n := rnd.IntN(t.left)
	for p, known := range t.known {
		if known {
			continue
		}
		if n == 0 {
			return p
		}
		n--
	}
	panic("tuning: the count of points left is wrong")
}

// improve returns the candidate of the task with the greatest Expected Improvement times the probability of
// being valid; -1 if there is none. Near pending points less is expected: each takes the share that it has in
// common with the candidate, the square of their correlation (after the local penalties of "Batch Bayesian
// Optimization via Local Penalization", González, Dai, Hennig and Lawrence). Points that are unlikely to be
// valid come only when no others are left: a model that has found the best valid point expects all
// improvement from them.
func (b *boSearch) improve(task int) int {
	t := &b.tasks[task]
	most, point, isLikely := -1.0, -1, false
	target := (t.best - t.center) / t.scale
	for i, w := range b.watched {
		if w[0] != task || t.known[w[1]] {
			continue
		}
		mean, deviation := b.posterior.At(i)
		gain := expectedImprovement(target-mean, deviation)
		for _, x := range b.pending {
			r := b.posterior.Correlation(i, x.input)
			gain *= 1 - r*r
		}
		if isLikely && gain <= most {
			continue
		}
		chance, likely := b.validity.chance(t.described(w[1]))
		if gain *= chance; likely && !isLikely || likely == isLikely && gain > most {
			most, point, isLikely = gain, w[1], likely
		}
	}
	return point
}

// expectedImprovement returns the expected improvement of a normal variable whose mean is less than the best
// by gap (Močkus, "On Bayesian methods for seeking the extremum").
func expectedImprovement(gap, deviation float64) float64 {
	if deviation < 1e-9 {
		return max(gap, 0)
	}
	z := gap / deviation
	density := math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
	return gap*math.Erfc(-z/math.Sqrt2)/2 + deviation*density
}

func (b *boSearch) Tell(trial tuning.Trial) {
	t := &b.tasks[trial.Task]
	b.pending = slices.DeleteFunc(b.pending, func(p pendingPoint) bool { return p.task == trial.Task && p.point == trial.Point })
	t.evaluations++
	if t.evaluations > b.initial {
		t.stale++
	}
	b.validity.tell(t.described(trial.Point), trial.OK)
	if trial.OK {
		b.trials = append(b.trials, trial)
		cost := math.Log(trial.Cost)
		if cost < t.best {
			t.best, t.bestPoint, t.stale = cost, trial.Point, 0
		}
		if b.posterior != nil {
			b.posterior.Observe(t.input(trial.Task, trial.Point), (cost-t.center)/t.scale)
			if t.bestPoint == trial.Point {
				b.surroundings(trial.Task, trial.Point)
			}
		}
	}
	if b.patience > 0 && t.stale >= b.patience {
		t.done = true
	}
}
