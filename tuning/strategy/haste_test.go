package strategy

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"bench/tuning"
)

// planted is a search for a point of 4 modes by 6 by 6 whose trials take a second each, and a
// change of the mode 20: how many changes it makes in a budget, and when it has the best point,
// or 0.
func planted(t *testing.T, strategy tuning.Info, seed uint64, front bool) (changes int, found float64) {
	t.Helper()
	space, err := grid(t, 6, 6).Under(tuning.Parameter{Name: tuning.PowerMode, Values: []float64{0, 1, 2, 3}})
	if err != nil {
		t.Fatal(err)
	}
	l := tuning.Loop{Strategy: strategy, Recorded: true, Search: tuning.Search{Tasks: []tuning.Task{{Space: space}}, Budget: 60, Front: front,
		Rand: rand.New(rand.NewPCG(seed, 1)), Switching: &tuning.Switching{Parameter: tuning.PowerMode, On: 0, Seconds: 20}}}
	l.Evaluate = func(_ context.Context, _, n int, p tuning.Proposal) (tuning.Trial, int, error) {
		row := space.Indexes(p.Point)
		away := func(d int, from float64) float64 { return math.Pow(float64(row[d])-from, 2) }
		cost := 1 + away(1, 4) + away(2, 1) + 2*away(0, 2)
		return tuning.Trial{Point: p.Point, Cost: cost, Second: 1 / cost, OK: true, RunSeconds: 1}, n, nil
	}
	l.Done = func(p tuning.Progress) {
		if p.Trial.SwitchSeconds > 0 {
			changes++
		}
		if p.Trial.Cost == 1 && found == 0 {
			found = p.At.Seconds()
		}
	}
	if _, err := l.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return changes, found
}

// A change of the mode counts by its seconds: there are few, and the best point, of another mode
// than the one that is on, is found sooner by the clock than where the strategy does not know.
func TestBestWeighsSwitches(t *testing.T) {
	blind := best
	blind.New = func(s tuning.Search) (tuning.Strategy, error) {
		s.Switching = nil
		return best.New(s)
	}
	const seeds = 10
	var changed, soon, changedBlind, soonBlind float64
	for seed := range uint64(seeds) {
		n, at := planted(t, best, seed, false)
		m, blindAt := planted(t, blind, seed, false)
		if at == 0 {
			t.Errorf("seed %d: the best point is not found", seed)
		}
		changed, soon, changedBlind, soonBlind = changed+float64(n)/seeds, soon+at/seeds, changedBlind+float64(m)/seeds, soonBlind+blindAt/seeds
		if front, _ := planted(t, best, seed, true); front > 20 {
			t.Errorf("seed %d: %d changes in 60 evaluations for a front", seed, front)
		}
	}
	t.Logf("%.1f changes and %.0f s to the best; not weighed %.1f changes and %.0f s", changed, soon, changedBlind, soonBlind)
	if changed > changedBlind/2 || soon > 0.8*soonBlind {
		t.Errorf("%.1f changes and %.0f s to the best; not weighed %.1f changes and %.0f s", changed, soon, changedBlind, soonBlind)
	}
}
