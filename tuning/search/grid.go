package search

import (
	"math"
	"slices"

	"example.org/bench/tuning"
)

// mostRanges is how many places an axis of a Grid has.
const mostRanges = 64

// Grid is the least cost for each pair of values of two parameters. If a parameter has more values than a
// reader can tell apart, neighbouring values share a place.
type Grid struct {
	X, Y []Range // ascending
	// Cost is by Y and X; NaN if nothing valid was found, +Inf if the space has no point.
	Cost [][]float64
}

// Range is the values of one place, by the first and the last.
type Range struct{ First, Last float64 }

// Ranged reports whether a place has several values.
func (g *Grid) Ranged() bool {
	wide := func(r Range) bool { return r.First != r.Last }
	return slices.ContainsFunc(g.X, wide) || slices.ContainsFunc(g.Y, wide)
}

// NewGrid returns the grid of the costs of points of the space by its parameters x and y. A cost of NaN is of
// an invalid point.
func NewGrid(space *tuning.Space, x, y int, points []int, costs []float64) *Grid {
	g := &Grid{}
	var columns, rows map[float64]int
	g.X, columns = ranges(space.Occurring(x))
	g.Y, rows = ranges(space.Occurring(y))
	for range g.Y {
		g.Cost = append(g.Cost, slices.Repeat([]float64{math.Inf(1)}, len(g.X)))
	}
	cell := func(p int) *float64 { return &g.Cost[rows[space.Value(p, y)]][columns[space.Value(p, x)]] }
	for p := range space.Len() {
		*cell(p) = math.NaN()
	}
	for i, p := range points {
		if c := cell(p); costs[i] < *c || math.IsNaN(*c) {
			*c = costs[i]
		}
	}
	return g
}

// ranges returns the places of values, and the place of each value.
func ranges(values []float64) (places []Range, of map[float64]int) {
	values = slices.Sorted(slices.Values(values))
	each := (len(values) + mostRanges - 1) / mostRanges
	of = map[float64]int{}
	for some := range slices.Chunk(values, max(1, each)) {
		for _, v := range some {
			of[v] = len(places)
		}
		places = append(places, Range{some[0], some[len(some)-1]})
	}
	return places, of
}
