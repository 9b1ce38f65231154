package strategy

import (
	"math"
	"testing"

	"example.org/bench/tuning"
)

// Points that were expected first, and whose outcomes came in another order, leave the
// process as those do that came at once; until then an expected point moves no mean.
func TestProcessLearnsInAnyOrder(t *testing.T) {
	b := newSearcher(seeded(1, 50, grid(t, 6, 6)))
	pool := []int{7, 8, 9, 20, 30}
	points, targets := []int{0, 5, 13, 21, 28}, []float64{0.3, -1, 0.2, 0.9, -0.4}
	efforts := []float64{0.5, -0.2, math.NaN(), 1, -1} // one is not known
	trial := func(i int) outcome {
		o := told(targets[i], i == 3, efforts[i])
		o.second = 0.7 - targets[i]*targets[i]
		return o
	}
	want, got := newProcess(b.kernel, b.rates, pool, true), newProcess(b.kernel, b.rates, pool, true)
	for i, p := range points {
		want.condition(p, trial(i))
	}
	got.condition(points[0], trial(0))
	before := append([]float32(nil), got.mean...)
	for _, p := range points[1:] {
		got.expect(p)
	}
	for i := range pool {
		if got.mean[i] != before[i] || math.Abs(float64(got.variance[i]-want.variance[i])) > 1e-6 {
			t.Errorf("expected points: mean %v, before %v; variance %v, want %v", got.mean[i], before[i], got.variance[i], want.variance[i])
		}
	}
	for _, i := range []int{3, 1, 4, 2} {
		got.learn(i, trial(i))
	}
	for i := range pool {
		near(t, "mean", float64(got.mean[i]), float64(want.mean[i]), 1e-5)
		near(t, "fault", float64(got.faulty[i]), float64(want.faulty[i]), 1e-5)
		near(t, "second mean", float64(got.other[i]), float64(want.other[i]), 1e-5)
		near(t, "effort", float64(got.dear[i]), float64(want.dear[i]), 1e-5)
		if want.dear[i] == 0 {
			t.Errorf("candidate %d: nothing is expected of its effort", pool[i])
		}
	}
}

// While a point is pending bo proposes another than the one it would propose again, and
// expects nothing of the point itself.
func TestBOLeavesPendingPointsAlone(t *testing.T) {
	space := grid(t, 8, 8)
	made, err := newBO(seeded(3, 40, space))
	if err != nil {
		t.Fatal(err)
	}
	b := made.(*boSearch)
	cost := bowl(space, 5, 2)
	for range 12 {
		task, point, _ := b.Next()
		c, ok := cost(point)
		b.Tell(tuning.Trial{Task: task, Point: point, Cost: c, OK: ok})
	}
	_, first, _ := b.Next()
	for i, w := range b.watched {
		if w[1] == first {
			if r := b.posterior.Correlation(i, b.pending[0].input); math.Abs(r-1) > 1e-9 {
				t.Errorf("a point's correlation with itself is %v", r)
			}
		}
	}
	if _, second, _ := b.Next(); second == first || len(b.pending) != 2 {
		t.Errorf("points %d and %d, %d pending", first, second, len(b.pending))
	}
}
