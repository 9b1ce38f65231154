package models

import "math"

// Neighbours predicts the mean outcome of the K nearest samples by Euclidean
// distance, of all samples where there are fewer. Of samples equally far, the
// earlier counts.
//
// Package knn classifies sizes by vote and chooses K, and the strategy knn ranks
// sizes and then points, with parameters left free: neither is a mean of outcomes.
type Neighbours struct {
	K int // 0: 5

	x    [][]float64
	y    []float64
	near []neighbour
}

type neighbour struct{ distance, y float64 }

const defaultNeighbours = 5

func (m *Neighbours) Fit(x [][]float64, y []float64) {
	k := m.K
	if k == 0 {
		k = defaultNeighbours
	}
	m.x, m.y = x, y
	m.near = make([]neighbour, min(k, len(x)))
}

func (m *Neighbours) Predict(x []float64) float64 {
	for i := range m.near {
		m.near[i].distance = math.Inf(1)
	}
	worst := len(m.near) - 1
	for i, row := range m.x {
		d := 0.0
		for j, v := range row {
			d += (x[j] - v) * (x[j] - v)
		}
		if !(d < m.near[worst].distance) {
			continue
		}
		at := worst
		for at > 0 && m.near[at-1].distance > d {
			m.near[at] = m.near[at-1]
			at--
		}
		m.near[at] = neighbour{d, m.y[i]}
	}
	sum := 0.0
	for _, n := range m.near {
		sum += n.y
	}
	return sum / float64(len(m.near))
}
