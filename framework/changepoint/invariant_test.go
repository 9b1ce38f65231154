package changepoint

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestUnitsDoNotMatter: what is found in values is found in them moved, in another unit and
// mirrored, with sizes in that unit.
func TestUnitsDoNotMatter(t *testing.T) {
	for seed := range uint64(4) {
		g := rand.New(rand.NewPCG(13, seed))
		var values []Value
		for i := range 80 {
			v := Value{X: g.NormFloat64(), Sigma: 0.3 * float64(i%3)}
			if i >= 50 {
				v.X += 3
			}
			if i%17 == 4 {
				v.X += 20
			}
			values = append(values, v)
		}
		want := Detect(values)
		if len(want.Changes) == 0 || len(want.Outliers) == 0 {
			t.Fatalf("seed %d: %+v", seed, want)
		}
		for _, by := range []struct{ factor, offset float64 }{{1, 64}, {0.125, 0}, {1024, -512}, {-1, 0}, {-4, 32}} {
			moved := slices.Clone(values)
			for i := range moved {
				moved[i].X, moved[i].Sigma = by.factor*moved[i].X+by.offset, math.Abs(by.factor)*moved[i].Sigma
			}
			near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(by.factor) }
			got := Detect(moved)
			same := slices.EqualFunc(got.Changes, want.Changes, func(a, b Change) bool {
				low, high := by.factor*b.Low, by.factor*b.High
				return a.At == b.At && a.First == b.First && a.Last == b.Last && a.Found == b.Found && a.Drift == b.Drift &&
					near(a.Size, by.factor*b.Size) && near(a.Low, min(low, high)) && near(a.High, max(low, high))
			}) && slices.EqualFunc(got.Levels, want.Levels, func(a, b Level) bool {
				return a.From == b.From && a.To == b.To && near(a.Mean, by.factor*b.Mean+by.offset) && near(a.Noise, math.Abs(by.factor)*b.Noise)
			}) && slices.Equal(got.Outliers, want.Outliers)
			if !same {
				t.Errorf("seed %d, times %v and %v: %+v, want %+v", seed, by.factor, by.offset, got, want)
			}
		}
	}
}

// TestIntervalsCover: 95 % intervals of a level and of a step hold what was planted about
// that often.
func TestIntervalsCover(t *testing.T) {
	const seeds, size = 200, 8
	level, step, missed := 0, 0, 0
	for seed := range uint64(seeds) {
		r := Detect(noisy(1000+seed, [2]float64{2, 60}, [2]float64{2 + size, 12}))
		if len(r.Changes) != 1 || r.Changes[0].At != 60 {
			missed++
			continue
		}
		if l := r.Levels[0]; l.Low <= 2 && 2 <= l.High {
			level++
		}
		if c := r.Changes[0]; c.Low <= size && size <= c.High {
			step++
		}
	}
	for what, n := range map[string]int{"levels": level, "steps": step} {
		if all := seeds - missed; missed > seeds/50 || n < all*91/100 || n > all*99/100 {
			t.Errorf("%d of %d intervals of %s hold the planted value; %d of %d steps are not found", n, all, what, missed, seeds)
		}
	}
}

// TestSizeOfADrift is its slope times its length, from where it begins.
func TestSizeOfADrift(t *testing.T) {
	for _, c := range []struct {
		begins int
		slope  float64
	}{{0, 0.3}, {0, -0.3}, {50, 0.4}} {
		values := noisy(14, [2]float64{0, 100})
		for i := range values {
			values[i].X = 0.5*values[i].X + c.slope*float64(max(0, i-c.begins))
		}
		r := Detect(values)
		want := c.slope * float64(99-c.begins)
		if len(r.Changes) != 1 || !r.Changes[0].Drift || math.Abs(r.Changes[0].Size/want-1) > 0.1 {
			t.Errorf("%+v: %+v, want a drift of %v", c, r.Changes, want)
		}
	}
}
