package stats

import (
	"math"
	"testing"
)

func TestHolm(t *testing.T) {
	// Worked by hand: sorted 0.01·4, 0.02·3, 0.03·2, 0.04·1, each at least the one before.
	got := Holm([]float64{0.04, 0.01, 0.03, 0.02})
	for i, want := range []float64{0.06, 0.04, 0.06, 0.06} {
		if math.Abs(got[i]-want) > 1e-12 {
			t.Errorf("p %d: %g, want %g", i, got[i], want)
		}
	}
}

func TestRankSum(t *testing.T) {
	for _, c := range []struct {
		a, b []float64
		want int
	}{
		{[]float64{1, 2, 3}, []float64{4, 5}, 6},
		{[]float64{4, 5}, []float64{1, 2, 3}, -6},
		{[]float64{1, 2, 2, 3}, []float64{2}, 0},        // one below, one above
		{[]float64{1, 2, 2, 2}, []float64{2}, 1},        // one below
		{[]float64{2, 2, 3, 4}, []float64{2, 2.5}, -2},  // 0 - 2 and 2 - 2
		{[]float64{1, 1, 2}, []float64{1.5, 1.5, 9}, 5}, // 2 - 1 twice and 3
	} {
		if got := rankSum(c.a, c.b); got != c.want {
			t.Errorf("%v, %v: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestTails(t *testing.T) {
	a, b := Tails{0.01, 0.99}, Tails{0.2, 0.8}
	if got := a.Larger(b); got != (Tails{0.2, 0.99}) {
		t.Errorf("larger %v", got)
	}
	if got := a.Smaller(b); got != (Tails{0.01, 0.8}) {
		t.Errorf("smaller %v", got)
	}
	if x, y, z := a.TwoSided(), (Tails{0.8, 0.2}).TwoSided(), (Tails{0.7, 0.6}).TwoSided(); x != 0.02 || y != 0.4 || z != 1 {
		t.Errorf("two-sided %v, %v, %v", x, y, z)
	}
	near := func(name string, got, want Tails) {
		if math.Abs(got.More-want.More) > 1e-6 || math.Abs(got.Less-want.Less) > 1e-6 {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	// A deviate of 2, 0.0227501 beyond, halved: 0.1586553 beyond 1.
	near("weaker", Tails{0.0227501, 0.9772499}.Weaken(0.5), Tails{0.1586553, 0.8413447})
	near("weaker, the other way", Tails{0.9772499, 0.0227501}.Weaken(0.5), Tails{0.8413447, 0.1586553})
	near("two deviations", NormalTest(0.2, 0.1), Tails{0.0227501, 0.9772499})
	near("below", NormalTest(-0.2, 0.1), Tails{0.9772499, 0.0227501})
	// Nothing scatters.
	near("a constant above", Welch([]float64{1, 1}, []float64{2, 2}, 0.5), Tails{0, 1})
	near("a constant below", Welch([]float64{1, 1}, []float64{2, 2}, 1.5), Tails{1, 0})
	near("the same constant", Welch([]float64{1, 1}, []float64{2, 2}, 1), Tails{0.5, 0.5})
}

func TestStudent(t *testing.T) {
	// Mean 3, standard deviation √2.5; t of 4 degrees: 2.776445.
	mean, half, p := Student([]float64{1, 2, 3, 4, 5}, 0.95)
	if mean != 3 || math.Abs(half-2.776445*math.Sqrt(0.5)) > 1e-5 || math.Abs(p-0.0132356) > 1e-6 {
		t.Errorf("mean %v ± %v, p %v", mean, half, p)
	}
	if _, _, p := Student([]float64{-1, -2, -3, -4, -5}, 0.95); math.Abs(p-0.0132356) > 1e-6 {
		t.Errorf("below: p %v", p)
	}
	if _, half, p := Student([]float64{2, 2, 2}, 0.95); half != 0 || p != 0 {
		t.Errorf("a constant: ± %v, p %v", half, p)
	}
	if _, _, p := Student([]float64{0, 0, 0}, 0.95); p != 1 {
		t.Errorf("nothing: p %v", p)
	}
}

// A single value varies as the other's do: 5 beside 1, 2, 3 and 6, whose variance is 14/3.
func TestDifferenceOfOneValue(t *testing.T) {
	one, four := []float64{5}, []float64{1, 2, 3, 6}
	sigma := math.Sqrt(14.0 / 3 * (1 + 1.0/4))
	for name, c := range map[string]struct {
		got  Difference
		mean float64
	}{"first": {DifferenceOf(one, four), -2}, "second": {DifferenceOf(four, one), 2}} {
		if d := c.got; d.Mean != c.mean || math.Abs(d.Sigma-sigma) > 1e-12 || d.Freedom != 3 {
			t.Errorf("%s: %+v; want a mean of %v, a sigma of %v and 3 degrees of freedom", name, d, c.mean, sigma)
		}
	}
}
