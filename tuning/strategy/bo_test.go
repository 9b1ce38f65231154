package strategy

import (
	"math"
	"testing"

	"example.org/bench/tuning"
)

// TestExpectedImprovement compares the closed form with the integral.
func TestExpectedImprovement(t *testing.T) {
	for _, c := range []struct{ gap, deviation float64 }{{0.3, 0.5}, {-1, 0.7}, {2, 0.1}, {0, 1}} {
		want, const1 := 0.0, 1/math.Sqrt(2*math.Pi)
		const steps, reach = 200_000, 8.0
		for i := range steps {
			z := -reach + (float64(i)+0.5)*2*reach/steps
			want += max(c.gap+c.deviation*z, 0) * const1 * math.Exp(-z*z/2) * 2 * reach / steps
		}
		if got := expectedImprovement(c.gap, c.deviation); math.Abs(got-want) > 1e-6 {
			t.Errorf("%+v: %v, by integration %v", c, got, want)
		}
	}
	if a, b := expectedImprovement(0.5, 0), expectedImprovement(-0.5, 0); a != 0.5 || b != 0 {
		t.Errorf("without deviation %v and %v, want 0.5 and 0", a, b)
	}
}

// TestBOPatience: the search of a size ends after five evaluations without
// progress, that of others goes on.
func TestBOPatience(t *testing.T) {
	flat, other := grid(t, 6, 6), grid(t, 6, 6)
	falls := 0
	cost := func(task, point int) (float64, bool) {
		if task == 0 {
			return 1, true
		}
		// Progress every fourth time, ten times.
		if falls++; falls%4 == 0 && falls <= 40 {
			return 1 / float64(falls), true
		}
		return 1, true
	}
	s := seeded(1, 100, flat, other)
	s.Options = nil
	var count [2]int
	for _, trial := range search(t, bo, s, cost) {
		count[trial.Task]++
	}
	// Three at random, of which the first is progress, and five.
	if count[0] != 3+5 {
		t.Errorf("%d evaluations of the flat size, want 8", count[0])
	}
	if count[1] != 36 {
		t.Errorf("%d evaluations of the other, want all 36", count[1])
	}
}

// TestBOAvoidsInvalid: what is invalid by a rule is evaluated seldom once the
// rule has shown, although its surroundings are the fastest.
func TestBOAvoidsInvalid(t *testing.T) {
	space := grid(t, 8, 8, 6)
	lowest := bowl(space, 6, 6, 2)
	cost := func(point int) (float64, bool) {
		row := space.Indexes(point)
		c, _ := lowest(point)
		return c, row[0] < 5 || row[1] < 4 // else a fifth of the points, the lowest among them
	}
	limit := math.Inf(1)
	for p := range space.Len() {
		if c, ok := cost(p); ok {
			limit = min(limit, c)
		}
	}
	late, found := 0, 0
	const seeds = 5
	for seed := range uint64(seeds) {
		best := math.Inf(1)
		for i, trial := range search(t, bo, seeded(seed, 60, space), one(cost)) {
			if !trial.OK && i >= 30 {
				late++
			}
			if trial.OK {
				best = min(best, trial.Cost)
			}
		}
		if best == limit {
			found++
		}
	}
	t.Logf("%d of %d late evaluations are invalid", late, 30*seeds)
	if late > 2*seeds {
		t.Errorf("%d of %d late evaluations are invalid; at random %d would be", late, 30*seeds, 30*seeds*12/64)
	}
	if found < seeds-1 {
		t.Errorf("%d of %d searches find the best valid point", found, seeds)
	}
}

// TestBOSharesSizes: sizes that resemble each other, searched together, need
// fewer evaluations per size than one alone.
func TestBOSharesSizes(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one thread")
	}
	const seeds = 2
	space := grid(t, 8, 8, 8)
	cost := func(task, point int) (float64, bool) {
		row := space.Indexes(point)
		c, _ := bowl(space, 5, 2, 6)(point)
		// Rugged, and other in level at every size.
		return float64(1+task) * (c + 0.5*math.Mod(float64(row[0])*0.7+float64(row[1]), 2)), true
	}
	lowest := func(task int) float64 {
		best := math.Inf(1)
		for p := range space.Len() {
			c, _ := cost(task, p)
			best = min(best, c)
		}
		return best
	}
	least := []float64{lowest(0), lowest(1), lowest(2)}
	// mean is that over sizes and seeds of the evaluations of a size until it
	// is within 5 % of its lowest.
	mean := func(tasks []int) float64 {
		sum := 0
		for seed := range uint64(seeds) {
			spaces := make([]*tuning.Space, len(tasks))
			for i := range spaces {
				spaces[i] = space
			}
			count, done := make([]int, len(tasks)), make([]bool, len(tasks))
			search(t, bo, seeded(seed, 40*len(tasks), spaces...), func(task, point int) (float64, bool) {
				c, _ := cost(tasks[task], point)
				if !done[task] {
					count[task]++
					done[task] = c <= least[tasks[task]]/0.95
				}
				return c, true
			})
			for _, n := range count {
				sum += n
			}
		}
		return float64(sum) / float64(seeds*len(tasks))
	}
	together, alone := mean([]int{0, 1, 2}), mean([]int{2})
	t.Logf("%.1f evaluations per size together, %.1f alone", together, alone)
	if !(together < 0.8*alone) {
		t.Errorf("%.1f evaluations per size together, %.1f alone", together, alone)
	}
}

// TestBOTellsSizesApart: sizes whose lowest points lie far apart do not
// disturb each other.
func TestBOTellsSizesApart(t *testing.T) {
	space := grid(t, 8, 8, 8)
	low := [][]int{{0, 7, 1}, {7, 0, 6}}
	const seeds, budget = 3, 60
	found := 0
	for seed := range uint64(seeds) {
		trials := search(t, bo, seeded(seed, budget, space, space), func(task, point int) (float64, bool) {
			return bowl(space, low[task]...)(point)
		})
		for _, trial := range trials {
			if trial.Cost == 1 {
				found++
			}
		}
	}
	if found < 2*seeds-1 {
		t.Errorf("%d of %d lowest points are found in %d evaluations per size", found, 2*seeds, budget/2)
	}
}
