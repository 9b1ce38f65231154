package strategy

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"example.org/bench/tuning"
	"example.org/bench/tuning/models"
)

// iterMLModels are the models of iterative pruning. The first is also known as iterml.
var iterMLModels = []struct {
	name, doc string
	// scaled is set for a model to which the features' scales matter.
	scaled bool
	make   func(trees int, rnd *rand.Rand) models.Regressor
}{
	{"rf", "a random forest", false, func(trees int, rnd *rand.Rand) models.Regressor {
		return &models.Forest{Trees: trees, Rand: rnd}
	}},
	{"cart", "a regression tree", false, func(_ int, rnd *rand.Rand) models.Regressor {
		return &models.Tree{Rand: rnd}
	}},
	{"knn", "the mean of 5 neighbours", true, func(int, *rand.Rand) models.Regressor {
		return &models.Neighbours{}
	}},
	{"svm", "support vector regression", true, func(int, *rand.Rand) models.Regressor {
		return &models.SupportVectors{}
	}},
	{"mlp", "a multilayer perceptron", true, func(_ int, rnd *rand.Rand) models.Regressor {
		return &models.Perceptron{Rand: rnd}
	}},
}

const iterMLSource = "Cui, Feng, Iterative Machine Learning (IterML) for Effective Parameter Pruning and Tuning in Accelerators, Algorithm 1"

// The options of iterative pruning.
var (
	optPickRatio = tuning.Option{Name: "pick_ratio", Doc: "share of the space picked in each iteration; 0: a hundredth, 2 to 8 points", High: 1}
	optCutRatio  = tuning.Option{Name: "cut_ratio", Doc: "share of the remaining points dropped after each iteration", Default: 0.5, High: 1, Below: true}
	optTrees     = tuning.Option{Name: "trees", Doc: "trees of the forest", Default: 10, Low: 1, High: 10_000, Whole: true}
	optPublished = tuning.Option{Name: "published", Doc: "1: features are the plain values, and the search ends when no points remain", High: 1, Whole: true}
)

// pickMost is about the published figure: 0.4 % of some 7000 thread-block
// sizes in 3 iterations (Figure 6) are 10 points an iteration.
const pickMost = 8

// pickDefault returns how many points are picked by default.
func pickDefault(points int) int { return min(max(points/100, 2), pickMost) }

// iterML returns iterml, which is iterml-rf, and one strategy for each model.
func iterML() []tuning.Info {
	var all []tuning.Info
	for i, m := range iterMLModels {
		info := tuning.Info{
			Doc:     "iterative pruning, predicted by " + m.doc,
			Source:  iterMLSource,
			Options: []tuning.Option{optPickRatio, optCutRatio, optPublished},
		}
		if m.name == "rf" {
			info.Options = append(info.Options, optTrees)
		}
		info.New = func(s tuning.Search) (tuning.Strategy, error) { return newPruning(s, i) }
		for _, name := range []string{"iterml", "iterml-" + m.name} {
			if name != "iterml" || i == 0 {
				info.Name = name
				all = append(all, info)
			}
		}
	}
	return all
}

// pruning is the published algorithm: pick points at random from those that remain, learn from all picked so
// far, drop the part of the rest that is predicted to be slow, and repeat. If none remain before the budget
// is spent, it begins anew with the points that it has dropped and keeps what it has learned (unless
// published is set). Each task is pruned on its own, in turn.
type pruning struct {
	rand      *rand.Rand
	cut       float64
	published bool
	tasks     []pruned
	next      int // task
}

// pruned is the pruning of one task.
type pruned struct {
	features *features
	model    models.Regressor
	pick     int
	// remaining are the points neither picked nor dropped. dropped are those that were predicted to be slow.
	// batch are those picked and not yet proposed.
	remaining, dropped, batch []int
	x                         [][]float64
	costs                     []float64 // NaN if invalid
	score                     []float64 // by point
}

func newPruning(s tuning.Search, model int) (tuning.Strategy, error) {
	if err := s.CheckOptions(optPickRatio, optCutRatio, optTrees, optPublished); err != nil {
		return nil, err
	}
	p := &pruning{rand: s.Rand, cut: s.Option(optCutRatio), published: s.Option(optPublished) != 0}
	ratio, trees := s.Option(optPickRatio), s.Option(optTrees)
	m := iterMLModels[model]
	for _, task := range s.Tasks {
		t := pruned{model: m.make(int(trees), s.Rand), pick: pickDefault(task.Space.Len())}
		if m.scaled && !p.published {
			t.model = &models.Standardized{Model: t.model}
		}
		t.features = featuresOf(task.Space, !p.published)
		n := task.Space.Len()
		if ratio > 0 {
			t.pick = max(1, int(math.Round(ratio*float64(n))))
		}
		t.score = make([]float64, n)
		for point := range n {
			t.remaining = append(t.remaining, point)
		}
		p.tasks = append(p.tasks, t)
	}
	return p, nil
}

func (p *pruning) Next() (task, point int, ok bool) {
	for range p.tasks {
		task = p.next
		p.next = (p.next + 1) % len(p.tasks)
		t := &p.tasks[task]
		if len(t.batch) == 0 {
			if len(t.remaining) == 0 && !p.published {
				t.remaining, t.dropped = t.dropped, nil
			}
			t.iterate(p.cut, p.rand)
		}
		if n := len(t.batch); n > 0 {
			point, t.batch = t.batch[n-1], t.batch[:n-1]
			return task, point, true
		}
	}
	return 0, 0, false
}

func (p *pruning) Tell(trial tuning.Trial) {
	t := &p.tasks[trial.Task]
	t.x = append(t.x, t.features.row(nil, trial.Point))
	cost := math.NaN()
	if trial.OK {
		cost = trial.Cost
	}
	t.costs = append(t.costs, cost)
}

// iterate drops the points predicted to be slow, and picks from the rest.
func (t *pruned) iterate(cut float64, rnd *rand.Rand) {
	// The shuffle also breaks ties between predictions, of which trees make many.
	rnd.Shuffle(len(t.remaining), func(i, j int) {
		t.remaining[i], t.remaining[j] = t.remaining[j], t.remaining[i]
	})
	if len(t.x) > 0 && len(t.remaining) > t.pick {
		t.drop(int(cut * float64(len(t.remaining))))
		rnd.Shuffle(len(t.remaining), func(i, j int) {
			t.remaining[i], t.remaining[j] = t.remaining[j], t.remaining[i]
		})
	}
	n := min(t.pick, len(t.remaining))
	t.batch = append(t.batch, t.remaining[:n]...)
	t.remaining = t.remaining[n:]
}

// drop drops n of the remaining points, those of the least predicted performance.
func (t *pruned) drop(n int) {
	best := math.Inf(1)
	for _, c := range t.costs {
		if c < best {
			best = c
		}
	}
	// The performance is relative to the best; an invalid point has none.
	performance := make([]float64, len(t.costs))
	for i, c := range t.costs {
		if !math.IsNaN(c) {
			performance[i] = best / c
		}
	}
	t.model.Fit(t.x, performance)
	var row []float64
	for _, point := range t.remaining {
		row = t.features.row(row[:0], point)
		t.score[point] = t.model.Predict(row)
	}
	slices.SortStableFunc(t.remaining, func(a, b int) int { return cmp.Compare(t.score[a], t.score[b]) })
	t.dropped = append(t.dropped, t.remaining[:n]...)
	t.remaining = slices.Clone(t.remaining[n:])
}

// features are a point's coordinates for a regression model.
type features struct {
	space *tuning.Space
	// parameters are those with more than one value. For those in divisible, how often 2 divides the value is
	// a feature too: values that align or fill a warp are fast, and lie scattered among the others.
	parameters, divisible []int
}

func featuresOf(s *tuning.Space, divisibility bool) *features {
	f := &features{space: s}
	for d, p := range s.Parameters {
		if len(p.Values) < 2 {
			continue
		}
		f.parameters = append(f.parameters, d)
		if divisibility && p.Labels == nil && !slices.IsSortedFunc(slices.Sorted(slices.Values(p.Values)),
			func(a, b float64) int { return cmp.Compare(twos(a), twos(b)) }) {
			f.divisible = append(f.divisible, d)
		}
	}
	return f
}

func (f *features) row(to []float64, point int) []float64 {
	for _, d := range f.parameters {
		to = append(to, f.space.Value(point, d))
	}
	for _, d := range f.divisible {
		to = append(to, twos(f.space.Value(point, d)))
	}
	return to
}

// twos returns how often 2 divides an integer; 0 for 0 and for fractions.
func twos(v float64) float64 {
	n := 0.0
	for v != 0 && math.Mod(v, 2) == 0 {
		v /= 2
		n++
	}
	return n
}
