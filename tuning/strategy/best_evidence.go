package strategy

import (
	"math"
	"slices"
)

// rateSpread is the prior standard deviation of a rate's logarithm.
const rateSpread = 1.2

// rateStep is the factor by which a fit tries to change a rate.
const rateStep = 3

// evidence is the log marginal likelihood of targets under the process, with mean
// and variance at their most likely values, plus the rates' log prior.
type evidence struct {
	columns []column
	target  []float64
	rates   []float64
	levels  [][]int32   // of each column, of each pair: where its distance is
	squared []float32   // of each pair, over all columns
	decayed []float32   // likewise
	kernel  []float32   // scratch, of each pair
	factor  [][]float64 // scratch
	y, ones []float64   // scratch
}

func newEvidence(columns []column, points []int, target, rates []float64) *evidence {
	n := len(points)
	e := &evidence{columns: columns, target: target, rates: rates, y: make([]float64, n), ones: make([]float64, n)}
	pairs := 0
	for i := range n {
		e.factor = append(e.factor, make([]float64, i+1))
		pairs += i
	}
	e.squared, e.decayed, e.kernel = make([]float32, pairs), make([]float32, pairs), make([]float32, pairs)
	for i := range columns {
		c := &columns[i]
		at := make([]int32, 0, pairs)
		for a := range n {
			row := int32(c.level[points[a]]) * int32(c.levels)
			for b := range a {
				at = append(at, row+int32(c.level[points[b]]))
			}
		}
		e.levels = append(e.levels, at)
		e.change(i, 0, rates[i])
	}
	return e
}

// change replaces a column's terms in the pairs' sums; with from 0 there are none yet.
func (e *evidence) change(column int, from, to float64) {
	c := &e.columns[column]
	squared, decayed := make([]float32, len(c.distance2)), make([]float32, len(c.distance2))
	for i, d := range c.distance2 {
		squared[i] = float32(to-from) * d
		decayed[i] = decay.at(float32(to) * d)
		if from > 0 {
			decayed[i] -= decay.at(float32(from) * d)
		}
	}
	for pair, at := range e.levels[column] {
		e.squared[pair] += squared[at]
		e.decayed[pair] += decayed[at]
	}
}

func (e *evidence) value() float64 {
	share := 1 / float32(len(e.columns))
	for i, s := range e.squared {
		e.kernel[i] = joined(max(s, 0), e.decayed[i]*share)
	}
	n := len(e.target)
	logDeterminant, pair := 0.0, 0
	for i, row := range e.factor {
		diagonal := 1 + noise
		for j := range i {
			row[j] = (float64(e.kernel[pair]) - dot(row[:j], e.factor[j])) / e.factor[j][j]
			diagonal -= row[j] * row[j]
			pair++
		}
		row[i] = math.Sqrt(max(diagonal, noise*1e-3))
		e.y[i] = (e.target[i] - dot(row[:i], e.y)) / row[i]
		e.ones[i] = (1 - dot(row[:i], e.ones)) / row[i]
		logDeterminant += 2 * math.Log(row[i])
	}
	oy := dot(e.ones, e.y)
	squares := dot(e.y, e.y) - oy*oy/dot(e.ones, e.ones)
	value := -0.5*logDeterminant - 0.5*float64(n+2)*math.Log((squares+2)/float64(n+2))
	for i, r := range e.rates {
		t := math.Log(r/e.columns[i].rate) / rateSpread
		value -= t * t / 2
	}
	return value
}

// fitRates moves each rate by one step if the evidence grows by it, and returns the new rates.
func fitRates(columns []column, points []int, target, start []float64) []float64 {
	e := newEvidence(columns, points, target, slices.Clone(start))
	best := e.value()
	for i := range e.rates {
		for _, step := range []float64{rateStep, 1.0 / rateStep} {
			old := e.rates[i]
			e.rates[i] = old * step
			e.change(i, old, old*step)
			if v := e.value(); v > best {
				best = v
				break
			}
			e.change(i, old*step, old)
			e.rates[i] = old
		}
	}
	return e.rates
}
