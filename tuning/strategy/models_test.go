package strategy

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"example.org/bench/tuning"
	"example.org/bench/tuning/recorded"
	"example.org/bench/tuning/replay"
)

// learning are the strategies that learn from trials by a model.
func learning() []tuning.Info {
	return append(iterML(), bo, nearestSize)
}

// grid is a space of the product of values.
func grid(t testing.TB, sizes ...int) *tuning.Space {
	t.Helper()
	var parameters []tuning.Parameter
	points := [][]uint16{{}}
	for d, n := range sizes {
		p := tuning.Parameter{Name: string(rune('A' + d))}
		var longer [][]uint16
		for i := range n {
			p.Values = append(p.Values, float64(int(1)<<i))
		}
		for _, row := range points {
			for i := range n {
				longer = append(longer, append(append([]uint16{}, row...), uint16(i)))
			}
		}
		parameters, points = append(parameters, p), longer
	}
	s, err := tuning.NewSpace(parameters, points)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// bowl costs least at one point, and grows with the steps from there.
func bowl(s *tuning.Space, lowest ...int) func(point int) (float64, bool) {
	return func(point int) (float64, bool) {
		cost := 1.0
		for d, v := range s.Indexes(point) {
			e := float64(int(v) - lowest[d])
			cost += e * e * float64(d+1) / 10
		}
		return cost, true
	}
}

// search runs a strategy until it ends or the budget is spent; every
// proposal must be new. It is the trials in order.
func search(t *testing.T, info tuning.Info, s tuning.Search, cost func(task, point int) (float64, bool)) []tuning.Trial {
	t.Helper()
	known := map[[2]int]bool{}
	strategy, err := info.New(s)
	if err != nil {
		t.Fatalf("%s: %v", info.Name, err)
	}
	var trials []tuning.Trial
	for len(trials) < s.Budget {
		task, point, ok := strategy.Next()
		if !ok {
			break
		}
		if known[[2]int{task, point}] {
			t.Fatalf("%s: point %d of task %d is proposed again", info.Name, point, task)
		}
		known[[2]int{task, point}] = true
		trial := tuning.Trial{Task: task, Point: point}
		trial.Cost, trial.OK = cost(task, point)
		strategy.Tell(trial)
		trials = append(trials, trial)
	}
	return trials
}

func one(cost func(int) (float64, bool)) func(int, int) (float64, bool) {
	return func(_, point int) (float64, bool) { return cost(point) }
}

func seeded(seed uint64, budget int, spaces ...*tuning.Space) tuning.Search {
	s := tuning.Search{Budget: budget, Rand: rand.New(rand.NewPCG(seed, 1)), Options: map[string]float64{"patience": 0}}
	for i, space := range spaces {
		s.Tasks = append(s.Tasks, tuning.Task{Space: space, Size: []float64{float64(i)}})
	}
	return s
}

// TestLearningExhausts: every point once, then the end, whatever the outcomes.
func TestLearningExhausts(t *testing.T) {
	invalid := func(int) (float64, bool) { return 0, false }
	equal := func(int) (float64, bool) { return 1, true }
	half := func(p int) (float64, bool) { return float64(1 + p), p%2 == 0 }
	for _, info := range learning() {
		for _, sizes := range [][]int{{1}, {2}, {1, 1, 1}, {3, 4, 3}} {
			space := grid(t, sizes...)
			for name, cost := range map[string]func(int) (float64, bool){"invalid": invalid, "equal": equal, "half": half} {
				t.Run(fmt.Sprintf("%s/%v/%s", info.Name, sizes, name), func(t *testing.T) {
					trials := search(t, info, seeded(1, 1000, space), one(cost))
					if len(trials) != space.Len() {
						t.Errorf("%d trials of %d points", len(trials), space.Len())
					}
				})
			}
		}
	}
}

func TestLearningIsDeterministic(t *testing.T) {
	a, b := grid(t, 5, 4, 3), grid(t, 6, 5)
	cost := func(task, point int) (float64, bool) {
		if task == 0 {
			return bowl(a, 4, 1, 2)(point)
		}
		c, _ := bowl(b, 4, 1)(point)
		return c, point%5 > 0
	}
	for _, info := range learning() {
		first := search(t, info, seeded(5, 24, a, b), cost)
		again := search(t, info, seeded(5, 24, a, b), cost)
		other := search(t, info, seeded(6, 24, a, b), cost)
		if fmt.Sprint(first) != fmt.Sprint(again) {
			t.Errorf("%s: one seed gives two searches", info.Name)
		}
		if fmt.Sprint(first) == fmt.Sprint(other) {
			t.Errorf("%s: two seeds give one search", info.Name)
		}
	}
}

// TestLearningFindsTheLowest of a smooth space, in fewer evaluations than the
// chance would allow.
func TestLearningFindsTheLowest(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one thread")
	}
	space := grid(t, 5, 5, 5)
	const budget, seeds = 35, 5
	for _, info := range learning() {
		found := 0
		for seed := range uint64(seeds) {
			for _, trial := range search(t, info, seeded(seed, budget, space), one(bowl(space, 3, 1, 4))) {
				if trial.Cost == 1 {
					found++
				}
			}
		}
		// At random 1.4 of 5.
		if found < 4 {
			t.Errorf("%s finds the lowest of %d points in %d of %d searches of %d", info.Name, space.Len(), found, seeds, budget)
		}
	}
}

// BenchmarkLearning reports the strategies' own time an evaluation, in a space of
// 16,384 points.
func BenchmarkLearning(b *testing.B) {
	space := grid(b, 8, 8, 8, 8, 4)
	r := &recorded.Space{Name: "grid", Space: space, Costs: make([]float64, space.Len())}
	for p := range r.Costs {
		r.Costs[p], _ = bowl(space, 5, 2, 6, 1, 3)(p)
		if p%7 == 0 {
			r.Costs[p] = math.NaN()
		}
	}
	for _, info := range learning() {
		b.Run(info.Name, func(b *testing.B) {
			o := replay.Options{Budget: 200, Repeats: b.N, Seed: 1, Workers: 1, Options: map[string]float64{"patience": 0}}
			rep, err := replay.Run(context.Background(), []*recorded.Space{r}, info, o)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(rep.OwnSeconds*1e3, "ms/evaluation")
		})
	}
}

func TestOptionFaults(t *testing.T) {
	for _, c := range []struct {
		strategy, option string
		value            float64
	}{
		{"iterml", "cut_ratio", 1}, {"iterml", "cut_ratio", -0.1}, {"iterml", "pick_ratio", 1.5}, {"iterml", "trees", 0},
		{"iterml", "cut_ratio", math.NaN()}, {"knn", "k", 0}, {"bo", "patience", -1}, {"bo", "initial", -1},
		{"knn", "k", 1.5}, {"knn", "k", 1e300}, {"bo", "initial", 2.5}, {"iterml", "published", 2}, {"iterml", "trees", 10.5},
	} {
		for _, info := range learning() {
			if info.Name != c.strategy {
				continue
			}
			s := seeded(1, 10, grid(t, 3, 3))
			s.Options = map[string]float64{c.option: c.value}
			if _, err := info.New(s); err == nil || !strings.Contains(err.Error(), c.option) {
				t.Errorf("%s with %s = %v: %v", c.strategy, c.option, c.value, err)
			}
		}
	}
}
