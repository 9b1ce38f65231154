package strategy

import (
	"math"
	"testing"

	"bench/framework/pareto"
	"bench/tuning"
)

// TestPositions are by rank, and in proportion between two values; what lies outside is at
// the end.
func TestPositions(t *testing.T) {
	values := []float64{8, 1, 2, 4}
	for v, want := range map[float64]float64{1: 0, 2: 1. / 3, 4: 2. / 3, 8: 1, 3: 0.5, 7: (2 + 0.75) / 3, 0: 0, 100: 1} {
		if got := position(values, v); math.Abs(got-want) > 1e-12 {
			t.Errorf("%v lies at %v, want %v", v, got, want)
		}
	}
	if got := position([]float64{5}, 5); got != 0 {
		t.Errorf("the one value lies at %v", got)
	}
}

// TestReferenceOfTargets is beyond the worst of a front by a tenth of its extent, and at
// least by slackLeast.
func TestReferenceOfTargets(t *testing.T) {
	for _, c := range []struct {
		front pareto.Set
		x, y  float64
	}{
		{nil, 0, 0},
		{pareto.Set{{X: -2, Y: 9}, {X: 1, Y: 3}, {X: 8, Y: -1}}, 8 + 1, 9 + 1},
		{pareto.Set{{X: -1, Y: 1}, {X: 0, Y: 0.5}}, 0 + slackLeast, 1 + slackLeast},
	} {
		if x, y := reference(c.front); math.Abs(x-c.x) > 1e-12 || math.Abs(y-c.y) > 1e-12 {
			t.Errorf("%v: %v, %v; want %v, %v", c.front, x, y, c.x, c.y)
		}
	}
}

// TestTargetsAreBent: bad costs count by less than what they are above the good ones.
func TestTargetsAreBent(t *testing.T) {
	for target, want := range map[float64]float64{-3: -3, 0: 0, bendAt: bendAt, bendAt + 1: bendAt + bendSlope, bendAt + 10: bendAt + 10*bendSlope} {
		if got := bent(target); math.Abs(got-want) > 1e-12 {
			t.Errorf("%v becomes %v, want %v", target, got, want)
		}
	}
}

// TestEffortsAreUsual: the mean of those that are known.
func TestEffortsAreUsual(t *testing.T) {
	nan := math.NaN()
	if got := usualEffort([]float64{1, nan, 3, nan, 5}); got != 3 {
		t.Errorf("%v, want 3", got)
	}
	if got := usualEffort([]float64{nan}); !math.IsNaN(got) {
		t.Errorf("%v of none that is known", got)
	}
}

// TestCounterparts have the same values in another task's space, whatever their order.
func TestCounterparts(t *testing.T) {
	space := func(names string, values map[byte][]float64) *tuning.Space {
		var parameters []tuning.Parameter
		points := [][]uint16{{}}
		for i := range len(names) {
			parameters = append(parameters, tuning.Parameter{Name: names[i : i+1], Values: values[names[i]]})
			var longer [][]uint16
			for _, row := range points {
				for v := range values[names[i]] {
					longer = append(longer, append(append([]uint16{}, row...), uint16(v)))
				}
			}
			points = longer
		}
		s, err := tuning.NewSpace(parameters, points)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	one := space("xy", map[byte][]float64{'x': {1, 2, 4}, 'y': {3, 5}})
	two := space("yx", map[byte][]float64{'x': {4, 1}, 'y': {5, 3}})
	other := space("xz", map[byte][]float64{'x': {1, 2, 4}, 'z': {3, 5}})
	b := newSearcher(seeded(1, 10, one, two, other))
	for c := range one.Len() {
		got := b.counterpart(c, 0, 1)
		if x, y := one.Value(c, 0), one.Value(c, 1); (got >= 0) != (x != 2) || got >= 0 && (two.Value(got-one.Len(), 1) != x || two.Value(got-one.Len(), 0) != y) {
			t.Errorf("of x %v and y %v: %d", x, y, got)
		}
		if got := b.counterpart(c, 0, 2); got >= 0 {
			t.Errorf("a counterpart %d in a space of other parameters", got)
		}
	}
}
