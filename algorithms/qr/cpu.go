package qr

import (
	"errors"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// cpuVersions lists the versions that run on the CPU.
func cpuVersions() []framework.Version {
	return []framework.Version{
		{
			Name:      "reference",
			Doc:       "Householder in double precision, column after column on one thread",
			Source:    "Golub and Van Loan, Matrix Computations (2013), algorithm 5.2.1",
			Processor: framework.CPU,
			New:       framework.OneThread(framework.Typed(newCPU(prepareReference))),
		},
		{
			Name:      "parallel",
			Doc:       "Householder in float32 by panels of 8 columns, in vectors (AVX2, NEON) or Go; threads share out the matrices, or the columns of one",
			Source:    "Schreiber and Van Loan, A Storage-Efficient WY Representation for Products of Householder Transformations (1989)",
			Processor: framework.CPU,
			Supports: func(params framework.Values, _ gpu.Facts) error {
				if shapeOf(params).Double {
					return errors.New("it computes in float32: precision = f32 is needed")
				}
				return nil
			},
			New: framework.Typed(newCPU(prepareParallel)),
		},
		lapackVersion(),
		gonumVersion(),
	}
}

// factoriser computes Q and R of all matrices of one problem.
type factoriser interface {
	run(q, r, a elements) error
	framework.Computation
}

// newCPU makes a CPU version.
func newCPU(prepare func(*problem, framework.Env) (factoriser, error)) func(framework.Env, *problem, framework.Values) (*cpuRun, error) {
	return func(env framework.Env, p *problem, _ framework.Values) (*cpuRun, error) {
		return &cpuRun{CPURun: framework.CPURun[*problem, factoriser]{Env: env, Problem: p, Prepare: prepare}}, nil
	}
}

// cpuRun is one CPU version at one point. All orthogonalise by reflections.
type cpuRun struct {
	framework.CPURun[*problem, factoriser]
	q, r elements
}

func (a *cpuRun) PreRun() error {
	p := a.Problem
	a.q, a.r = p.elements(p.sizeQ()*p.Batch), p.elements(p.sizeR()*p.Batch)
	return a.CPURun.PreRun()
}

func (a *cpuRun) Run() error { return a.Prepared.run(a.q, a.r, a.Problem.a) }

func (a *cpuRun) Verify() ([]framework.Check, error) {
	return a.Problem.verify(householder, a.answer)
}

func (a *cpuRun) VerifyFast() ([]framework.Check, error) {
	return a.Problem.verifyFast(householder, a.answer)
}

func (a *cpuRun) answer() (q, r elements, err error) { return a.q, a.r, nil }

func (a *cpuRun) PostRun() error {
	a.q, a.r = elements{}, elements{}
	return a.CPURun.PostRun()
}

// reference is version "reference".
type reference struct {
	shape
	v, q, tau []float64
}

func prepareReference(p *problem, _ framework.Env) (factoriser, error) {
	s := p.shape
	return &reference{s, make([]float64, s.sizeA()), make([]float64, s.sizeQ()), make([]float64, s.N)}, nil
}

// Close has nothing to release.
func (x *reference) Close() error { return nil }

func (x *reference) run(q, r, a elements) error {
	if x.Double {
		reflectEach(x, q.double, r.double, a.double)
	} else {
		reflectEach(x, q.single, r.single, a.single)
	}
	return nil
}

func reflectEach[T real](x *reference, q, r, a []T) {
	for b := range x.Batch {
		for i, e := range a[b*x.sizeA() : (b+1)*x.sizeA()] {
			x.v[i] = float64(e)
		}
		reflectOne(x, r[b*x.sizeR():(b+1)*x.sizeR()])
		x.form()
		to := q[b*x.sizeQ() : (b+1)*x.sizeQ()]
		for i, e := range x.q {
			to[i] = T(e)
		}
	}
}

// reflectOne turns the matrix in v into reflections, from the diagonal on, whose
// first element is 1, and writes R.
func reflectOne[T real](x *reference, r []T) {
	m, cols := x.M, x.cols()
	for k := range x.N {
		v := x.v[k*m+k : (k+1)*m]
		beta, tau := reflect(v)
		x.tau[k] = tau
		for j := k + 1; j < x.N; j++ {
			c := x.v[j*m+k : (j+1)*m]
			axpy(c, -tau*dot(v, c), v)
		}
		column := r[k*cols : (k+1)*cols]
		for i := range column {
			switch {
			case i < k:
				column[i] = T(x.v[k*m+i])
			case i == k:
				column[i] = T(beta)
			default:
				column[i] = 0
			}
		}
	}
}

// form multiplies the unit matrix by the reflections, last to first.
func (x *reference) form() {
	m := x.M
	clear(x.q)
	for j := range x.cols() {
		c := x.q[j*m : (j+1)*m]
		c[j] = 1
		for k := min(j, x.N-1); k >= 0; k-- {
			v := x.v[k*m+k : (k+1)*m]
			axpy(c[k:], -x.tau[k]*dot(v, c[k:]), v)
		}
	}
}

// Work counts, in double precision: for every reflection its norm and scaling,
// and of each column that it meets in both sweeps a dot product and an update,
// which read both and write one.
func (x *reference) Work() framework.Work {
	var w framework.Work
	m, n := int64(x.M), int64(x.N)
	for k := range n {
		length, columns := m-k, n-1-k+x.cols64()-k
		w.FLOPs += length * (3 + 4*columns)
		w.LoadBytes += 8 * length * (2 + 4*columns)
		w.StoreBytes += 8 * length * (1 + columns)
	}
	return times(int64(x.Batch), w)
}
