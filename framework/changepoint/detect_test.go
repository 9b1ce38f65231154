package changepoint

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// noisy values are of levels, each with its number of values, with standard deviation 1.
func noisy(seed uint64, levels ...[2]float64) (list []Value) {
	g := rand.New(rand.NewPCG(1, seed))
	for _, l := range levels {
		for range int(l[1]) {
			list = append(list, Value{X: l[0] + g.NormFloat64()})
		}
	}
	return list
}

func TestStep(t *testing.T) {
	for _, size := range []float64{4, -4} {
		r := Detect(noisy(2, [2]float64{100, 40}, [2]float64{100 + size, 20}))
		if len(r.Changes) != 1 {
			t.Fatalf("%+v", r)
		}
		c := r.Changes[0]
		if c.At < 39 || c.At > 41 || c.First > 40 || c.Last < 40 || c.Found < 42 || c.Found > 46 || c.Drift {
			t.Errorf("a step of %v at 40: %+v", size, c)
		}
		if !(c.Low < size && size < c.High && c.Low < c.Size && c.Size < c.High && c.High-c.Low < 2) {
			t.Errorf("a step of %v: %+v", size, c)
		}
		if l := r.Levels; len(l) != 2 || l[0].To != c.At || l[1].From != c.At || l[1].To != 60 || math.Abs(l[0].Mean-100) > 0.6 || math.Abs(l[1].Mean-100-size) > 0.8 || !(l[1].Low < l[1].Mean && l[1].Mean < l[1].High) {
			t.Errorf("%+v", l)
		}
	}
}

func TestNoChange(t *testing.T) {
	for seed := range uint64(20) {
		if r := Detect(noisy(seed, [2]float64{5, 100})); len(r.Changes) != 0 || len(r.Levels) != 1 || !r.Judged() {
			t.Errorf("seed %d: %+v", seed, r)
		}
	}
}

// What is found in a series is found in every longer one, at the same value.
func TestLaterValuesUndoNothing(t *testing.T) {
	all := noisy(3, [2]float64{0, 30}, [2]float64{3, 30}, [2]float64{-2, 40})
	var had []int
	for n := range len(all) + 1 {
		var found []int
		for _, c := range Detect(all[:n]).Changes {
			found = append(found, c.Found)
		}
		if len(found) < len(had) || !slices.Equal(found[:len(had)], had) {
			t.Fatalf("%d values: found at %v, before at %v", n, found, had)
		}
		had = found
	}
	if len(had) != 2 {
		t.Errorf("found at %v", had)
	}
}

func TestOutliersAreNoChange(t *testing.T) {
	values := noisy(4, [2]float64{0, 60})
	values[30].X, values[50].X, values[51].X = 20, -15, -15
	r := Detect(values)
	if len(r.Changes) != 0 || !slices.Equal(r.Outliers, []int{30, 50, 51}) {
		t.Errorf("%+v", r)
	}
	// A third is a new level.
	for i := range values[52:56] {
		values[52+i].X = -15
	}
	if r := Detect(values[:56]); len(r.Changes) != 1 || r.Changes[0].At != 50 {
		t.Errorf("%+v", r)
	}
}

func TestTooFew(t *testing.T) {
	values := noisy(5, [2]float64{0, Before}, [2]float64{50, After})
	if r := Detect(values[:Before+After-1]); r.Judged() || len(r.Changes) != 0 {
		t.Errorf("%+v", r)
	}
	if r := Detect(values); !r.Judged() {
		t.Errorf("%+v", r)
	}
	for _, n := range []int{0, 1, 2} {
		if r := Detect(values[:n]); r.Judged() || len(r.Levels) != min(n, 1) {
			t.Errorf("%d values: %+v", n, r)
		}
	}
}

func TestEqualValues(t *testing.T) {
	values := make([]Value, 40)
	if r := Detect(values); len(r.Changes) != 0 || r.Levels[0].Mean != 0 {
		t.Errorf("%+v", r)
	}
	values[20].X = 1
	if r := Detect(values); len(r.Changes) != 0 {
		t.Errorf("%+v", r)
	}
	for i := 30; i < 40; i++ {
		values[i].X = 1e-6
	}
	values[20].X = 0
	if r := Detect(values); len(r.Changes) != 1 || r.Changes[0].At != 30 || r.Changes[0].Found != 32 {
		t.Errorf("%+v", r)
	}
}

func TestDrift(t *testing.T) {
	values := noisy(6, [2]float64{0, 100})
	for i := range values {
		values[i].X += 0.06 * float64(i)
	}
	r := Detect(values)
	if len(r.Changes) == 0 || !r.Changes[0].Drift || r.Changes[0].Size < 1 {
		t.Errorf("%+v", r.Changes)
	}
}

func TestTwoLevels(t *testing.T) {
	values := noisy(7, [2]float64{0, 60})
	for i := range values {
		if i%3 == 0 {
			values[i].X += 12
		}
	}
	r := Detect(values)
	two := r.Levels[0].Two
	if len(r.Changes) != 0 || len(two) != 2 || math.Abs(two[0]) > 1 || math.Abs(two[1]-12) > 1 || r.Outliers != nil {
		t.Errorf("%+v", r)
	}
	if two := Detect(noisy(8, [2]float64{0, 60})).Levels[0].Two; two != nil {
		t.Errorf("one level is called %v", two)
	}
}

// A run that knows its own noise counts by it.
func TestIntervalsAreWeights(t *testing.T) {
	g := rand.New(rand.NewPCG(9, 9))
	make := func(known bool) (list []Value) {
		for i := range 60 {
			sigma := 0.2
			if i%2 == 0 {
				sigma = 5
			}
			x := Value{X: 0.2*g.NormFloat64() + sigma*g.NormFloat64(), Sigma: sigma}
			if i >= 40 {
				x.X++
			}
			if !known {
				x.Sigma = 0
			}
			list = append(list, x)
		}
		return list
	}
	with, without := 0, 0
	for range 20 {
		with += min(1, len(Detect(make(true)).Changes))
		without += min(1, len(Detect(make(false)).Changes))
	}
	if with < 18 || without > 5 {
		t.Errorf("of 20 steps %d are found with intervals, %d without", with, without)
	}
	// Known errors bound the noise from below: values that agree by chance do not lower it.
	agree := []Value{}
	for i := range 40 {
		x := 0.001 * float64(i%3)
		if i >= 30 {
			x += 0.1
		}
		agree = append(agree, Value{X: x, Sigma: 1})
	}
	if r := Detect(agree); len(r.Changes) != 0 {
		t.Errorf("%+v", r.Changes)
	}
}

// Neighbours that resemble each other count as fewer.
func TestResemblance(t *testing.T) {
	g := rand.New(rand.NewPCG(10, 10))
	x, last := make([]Value, 400), 0.0
	for i := range x {
		last = 0.6*last + 0.8*g.NormFloat64()
		x[i].X = last
	}
	if f := baselineOf(x).fewer; f < 3 || f > 7 { // 4 for 0.6
		t.Errorf("%v", f)
	}
	g.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
	if f := baselineOf(x).fewer; f > 1.1 {
		t.Errorf("%v", f)
	}
}

// A level that is left again and again in a series of such levels is no change, and
// one of independent values is.
func TestEvidenceByResemblance(t *testing.T) {
	evidence := func(r float64) (sum float64) {
		for seed := range uint64(50) {
			g := rand.New(rand.NewPCG(11, seed))
			values, last := make([]Value, 70), g.NormFloat64()
			for i := range values {
				last = r*last + math.Sqrt(1-r*r)*g.NormFloat64()
				values[i].X = last
				if i >= 60 {
					values[i].X += 2
				}
			}
			b := baselineOf(values[:60])
			p := place{baseline: b, sums: b.sums}
			for n := 61; n <= len(values); n++ { // grows by one value, as a series does
				p.evidence(values[60:n])
			}
			again := place{baseline: b, sums: b.sums}
			e := p.evidence(values[60:])
			if once := again.evidence(values[60:]); math.Abs(once-e) > 1e-9 {
				t.Fatalf("%v value by value, %v at once", e, once)
			}
			sum += e / 50
		}
		return sum
	}
	if independent, alike := evidence(0), evidence(0.6); independent < threshold || alike > threshold/2 {
		t.Errorf("a step of two standard deviations has the evidence %v, where values resemble their neighbours %v", independent, alike)
	}
}

// Two values in a row are a change only where they lie very far off, behind many of
// which none lies half as far off on either side.
func TestTwoVeryFar(t *testing.T) {
	for _, c := range []struct {
		before, earlier int
		outlier, size   float64
		want            bool
	}{{70, -1, 0, 15, true}, {70, -1, 0, -15, true}, {70, 30, 9, 15, false}, {70, 30, -9, 15, false}, {40, -1, 0, 15, false}, {70, -1, 0, 5, false}} {
		found := 0
		for seed := range uint64(50) {
			values := noisy(100+seed, [2]float64{0, float64(c.before)}, [2]float64{c.size, 2})
			if c.earlier >= 0 {
				values[c.earlier].X = c.outlier
			}
			if r := Detect(values); len(r.Changes) == 1 && r.Changes[0].At == c.before {
				found++
			}
			if one := Detect(values[:c.before+1]).Changes; len(one) > 0 && one[0].Found == c.before {
				t.Errorf("%+v: one value is a change", c)
			}
		}
		if c.want != (found > 45) || c.want != (found > 5) {
			t.Errorf("%+v: %d of 50 found", c, found)
		}
	}
}

// The Bayes factor is 1 on average where there is no change.
func TestBayesFactor(t *testing.T) {
	const size, freedom, step = 4.0, 23.0, 0.001
	mean := 0.0
	for x := -200.0; x < 200; x += step {
		mean += step * distuv.StudentsT{Sigma: 1, Nu: freedom}.Prob(x) * math.Exp(logBayes(x*x, size, freedom))
	}
	if math.Abs(mean-1) > 1e-3 {
		t.Errorf("mean %v, want 1", mean)
	}
}

// Whatever the values, places are in order and within the values.
func TestAnyValues(t *testing.T) {
	for seed := range uint64(150) {
		g := rand.New(rand.NewPCG(12, seed))
		values := make([]Value, 1+g.IntN(120))
		level := 0.0
		for i := range values {
			if g.IntN(12) == 0 {
				level += 5 * g.NormFloat64()
			}
			values[i] = Value{X: level + 0.05*float64(i*g.IntN(2)) + float64(g.IntN(3)), Sigma: float64(g.IntN(2)) * g.Float64()}
		}
		r := Detect(values)
		from := 0
		for _, l := range r.Levels {
			if l.From != from || l.To <= l.From || math.IsNaN(l.Mean) {
				t.Fatalf("seed %d: %+v", seed, r)
			}
			from = l.To
		}
		if from != len(values) || len(r.Levels) != len(r.Changes)+1 {
			t.Fatalf("seed %d: %+v", seed, r)
		}
		for i, c := range r.Changes {
			if c.At != r.Levels[i].To || c.First < 1 || c.First > c.At || c.Last < c.At || c.Last >= len(values) || c.Found < c.At || c.Found >= len(values) || math.IsNaN(c.Size) || !(c.Low <= c.Size && c.Size <= c.High) {
				t.Fatalf("seed %d: %+v", seed, r)
			}
		}
	}
}

// TestGrossSteps: a level far off all values before is found in a few runs, also behind a
// short baseline, later where the baseline has such a value; by one value it never is.
func TestGrossSteps(t *testing.T) {
	for _, c := range []struct {
		before, most int
		earlier      bool // one value of the baseline lies on the new level
	}{{10, 7, false}, {13, 6, false}, {20, 5, false}, {30, 4, false}, {60, 4, false}, {20, 7, true}} {
		late, early := 0, 0
		for seed := range 100 {
			g := rand.New(rand.NewPCG(uint64(c.before), uint64(seed)))
			values := make([]Value, c.before+c.most)
			for i := range values {
				values[i].X = g.NormFloat64()
				if i >= c.before || c.earlier && i == 5 {
					values[i].X += 30
				}
			}
			r := Detect(values)
			switch {
			case len(r.Changes) == 0:
				late++
			case r.Changes[0].Found < c.before+1:
				early++
			}
		}
		if late > 2 || early > 0 {
			t.Errorf("%d values before, %d behind: %d of 100 not found, %d by one value", c.before, c.most, late, early)
		}
	}
}
