package iterml

import (
	"fmt"
	"math"
	"slices"

	"bench/plots"
	"bench/tuning/search"
)

// edges are the least numbers of the ranges that a side of a picture has, up to
// 1024: the values of the grid, so that each of its points is a cell of its own.
var edges = []float64{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024}

// ranged is a picture of the least cost in each range of X and Y.
func ranged(name string, costs map[Block]float64) plots.HeatMap {
	m := plots.HeatMap{Name: name, X: "X", Y: "Y", XValues: edges, YValues: edges, Objective: "time"}
	for range edges {
		row := make([]float64, len(edges))
		for i := range row {
			row[i] = math.Inf(1)
		}
		m.Cost = append(m.Cost, row)
	}
	place := func(v int) int {
		i, found := slices.BinarySearch(edges, float64(v))
		if !found {
			i--
		}
		return i
	}
	for b, c := range costs {
		cell := &m.Cost[place(b.Y)][place(b.X)]
		*cell = min(*cell, c)
	}
	return m
}

// sampled is whether a cell may hold several blocks, and what a title and a note say then.
func (s Space) sampled() (sampled bool, title, note string) {
	for b := range s.Fraction {
		if !slices.Contains(edges, float64(b.X)) || !slices.Contains(edges, float64(b.Y)) {
			return true, ", the best of each range", "; a range goes up to the next number"
		}
	}
	return false, "", ""
}

// HeatMap is the picture of a space. A sample has too few points of each value for
// the shares of variance that X and Y explain.
func (s Space) HeatMap() plots.HeatMap {
	var points []int
	var costs []float64
	blocks := map[Block]float64{}
	for p, c := range s.recorded.Costs {
		if !math.IsNaN(c) {
			points, costs = append(points, p), append(costs, c)
			blocks[Block{int(s.recorded.Space.Value(p, 0)), int(s.recorded.Space.Value(p, 1))}] = c
		}
	}
	m := ranged(s.Name, blocks)
	if sampled, title, note := s.sampled(); sampled {
		m.Title = s.Name + ": % of the optimum" + title
		m.Note = fmt.Sprintf("best %.1f µs, of X = %d, Y = %d%s", s.OptimumSeconds*1e6, s.Best.X, s.Best.Y, note)
		return m
	}
	shares := search.Importance(s.recorded.Space, points, costs)
	m.XShare, m.YShare = shares[0], shares[1]
	return m
}

// LeastMap is the picture of the least fraction over the benchmarks, as the study's
// Figures 4 and 5.
func LeastMap(all []Space) plots.HeatMap {
	costs := map[Block]float64{}
	for b, f := range Least(all) {
		costs[b] = 1 / f
	}
	m := ranged("least", costs)
	m.Full = 1
	best, least := Universal(all)
	_, title, note := all[0].sampled()
	m.Title = "least % of the optimum over the benchmarks" + title
	m.Note = fmt.Sprintf("greatest %.0f %%, of X = %d, Y = %d%s", 100*least, best.X, best.Y, note)
	return m
}
