// Package iterml derives the tables of the thread-block study from its recorded
// spaces: what fixed and universal block sizes reach, what the best of one
// device reaches on another, and how many samples find a good one. The study is
// "Iterative Machine Learning (IterML) for Effective Parameter Pruning and
// Tuning in Accelerators".
package iterml

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"example.org/bench/tuning/recorded"
)

// Benchmarks are the study's, as its Table 1 orders them.
var Benchmarks = []string{"2dconv", "3dconv", "2mm", "3mm", "gemm", "gesummv", "mvt", "syr2k", "syrk", "stencil27", "ldc"}

// Study is a folder of results with a recorded space of each benchmark.
type Study struct {
	Folder string
	// GPU is its name in the transfers.
	GPU string
}

// Studies are the published ones: all block sizes of all benchmarks on two devices.
var Studies = [2]Study{{"h100-iterml-whole", "H100"}, {"h200-iterml-whole", "H200"}}

// mostThreads is what a thread block may have.
const mostThreads = 1024

// Whole is the number of blocks with X and Y from 1 to 1024 and no more threads.
func Whole() int {
	n := 0
	for x := 1; x <= mostThreads; x++ {
		n += mostThreads / x
	}
	return n
}

// Block is a thread-block size.
type Block struct{ X, Y int }

// Space is the performance of every block size of one benchmark, as a fraction
// of the optimum; invalid ones have 0.
type Space struct {
	Name           string
	OptimumSeconds float64
	Best           Block
	Fraction       map[Block]float64
}

// ReadSpaces reads the recorded spaces of a folder, in the order of Benchmarks.
func ReadSpaces(folder string) ([]Space, error) {
	m, err := recorded.ReadManifest(filepath.Join(folder, "manifest.json"))
	if err != nil {
		return nil, err
	}
	var all []Space
	for _, name := range Benchmarks {
		r, err := recorded.Open(filepath.Join(folder, name+".csv.gz"), m)
		if err != nil {
			return nil, err
		}
		if len(r.Space.Parameters) != 2 || r.Space.Parameters[0].Name != "X" || r.Space.Parameters[1].Name != "Y" {
			return nil, fmt.Errorf("%s: want the parameters X and Y", name)
		}
		optimum, ok := r.Optimum()
		if !ok {
			return nil, fmt.Errorf("%s has no valid point", name)
		}
		s := Space{Name: name, OptimumSeconds: optimum, Fraction: map[Block]float64{}}
		for p := range r.Space.Len() {
			b := Block{int(r.Space.Value(p, 0)), int(r.Space.Value(p, 1))}
			if math.IsNaN(r.Costs[p]) {
				s.Fraction[b] = 0
				continue
			}
			s.Fraction[b] = optimum / r.Costs[p]
			if r.Costs[p] == optimum {
				s.Best = b
			}
		}
		all = append(all, s)
	}
	return all, nil
}

// fractions are sorted ascending.
func (s Space) fractions() []float64 {
	var list []float64
	for _, f := range s.Fraction {
		list = append(list, f)
	}
	slices.Sort(list)
	return list
}

// Median is that of the fractions of valid points.
func (s Space) Median() float64 {
	list := s.fractions()
	for len(list) > 0 && list[0] == 0 {
		list = list[1:]
	}
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}

// Within counts the points that reach a fraction.
func (s Space) Within(fraction float64) int {
	n := 0
	for _, f := range s.Fraction {
		if f >= fraction {
			n++
		}
	}
	return n
}

// OfThreads is the best fraction among the blocks of that many threads.
func (s Space) OfThreads(threads int) (best Block, reached float64) {
	reached = -1
	for x := 1; x <= threads; x++ {
		if threads%x != 0 {
			continue
		}
		b := Block{x, threads / x}
		if f := s.Fraction[b]; f >= reached {
			best, reached = b, f
		}
	}
	return best, reached
}

// Universal is the block whose least fraction over the benchmarks is the
// greatest, with that fraction.
func Universal(all []Space) (best Block, least float64) {
	least = -1
	for b, f := range Least(all) {
		if f > least || f == least && (b.X < best.X || b.X == best.X && b.Y < best.Y) {
			best, least = b, f
		}
	}
	return best, least
}

// Least is the least fraction over the benchmarks by block.
func Least(all []Space) map[Block]float64 {
	m := map[Block]float64{}
	for b := range all[0].Fraction {
		m[b] = 1
		for _, s := range all {
			m[b] = min(m[b], s.Fraction[b])
		}
	}
	return m
}

// Published are the best block sizes that the study's Tables 2 and 3 give for
// the P100 and the V100; stencil27 is its epcc.
var Published = map[string]map[string]Block{
	"P100": {
		"2dconv": {512, 2}, "3dconv": {96, 2}, "2mm": {32, 32}, "3mm": {16, 48}, "gemm": {16, 48}, "gesummv": {16, 1},
		"mvt": {14, 1}, "syr2k": {16, 36}, "syrk": {32, 24}, "stencil27": {1, 128}, "ldc": {16, 6},
	},
	"V100": {
		"2dconv": {64, 5}, "3dconv": {88, 10}, "2mm": {64, 16}, "3mm": {32, 26}, "gemm": {32, 26}, "gesummv": {6, 5},
		"mvt": {8, 1}, "syr2k": {8, 124}, "syrk": {8, 124}, "stencil27": {8, 64}, "ldc": {4, 32},
	},
}
