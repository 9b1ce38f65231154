package strategy

import (
	"math"
	"slices"
	"testing"

	"example.org/bench/framework/pareto"
	"example.org/bench/tuning"
	"example.org/bench/tuning/recorded"
	"example.org/bench/tuning/recorded/recordedtest"
	"example.org/bench/tuning/replay"
)

// TestBestFindsTheFront of recorded spaces at five clocks with planted energies: 95 % of the
// front's hypervolume in the median and the 5th percentile of searches, where random search has
// not come to that in twice as many evaluations.
func TestBestFindsTheFront(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one thread")
	}
	for _, c := range []struct {
		space             string
		one, two, repeats int
	}{
		{"coulomb_ktt-RTX_2080_Ti", 45, 65, 10},
		{"convolution_milo_old-A4000", 90, 125, 4},
	} {
		s := recordedtest.Clocked(t, recordedtest.Open(t, c.space), 1000, 1200, 1400, 1600, 1800)
		r := replayed(t, []*recorded.Space{s}, best, replay.Options{Budget: c.two, Repeats: c.repeats, Seed: 11, Front: true})
		if r.EvaluationsMedian == 0 || r.EvaluationsMedian > c.one || r.EvaluationsP05 == 0 {
			t.Errorf("%s: 95 %% of the hypervolume after %d evaluations in the median and %d in the 5th percentile, want at most %d and %d",
				s.Name, r.EvaluationsMedian, r.EvaluationsP05, c.one, c.two)
		}
		chance := replayed(t, []*recorded.Space{s}, random, replay.Options{Budget: 2 * c.one, Repeats: 8, Seed: 11, Front: true})
		if chance.EvaluationsMedian != 0 {
			t.Errorf("%s: random search after %d evaluations; is this a search at all?", s.Name, chance.EvaluationsMedian)
		}
	}
}

// TestFrontsOfSizes searches two sizes together, each with a front of its own.
func TestFrontsOfSizes(t *testing.T) {
	s := recordedtest.Clocked(t, recordedtest.Open(t, "coulomb_ktt-RTX_2080_Ti"), 1000, 1400, 1800)
	larger := &recorded.Space{Name: "larger", Space: s.Space}
	for i := range s.Costs {
		larger.Costs = append(larger.Costs, s.Costs[i]*1000)
		larger.Energies = append(larger.Energies, s.Energies[i]*700)
	}
	r := replayed(t, []*recorded.Space{s, larger}, best, replay.Options{Budget: 70, Repeats: 3, Seed: 1, Front: true})
	if median, _ := r.Final(); median < 0.95 || len(r.Fronts) != 2 || len(r.Fronts[0]) == 0 || len(r.Fronts[1]) == 0 {
		t.Errorf("share %v, fronts %v", median, r.Fronts)
	}
}

// TestExpectedHypervolume is the integral over the two processes, which are independent.
func TestExpectedHypervolume(t *testing.T) {
	front := pareto.Set{{X: -1, Y: 0.8}, {X: -0.4, Y: 0.1}, {X: 0.5, Y: -0.9}}
	s := &second{fronts: []pareto.Set{front, nil}}
	const steps, reach = 120, 6.0
	var at, weight []float64
	for i := range steps {
		z := (2*float64(i)+1)/steps*reach - reach
		at, weight = append(at, z), append(weight, 2*reach/steps*math.Exp(-z*z/2)/math.Sqrt(2*math.Pi))
	}
	for _, c := range []struct{ x, y, dx, dy, root, margin float64 }{
		{-0.9, -0.2, 1, 1, 0.5, 0}, {0.3, 0.3, 1.2, 0.6, 0.7, 0}, {-1.5, 0.9, 0.8, 1.1, 0.3, 0}, {0, -1, 0.5, 2, 0.4, 0.5}, {2, 2, 1, 1, 0.05, 0},
	} {
		m := &process{mean: []float32{float32(c.x - 0.3)}, offset: 0.3, other: []float32{float32(c.y + 0.2)}, otherOffset: -0.2, signal: c.dx * c.dx, otherSignal: c.dy * c.dy}
		for task, f := range s.fronts {
			x, y := reference(f)
			r := pareto.Point{X: x, Y: y}
			want := 0.0
			for i, u := range at {
				for j, v := range at {
					with := append(pareto.Set(nil), f...)
					with.Add(pareto.Point{X: c.x + c.margin + c.dx*c.root*u, Y: c.y + c.margin + c.dy*c.root*v})
					want += weight[i] * weight[j] * (with.Hypervolume(r) - f.Hypervolume(r))
				}
			}
			near(t, "expected hypervolume", float64(s.expected(m, 0, task, float32(c.root), float32(c.margin))), want, 1e-3)
		}
	}
}

// TestFrontsAreStandardised: second costs as the first ones are, a front of the targets of each
// task, and which trials are on the fronts.
func TestFrontsAreStandardised(t *testing.T) {
	in := seeded(1, 50, grid(t, 3, 3), grid(t, 4))
	in.Front = true
	b := newSearcher(in)
	e := func(x float64) float64 { return math.Exp(x) }
	tell(b, tuning.Trial{Point: 0, Cost: e(1), Second: e(5), OK: true}, tuning.Trial{Point: 4, Cost: e(2), Second: e(3), OK: true},
		tuning.Trial{Point: 5, Cost: e(0), Second: e(0)}, tuning.Trial{Task: 1, Point: 3, Cost: e(7), Second: e(1.5), OK: true}, tuning.Trial{Point: 8, Cost: e(3), Second: e(4), OK: true})
	b.fit()
	s := b.second
	mean := (2. + 0 + 0 + 1) / 4
	deviation := math.Sqrt((1.25*1.25 + 0.75*0.75 + 0.75*0.75 + 0.25*0.25) / 4)
	near(t, "shift", s.shift, mean, 1e-12)
	near(t, "scale", s.scale, deviation, 1e-12)
	if s.least[0] != 3 || math.Abs(s.least[1]-1.5) > 1e-12 || !math.IsNaN(s.costs[2]) {
		t.Errorf("least %v, costs %v", s.least, s.costs)
	}
	bend := func(x float64) float64 {
		if x > 0.5 {
			return 0.5 + 0.3*(x-0.5)
		}
		return x
	}
	near(t, "target", s.target(0, 0), bend((2-mean)/deviation), 1e-12)
	near(t, "target", s.target(1, 0), -mean/deviation, 1e-12)
	if o := b.outcome(2); o.fault != 1 || o.second != 1 {
		t.Errorf("%+v of an invalid trial", o)
	}
	first, second := func(x float64) float64 { return bend((x - 0.75) / b.scale) }, func(y float64) float64 { return bend((y - mean) / deviation) }
	want := [][]pareto.Point{{{X: first(0), Y: second(2)}, {X: first(1), Y: second(0)}}, {{X: first(0), Y: second(0)}}}
	for task, w := range want {
		if len(s.fronts[task]) != len(w) {
			t.Fatalf("task %d: front %v, want %v", task, s.fronts[task], w)
		}
		for i, p := range w {
			near(t, "front", s.fronts[task][i].X, p.X, 1e-12)
			near(t, "front", s.fronts[task][i].Y, p.Y, 1e-12)
		}
	}
	if got := s.front(b); !slices.Equal(got, []int{0, 1, 3}) {
		t.Errorf("trials %v are on fronts, want 0, 1 and 3", got)
	}
	// What the model learns later goes to the front of its task.
	tell(b, tuning.Trial{Point: 2, Cost: e(0), Second: e(0), OK: true})
	if got := s.fronts[0]; len(got) != 1 || math.Abs(got[0].Y-bend((-3-mean)/deviation)) > 1e-12 {
		t.Errorf("front %v after a trial that beats it", got)
	}
	alike := newSearcher(in)
	tell(alike, tuning.Trial{Point: 0, Cost: 1, Second: 2, OK: true}, tuning.Trial{Point: 4, Cost: 2, Second: 2, OK: true})
	if alike.fit(); alike.second.scale != 1 || alike.second.shift != 0 {
		t.Errorf("of costs that are alike: scale %v, shift %v", alike.second.scale, alike.second.shift)
	}
}

// TestHopesOfFronts: a bound is less the hypervolume that a point two deviations below its means
// would add, and where it adds none, above 0 by how far off it is.
func TestHopesOfFronts(t *testing.T) {
	b := &searcher{first: []int{0, 10, 20}, second: &second{fronts: []pareto.Set{{{X: -1, Y: 1}, {X: 1, Y: -1}}, {{X: 0, Y: 0}}}}}
	b.model = &process{pool: []int{3, 7, 12, 4, 13, 5}, mean: []float32{0.5, 2, 1, 3, 0.1, 90}, other: []float32{1.5, 1, 2.25, 4, 0.5, 90}, variance: []float32{0.25, 0, 1, 0.25, -1, 0},
		signal: 0.25, offset: 0.5, otherSignal: 0.0625, otherOffset: -0.5}
	for i, want := range []float64{
		-(1 - 0.5) * (1 - 0.75), // at 0.5, 0.75 between the two of the front
		math.Exp(2.5 + 0.5),     // beyond it
		math.Exp(0.5 + 1.25),    // beyond a front of one point
		math.Exp(3 + 3.25),
		math.Exp(0.6 + 0), // has no deviation
		math.Exp(80),
	} {
		near(t, "bound", float64(b.optimistic()[i]), want, 1e-5)
	}
}

// TestFrontsNeedTheStrategy: others look for one cost.
func TestFrontsNeedTheStrategy(t *testing.T) {
	s := recordedtest.Clocked(t, recordedtest.Line(t, 3, 0), 1)
	for _, info := range All() {
		if info.Computes {
			continue
		}
		_, err := replay.Run(t.Context(), []*recorded.Space{s}, info, replay.Options{Budget: 2, Repeats: 1, Front: true})
		if can := map[string]bool{"best": true, "random": true, "exhaustive": true}[info.Name]; can != (err == nil) || info.Fronts != can {
			t.Errorf("%s: %v", info.Name, err)
		}
	}
}
