package strategy

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.org/bench/tuning"
)

// TestScores: a lesson in the form of targets. Each task's costs count by their logarithms beyond
// the least, in standard deviations of all; what did not run is one above the mean.
func TestScores(t *testing.T) {
	inf, nan, e := math.Inf(1), math.NaN(), math.E
	b := newSearcher(seeded(1, 50, grid(t, 5), grid(t, 4)))
	l := tuning.Lesson{Costs: [][]float64{{2, 2 * e, inf, 2 * e * e, 2 * math.Pow(e, 5)}, {30, 10, 10 * e, 10 * e * e}}}
	score, mean, variance, ok := b.score(l)
	logs := []float64{0, 1, 2, 5, math.Log(3), 0, 1, 2} // all but what did not run
	wantMean, wantVariance := 0.0, 0.0
	for _, x := range logs {
		wantMean += x / 8
	}
	for _, x := range logs {
		wantVariance += (x - wantMean) * (x - wantMean) / 8
	}
	near(t, "mean", mean, wantMean, 1e-12)
	near(t, "variance", variance, wantVariance, 1e-12)
	logs = slices.Insert(logs, 2, nan)
	for c, x := range logs {
		want := 1.0
		if c != 2 {
			want = (x - wantMean) / math.Sqrt(wantVariance)
			if want > 0.5 {
				want = 0.5 + 0.3*(want-0.5)
			}
		}
		near(t, "score", float64(score[c]), want, 1e-6)
	}
	if !ok {
		t.Error("the lesson says nothing")
	}
	// A cost of 0 is none that was measured, and is not the least.
	score, mean, variance, ok = b.score(tuning.Lesson{Costs: [][]float64{{0, 3, 3, nan, inf}, nil}})
	near(t, "mean of what is alike", mean, 1e-6, 0)
	near(t, "variance of what is alike", variance, 1e-12, 0)
	if !ok || score[1] != -1 || score[2] != -1 || score[4] != 1 || score[0] != 1 {
		t.Errorf("%v, %v; want -1 of the two that are alike, and 1 of what is no cost", score, ok)
	}
	if _, _, _, ok := b.score(tuning.Lesson{Costs: [][]float64{{inf, nan, inf, inf, nan}, nil}}); ok {
		t.Error("a lesson without a cost says something")
	}
}

// TestScoresAreExtended: unknown scores are what a process on the known ones predicts; of many,
// on the better and random others; and none is below the best that is known.
func TestScoresAreExtended(t *testing.T) {
	b := newSearcher(seeded(1, 50, grid(t, 8, 7, 5)))
	truth := func(c int) float64 { return 3*math.Sin(float64(c)/40) + 0.01*float64(c%35) }
	for _, n := range []int{40, lessonPoints, 250} {
		score := make([]float32, len(b.done))
		var known, unknown []int
		for i, c := range rand.New(rand.NewPCG(3, 3)).Perm(len(score)) {
			if i < n {
				known = append(known, c)
				score[c] = float32(truth(c))
			} else {
				unknown = append(unknown, c)
			}
		}
		of := slices.Clone(known)
		if n > 200 {
			slices.SortStableFunc(of, func(i, j int) int {
				if score[i] < score[j] {
					return -1
				}
				return 1
			})
			rest := of[100:]
			rand.New(rand.NewPCG(1, 1)).Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
			of = of[:200]
		}
		d := newDense(b.kernel.columns, b.rates, of)
		targets := each(of, func(c int) float64 { return float64(score[c]) })
		least := slices.Min(targets)
		b.extend(score, known, unknown)
		raised := 0
		for _, c := range unknown {
			want := d.form(d.to(c), targets)
			if want < least+1e-3 {
				want = least + 1e-3
				raised++
			}
			near(t, "score", float64(score[c]), want, 3e-3)
			if float64(score[c]) < least+0.9e-3 {
				t.Errorf("%v, and the best that is known is %v", score[c], least)
			}
		}
	}
}

// TestTaughtMeans: lessons count alike at first; what says nothing does not.
func TestTaughtMeans(t *testing.T) {
	b := newSearcher(seeded(1, 50, grid(t, 4), grid(t, 3)))
	e := math.E
	one := tuning.Lesson{Costs: [][]float64{{1, e, e * e, e * e * e}, {1, 1, 1}}}
	two := tuning.Lesson{Costs: [][]float64{{e * e, 1, e, e}, {e, 1, 1}}}
	x, mean, variance, _ := b.score(one)
	y, otherMean, otherVariance, _ := b.score(two)
	told := newTaught(b, []tuning.Lesson{one, {Costs: [][]float64{nil, nil}}, two})
	near(t, "mean", told.mean, (mean+otherMean)/2, 1e-12)
	near(t, "variance", told.variance, (variance+otherVariance)/2, 1e-12)
	var at []float64
	for c := range b.done {
		at = append(at, float64(x[c])/2+float64(y[c])/2)
		near(t, "prior mean", told.at(c), at[c], 1e-12)
	}
	if len(told.foremost) != 7 || !slices.IsSortedFunc(told.foremost, func(i, j int) int { return int(math.Ceil(at[i] - at[j])) }) {
		t.Errorf("foremost %v of %v", told.foremost, at)
	}
	beyond := told.beyond([]int{3, 0}, []float64{0.5, -1})
	near(t, "beyond", beyond[0], 0.5-at[3], 1e-12)
	near(t, "beyond", beyond[1], -1-at[0], 1e-12)
	if newTaught(b, []tuning.Lesson{{Costs: [][]float64{nil, nil}}}) != nil {
		t.Error("a lesson that says nothing teaches")
	}
	// Advised is the best free point of the first task that has no valid one.
	told.score, told.slopes = [][]float32{{3, -1, -2, 9, 5, 4, 4}}, []float64{1}
	b.taught = told
	b.done[2] = true
	for _, c := range []struct {
		least []float64
		done  []int
		want  int
	}{
		{[]float64{math.Inf(1), math.Inf(1)}, nil, 1}, {[]float64{0, math.Inf(1)}, nil, 5}, {[]float64{0, 0}, nil, -1},
		{[]float64{math.Inf(1), math.Inf(1)}, []int{0, 1, 3}, 5}, {[]float64{math.Inf(1), math.Inf(1)}, []int{5, 6}, 4}, {[]float64{math.Inf(1), 0}, nil, -1},
	} {
		for _, d := range c.done {
			b.done[d] = true
		}
		b.least = c.least
		if got := b.advised(); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
	for seed := range uint64(5) {
		in := seeded(seed, 50, grid(t, 4, 4))
		in.Lessons = []tuning.Lesson{lesson(in.Tasks[0].Space, func(p int) float64 { return float64(1 + p) })}
		strategy, err := best.New(in)
		if err != nil {
			t.Fatal(err)
		}
		if task, point, _ := strategy.Next(); task != 0 || point != 0 {
			t.Errorf("%d:%d first, want 0:0", task, point)
		}
	}
	b.taught = nil
	b.least = []float64{math.Inf(1), 0}
	if got := b.advised(); got != -1 {
		t.Errorf("%d without a lesson", got)
	}
}
