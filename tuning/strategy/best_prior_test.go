package strategy

import (
	"math"
	"slices"
	"testing"

	"example.org/bench/tuning"
	"example.org/bench/tuning/recorded/recordedtest"
)

// predictions are of every third point.
func predictions(space *tuning.Space, cost func(point int) float64) (all []tuning.Predicted) {
	for p := 0; p < space.Len(); p += 3 {
		if c := cost(p); c > 0 {
			all = append(all, tuning.Predicted{Point: p, Cost: c})
		}
	}
	return all
}

// withPrior searches with a prior that comes after some trials, and says how far it is trusted then.
func withPrior(t *testing.T, in tuning.Search, prior []tuning.Predicted, after int, cost func(point int) float64) (points []int, trust tuning.Trust) {
	t.Helper()
	in.Prior = true
	s, err := best.New(in)
	if err != nil {
		t.Fatal(err)
	}
	g := s.(tuning.Guided)
	for n := range in.Budget {
		if n == after {
			g.Guide(prior)
		}
		_, p, ok := s.Next()
		if !ok {
			break
		}
		c := cost(p)
		s.Tell(tuning.Trial{Point: p, Cost: c, OK: !math.IsNaN(c)})
		points = append(points, p)
	}
	return points, g.Trusts()
}

// TestPriorIsTrustedAsItHolds: a prior that is right is followed from the start, and one that is wrong is given
// up after few trials that it chose, whenever it comes.
func TestPriorIsTrustedAsItHolds(t *testing.T) {
	s := recordedtest.Open(t, "coulomb_ktt-RTX_2080_Ti")
	cost := func(p int) float64 { return s.Costs[p] }
	right := predictions(s.Space, func(p int) float64 { return 2 * s.Costs[p] })
	wrong := predictions(s.Space, func(p int) float64 { return 1 / s.Costs[p] })
	least := slices.MinFunc(right, func(a, b tuning.Predicted) int { return int(math.Copysign(1, a.Cost-b.Cost)) })
	var alone []int
	for _, x := range search(t, best, seeded(3, 60, s.Space), func(_, p int) (float64, bool) { return s.Costs[p], !math.IsNaN(s.Costs[p]) }) {
		alone = append(alone, x.Point)
	}
	for _, after := range []int{0, 7} {
		points, trust := withPrior(t, seeded(3, 60, s.Space), right, after, cost)
		if after == 0 && points[0] != least.Point {
			t.Errorf("the first is %d, and the prior's best %d", points[0], least.Point)
		}
		if trust.GivenUp > 0 || trust.Share < 0.5 || trust.Agreement < 0.6 || trust.Advised < 10 {
			t.Errorf("the truth is not trusted: %+v", trust)
		}
		points, trust = withPrior(t, seeded(3, 60, s.Space), wrong, after, cost)
		if trust.GivenUp == 0 || trust.GivenUp > after+12 || trust.Share != 0 || trust.Agreement > 0 || trust.Advised > 2 {
			t.Errorf("the opposite is trusted: %+v", trust)
		}
		if after == 7 { // the design was over: what best alone evaluates comes by at most so much later
			for n := range len(alone) - trust.Advised {
				if !slices.Contains(points[:n+1+trust.Advised], alone[n]) {
					t.Fatalf("evaluation %d of best alone is not among the first %d", n+1, n+1+trust.Advised)
				}
			}
		}
	}
	if points, trust := withPrior(t, seeded(3, 60, s.Space), nil, 0, cost); !slices.Equal(points, alone[:len(points)]) || trust.Predicted != 0 {
		t.Errorf("a prior that says nothing changed the search: %+v", trust)
	}
}

// TestTrust holds the figures of docs/tuning.md: pairs weigh by how far apart they are predicted, up to
// clearly, and n trials of a task make n - 1 independent ones.
func TestTrust(t *testing.T) {
	a := newAdvice([]tuning.Task{{Space: grid(t, 6)}, {Space: grid(t, 6)}})
	if a.share() != 0 {
		t.Error("nothing is predicted, and trusted")
	}
	a.revise([]float32{0, 0.1, 0.4, 1, 2, 3, 0, 5, 0, 0, 0, 0}, 1)
	near(t, "share before any trial", a.share(), (priorTrust-leastTrust)/(1-leastTrust), 1e-12)
	tell := func(task, point int, cost float64, ok bool) {
		a.learn(6*task+point, tuning.Trial{Task: task, Point: point, Cost: cost, OK: ok})
	}
	tell(0, 0, 1, true)
	tell(1, 1, 1e-6, true) // of another task: in no pair
	tell(0, 5, 0, false)   // tells nothing
	near(t, "pairs of one trial", a.pairs(), 0, 0)
	tell(0, 1, 0.5, true) // the wrong way, 0.1 apart
	near(t, "pairs", a.pairs(), 0.1/clearly, 1e-6)
	near(t, "agreement", a.agreement(), -1, 1e-6)
	tell(0, 4, 2, true) // the right way, clearly
	near(t, "agreement", a.agreement(), (2-0.5)/2.5, 1e-6)
	near(t, "pairs", a.pairs(), 2*2.5/3, 1e-6)
	n := a.pairs()
	mean, deviation := a.belief()
	near(t, "mean", mean, (priorPairs*priorTrust+n*0.6)/(priorPairs+n), 1e-6)
	near(t, "deviation", deviation, math.Sqrt((1-mean*mean)/(priorPairs+n+1)), 1e-12)
	if a.pairs()*a.agreement() >= leastRisk || !a.dares(leastRisk-1) || a.dares(leastRisk) {
		t.Error("no more proposals may wait than a few, or than pairs have shown it right")
	}
	if a.givenUp != 0 {
		t.Errorf("given up after %d, by %v", a.givenUp, a.agreement())
	}
	for i := range 6 { // the more is predicted, the less is measured
		a.learn(6+i, tuning.Trial{Task: 1, Point: i, Cost: math.Exp(-float64(a.score[6+i])), OK: true})
	}
	a.trials = nil
	for i := range 6 {
		a.trials = append(a.trials, judged{0, i, -float64(a.score[i])})
	}
	a.revise(a.score, 1)
	if a.givenUp != a.told || a.share() != 0 {
		t.Errorf("given up after %d of %d, by %v", a.givenUp, a.told, a.agreement())
	}
}
