package strategy

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.org/bench/tuning"
	"example.org/bench/tuning/models"
)

// TestPruningHalves: with the published settings, every iteration picks the
// same number and leaves half of what remained; then the search ends.
func TestPruningHalves(t *testing.T) {
	space := grid(t, 8, 8, 4) // 256
	s := seeded(1, 1000, space)
	s.Options = map[string]float64{"published": 1, "pick_ratio": 10.0 / 256}
	strategy, err := Find("iterml").New(s)
	if err != nil {
		t.Fatal(err)
	}
	p := strategy.(*pruning)
	var remaining, picked []int
	cost := bowl(space, 3, 3, 1)
	evaluations := 0
	for {
		_, point, ok := p.Next()
		if !ok {
			break
		}
		task := &p.tasks[0]
		if len(picked) == 0 || len(task.batch) == 0 && len(task.remaining) != remaining[len(remaining)-1] {
			remaining = append(remaining, len(task.remaining))
		}
		picked = append(picked, point)
		trial := tuning.Trial{Point: point}
		trial.Cost, trial.OK = cost(point)
		p.Tell(trial)
		evaluations++
	}
	// 256 - 10; then half and 10 less, rounded up, until at most 10 are left.
	want := []int{246, 113, 47, 14, 0}
	if len(remaining) != len(want) {
		t.Fatalf("after the picks remain %v, want %v", remaining, want)
	}
	for i := range want {
		if remaining[i] != want[i] {
			t.Fatalf("after the picks remain %v, want %v", remaining, want)
		}
	}
	// Four iterations of 10, and of the last 14 half.
	if evaluations != 47 {
		t.Errorf("%d evaluations, want 47", evaluations)
	}
}

// TestPruningDropsTheSlow: what the model predicts to be slow goes.
func TestPruningDropsTheSlow(t *testing.T) {
	space := grid(t, 16)
	task := pruned{features: featuresOf(space, true), model: iterMLModels[1].make(0, nil), score: make([]float64, 16)}
	for p := range 16 {
		if p%4 == 0 {
			task.x = append(task.x, task.features.row(nil, p))
			task.costs = append(task.costs, float64(1+p))
		} else {
			task.remaining = append(task.remaining, p)
		}
	}
	task.drop(6)
	for _, p := range task.remaining {
		if p > 8 {
			t.Errorf("point %d of cost %d remains, %v are dropped", p, 1+p, task.dropped)
		}
	}
	if len(task.remaining) != 6 || len(task.dropped) != 6 {
		t.Errorf("%d remain and %d are dropped, want 6 and 6", len(task.remaining), len(task.dropped))
	}
}

func TestTwos(t *testing.T) {
	for v, want := range map[float64]float64{0: 0, 1: 0, 2: 1, 48: 4, 1024: 10, 1.5: 0, -8: 3} {
		if got := twos(v); got != want {
			t.Errorf("2 divides %v %v times, want %v", v, got, want)
		}
	}
}

// heard is a model that keeps what it is fitted to and predicts a performance by the first feature.
type heard struct{ y, at []float64 }

func (h *heard) Fit(_ [][]float64, y []float64) { h.y = y }
func (h *heard) Predict(x []float64) float64    { return h.at[int(math.Log2(x[0]))] }

// TestPruningLearns performance relative to the best, 0 of what is invalid, and drops what is
// predicted to have the least.
func TestPruningLearns(t *testing.T) {
	model := &heard{at: []float64{0, 0.5, 0.9, 0.1, 0.7, 0.3, 0.2, 0.8}}
	task := pruned{features: featuresOf(grid(t, 8), false), model: model, score: make([]float64, 8), remaining: []int{1, 2, 3, 4, 5, 6, 7}, costs: []float64{4, math.NaN(), 2, 8}, x: make([][]float64, 4), dropped: []int{0}}
	task.drop(3)
	if want := []float64{0.5, 0, 1, 0.25}; !slices.Equal(model.y, want) {
		t.Errorf("fitted to %v, want %v", model.y, want)
	}
	if !slices.Equal(task.dropped, []int{0, 3, 6, 5}) || !slices.Equal(task.remaining, []int{1, 4, 7, 2}) {
		t.Errorf("dropped %v, remaining %v", task.dropped, task.remaining)
	}
	// An iteration drops only where more remain than it picks.
	for _, c := range []struct{ remaining, pick, batch, dropped int }{{7, 3, 3, 2}, {4, 3, 3, 1}, {3, 3, 3, 0}, {2, 3, 2, 0}} {
		for _, known := range []int{0, 4} {
			task := pruned{features: task.features, model: model, score: make([]float64, 8), pick: c.pick, costs: []float64{4, 1, 2, 8}[:known], x: make([][]float64, known)}
			for p := range c.remaining {
				task.remaining = append(task.remaining, p)
			}
			task.iterate(0.3, rand.New(rand.NewPCG(1, 1)))
			dropped := c.dropped
			if known == 0 {
				dropped = 0
			}
			if len(task.batch) != c.batch || len(task.dropped) != dropped || len(task.remaining) != c.remaining-c.batch-dropped {
				t.Errorf("%+v, %d known: batch %v, dropped %v, remaining %v", c, known, task.batch, task.dropped, task.remaining)
			}
		}
	}
}

// TestPruningSettings: how many points an iteration picks, which models are scaled, and which has
// trees.
func TestPruningSettings(t *testing.T) {
	for n, want := range map[int]int{4: 2, 299: 2, 300: 3, 800: 8, 5000: 8} {
		if got := pickDefault(n); got != want {
			t.Errorf("%d of %d points, want %d", got, n, want)
		}
	}
	space := grid(t, 5, 5)
	for _, info := range iterML() {
		for _, published := range []float64{0, 1} {
			for ratio, pick := range map[float64]int{0: 2, 0.01: 1, 0.1: 3, 1: 25} { // 2.5 points are 3
				s := seeded(1, 9, space)
				s.Options = map[string]float64{"published": published, "pick_ratio": ratio}
				made, err := info.New(s)
				if err != nil {
					t.Fatal(err)
				}
				task := made.(*pruning).tasks[0]
				_, scaled := task.model.(*models.Standardized)
				wantScaled := published == 0 && !slices.Contains([]string{"iterml", "iterml-rf", "iterml-cart"}, info.Name)
				if task.pick != pick || scaled != wantScaled || len(task.remaining) != 25 {
					t.Errorf("%s, published %v, ratio %v: picks %d of %d, scaled: %v", info.Name, published, ratio, task.pick, len(task.remaining), scaled)
				}
			}
		}
		if trees := info.Name == "iterml" || info.Name == "iterml-rf"; trees != slices.Contains(info.Options, optTrees) {
			t.Errorf("%s has trees: %v", info.Name, !trees)
		}
	}
}

// TestFeatures are the values of parameters that have several, and how often 2 divides those of
// numbers whose order does not say.
func TestFeatures(t *testing.T) {
	s := space(t, []string{"one", "two", "odd", "names"}, [][]float64{{3}, {1, 4}, {48, 16, 32}, {0, 1, 2, 3}}, nil)
	s.Parameters = slices.Clone(s.Parameters)
	s.Parameters[3].Labels = []string{"a", "b", "c", "d"}
	for divisibility, want := range map[bool][]float64{true: {4, 16, 3, 4}, false: {4, 16, 3}} {
		if got := featuresOf(s, divisibility).row(nil, 1*12+1*4+3); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
}
