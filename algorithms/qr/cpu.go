package qr

import (
	"fmt"

	"bench/framework"
)

// cpuVersions lists the versions that run on the CPU.
func cpuVersions() []framework.Version {
	return []framework.Version{
		{
			Name:      "reference",
			Doc:       "Householder in double precision, column after column on one thread",
			Source:    "Golub and Van Loan, Matrix Computations (2013), algorithm 5.2.1",
			Processor: framework.CPU,
			New: func(env framework.Env, q framework.Problem, _ framework.Values) (framework.BaseAlgorithm, error) {
				env.Workers = 1
				return newCPU(env, q, prepareReference)
			},
		},
		{
			Name:      "parallel",
			Doc:       "Householder in float32 by panels of 8 columns, in vectors (AVX2) or Go; threads share out the matrices, or the columns of one",
			Source:    "Schreiber and Van Loan, A Storage-Efficient WY Representation for Products of Householder Transformations (1989)",
			Processor: framework.CPU,
			New: func(env framework.Env, q framework.Problem, _ framework.Values) (framework.BaseAlgorithm, error) {
				return newCPU(env, q, prepareParallel)
			},
		},
		lapackVersion(),
		gonumVersion(),
	}
}

// factoriser computes Q and R of all matrices of one problem.
type factoriser interface {
	run(q, r, a []float32) error
	// work gives FLOPs, LoadBytes and StoreBytes of one run.
	work() framework.Work
	close()
}

// newCPU makes a CPU version; what prepare costs is not timed.
func newCPU(env framework.Env, q framework.Problem, prepare func(shape, framework.Env) (factoriser, error)) (*cpuAlgorithm, error) {
	p, ok := q.(*problem)
	if !ok {
		return nil, fmt.Errorf("qr: problem is %T, not this package's", q)
	}
	return &cpuAlgorithm{p: p, env: env, prepare: prepare}, nil
}

// cpuAlgorithm is one CPU version at one point. All orthogonalise by
// reflections.
type cpuAlgorithm struct {
	p        *problem
	env      framework.Env
	prepare  func(shape, framework.Env) (factoriser, error)
	prepared factoriser
	q, r     []float32
}

func (a *cpuAlgorithm) PreRun() (err error) {
	a.q, a.r = make([]float32, a.p.sizeQ()*a.p.Batch), make([]float32, a.p.sizeR()*a.p.Batch)
	a.prepared, err = a.prepare(a.p.shape, a.env)
	return err
}

func (a *cpuAlgorithm) Run() error { return a.prepared.run(a.q, a.r, a.p.a) }

func (a *cpuAlgorithm) Verify() ([]framework.Check, error) {
	return a.p.compare(a.q, a.r, householder), nil
}

func (a *cpuAlgorithm) PostRun() error {
	if a.prepared != nil {
		a.prepared.close()
	}
	a.q, a.r, a.prepared = nil, nil, nil
	return nil
}

func (a *cpuAlgorithm) Work() framework.Work {
	w, own := a.p.nominal(), a.prepared.work()
	w.FLOPs, w.LoadBytes, w.StoreBytes = own.FLOPs, own.LoadBytes, own.StoreBytes
	return w
}

// Workers is how many threads Run may use.
func (a *cpuAlgorithm) Workers() int { return max(1, a.env.Workers) }

// reference is version "reference".
type reference struct {
	shape
	v, q, tau []float64
}

func prepareReference(s shape, _ framework.Env) (factoriser, error) {
	return &reference{s, make([]float64, s.sizeA()), make([]float64, s.sizeQ()), make([]float64, s.N)}, nil
}

func (x *reference) close() {}

func (x *reference) run(q, r, a []float32) error {
	for b := range x.Batch {
		for i, e := range a[b*x.sizeA() : (b+1)*x.sizeA()] {
			x.v[i] = float64(e)
		}
		x.factor(r[b*x.sizeR() : (b+1)*x.sizeR()])
		x.form()
		to := q[b*x.sizeQ() : (b+1)*x.sizeQ()]
		for i, e := range x.q {
			to[i] = float32(e)
		}
	}
	return nil
}

// factor turns the matrix in v into reflections, from the diagonal on, whose
// first element is 1, and writes R.
func (x *reference) factor(r []float32) {
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
				column[i] = float32(x.v[k*m+i])
			case i == k:
				column[i] = float32(beta)
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

// work counts, in double precision: for every reflection its norm and scaling,
// and of each column that it meets in both sweeps a dot product and an update,
// which read both and write one.
func (x *reference) work() framework.Work {
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
