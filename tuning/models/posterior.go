package models

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// Posterior is a process given observations, known at a list of candidates.
// An observation extends the Cholesky factor by one row, in time of the
// observations times the candidates.
type Posterior struct {
	c     *covariance
	noise float64
	x     []Input
	// factor is L with L·Lᵀ = cov + noise·I, by rows; scaled is L⁻¹·y.
	factor [][]float64
	scaled []float64

	candidates []Input
	// solved is L⁻¹·cov(x, candidates), a row for each observation.
	solved         [][]float64
	mean, variance []float64
}

// Posterior returns the process before any observation, and without candidates.
func (p *Process) Posterior() *Posterior {
	return &Posterior{c: p.covariance(p.theta), noise: p.noise()}
}

// Observe adds an outcome.
func (p *Posterior) Observe(x Input, y float64) {
	n := len(p.x)
	row := make([]float64, n+1)
	square := 0.0
	for i := range n {
		row[i] = (p.c.at(p.x[i], x) - floats.Dot(p.factor[i][:i], row[:i])) / p.factor[i][i]
		square += row[i] * row[i]
	}
	pivot := math.Sqrt(max(p.c.variance(x.Task)+p.noise-square, p.noise/2))
	row[n] = pivot
	z := (y - floats.Dot(row[:n], p.scaled)) / pivot

	solved := make([]float64, len(p.candidates), cap(p.candidates))
	for j, c := range p.candidates {
		solved[j] = p.c.at(x, c)
	}
	for i, l := range row[:n] {
		floats.AddScaled(solved, -l, p.solved[i])
	}
	floats.Scale(1/pivot, solved)
	floats.AddScaled(p.mean, z, solved)
	for j, v := range solved {
		p.variance[j] -= v * v
	}
	p.x, p.factor = append(p.x, x), append(p.factor, row)
	p.scaled, p.solved = append(p.scaled, z), append(p.solved, solved)
}

// Watch adds a candidate; its number is the count of those before it.
func (p *Posterior) Watch(x Input) {
	column := make([]float64, len(p.x))
	mean, variance := 0.0, p.c.variance(x.Task)
	for i := range column {
		column[i] = (p.c.at(p.x[i], x) - floats.Dot(p.factor[i][:i], column[:i])) / p.factor[i][i]
		p.solved[i] = append(p.solved[i], column[i])
		mean += column[i] * p.scaled[i]
		variance -= column[i] * column[i]
	}
	p.candidates = append(p.candidates, x)
	p.mean, p.variance = append(p.mean, mean), append(p.variance, variance)
}

// At is the function's mean and standard deviation at a candidate.
func (p *Posterior) At(candidate int) (mean, deviation float64) {
	return p.mean[candidate], math.Sqrt(max(p.variance[candidate], 0))
}

// Correlation is that of the function at a candidate and elsewhere, before any
// observation.
func (p *Posterior) Correlation(candidate int, x Input) float64 {
	c := p.candidates[candidate]
	return p.c.at(c, x) / math.Sqrt(p.c.variance(c.Task)*p.c.variance(x.Task))
}
