package strategy

import (
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework/pareto"
	"example.org/bench/tuning"
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

// TestBoundsAreOptimistic: two deviations below the mean; of a pool those with the least
// bounds are kept, in its order.
func TestBoundsAreOptimistic(t *testing.T) {
	b := newSearcher(seeded(1, 50, grid(t, 6, 6)))
	cost := bowl(b.search.Tasks[0].Space, 2, 3)
	for range 12 {
		task, point, _ := b.Next()
		c, ok := cost(point)
		b.Tell(tuning.Trial{Task: task, Point: point, Cost: c, OK: ok})
	}
	m := b.model
	for i, bound := range b.optimistic() {
		want := float64(m.mean[i]) - 2*math.Sqrt(m.signal*math.Max(float64(m.variance[i]), 0))
		if math.Abs(float64(bound)-want) > 1e-5 {
			t.Fatalf("candidate %d: %v, want %v", i, bound, want)
		}
	}
	p := &process{pool: []int{10, 11, 12, 13, 14}}
	for n, want := range map[int][]int{2: {11, 13}, 3: {11, 12, 13}, 5: {10, 11, 12, 13, 14}, 9: {10, 11, 12, 13, 14}, 0: nil} {
		if got := p.hopeful(n, []float32{3, 1, 2, 0, 5}); !slices.Equal(got, want) {
			t.Errorf("%d candidates %v, want %v", n, got, want)
		}
	}
}

// TestTransferredPoints are the best of other tasks, each by what is best there.
func TestTransferredPoints(t *testing.T) {
	space := grid(t, 5, 4)
	b := newSearcher(seeded(1, 50, space, space, space))
	tell := func(task, point int, cost float64) {
		b.done[b.first[task]+point] = true
		b.Tell(tuning.Trial{Task: task, Point: point, Cost: cost, OK: true})
	}
	tell(0, 3, 50)
	tell(0, 7, 60)
	tell(1, 4, 1)
	tell(1, 9, 1.1)
	for _, want := range []int{3, 4, 9, 7} { // 50 of 50, 1 of 1, 1.1 of 1, 60 of 50
		c := b.transferred(2)
		if c != b.first[2]+want {
			t.Errorf("point %d, want %d", c-b.first[2], want)
		}
		b.done[c] = true
	}
	if c := b.transferred(2); c < b.first[2] || b.done[c] {
		t.Errorf("candidate %d, want one that is far off", c)
	}
}

// TestFirstOfPending is what is expected to be best beside the best of its own size; what
// may not run comes later.
func TestFirstOfPending(t *testing.T) {
	space := grid(t, 3, 3)
	b := newSearcher(seeded(1, 10, space, space))
	pending := []tuning.Proposal{{Task: 0, Point: 4}, {Task: 1, Point: 5}}
	if got := b.First(pending); got != 0 {
		t.Errorf("%d without a model", got)
	}
	b.model = &process{pool: []int{b.first[1] + 5, 2, 4}, mean: []float32{0.1, -9, 0.2}, faulty: []float32{0, 0, 0}}
	for _, c := range []struct {
		lowest []float64
		fault  float32
		want   int
	}{{[]float64{0.5, -1}, 0, 0}, {[]float64{-1, 0.5}, 0, 1}, {[]float64{math.Inf(1), 0.05}, 0, 1}, {[]float64{-1, 0.5}, 3, 0}, {[]float64{0.4, 0.3}, -0.1, 1}} {
		b.lowest, b.model.faulty[0] = c.lowest, c.fault
		if got := b.First(pending); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// TestListSaysSettingsOnce, where the next strategy has the same ones.
func TestListSaysSettingsOnce(t *testing.T) {
	list := List()
	for _, o := range []tuning.Option{trust, optPatience, optK, optTrees} {
		if n := strings.Count(list, " "+o.Name+"="); n != 1 && o.Name != optTrees.Name || n == 0 || n > 2 {
			t.Errorf("%s is said %d times in\n%s", o.Name, n, list)
		}
	}
	before := 0
	for _, s := range All() {
		if slices.Contains(s.Options, optCutRatio) {
			before++
		}
	}
	if n := strings.Count(list, " "+optCutRatio.Name+"="); n == 0 || n >= before {
		t.Errorf("%d strategies have %s, and it is said %d times", before, optCutRatio.Name, n)
	}
}
