package strategy

import (
	"math"
	"math/rand/v2"
	"testing"

	"bench/framework/pareto"
	"bench/tuning/recorded"
	"bench/tuning/recorded/recordedtest"
	"bench/tuning/replay"
)

// TestBestFindsTheFront of recorded spaces at five clocks with planted energies: 95 % of the
// front's hypervolume in the median and the 5th percentile of 20 searches, where random search
// has not come to that in twice as many evaluations.
func TestBestFindsTheFront(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one thread")
	}
	for _, c := range []struct {
		space    string
		one, two int
	}{
		{"coulomb_ktt-RTX_2080_Ti", 45, 65},
		{"convolution_milo_old-A4000", 90, 150},
	} {
		s := recordedtest.Clocked(t, recordedtest.Open(t, c.space), 1000, 1200, 1400, 1600, 1800)
		r := replayed(t, []*recorded.Space{s}, best, replay.Options{Budget: c.two, Repeats: 20, Seed: 11, Front: true})
		if r.EvaluationsMedian == 0 || r.EvaluationsMedian > c.one || r.EvaluationsP05 == 0 {
			t.Errorf("%s: 95 %% of the hypervolume after %d evaluations in the median and %d in the 5th percentile, want at most %d and %d",
				s.Name, r.EvaluationsMedian, r.EvaluationsP05, c.one, c.two)
		}
		chance := replayed(t, []*recorded.Space{s}, random, replay.Options{Budget: 2 * c.one, Repeats: 20, Seed: 11, Front: true})
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
	r := replayed(t, []*recorded.Space{s, larger}, best, replay.Options{Budget: 100, Repeats: 6, Seed: 1, Front: true})
	if median, _ := r.Final(); median < 0.95 || len(r.Fronts) != 2 || len(r.Fronts[0]) == 0 || len(r.Fronts[1]) == 0 {
		t.Errorf("share %v, fronts %v", median, r.Fronts)
	}
}

// TestExpectedHypervolume is the mean over samples of the two processes, which are
// independent.
func TestExpectedHypervolume(t *testing.T) {
	front := pareto.Set{{X: -1, Y: 0.8}, {X: -0.4, Y: 0.1}, {X: 0.5, Y: -0.9}}
	s := &second{fronts: []pareto.Set{front, nil}}
	rnd := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct{ x, y, dx, dy, root, margin float64 }{
		{-0.9, -0.2, 1, 1, 0.5, 0}, {0.3, 0.3, 1.2, 0.6, 0.7, 0}, {-1.5, 0.9, 0.8, 1.1, 0.3, 0}, {0, -1, 0.5, 2, 0.4, 0.5}, {2, 2, 1, 1, 0.05, 0},
	} {
		m := &process{mean: []float32{float32(c.x - 0.3)}, offset: 0.3, other: []float32{float32(c.y + 0.2)}, otherOffset: -0.2, signal: c.dx * c.dx, otherSignal: c.dy * c.dy}
		for task, f := range s.fronts {
			x, y := reference(f)
			r := pareto.Point{X: x, Y: y}
			const samples = 200_000
			want, squares := 0.0, 0.0
			for range samples {
				with := append(pareto.Set(nil), f...)
				with.Add(pareto.Point{X: c.x + c.margin + c.dx*c.root*rnd.NormFloat64(), Y: c.y + c.margin + c.dy*c.root*rnd.NormFloat64()})
				gain := with.Hypervolume(r) - f.Hypervolume(r)
				want += gain / samples
				squares += gain * gain / samples
			}
			got := float64(s.expected(m, 0, task, float32(c.root), float32(c.margin)))
			if e := math.Sqrt(squares / samples); math.Abs(got-want) > 5*e+1e-4 {
				t.Errorf("%+v, task %d: %v, want %v ± %v", c, task, got, want, e)
			}
		}
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
