package bicubic

import (
	"math"

	"example.org/bench/framework"
	"example.org/bench/internal/workers"
)

// answers returns an answer with, for each output, the value that exact returns and how far the answer may be
// from it.
func (p *problem) answers(got []float32, exact func(y, x int) (value, most float64)) []framework.Answer {
	cols := p.outCols()
	want, most := make([]float64, len(got)), make([]float64, len(got))
	workers.Split(workers.All(), p.outRows(), func(y int) {
		for x := range cols {
			want[y*cols+x], most[y*cols+x] = exact(y, x)
		}
	})
	return []framework.Answer{{
		Name: "out", Shape: []int64{int64(p.outRows()), int64(cols)}, Got: framework.ArrayOf(got), Want: framework.ArrayOf(want),
		Most: func(i int) float64 { return most[i] },
	}}
}

// exact returns an output in double precision and the bound of its error, the same as in compare.
func (p *problem) exact(r rounding) func(y, x int) (value, most float64) {
	unit := p.Basis.unit()
	return func(y, x int) (value, most float64) {
		rows, cell := p.around(y/p.RowFactor), x/p.ColumnFactor
		below, across := float64(y%p.RowFactor)/float64(p.RowFactor), float64(x%p.ColumnFactor)/float64(p.ColumnFactor)
		w, g := p.Basis.weights(below), p.Basis.magnitudes(below)
		v, h := p.Basis.weights(across), p.Basis.magnitudes(across)
		for i := range v {
			at := min(max(cell+i-1, 0), p.Cols-1)
			for j, row := range rows {
				c := float64(row[at])
				value += v[i] * w[j] * c
				most += (r.steps*h[i]*g[j] + r.polynomials*(h[i]*unit[j]+unit[i]*g[j])) * math.Abs(c)
			}
		}
		return value, most * roundoff * (1 + 1e-4)
	}
}

// exactNPP returns an output of NPP's own cubic and the bound of its error, the same as in compareNPP.
func (p *problem) exactNPP() func(y, x int) (value, most float64) {
	down, across := nppPlaces(p.Rows, p.RowFactor), nppPlaces(p.Cols, p.ColumnFactor)
	return func(y, x int) (value, most float64) {
		for j, row := range down[y].points {
			w := down[y].weights[j]
			for i, at := range across[x].points {
				v, c := across[x].weights[i], float64(p.in[row*p.Cols+at])
				value += v * w * c
				most += (nppSteps*math.Abs(v*w) + down[y].drift*math.Abs(v) + across[x].drift*math.Abs(w)) * math.Abs(c)
			}
		}
		return value, most * roundoff
	}
}

// Answers implements framework.Answerer.
func (a *cpuRun) Answers() ([]framework.Answer, error) {
	return a.Problem.answers(a.out, a.Problem.exact(a.Prepared.rounding())), nil
}

// Overwrite implements framework.Overwriter.
func (a *cpuRun) Overwrite(value byte) error {
	framework.Overwrite(a.out, value)
	return nil
}

// Answers implements framework.Answerer.
func (g *gpuRun) Answers() ([]framework.Answer, error) {
	got, err := g.download()
	return g.p.answers(got, g.p.exact(g.rounding)), err
}

// Answers implements framework.Answerer.
func (g *transposed) Answers() ([]framework.Answer, error) {
	if g.host != nil {
		return g.p.answers(g.host.out(), g.p.exact(g.rounding)), nil
	}
	return g.gpuRun.Answers()
}

// Overwrite implements framework.Overwriter.
func (g *transposed) Overwrite(value byte) error {
	if g.host != nil {
		framework.Overwrite(g.host.out(), value)
		return nil
	}
	return g.gpuRun.Overwrite(value)
}

// Answers implements framework.Answerer.
func (n *nppRun) Answers() ([]framework.Answer, error) {
	got, err := n.download()
	return n.p.answers(got, n.p.exactNPP()), err
}
