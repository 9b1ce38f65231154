package strategy

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.org/bench/tuning"
	"example.org/bench/tuning/recorded/recordedtest"
)

// lesson is of one task: what cost says of each point.
func lesson(space *tuning.Space, cost func(point int) float64) tuning.Lesson {
	l := tuning.Lesson{Name: "elsewhere", Costs: [][]float64{nil}}
	for p := range space.Len() {
		l.Costs[0] = append(l.Costs[0], cost(p))
	}
	return l
}

// Whatever a lesson says, after n evaluations and its turns all is evaluated that best
// alone has evaluated after n.
func TestLessonsCostNoMoreThanTheirTurns(t *testing.T) {
	s := recordedtest.Open(t, "coulomb_ktt-RTX_2080_Ti")
	evaluate := func(_, p int) (float64, bool) { return s.Costs[p], !math.IsNaN(s.Costs[p]) }
	alone := search(t, best, seeded(5, 60, s.Space), evaluate)
	for name, cost := range map[string]func(int) float64{
		"the opposite": func(p int) float64 { return 1 / s.Costs[p] },
		"chance":       func(p int) float64 { return 1 + math.Mod(float64(p)*0.618, 1) },
		"one point":    func(p int) float64 { return map[bool]float64{true: 1, false: math.NaN()}[p == 17] },
		"the truth":    func(p int) float64 { return s.Costs[p] },
	} {
		for _, turns := range []int{1, trusted, 9} {
			in := seeded(5, 60, s.Space)
			in.Lessons = []tuning.Lesson{lesson(s.Space, cost)}
			in.Options = map[string]float64{trust.Name: float64(turns)}
			guided := search(t, best, in, evaluate)
			if slices.Equal(guided, alone) {
				t.Errorf("%s: the lesson changed nothing", name)
			}
			for n := range len(alone) - turns {
				if !slices.Contains(guided[:n+turns+1], alone[n]) {
					t.Fatalf("%s, %d turns: evaluation %d of best alone is not among the first %d", name, turns, n+1, n+turns+1)
				}
			}
		}
	}
}

// The best of another device is evaluated first. A few trials of it tell of the points
// between them.
func TestLessonsAdvise(t *testing.T) {
	s := recordedtest.Open(t, "convolution_milo_old-A4000")
	optimum, _ := s.Optimum()
	for name, c := range map[string]struct {
		cost     func(int) float64
		fraction float64
	}{
		"all":              {func(p int) float64 { return 3 * s.Costs[p] }, 1},
		"every tenth":      {func(p int) float64 { return map[bool]float64{true: s.Costs[p], false: math.NaN()}[p%10 == 0] }, 0.8},
		"what did not run": {func(p int) float64 { return map[bool]float64{true: s.Costs[p], false: math.Inf(1)}[s.Costs[p] > 0] }, 1},
	} {
		in := seeded(5, trusted, s.Space)
		in.Lessons = []tuning.Lesson{lesson(s.Space, c.cost)}
		least := math.Inf(1)
		for _, trial := range search(t, best, in, func(_, p int) (float64, bool) { return s.Costs[p], !math.IsNaN(s.Costs[p]) }) {
			if trial.OK {
				least = min(least, trial.Cost)
			}
		}
		if optimum/least < c.fraction {
			t.Errorf("%s: %.2f of the optimum after %d evaluations, want %v", name, optimum/least, trusted, c.fraction)
		}
	}
}

// TestGuidedIsTwoSearches of several sizes, with points pending and outcomes in any order: every
// point is proposed once and told to both, lessons get a turn back for each of their points that
// the other proposes too, and what they advise is compiled first.
func TestGuidedIsTwoSearches(t *testing.T) {
	s, small := grid(t, 4, 4), grid(t, 3, 2)
	for seed := range uint64(6) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		in := seeded(seed, 60, s, small)
		in.Options = nil
		in.Lessons = []tuning.Lesson{{Costs: [][]float64{nil, nil}}}
		for p := range s.Len() {
			in.Lessons[0].Costs[0] = append(in.Lessons[0].Costs[0], 1+math.Mod(float64(p)*0.618, 1))
		}
		strategy, err := best.New(in)
		if err != nil {
			t.Fatal(err)
		}
		g := strategy.(*guided)
		turns := g.turns
		proposed := map[tuning.Proposal]bool{}
		var pending []tuning.Proposal
		advised := map[tuning.Proposal]bool{}
		for ended := false; !ended || len(pending) > 0; {
			if !ended && len(pending) < 3 {
				before := g.turns
				task, point, ok := g.Next()
				p := tuning.Proposal{Task: task, Point: point}
				if ended = !ok; ok {
					if proposed[p] {
						t.Fatalf("%+v is proposed twice", p)
					}
					proposed[p] = true
					pending = append(pending, p)
					advised[p] = before > 0 && !g.pending[len(g.pending)-1].alone
				}
				continue
			}
			want := -1
			for i, p := range pending {
				if at := g.at(p); want < 0 && at >= 0 && !g.pending[at].alone {
					want = i
				}
			}
			if want < 0 {
				want = g.alone.First(pending)
			}
			if got := g.First(pending); got != want {
				t.Errorf("first %d of %+v, want %d", got, pending, want)
			}
			i := rnd.IntN(len(pending))
			p := pending[i]
			pending = slices.Delete(pending, i, i+1)
			g.Tell(tuning.Trial{Task: p.Task, Point: p.Point, Cost: 2 + math.Sin(float64(p.Point)), OK: p.Point%5 > 0})
			if slices.Contains(g.taught.pending, g.taught.first[p.Task]+p.Point) {
				t.Errorf("%+v is pending still", p)
			}
		}
		if len(proposed) != 22 || g.turns != turns || len(g.alone.points) != 22 || len(g.taught.points)+len(g.untold) != 22 || g.taught.left != len(g.untold) {
			t.Errorf("%d of 22 points, %d of %d turns; told of %d and of %d", len(proposed), g.turns, turns, len(g.alone.points), len(g.taught.points))
		}
		lessons := 0
		for _, is := range advised {
			if is {
				lessons++
			}
		}
		if lessons < turns {
			t.Errorf("lessons chose %d points in %d turns", lessons, turns)
		}
	}
}
