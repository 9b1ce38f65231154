package qr

import (
	lapack "gonum.org/v1/gonum/lapack/gonum"

	"example.org/bench/framework"
	"example.org/bench/internal/workers"
)

func gonumVersion() framework.Version {
	return framework.Version{
		Name:      "gonum",
		Doc:       "gonum's Dgeqrf and Dorgqr, in double precision and by rows; copying, and converting, is timed",
		Source:    "gonum.org/v1/gonum/lapack/gonum",
		Processor: framework.CPU,
		Peer:      true,
		New:       framework.Typed(newCPU(prepareGonum)),
	}
}

// gonumFactoriser is version "gonum".
type gonumFactoriser struct {
	shape
	workers int // that share out matrices; gonum has threads of its own too
	scratch []gonumScratch
}

type gonumScratch struct{ a, tau, work []float64 }

func prepareGonum(p *problem, env framework.Env) (factoriser, error) {
	s := p.shape
	x := &gonumFactoriser{shape: s, workers: min(max(1, env.Workers), s.Batch)}
	for range x.workers {
		x.scratch = append(x.scratch, gonumScratch{make([]float64, s.sizeQ()), make([]float64, s.N), make([]float64, 64*s.cols())})
	}
	return x, nil
}

// Close has nothing to release.
func (x *gonumFactoriser) Close() error { return nil }

func (x *gonumFactoriser) run(q, r, a elements) error {
	if x.Double {
		eachByGonum(x, q.double, r.double, a.double)
	} else {
		eachByGonum(x, q.single, r.single, a.single)
	}
	return nil
}

func eachByGonum[T real](x *gonumFactoriser, q, r, a []T) {
	per := (x.Batch + x.workers - 1) / x.workers
	workers.Split(x.workers, x.workers, func(w int) {
		for b := w * per; b < min((w+1)*per, x.Batch); b++ {
			oneByGonum(x, x.scratch[w], q[b*x.sizeQ():(b+1)*x.sizeQ()], r[b*x.sizeR():(b+1)*x.sizeR()], a[b*x.sizeA():(b+1)*x.sizeA()])
		}
	})
}

func oneByGonum[T real](x *gonumFactoriser, s gonumScratch, q, r, a []T) {
	m, n, cols := x.M, x.N, x.cols()
	for j := range n {
		for i, v := range a[j*m : (j+1)*m] {
			s.a[i*cols+j] = float64(v)
		}
	}
	var l lapack.Implementation
	l.Dgeqrf(m, n, s.a, cols, s.tau, s.work, len(s.work))
	for j := range n {
		for i := range cols {
			v := 0.0
			if i <= j {
				v = s.a[i*cols+j]
			}
			r[j*cols+i] = T(v)
		}
	}
	l.Dorgqr(m, cols, n, s.a, cols, s.tau, s.work, len(s.work))
	for j := range cols {
		for i := range m {
			q[j*m+i] = T(s.a[i*cols+j])
		}
	}
}

// Work is unknown: its blocks are the library's.
func (x *gonumFactoriser) Work() framework.Work { return framework.Work{} }
