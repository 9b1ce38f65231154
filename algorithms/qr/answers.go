package qr

import (
	"math"

	"example.org/bench/framework"
)

// answers are what Q and R are judged by, beside what it ought to be: the product QR and
// A, QᵀQ and the unit matrix, R and its upper triangle; of each matrix, column by column.
// An element is wrong that alone breaks its matrix's bound.
func (p *problem) answers(q, r elements, by method) []framework.Answer {
	if p.Double {
		return answers(p, q.double, r.double, by)
	}
	return answers(p, q.single, r.single, by)
}

func answers[T real](p *problem, q, r []T, by method) []framework.Answer {
	m, n, cols := p.M, p.N, p.cols()
	orthogonal, difference := p.bounds(by)
	products, squares := make([]float64, p.a.len()), make([]float64, p.Batch*cols*cols)
	units, upper, norms := make([]float64, len(squares)), make([]T, len(r)), make([]float64, p.Batch)
	each(p.shape, func(b int, w *scratch) {
		w.q = widen(w.q, q[b*p.sizeQ():(b+1)*p.sizeQ()])
		column := func(j int) []float64 { return w.q[j*m : (j+1)*m] }
		for j := range cols {
			units[(b*cols+j)*cols+j] = 1
			for i := range cols {
				squares[(b*cols+j)*cols+i] = dot(column(i), column(j))
			}
		}
		for j := range n {
			to := products[(b*n+j)*m : (b*n+j+1)*m]
			for i := range cols {
				x := r[b*p.sizeR()+j*cols+i]
				if x != 0 {
					axpy(to, float64(x), column(i))
				}
				if i <= j {
					upper[b*p.sizeR()+j*cols+i] = x
				}
			}
		}
		for _, x := range matrix[T](p, b) {
			norms[b] += float64(x) * float64(x)
		}
	})
	shape := func(columns, rows int) []int64 { return []int64{int64(p.Batch), int64(columns), int64(rows)} }
	return []framework.Answer{
		{Name: "QR", Metric: residual, Shape: shape(n, m), Got: framework.ArrayOf(products), Want: framework.ArrayOf(of[T](p.a)),
			Most: func(i int) float64 { return difference * math.Sqrt(norms[i/p.sizeA()]) }},
		{Name: "QtQ", Metric: orthogonality, Shape: shape(cols, cols), Got: framework.ArrayOf(squares), Want: framework.ArrayOf(units), Most: framework.Evenly(orthogonal)},
		{Name: "R", Metric: triangle, Shape: shape(n, cols), Got: framework.ArrayOf(r), Want: framework.ArrayOf(upper), Most: framework.Evenly(0)},
	}
}

// Answers implements framework.Answerer.
func (a *cpuRun) Answers() ([]framework.Answer, error) {
	return a.Problem.answers(a.q, a.r, householder), nil
}

func (g *gpuData) answers(by method) ([]framework.Answer, error) {
	q, r, err := g.download()
	return g.p.answers(q, r, by), err
}

// Answers implements framework.Answerer.
func (g *looped) Answers() ([]framework.Answer, error) { return g.answers(gramSchmidt) }

// Answers implements framework.Answerer.
func (g *block) Answers() ([]framework.Answer, error) { return g.answers(gramSchmidt) }

// Answers implements framework.Answerer.
func (g *registers) Answers() ([]framework.Answer, error) { return g.answers(gramSchmidt) }

// Answers implements framework.Answerer.
func (g *tiles) Answers() ([]framework.Answer, error) { return g.answers(householder) }

// Answers implements framework.Answerer.
func (c *cusolver) Answers() ([]framework.Answer, error) {
	q, r, err := c.download()
	if err != nil {
		return nil, err
	}
	return c.p.answers(q, r, householder), nil
}

// Answers implements framework.Answerer: of cuBLAS there is no Q, so RᵀR is beside AᵀA.
func (c *cublas) Answers() ([]framework.Answer, error) {
	factored := c.p.elements(c.p.sizeQ() * c.p.Batch)
	if err := factored.download(c.Device, c.q); err != nil {
		return nil, err
	}
	if c.p.Double {
		return grams(c.p, factored.double), nil
	}
	return grams(c.p, factored.single), nil
}

// grams are RᵀR of factored matrices beside AᵀA.
func grams[T real](p *problem, factored []T) []framework.Answer {
	m, n := p.M, p.N
	got, want, norms := make([]float64, p.Batch*n*n), make([]float64, p.Batch*n*n), make([]float64, p.Batch)
	each(p.shape, func(b int, w *scratch) {
		a := widen(nil, matrix[T](p, b))
		w.q = widen(w.q, factored[b*p.sizeQ():(b+1)*p.sizeQ()])
		for j := range n {
			norms[b] += dot(a[j*m:(j+1)*m], a[j*m:(j+1)*m])
			for i := range n {
				k := min(i, j) + 1
				got[(b*n+j)*n+i] = dot(w.q[i*m:i*m+k], w.q[j*m:j*m+k])
				want[(b*n+j)*n+i] = dot(a[i*m:(i+1)*m], a[j*m:(j+1)*m])
			}
		}
	})
	_, bound := p.bounds(householder)
	return []framework.Answer{{Name: "RtR", Shape: []int64{int64(p.Batch), int64(n), int64(n)}, Got: framework.ArrayOf(got), Want: framework.ArrayOf(want),
		Most: func(i int) float64 { return 2 * bound * norms[i/(n*n)] }}}
}
