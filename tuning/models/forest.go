package models

import "math/rand/v2"

// Forest is a random forest (Breiman, "Random Forests"): the mean of
// regression trees, each of a bootstrap sample. Every split looks at all
// features.
type Forest struct {
	// Trees is their number; 0: 10.
	Trees int
	Rand  *rand.Rand

	trees []Tree
}

const defaultTrees = 10

func (f *Forest) Fit(x [][]float64, y []float64) {
	n := f.Trees
	if n == 0 {
		n = defaultTrees
	}
	if len(f.trees) != n {
		f.trees = make([]Tree, n)
	}
	rows := make([]int, len(x))
	for i := range f.trees {
		for r := range rows {
			rows[r] = f.Rand.IntN(len(x))
		}
		f.trees[i].Rand = f.Rand
		f.trees[i].fit(x, y, rows)
	}
}

func (f *Forest) Predict(x []float64) float64 {
	sum := 0.0
	for i := range f.trees {
		sum += f.trees[i].Predict(x)
	}
	return sum / float64(len(f.trees))
}
