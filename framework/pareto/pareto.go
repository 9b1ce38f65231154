// Package pareto compares choices by two costs, of which less is better: the front of those that no other
// beats in both, and its hypervolume.
package pareto

import (
	"cmp"
	"math"
	"slices"
)

// Point is a choice's two costs.
type Point struct{ X, Y float64 }

// beats reports whether p costs at most as much as q by both, and less by one.
func (p Point) beats(q Point) bool { return p.X <= q.X && p.Y <= q.Y && p != q }

// Front is the indexes of the points that no other beats, by ascending X. Equal points are
// all kept, in their order.
func Front(points []Point) []int {
	order := make([]int, len(points))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(points[i].X, points[j].X), cmp.Compare(points[i].Y, points[j].Y))
	})
	var front []int
	for _, i := range order {
		if n := len(front); n == 0 || points[i].Y < points[front[n-1]].Y || points[i] == points[front[n-1]] {
			front = append(front, i)
		}
	}
	return front
}

// Set is a front that grows: the points of which none beats another, by ascending X.
type Set []Point

// Add takes a point in and reports whether the front has it: no other beats it or equals it.
func (s *Set) Add(p Point) bool {
	if slices.ContainsFunc(*s, func(q Point) bool { return q.beats(p) || q == p }) {
		return false
	}
	*s = slices.DeleteFunc(*s, func(q Point) bool { return p.beats(q) })
	at, _ := slices.BinarySearchFunc(*s, p.X, func(q Point, x float64) int { return cmp.Compare(q.X, x) })
	*s = slices.Insert(*s, at, p)
	return true
}

// Hypervolume is the area that the front beats of what costs less than the reference by
// both: the S metric of "Multiobjective Optimization Using Evolutionary Algorithms - A
// Comparative Case Study" (Zitzler and Thiele).
func (s Set) Hypervolume(reference Point) float64 {
	area, below := 0.0, reference.Y
	for _, p := range s {
		if p.X < reference.X && p.Y < below {
			area += (reference.X - p.X) * (below - p.Y)
			below = p.Y
		}
	}
	return area
}

// beyond is how much farther than the worst of a front the reference is, in extents of the
// front, and least how far it is at least, as a share of the front's least cost.
const beyond, least = 0.1, 0.1

// Reference is the point against which a front's hypervolume is taken: beyond its worst by
// a tenth of its extent, so that its ends count too ("How to Specify a Reference Point in
// Hypervolume Calculation for Fair Performance Comparison", Ishibuchi and others), and at
// least a tenth above its best, where it has next to no extent.
func (s Set) Reference() Point {
	if len(s) == 0 {
		return Point{math.Inf(1), math.Inf(1)}
	}
	of := func(low, high float64) float64 { return max(high+beyond*(high-low), low*(1+least)) }
	first, last := s[0], s[len(s)-1]
	return Point{of(first.X, last.X), of(last.Y, first.Y)}
}

// Shares are the shares of the hypervolume of the front of all points after each of them. A
// point of which a cost is not a number is none.
func Shares(points []Point) []float64 {
	var final, found Set
	isPoint := func(p Point) bool { return !math.IsNaN(p.X) && !math.IsNaN(p.Y) }
	for _, p := range points {
		if isPoint(p) {
			final.Add(p)
		}
	}
	shares := make([]float64, len(points))
	share := 0.0
	for i, p := range points {
		if isPoint(p) && found.Add(p) {
			share = final.Share(found)
		}
		shares[i] = share
	}
	return shares
}

// Share is the hypervolume of found by that of the front s, both against the reference of
// s: 0 where s has none.
func (s Set) Share(found Set) float64 {
	reference := s.Reference()
	all := s.Hypervolume(reference)
	if !(all > 0) {
		return 0
	}
	return found.Hypervolume(reference) / all
}
