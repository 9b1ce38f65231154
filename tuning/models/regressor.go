// Package models holds the regression models that search strategies learn
// with: CART, k-nearest neighbours, support vector regression, random forest,
// multilayer perceptron and Gaussian processes with linear coregionalisation.
//
// None of Go's libraries for them is both free of cgo and kept up (golearn
// and goml have had no release for years), so they are here, on gonum's
// linear algebra and optimisation. Defaults are scikit-learn's of 2019, with
// which the literature worked (Cui, Feng, "Iterative Machine Learning (IterML)
// for Effective Parameter Pruning and Tuning in Accelerators", section 5).
package models

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat"
)

// Regressor learns a function from samples.
type Regressor interface {
	// Fit forgets what was learned before. There is at least one sample, and
	// all rows of x have the same length; they are not changed nor kept beyond
	// the next Fit.
	Fit(x [][]float64, y []float64)
	Predict(x []float64) float64
}

// Standardized fits a model to features and outcomes of mean 0 and standard
// deviation 1, for models that depend on the scales (all but trees).
type Standardized struct {
	Model Regressor

	mean, scale []float64
	y0, yScale  float64
	row         []float64
}

func (s *Standardized) Fit(x [][]float64, y []float64) {
	d := len(x[0])
	s.mean, s.scale, s.row = make([]float64, d), make([]float64, d), make([]float64, d)
	column := make([]float64, len(x))
	for j := range d {
		for i := range x {
			column[i] = x[i][j]
		}
		s.mean[j], s.scale[j] = meanScale(column)
	}
	s.y0, s.yScale = meanScale(y)
	scaled := make([][]float64, len(x))
	for i := range x {
		scaled[i] = make([]float64, d)
		s.transform(scaled[i], x[i])
	}
	outcomes := make([]float64, len(y))
	for i := range y {
		outcomes[i] = (y[i] - s.y0) / s.yScale
	}
	s.Model.Fit(scaled, outcomes)
}

func (s *Standardized) Predict(x []float64) float64 {
	s.transform(s.row, x)
	return s.y0 + s.yScale*s.Model.Predict(s.row)
}

func (s *Standardized) transform(to, x []float64) {
	for j := range x {
		to[j] = (x[j] - s.mean[j]) / s.scale[j]
	}
}

// meanScale is the mean and the standard deviation, 1 where all are equal.
func meanScale(v []float64) (mean, scale float64) {
	mean, scale = stat.PopMeanStdDev(v, nil)
	if !(scale > 1e-12*math.Abs(mean)) || math.IsInf(scale, 0) {
		scale = 1
	}
	return mean, scale
}

// shuffled is a random order of n indexes; ascending where there is no source of chance.
func shuffled(n int, rnd *rand.Rand) []int {
	if rnd != nil {
		return rnd.Perm(n)
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}
