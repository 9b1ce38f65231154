package strategy

import (
	"math"
	"slices"
	"testing"

	"example.org/bench/tuning"
)

func made(t *testing.T, s tuning.Search) *boSearch {
	t.Helper()
	b, err := newBO(s)
	if err != nil {
		t.Fatal(err)
	}
	return b.(*boSearch)
}

// asked has b evaluate n points.
func asked(b *boSearch, n int, cost func(task, point int) (float64, bool)) {
	for range n {
		task, point, _ := b.Next()
		c, ok := cost(task, point)
		b.Tell(tuning.Trial{Task: task, Point: point, Cost: c, OK: ok})
	}
}

// TestCoordinates are ranks of values, and how often 2 divides them where the order does not say;
// of one name in all tasks.
func TestCoordinates(t *testing.T) {
	one := space(t, []string{"x", "y", "z"}, [][]float64{{48, 16, 32}, {2, 1}, {5}}, nil)
	two := space(t, []string{"w", "y", "x"}, [][]float64{{1, 2, 4}, {1, 2, 4}, {1, 3}}, nil)
	b := made(t, seeded(1, 9, one, two))
	// x, y and twos of x are numbered before w.
	for p, want := range [][]float64{{1, 1, 0.8, 0}, {1, 0, 0.8, 0}, {0, 1, 0.8, 0}, {0, 0, 0.8, 0}, {0.5, 1, 1, 0}, {0.5, 0, 1, 0}} {
		if got := b.tasks[0].coordinates.row(p); !slices.Equal(got, want) {
			t.Errorf("point %d: %v, want %v", p, got, want)
		}
	}
	if got, want := b.tasks[1].described(2*6+1*2+1), []float64{1, 0.5, 0, 1, 1}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v and the size 1", got, want)
	}
}

// TestBOStandardises: each size's logarithms have mean 0; their scale is of its own and of three
// trials with the spread of all.
func TestBOStandardises(t *testing.T) {
	s := grid(t, 4, 2)
	b := made(t, seeded(1, 20, s, s, s))
	logs := [][]float64{{1, 2, 6}, nil, {4, 5}}
	for task, l := range logs {
		for p, y := range l {
			b.trials = append(b.trials, tuning.Trial{Task: task, Point: p, Cost: math.Exp(y)})
		}
	}
	b.standardize()
	// Beyond their means -2, -1, 3, -1/2 and 1/2.
	common := (4 + 1 + 9 + 0.25 + 0.25) / 4.
	for i, want := range [][2]float64{{3, math.Sqrt((3*common + 14) / 6)}, {0, math.Sqrt(common)}, {4.5, math.Sqrt((3*common + 0.5) / 5)}} {
		near(t, "center", b.tasks[i].center, want[0], 1e-12)
		near(t, "scale", b.tasks[i].scale, want[1], 1e-12)
	}
	near(t, "outcome", b.outcome(b.trials[2]), 3/b.tasks[0].scale, 1e-12)
	// Costs that are alike, or of one trial.
	for _, n := range []int{1, 2} {
		b.trials = []tuning.Trial{{Cost: 7}, {Point: 1, Cost: 7}}[:n]
		b.standardize()
		near(t, "scale of what is alike", b.tasks[0].scale, math.Sqrt(3/float64(3+n)), 1e-9)
	}
}

// TestBOLimits trials to a number: the better half, and others.
func TestBOLimits(t *testing.T) {
	s := grid(t, 5, 4)
	b := made(t, seeded(1, 20, s))
	for p := range 20 {
		b.trials = append(b.trials, tuning.Trial{Point: p, Cost: float64(1 + p*7%20), OK: true})
	}
	if got := b.limited(20); !slices.Equal(got, b.trials) {
		t.Errorf("all: %v", got)
	}
	got := b.limited(9)
	if len(got) != 9 {
		t.Fatalf("%d trials, want 9", len(got))
	}
	worst := 0.0
	for i, x := range got {
		if i < 4 && x.Cost != float64(1+i) || slices.Contains(got[:i], x) {
			t.Errorf("trial %d: %+v", i, x)
		}
		worst = max(worst, x.Cost)
	}
	if worst < 10 {
		t.Errorf("none of the rest: the worst costs %v", worst)
	}
}

// TestBOCandidates are all free points of small spaces; of large ones those around the best, and
// others up to its share.
func TestBOCandidates(t *testing.T) {
	large, small := grid(t, 8, 8, 8, 4), grid(t, 5, 5, 4, 5) // 2048 and 500
	cost := func(task, point int) (float64, bool) { return 1 + float64(point*37%101), point%9 > 0 }
	b := made(t, seeded(2, 60, large, small, small))
	asked(b, 30, cost)
	b.tasks[2].done = true
	b.posterior = b.process.Posterior()
	b.watched = nil
	b.choose()
	var count [3]int
	seen := map[[2]int]bool{}
	for _, w := range b.watched {
		count[w[0]]++
		if seen[w] || b.tasks[w[0]].known[w[1]] {
			t.Errorf("%v is twice a candidate, or known", w)
		}
		seen[w] = true
	}
	if count[0] != 750 || count[1] != 490 || count[2] != 0 {
		t.Errorf("%v candidates of 1500 for two tasks that go on, one of 490 points", count)
	}
	// A space of just the share, or one more.
	for _, left := range []int{1500, 1501} {
		b := made(t, seeded(2, 60, grid(t, 8, 8, 8, 4)))
		for p := range b.tasks[0].known[:2048-left] {
			b.tasks[0].known[p] = true
		}
		b.tasks[0].left = left
		b.posterior = b.process.Posterior()
		b.choose()
		inOrder := slices.IsSortedFunc(b.watched, func(v, w [2]int) int { return v[1] - w[1] })
		if len(b.watched) != 1500 || inOrder != (left == 1500) {
			t.Errorf("%d left: %d candidates, in order: %v", left, len(b.watched), inOrder)
		}
	}
}

// TestBOCandidatesAreNear the best points in turn, six at most and until they are half of a size's
// share: they differ in one value, or in two by a step.
func TestBOCandidatesAreNear(t *testing.T) {
	large := grid(t, 8, 8, 8, 4)
	for sizes, most := range map[int]int{1: 750, 6: 125} {
		in := seeded(1, 9)
		for range sizes {
			in.Tasks = append(in.Tasks, tuning.Task{Space: large})
		}
		b := made(t, in)
		for i := range 9 {
			p := (i*811 + 100) % large.Len()
			b.trials = append(b.trials, tuning.Trial{Point: p, Cost: float64(9 - i), OK: true})
			b.tasks[0].known[p] = true
		}
		want := map[int]bool{}
		for i := 8; i > 2 && len(want) < most; i-- {
			for p := range large.Len() {
				if !b.tasks[0].known[p] && surrounds(large, b.trials[i].Point, p) {
					want[p] = true
				}
			}
		}
		b.posterior = b.process.Posterior()
		b.choose()
		for i, w := range b.watched[:len(want)] {
			if !want[w[1]] {
				t.Errorf("%d sizes: candidate %d of %d is not near the best points", sizes, i, len(want))
			}
		}
		others := 0
		for _, w := range b.watched[len(want):][:60] {
			if !slices.ContainsFunc(b.trials, func(x tuning.Trial) bool { return surrounds(large, x.Point, w[1]) }) {
				others++
			}
		}
		if others < 30 {
			t.Errorf("%d sizes: of the next 60 candidates %d are at random", sizes, others)
		}
	}
}

// surrounds reports whether points differ in one value, or in two by a step each.
func surrounds(s *tuning.Space, p, q int) bool {
	differ, far := 0, 0
	for d, v := range s.Indexes(p) {
		if e := int(v) - int(s.Indexes(q)[d]); e != 0 {
			differ++
			far = max(far, e, -e)
		}
	}
	return differ == 1 || differ == 2 && far == 1
}

// TestBOSurroundings, with what is known and what is invalid in between.
func TestBOSurroundings(t *testing.T) {
	s := space(t, []string{"a", "b", "c"}, [][]float64{{1, 2, 3, 4}, {1, 2, 3}, {1, 2, 3, 4, 5}}, func(v []float64) bool { return v[0]+v[1]+v[2] != 6 })
	for point := range s.Len() {
		b := made(t, seeded(1, 9, s))
		b.posterior = b.process.Posterior()
		b.tasks[0].watched = map[int]bool{}
		b.tasks[0].known[7], b.tasks[0].known[point] = true, true
		b.surroundings(0, point)
		var got, want []int
		for _, w := range b.watched {
			got = append(got, w[1])
		}
		slices.Sort(got)
		for p := range s.Len() {
			if p != 7 && surrounds(s, point, p) {
				want = append(want, p)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("around %d: %v, want %v", point, got, want)
		}
	}
}

// TestBOImproves: of the candidates of a task that are likely to be valid, else of all, the one
// of the greatest expected improvement, less what pending points have in common with it, times
// the chance of being valid.
func TestBOImproves(t *testing.T) {
	s := grid(t, 6, 6)
	unlikely := 0
	for seed := range uint64(12) {
		b := made(t, seeded(seed, 60, s, s))
		asked(b, 24, func(task, point int) (float64, bool) {
			c, _ := bowl(s, 4, 1+task)(point)
			return c, point%6 < 3+int(seed%3)
		})
		b.Next()
		b.Next()
		b.Next()
		if seed%4 == 3 { // all but what is unlikely is known
			for p := range s.Len() {
				b.tasks[0].known[p] = b.tasks[0].known[p] || p%6 < 3+int(seed%3)
			}
		}
		task := &b.tasks[0]
		want, most, likeliest := -1, -1.0, false
		for i, w := range b.watched {
			if w[0] != 0 || task.known[w[1]] {
				continue
			}
			mean, deviation := b.posterior.At(i)
			chance, likely := b.validity.chance(task.described(w[1]))
			gain := chance * expectedImprovement((task.best-task.center)/task.scale-mean, deviation)
			for _, x := range b.pending {
				gain *= 1 - math.Pow(b.posterior.Correlation(i, x.input), 2)
			}
			if likely && !likeliest || likely == likeliest && gain > most {
				want, most, likeliest = w[1], gain, likely
			}
		}
		if !likeliest {
			unlikely++
		}
		if got := b.improve(0); got != want {
			t.Errorf("seed %d: point %d, want %d", seed, got, want)
		}
	}
	b := made(t, seeded(1, 60, s))
	asked(b, 36, func(_, point int) (float64, bool) { return float64(1 + point), true })
	if got := b.improve(0); got != -1 {
		t.Errorf("point %d where all are known", got)
	}
	if unlikely == 0 {
		t.Error("something likely is left in every search")
	}
}

// TestBOProposesWhatImproves, once each size has its trials at random and two were valid.
func TestBOProposesWhatImproves(t *testing.T) {
	s := grid(t, 6, 6)
	zeros := 0
	for seed := range uint64(4) {
		b := made(t, seeded(seed, 60, s))
		for n := range 20 {
			due := b.posterior == nil || len(b.trials) >= b.refit
			want := -1
			if !due {
				want = b.improve(0)
			}
			_, point, _ := b.Next()
			if want >= 0 && point != want {
				t.Errorf("point %d, want %d", point, want)
			}
			if want == 0 {
				zeros++
			}
			c, _ := bowl(s, 0, 0)(point)
			b.Tell(tuning.Trial{Point: point, Cost: c, OK: n > 6})
			if (b.posterior != nil) != (n >= 9) {
				t.Errorf("after %d trials, of which the first 7 are invalid, there is a model: %v", n+1, b.posterior != nil)
			}
		}
	}
	if zeros == 0 {
		t.Error("the first point of the space never promises most")
	}
}
