package bicubic

import (
	"math"
	"slices"
	"sync"

	"example.org/bench/framework"
	"example.org/bench/internal/workers"
)

// roundoff is float32's unit roundoff u.
const roundoff = 1.0 / (1 << 24)

// rounding describes the rounding errors of a version's arithmetic; see compare.
type rounding struct {
	// steps is the number of roundings on the longest way from a control point
	// to an output, those of constant weights included.
	steps float64
	// polynomials bounds the error of a basis polynomial that is evaluated in
	// float32, in units of u; 0 for constant weights.
	polynomials float64
}

// compare measures an answer against the reference in double precision. An output is a sum of products of
// weights and control points. With magnitudes g (of the basis, in each direction) and their values q at
// polynomials of 1, its error is at most
//
//	u·( steps·Σ g g |p| + polynomials·Σ (g q + q g) |p| )
//
// to first order (Higham, Accuracy and Stability of Numerical Algorithms, section 3.1); the second order is
// less than 1e-4 of it. The check reports the largest error of all outputs divided by the bracket; its bound
// is u.
func (p *problem) compare(got []float32, r rounding) []framework.Check {
	if int64(len(got)) != p.points() {
		return []framework.Check{{Metric: "length of the answer", Error: math.Abs(float64(int64(len(got)) - p.points()))}}
	}
	worst := make([]float64, p.Rows)
	pool := sync.Pool{New: func() any { return newColumns(p.Cols + 3) }}
	workers.Split(workers.All(), p.Rows, func(y int) {
		c := pool.Get().(*columns)
		defer pool.Put(c)
		n := p.RowFactor * p.outCols()
		worst[y] = p.errorOfRow(got[y*n:(y+1)*n], y, r, c)
	})
	var all float64
	for _, w := range worst {
		all = max(all, w)
	}
	return []framework.Check{{Metric: "error by the rounding of its terms", Error: all, Bound: roundoff * (1 + 1e-4)}}
}

// columns holds what errorOfRow computes for the columns -1 … cols+1 of a phase. Columns beyond an edge
// repeat the edge.
type columns struct{ value, magnitude, error1 []float64 }

func newColumns(n int) *columns {
	return &columns{make([]float64, n), make([]float64, n), make([]float64, n)}
}

// errorOfRow returns the largest error, as compare measures it, in the output rows that start at input row y.
func (p *problem) errorOfRow(got []float32, y int, r rounding, c *columns) (worst float64) {
	rows := p.around(y)
	unit := p.Basis.unit()
	n := p.Cols + 3
	value, magnitude, error1 := c.value, c.magnitude, c.error1
	for phase := range p.RowFactor {
		x := float64(phase) / float64(p.RowFactor)
		w, g := p.Basis.weights(x), p.Basis.magnitudes(x)
		for i := range n {
			at := min(max(i-1, 0), p.Cols-1)
			var v, m, q float64
			for j, row := range rows {
				c := float64(row[at])
				v += w[j] * c
				m += g[j] * math.Abs(c)
				q += unit[j] * math.Abs(c)
			}
			value[i], magnitude[i], error1[i] = v, m, r.steps*m+r.polynomials*q
		}
		leastError1, leastMagnitude := slices.Min(error1), slices.Min(magnitude)
		out := got[phase*p.outCols() : (phase+1)*p.outCols()]
		for column := range p.ColumnFactor {
			x := float64(column) / float64(p.ColumnFactor)
			w, g := p.Basis.weights(x), p.Basis.magnitudes(x)
			least := 0.0 // of e
			for j := range w {
				least += g[j]*leastError1 + r.polynomials*unit[j]*leastMagnitude
			}
			for i := range p.Cols {
				four := value[i : i+4 : i+4]
				v := w[0]*four[0] + w[1]*four[1] + w[2]*four[2] + w[3]*four[3]
				d := math.Abs(float64(out[i*p.ColumnFactor+column]) - v)
				if d <= worst*least {
					continue // whatever e is, as for most
				}
				e := 0.0
				for j := range w {
					e += g[j]*error1[i+j] + r.polynomials*unit[j]*magnitude[i+j]
				}
				worst = max(worst, d/e)
			}
		}
	}
	return worst
}
