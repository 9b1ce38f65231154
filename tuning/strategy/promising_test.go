package strategy

import (
	"math"
	"math/rand/v2"
	"testing"

	"example.org/bench/tuning"
)

// TestMostPromising is the greatest expected improvement on the best of its task, beyond a margin,
// times the probability of being valid, and by haste.
func TestMostPromising(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	small := grid(t, 5, 4)
	for round := range 60 {
		b := newSearcher(seeded(1, 50, small, small, small))
		m := &process{signal: 0.3 + rnd.Float64(), offset: rnd.NormFloat64()}
		for c := range b.done {
			m.pool = append(m.pool, c)
			m.mean, m.variance = append(m.mean, float32(rnd.NormFloat64())), append(m.variance, rnd.Float32())
			m.faulty, m.dear = append(m.faulty, 1.4*rnd.Float32()-0.2), append(m.dear, rnd.Float32())
			b.done[c] = rnd.IntN(4) == 0
		}
		m.variance[7] = -1
		b.model, b.lowest, b.usual = m, []float64{m.offset - 0.4, math.Inf(1), m.offset + 0.2}, math.NaN()
		if round%2 == 0 {
			b.ran, b.usual = []float64{0.5}, 0.3
		}
		margin := rnd.Float64()
		want, most := -1, 0.0
		for i, c := range m.pool {
			low := []float64{b.lowest[0], 0, b.lowest[2]}[b.task(c)]
			deviation := math.Sqrt(m.signal * max(float64(m.variance[i]), 1e-9))
			value := expectedImprovement(low-margin-m.offset-float64(m.mean[i]), deviation)
			value *= min(1, max(0.02, 1-float64(m.faulty[i])))
			if round%2 == 0 {
				value /= 0.5 + math.Exp(0.3+float64(m.dear[i]))
			}
			if !b.done[c] && c%3 != 0 && value > most {
				want, most = c, value
			}
		}
		if got := b.most(margin, func(c int) bool { return c%3 != 0 }); got != want {
			t.Errorf("candidate %d, want %d", got, want)
		}
	}
}

// TestNothingPromises: where nothing is expected of any, the nearest to the goal comes first, and
// before it what needs no change.
func TestNothingPromises(t *testing.T) {
	b := newSearcher(seeded(1, 50, grid(t, 5)))
	b.model = &process{signal: 1, pool: []int{0, 1, 2, 3, 4}, mean: []float32{90, 50, 70, 60, 80}, variance: make([]float32, 5), faulty: make([]float32, 5)}
	b.lowest, b.usual = []float64{0}, math.NaN()
	any := func(int) bool { return true }
	if got := b.most(0.1, any); got != 1 {
		t.Errorf("%d, want 1", got)
	}
	b.search.Switching = &tuning.Switching{On: 7, Seconds: 2}
	for _, settings := range [][]float64{{7, 3, 7, 3, 3}, {3, 3, 7, 3, 7}, {7, 7, 7, 7, 7}, {3, 3, 3, 3, 3}} {
		b.settings = settings
		want := 1
		if settings[1] != settings[2] {
			want = 2
		}
		if got := b.most(0.1, any); got != want {
			t.Errorf("%v: %d, want %d", settings, got, want)
		}
	}
	if got := b.most(0.1, func(int) bool { return false }); got != -1 {
		t.Errorf("%d of none", got)
	}
}

// TestMarginsTakeTurns: 0.1, 0.5 and 1 choose one each of three candidates; a fourth has the
// least mean. Every fourth time it is a neighbour's turn, and that of a task that is behind comes
// before all.
func TestMarginsTakeTurns(t *testing.T) {
	s := grid(t, 5, 4)
	m := &process{signal: 1, pool: []int{11, 10, 13, 14, 3, 27}, mean: []float32{-0.3, 0.3, 3.3, -0.35, 2, 1}, faulty: make([]float32, 6)}
	for _, d := range []float32{0.6, 1.2, 3, 0.001, 0.2, 0.5} {
		m.variance = append(m.variance, d*d)
	}
	b := newSearcher(seeded(1, 50, s, s))
	tell(b, tuning.Trial{Point: 0, Cost: 1, OK: true}) // of which 3 is a neighbour
	b.model, b.lowest, b.usual = m, []float64{0, 0}, math.NaN()
	pending := make([]int, 20)
	for i := range pending {
		pending[i] = 39
	}
	for _, c := range []struct {
		proposed, behind, want int
		taught                 bool
	}{
		{1, -1, 10, false}, {2, -1, 13, false}, {3, -1, 11, false}, {4, -1, 3, false}, {5, -1, 13, false}, {6, -1, 11, false}, {7, -1, 10, false}, {8, -1, 3, false},
		{1, -1, 14, true}, {2, -1, 14, true}, {3, -1, 11, true}, {5, -1, 13, true}, {4, 1, 27, false}, {5, 1, 27, false}, {7, 0, 10, false}, {6, 0, 10, false},
	} {
		b.pending, b.taught = pending[:c.proposed-1], nil
		if c.taught {
			b.taught = &taught{}
		}
		if got := b.promising(c.behind); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
	b.done[27] = true
	if got := b.promising(1); got != 13 && got != 10 && got != 11 {
		t.Errorf("%d where the task that is behind has no candidate", got)
	}
	b.pending, b.done[3] = pending[:3], true
	if got := b.promising(-1); got != 10 {
		t.Errorf("%d where no neighbour is a candidate, want 10", got)
	}
}

// TestChoosing: the design, then a task without a valid point at every other evaluation, then what
// promises, then what is far off.
func TestChoosing(t *testing.T) {
	empty, err := tuning.NewSpace([]tuning.Parameter{{Name: "A", Values: []float64{1}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := grid(t, 4, 4)
	b := newSearcher(seeded(1, 50, empty, s, s))
	first := b.design[0]
	b.take(tuning.Proposal{Task: b.task(first), Point: first - b.first[b.task(first)]})
	if got := b.choose(); got != b.design[0] || got == first {
		t.Errorf("%d is chosen of the design %v, of which %d is proposed", got, b.design, first)
	}
	b = newSearcher(seeded(1, 50, empty, s, s))
	b.design = nil
	valid := func(task, point int) {
		tell(b, tuning.Trial{Task: task, Point: point, Cost: float64(3 + point%5), OK: true})
	}
	valid(1, 3)
	if c := b.choose(); b.task(c) != 1 || b.model != nil {
		t.Errorf("candidate %d at an odd evaluation, and a model: %v", c, b.model != nil)
	}
	valid(1, 9)
	if c := b.choose(); c != 16+3 {
		t.Errorf("candidate %d, want the best of the other task", c)
	}
	tell(b, tuning.Trial{Task: 1, Point: 14})
	if b.choose(); b.model != nil {
		t.Error("a model of two valid points")
	}
	valid(1, 6)
	b.take(tuning.Proposal{Task: 2, Point: 11})
	if b.choose(); b.model == nil || b.refit != 4+2 {
		t.Fatalf("the model is due at %d points, want 6", b.refit)
	}
	model := b.model
	tell(b, tuning.Trial{Task: 1, Point: 0, Cost: 4, OK: true})
	b.pending = b.pending[:0]
	if b.choose(); b.model != model {
		t.Error("another model before it is due")
	}
	tell(b, tuning.Trial{Task: 1, Point: 1, Cost: 4, OK: true}, tuning.Trial{Task: 1, Point: 2, Cost: 4, OK: true})
	if b.choose(); b.model == model {
		t.Error("the same model when it is due")
	}
	model = b.model
	b.refit = 99
	tell(b, tuning.Trial{Task: 2, Point: 2, Cost: 4, OK: true})
	if b.refit != 0 {
		t.Error("a task's first valid point makes no new model")
	}
	if b.Next(); b.model == model {
		t.Error("the model has no base for the task")
	}
	// The pool is used up: another.
	model = b.model
	b.model.pool = b.model.pool[:0]
	b.refit = 99
	if c := b.choose(); c < 0 || b.done[c] || b.model == model || c != b.promising(b.behind()) {
		t.Errorf("candidate %d from an empty pool", c)
	}
	// What is best elsewhere may be the first candidate of all.
	other := newSearcher(seeded(1, 50, s, s))
	other.design = nil
	tell(other, tuning.Trial{Task: 1, Point: 0, Cost: 1, OK: true}, tuning.Trial{Task: 1, Point: 5, Cost: 2, OK: true})
	if c := other.transferred(0); c != 0 {
		t.Errorf("candidate %d, want 0", c)
	}
	if c := other.choose(); c != 0 {
		t.Errorf("candidate %d is chosen, want 0", c)
	}
	// A task that has nothing left is not asked.
	for c := 16; c < 32; c++ {
		if !b.done[c] {
			b.done[c] = true
			b.left--
		}
	}
	if c := b.transferred(2); c != -1 {
		t.Errorf("candidate %d of a task that is used up", c)
	}
	if c := b.transferred(0); c != -1 {
		t.Errorf("candidate %d of an empty task", c)
	}
}
