package tuning

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"bench/tuning/models"
)

// iterMLModels are the models of iterative pruning; the first is also known
// as iterml.
var iterMLModels = []struct {
	name, doc string
	// scaled is set for a model that the features' scales matter to.
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
	optPickRatio = Option{Name: "pick_ratio", Doc: "share of the space that is picked in each iteration, at least 1 point"}
	optCutRatio  = Option{Name: "cut_ratio", Doc: "share of the remaining points that is dropped after each iteration", Default: 0.5}
	optTrees     = Option{Name: "trees", Doc: "trees of the forest", Default: 10}
	optScale     = Option{Name: "scale", Doc: "1: features and performance are standardised first; 0: as published", Default: 1}
)

// iterML are iterml, which is iterml-rf, and one strategy for each model.
func iterML() []Info {
	var all []Info
	for i, m := range iterMLModels {
		info := Info{
			Doc:     "iterative pruning, predicted by " + m.doc,
			Source:  iterMLSource,
			Options: []Option{optPickRatio, optCutRatio},
		}
		if m.scaled {
			info.Options = append(info.Options, optScale)
		}
		if m.name == "rf" {
			info.Options = append(info.Options, optTrees)
		}
		info.New = func(s Search) (Strategy, error) { return newPruning(s, i) }
		for _, name := range []string{"iterml", "iterml-" + m.name} {
			if name != "iterml" || i == 0 {
				info.Name = name
				all = append(all, info)
			}
		}
	}
	return all
}

// option is a strategy's setting, or its default.
func (s Search) option(o Option) float64 {
	if v, ok := s.Options[o.Name]; ok {
		return v
	}
	return o.Default
}

// pruning is the published algorithm: pick points at random from what remains,
// learn from all picked so far, drop the part of the rest that is predicted to
// be slow, and again. Where nothing remains before the budget is
// spent, it begins anew with the points it has dropped, keeping what it has
// learned. Tasks are pruned each on its own, in turn.
type pruning struct {
	rand  *rand.Rand
	cut   float64
	tasks []pruned
	next  int // task
}

// pruned is the pruning of one task.
type pruned struct {
	space *Space
	model models.Regressor
	pick  int
	// remaining are the points neither picked nor dropped; dropped those that
	// were predicted to be slow; batch those picked and not yet proposed.
	remaining, dropped, batch []int
	x                         [][]float64
	costs                     []float64 // NaN where invalid
	score                     []float64 // by point
}

func newPruning(s Search, model int) (Strategy, error) {
	p := &pruning{rand: s.Rand, cut: s.option(optCutRatio)}
	ratio, trees := s.option(optPickRatio), s.option(optTrees)
	switch {
	case !(p.cut >= 0 && p.cut < 1):
		return nil, fmt.Errorf("cut_ratio is %v, not in [0, 1)", p.cut)
	case !(ratio >= 0 && ratio <= 1):
		return nil, fmt.Errorf("pick_ratio is %v, not in [0, 1]", ratio)
	case !(trees >= 1 && trees <= 10_000):
		return nil, fmt.Errorf("trees is %v, not in [1, 10000]", trees)
	}
	m := iterMLModels[model]
	for _, task := range s.Tasks {
		t := pruned{space: task.Space, model: m.make(int(trees), s.Rand)}
		if m.scaled && s.option(optScale) != 0 {
			t.model = &models.Standardized{Model: t.model}
		}
		n := task.Space.Len()
		t.pick = max(1, int(math.Round(ratio*float64(n))))
		t.score = make([]float64, n)
		p.tasks = append(p.tasks, t)
	}
	known := map[[2]int]bool{}
	for _, k := range s.Known {
		known[[2]int{k.Task, k.Point}] = true
		p.Tell(k)
	}
	for i := range p.tasks {
		t := &p.tasks[i]
		for point := range t.space.Len() {
			if !known[[2]int{i, point}] {
				t.remaining = append(t.remaining, point)
			}
		}
	}
	return p, nil
}

func (p *pruning) Next() (task, point int, ok bool) {
	for range p.tasks {
		task = p.next
		p.next = (p.next + 1) % len(p.tasks)
		t := &p.tasks[task]
		if len(t.batch) == 0 {
			t.iterate(p.cut, p.rand)
		}
		if n := len(t.batch); n > 0 {
			point, t.batch = t.batch[n-1], t.batch[:n-1]
			return task, point, true
		}
	}
	return 0, 0, false
}

func (p *pruning) Tell(trial Trial) {
	t := &p.tasks[trial.Task]
	row := make([]float64, len(t.space.Parameters))
	t.features(row, trial.Point)
	t.x = append(t.x, row)
	cost := math.NaN()
	if trial.OK {
		cost = trial.Cost
	}
	t.costs = append(t.costs, cost)
}

// Ahead are the picked points of each task in turn.
func (p *pruning) Ahead(n int) []Trial {
	var ahead []Trial
	for i := 0; len(ahead) < n; i++ {
		more := false
		for k := range p.tasks {
			task := (p.next + k) % len(p.tasks)
			if b := p.tasks[task].batch; i < len(b) {
				ahead = append(ahead, Trial{Task: task, Point: b[len(b)-1-i]})
				more = true
			}
		}
		if !more {
			break
		}
	}
	return ahead[:min(n, len(ahead))]
}

// iterate drops what is predicted to be slow, and picks from the rest.
func (t *pruned) iterate(cut float64, rnd *rand.Rand) {
	if len(t.remaining) == 0 {
		t.remaining, t.dropped = t.dropped, nil
	}
	// Also breaks ties between predictions, of which trees make many.
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
	// Performance relative to the best; none where invalid.
	performance := make([]float64, len(t.costs))
	for i, c := range t.costs {
		if !math.IsNaN(c) {
			performance[i] = best / c
		}
	}
	t.model.Fit(t.x, performance)
	row := make([]float64, len(t.space.Parameters))
	for _, point := range t.remaining {
		t.features(row, point)
		t.score[point] = t.model.Predict(row)
	}
	slices.SortStableFunc(t.remaining, func(a, b int) int { return cmp.Compare(t.score[a], t.score[b]) })
	t.dropped = append(t.dropped, t.remaining[:n]...)
	t.remaining = slices.Clone(t.remaining[n:])
}

func (t *pruned) features(row []float64, point int) {
	for d := range row {
		row[d] = t.space.Value(point, d)
	}
}
