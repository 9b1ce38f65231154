package strategy

import (
	"math/rand/v2"
	"testing"

	"example.org/bench/tuning"
)

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
