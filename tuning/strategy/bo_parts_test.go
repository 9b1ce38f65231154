package strategy

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bench/tuning"
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
	// Of the best points in turn until they are half the share: what differs in one value, or in
	// two by a step.
	var valid []tuning.Trial
	for _, x := range b.trials {
		if x.Task == 0 {
			valid = append(valid, x)
		}
	}
	slices.SortStableFunc(valid, func(x, y tuning.Trial) int { return cmp.Compare(x.Cost, y.Cost) })
	want := map[int]bool{}
	for i, x := range valid {
		if i < 6 && len(want) < 375 {
			for p := range large.Len() {
				if !b.tasks[0].known[p] && surrounds(large, x.Point, p) {
					want[p] = true
				}
			}
		}
	}
	got := map[int]bool{}
	for _, w := range b.watched[:len(want)] {
		got[w[1]] = true
	}
	for p := range want {
		if !got[p] {
			t.Fatalf("%d of the %d points around the best is not among the first candidates", p, len(want))
		}
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
	if unlikely == 0 {
		t.Error("something likely is left in every search")
	}
}

// TestBODraws: a point at random of those left, by number where they are a quarter or less.
func TestBODraws(t *testing.T) {
	for _, left := range []int{20, 6, 5, 1} {
		task := &boTask{known: make([]bool, 20), left: left}
		var free []int
		for p := range task.known {
			if p*7%20 < left {
				free = append(free, p)
			} else {
				task.known[p] = true
			}
		}
		for seed := range uint64(20) {
			draws := rand.New(rand.NewPCG(seed, 4))
			want := -1
			if left > 5 {
				for want < 0 || task.known[want] {
					want = draws.IntN(20)
				}
			} else {
				want = free[draws.IntN(left)]
			}
			if got := task.draw(rand.New(rand.NewPCG(seed, 4))); got != want {
				t.Errorf("%d left: %d, want %d", left, got, want)
			}
		}
	}
}

// TestBODrawsWhatIsLikely: of ten points the first of those that are likeliest to be valid, once
// something is known of that.
func TestBODrawsWhatIsLikely(t *testing.T) {
	s := grid(t, 6, 6)
	b := made(t, seeded(1, 60, s))
	task := &b.tasks[0]
	compare := func(draws int) {
		t.Helper()
		for seed := range uint64(20) {
			rnd := rand.New(rand.NewPCG(seed, 4))
			want, most := -1, -1.0
			for range draws {
				p := task.draw(rnd)
				if chance, _ := b.validity.chance(task.described(p)); chance > most {
					want, most = p, chance
				}
			}
			if got := task.anywhere(&b.validity, rand.New(rand.NewPCG(seed, 4))); got != want {
				t.Errorf("%d, want %d", got, want)
			}
		}
	}
	compare(1)
	for p := range 12 {
		b.validity.tell(task.described(3*p), p%4 > 1)
	}
	compare(10)
}

// TestValidityLearns from the first that is invalid beside one that is valid, at every one that is
// invalid, and else when a fifth more are known.
func TestValidityLearns(t *testing.T) {
	v := &validity{}
	v.forest.Trees, v.forest.Rand = 5, rand.New(rand.NewPCG(1, 1))
	due := 0
	for i, c := range []struct {
		ok  bool
		due int
	}{
		{false, 0}, {false, 0}, {true, 3 + 5}, {true, 8}, {true, 8}, {true, 8}, {true, 8}, {true, 8 + 5}, {false, 9 + 5}, {true, 14},
	} {
		v.tell([]float64{float64(i)}, c.ok)
		if v.due != c.due {
			t.Errorf("after %d trials due at %d, want %d", i+1, v.due, c.due)
		}
		due = c.due
	}
	for len(v.y) < 40 {
		v.tell([]float64{float64(len(v.y))}, true)
		if len(v.y) == due {
			due += max(5, due/5)
		}
		if v.due != due {
			t.Errorf("after %d trials due at %d, want %d", len(v.y), v.due, due)
		}
	}
}

// TestLikely is a chance of a quarter, or of half the share of valid points.
func TestLikely(t *testing.T) {
	for _, c := range []struct {
		invalid int
		of      int
		chance  float64
		want    bool
	}{
		{5, 10, 0.25, true}, {5, 10, 0.2, false}, {2, 10, 0.25, true}, {2, 10, 0.24, false}, {8, 10, 0.1, true}, {8, 10, 0.09, false}, {6, 10, 0.2, true}, {6, 10, 0.19, false},
	} {
		v := &validity{invalid: c.invalid, y: make([]float64, c.of), learned: true}
		// A forest of one leaf.
		v.forest.Trees, v.forest.Rand = 1, rand.New(rand.NewPCG(1, 1))
		v.forest.Fit([][]float64{{0}, {0}}, []float64{c.chance, c.chance})
		if chance, likely := v.chance([]float64{0}); chance != c.chance || likely != c.want {
			t.Errorf("%+v: %v, %v", c, chance, likely)
		}
	}
	v := &validity{}
	if chance, likely := v.chance(nil); chance != 1 || !likely {
		t.Errorf("%v, %v of what is not known", chance, likely)
	}
}

// TestBOTells: what counts as progress, and when the model is made anew.
func TestBOTells(t *testing.T) {
	s := grid(t, 6, 6)
	in := seeded(1, 60, s)
	in.Options = map[string]float64{"initial": 3, "patience": 2}
	b := made(t, in)
	tell := func(cost float64, ok bool, evaluations, stale int, done bool) {
		t.Helper()
		_, point, _ := b.Next()
		b.Tell(tuning.Trial{Point: point, Cost: cost, OK: ok})
		if x := b.tasks[0]; x.evaluations != evaluations || x.stale != stale || x.done != done || len(b.pending) != 0 {
			t.Errorf("%d evaluations, %d stale, done %v; want %d, %d, %v", x.evaluations, x.stale, x.done, evaluations, stale, done)
		}
	}
	tell(5, true, 1, 0, false)
	tell(6, true, 2, 0, false)
	tell(7, true, 3, 0, false)
	if b.posterior != nil {
		t.Error("a model before its time")
	}
	tell(5, true, 4, 1, false)
	if b.posterior == nil || b.refit != 3+5 {
		t.Errorf("model due at %d trials, want 8", b.refit)
	}
	tell(4, true, 5, 0, false)
	tell(1, false, 6, 1, false)
	tell(4, true, 7, 2, true)
	if _, _, ok := b.Next(); ok {
		t.Error("goes on after its patience")
	}
	in.Options["patience"] = 0
	b = made(t, in)
	asked(b, 30, func(int, int) (float64, bool) { return 1, true })
	if b.tasks[0].done || b.refit != 33 { // 8, 13, 18, 23, 28 and 33
		t.Errorf("done %v, due at %d", b.tasks[0].done, b.refit)
	}
}
