package strategy

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.org/bench/tuning"
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

// TestHaste is one over the seconds that a point takes: the mean that points run, a change, and
// of compiling a share.
func TestHaste(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		ran       []float64
		usual     float64
		compilers int
		settings  bool
		want      [2]float64
	}{
		{nil, 2, 0, true, [2]float64{1, 1}},
		{[]float64{1, 3, 5}, nan, 0, false, [2]float64{1, 1}},
		{[]float64{1, 3, 5}, nan, 0, true, [2]float64{3, 23}},
		{[]float64{1, 3, 5}, 2, 0, false, [2]float64{3 + math.Exp(2.5), 3 + math.Exp(1.6)}},
		{[]float64{1, 3}, 2, 1, true, [2]float64{2 + math.Exp(2.5), 22 + math.Exp(1.6)}},
		{[]float64{1, 3}, 2, 4, true, [2]float64{2 + math.Exp(2.5)/4, 22 + math.Exp(1.6)/4}},
	} {
		b := &searcher{ran: c.ran, usual: c.usual, model: &process{dear: []float32{0.5, -0.4}}}
		b.search.Compilers, b.search.Switching = c.compilers, &tuning.Switching{On: 7, Seconds: 20}
		if c.settings {
			b.settings = []float64{0, 0, 0, 7, 5}
		}
		haste := b.haste()
		for i, want := range c.want {
			near(t, "haste", float64(haste(i, 3+i)), 1/want, 1e-6)
		}
	}
}

// TestStaysOfTheDesign: first those of the setting that is on, then the others by setting; each
// in their order.
func TestStaysOfTheDesign(t *testing.T) {
	b := &searcher{settings: []float64{5, 7, 3, 7, 5, 3, 9, 7}, design: []int{0, 2, 1, 6, 5, 4, 3}}
	b.search.Switching = &tuning.Switching{On: 7}
	b.inStays()
	if want := []int{1, 3, 2, 5, 0, 4, 6}; !slices.Equal(b.design, want) {
		t.Errorf("%v, want %v", b.design, want)
	}
	b.settings, b.design = nil, []int{2, 1, 0}
	b.inStays()
	if want := []int{2, 1, 0}; !slices.Equal(b.design, want) {
		t.Errorf("without settings %v, want %v", b.design, want)
	}
}
