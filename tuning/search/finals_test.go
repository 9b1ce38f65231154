package search

import "testing"

// The defaults are what a search gives where it found nothing better than they are.
func TestDefaultsMayBeBest(t *testing.T) {
	for _, c := range []struct {
		name     string
		defaults int
		is       *Estimate
		point    int
		value    float64
	}{
		{"better", 7, &Estimate{Value: 2}, 7, 2},
		{"worse", 7, &Estimate{Value: 4}, 5, 3},
		{"not measured", 7, nil, 5, 3},
		{"better, but not among the values searched", -1, &Estimate{Value: 2}, 5, 3},
	} {
		f := &Final{Point: 5, Best: Estimate{Value: 3}, Default: c.is}
		if f.preferDefaults(&Task{Defaults: c.defaults}); f.Point != c.point || f.Best.Value != c.value {
			t.Errorf("defaults %s: point %d, %v; want point %d, %v", c.name, f.Point, f.Best.Value, c.point, c.value)
		}
	}
}
