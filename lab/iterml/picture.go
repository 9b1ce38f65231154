package iterml

import (
	"fmt"
	"math"
	"slices"

	"example.org/bench/plots/picture"
)

// edges are the least numbers of the ranges that a side of a picture has, up to 1024.
var edges = []float64{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024}

// upTo tells how to read a picture's sides.
const upTo = "; a range goes up to the next number"

// ranged is a picture of the least cost in each range of X and Y.
func ranged(name string, costs map[Block]float64) picture.HeatMap {
	m := picture.HeatMap{Name: name, X: "X", Y: "Y", XValues: edges, YValues: edges, Objective: "time"}
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

// HeatMap is the picture of a space.
func (s Space) HeatMap() picture.HeatMap {
	costs := map[Block]float64{}
	for b, f := range s.Fraction {
		if f > 0 {
			costs[b] = s.OptimumSeconds / f
		}
	}
	m := ranged(s.Name, costs)
	m.Title = s.Name + ": % of the optimum, the best of each range"
	m.Note = fmt.Sprintf("best %.1f µs, of X = %d, Y = %d%s", s.OptimumSeconds*1e6, s.Best.X, s.Best.Y, upTo)
	return m
}

// LeastMap is the picture of the least fraction over the benchmarks, as the study's
// Figures 4 and 5.
func LeastMap(all []Space) picture.HeatMap {
	costs := map[Block]float64{}
	for b, f := range Least(all) {
		costs[b] = 1 / f
	}
	m := ranged("least", costs)
	m.Full = 1
	best, least := Universal(all)
	m.Title = "least % of the optimum over the benchmarks, the best of each range"
	m.Note = fmt.Sprintf("greatest %.0f %%, of X = %d, Y = %d%s", 100*least, best.X, best.Y, upTo)
	return m
}
