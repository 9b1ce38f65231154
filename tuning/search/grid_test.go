package search

import (
	"math"
	"testing"

	"example.org/bench/tuning"
)

// A grid has every value, and 1024 of them in ranges.
func TestGrid(t *testing.T) {
	const n = 1024
	values := make([]float64, n)
	for i := range values {
		values[i] = float64(n - i) // as a config may have them
	}
	var points [][]uint16
	for i := range uint16(n) {
		points = append(points, []uint16{i, i, 0}, []uint16{i, n - 1 - i, 1})
	}
	space, err := tuning.NewSpace([]tuning.Parameter{{Name: "X", Values: values}, {Name: "Y", Values: values}, {Name: "Z", Values: []float64{7, 3}}}, points)
	if err != nil {
		t.Fatal(err)
	}
	g := NewGrid(space, 0, 1, []int{0, 2, 4}, []float64{5, 4, math.NaN()})
	if len(g.X) != 64 || len(g.Y) != 64 || !g.Ranged() || g.X[0] != (Range{1, 16}) || g.X[63] != (Range{1009, 1024}) {
		t.Fatalf("%d by %d: %v", len(g.X), len(g.Y), g.X)
	}
	if got := g.Cost[63][63]; got != 4 {
		t.Errorf("the least of 1009 to 1024 is %v", got)
	}
	if got := g.Cost[0][63]; !math.IsNaN(got) {
		t.Errorf("where nothing valid was found is %v", got)
	}
	if got := g.Cost[5][7]; !math.IsInf(got, 1) {
		t.Errorf("where the space has no point is %v", got)
	}
	if g = NewGrid(space, 0, 2, nil, nil); len(g.Y) != 2 || g.Y[0] != (Range{3, 3}) {
		t.Errorf("%v", g.Y)
	}
}
