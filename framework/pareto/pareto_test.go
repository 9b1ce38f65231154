package pareto

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestFrontKeepsWhatNothingBeats(t *testing.T) {
	points := []Point{{3, 1}, {1, 3}, {2, 2}, {2, 3}, {3, 3}, {1, 3}, {4, 1}}
	if got := Front(points); !slices.Equal(got, []int{1, 5, 2, 0}) {
		t.Errorf("front %v, want 1 and its equal 5, then 2 and 0", got)
	}
	if got := Front(nil); got != nil {
		t.Errorf("front %v of nothing", got)
	}
}

// TestSetIsTheFront whatever the order in which points come, and its area is that counted
// point by point.
func TestSetIsTheFront(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		var s Set
		var points []Point
		for range 1 + rnd.IntN(30) {
			p := Point{float64(1 + rnd.IntN(10)), float64(1 + rnd.IntN(10))}
			had := slices.Contains(points, p)
			beaten := slices.ContainsFunc(points, func(q Point) bool { return q.X <= p.X && q.Y <= p.Y })
			if points = append(points, p); s.Add(p) == (had || beaten) {
				t.Fatalf("%v after %v", p, points)
			}
		}
		var want []Point
		for _, i := range Front(points) {
			if !slices.Contains(want, points[i]) {
				want = append(want, points[i])
			}
		}
		if !slices.Equal([]Point(s), want) {
			t.Fatalf("%v of %v, want %v", s, points, want)
		}
		reference, cells := Point{9, 8}, 0
		for x := 1; x < 9; x++ { // unit squares
			for y := 1; y < 8; y++ {
				if slices.ContainsFunc(points, func(p Point) bool { return p.X <= float64(x) && p.Y <= float64(y) }) {
					cells++
				}
			}
		}
		if got := s.Hypervolume(reference); got != float64(cells) {
			t.Fatalf("area %v of %v, want %d", got, s, cells)
		}
	}
}

func TestReferenceAndShare(t *testing.T) {
	front := Set{{1, 30}, {2, 10}}
	if got := front.Reference(); got != (Point{2.1, 32}) {
		t.Errorf("%v, want a tenth of the extent beyond the worst", got)
	}
	if got := (Set{{2, 10}}).Reference(); math.Abs(got.X-2.2) > 1e-12 || math.Abs(got.Y-11) > 1e-12 {
		t.Errorf("%v, want a tenth above the one point", got)
	}
	if got := front.Share(front); got != 1 {
		t.Errorf("share %v of itself", got)
	}
	// (2.1-2)·(32-10) = 2.2 of that and (2-1)·(32-30) = 2 more
	if got := front.Share(Set{{2, 10}}); math.Abs(got-2.2/4.2) > 1e-12 {
		t.Errorf("share %v of one end", got)
	}
	if got := (Set{}).Share(front); got != 0 || front.Share(nil) != 0 {
		t.Errorf("share %v of nothing", got)
	}
}

func TestSharesAfterEachPoint(t *testing.T) {
	points := []Point{{X: 4, Y: 4}, {X: math.NaN(), Y: 1}, {X: 1, Y: 3}, {X: 5, Y: 5}, {X: 3, Y: 1}}
	var final, first Set
	for _, p := range []Point{{X: 1, Y: 3}, {X: 3, Y: 1}} {
		final.Add(p)
	}
	first.Add(points[2])
	want := []float64{0, 0, final.Share(first), final.Share(first), 1}
	if got := Shares(points); !slices.Equal(got, want) || !(want[2] > 0 && want[2] < 1) {
		t.Errorf("%v, want %v", got, want)
	}
}
