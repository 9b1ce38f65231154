package tridiagonal

import (
	"errors"

	"bench/framework"
)

// solver solves all systems of one problem.
type solver[T real] interface {
	// solve fills x and leaves the equations alone, unless the solver has a
	// restore method.
	solve(x []T, in equations[T]) error
	// work gives FLOPs, LoadBytes and StoreBytes of one solve.
	work() framework.Work
}

// prepare makes a solver; what it costs is not timed.
type prepare[T real] func(p *problem, env framework.Env) (solver[T], error)

// cpuVersions lists the versions that run on the CPU.
func cpuVersions() []framework.Version {
	return []framework.Version{referenceVersion(), parallelVersion(), lapackVersion()}
}

func referenceVersion() framework.Version {
	return framework.Version{
		Name:      "reference",
		Doc:       "the Thomas algorithm in double precision, system after system on one thread",
		Source:    "Thomas, Elliptic Problems in Linear Difference Equations over a Network (1949)",
		Processor: framework.CPU,
		New: func(env framework.Env, q framework.Problem, _ framework.Values) (framework.BaseAlgorithm, error) {
			env.Workers = 1
			return newCPU(env, q, prepareReference[float32], prepareReference[float64])
		},
	}
}

func newCPU(env framework.Env, q framework.Problem, p32 prepare[float32], p64 prepare[float64]) (framework.BaseAlgorithm, error) {
	p, ok := q.(*problem)
	switch {
	case !ok:
		return nil, errors.New("the problem is not this package's")
	case p.Double:
		return &cpuAlgorithm[float64]{p: p, env: env, in: p.in64, prepare: p64}, nil
	}
	return &cpuAlgorithm[float32]{p: p, env: env, in: p.in32, prepare: p32}, nil
}

// cpuAlgorithm is one CPU version at one point.
type cpuAlgorithm[T real] struct {
	p        *problem
	env      framework.Env
	in       equations[T]
	x        []T
	prepare  prepare[T]
	prepared solver[T]
}

func (a *cpuAlgorithm[T]) PreRun() (err error) {
	a.x = make([]T, a.p.elements())
	a.prepared, err = a.prepare(a.p, a.env)
	return err
}

func (a *cpuAlgorithm[T]) Run() error { return a.prepared.solve(a.x, a.in) }

func (a *cpuAlgorithm[T]) Verify() ([]framework.Check, error) { return compare(a.p, a.in, a.x, 1) }

func (a *cpuAlgorithm[T]) PostRun() error {
	a.x, a.prepared = nil, nil
	return nil
}

func (a *cpuAlgorithm[T]) Work() framework.Work {
	w, own := a.p.nominal(), a.prepared.work()
	w.FLOPs, w.LoadBytes, w.StoreBytes = own.FLOPs, own.LoadBytes, own.StoreBytes
	return w
}

// Workers is how many threads Run uses.
func (a *cpuAlgorithm[T]) Workers() int { return max(1, a.env.Workers) }

// thomasFLOPs is what a sweep forward and one back take a row: for a pivot 2
// operations and a division, 1 for c, 3 for d; 2 back.
const thomasFLOPs = 9

// referenceSolver is version "reference".
type referenceSolver[T real] struct {
	p   *problem
	sys wide
}

func prepareReference[T real](p *problem, _ framework.Env) (solver[T], error) {
	r := &referenceSolver[T]{p: p}
	r.sys.make(p.N)
	return r, nil
}

func (r *referenceSolver[T]) solve(x []T, in equations[T]) error {
	for s := range r.p.Batch {
		load(&r.sys, r.p, in, s)
		thomas(r.sys.x, r.sys.a, r.sys.b, r.sys.c, r.sys.d, r.sys.work)
		at, stride := r.p.start(s), r.p.stride()
		for _, v := range r.sys.x {
			x[at] = T(v)
			at += stride
		}
	}
	return nil
}

// work counts the copies in double precision too: 4 values written and read,
// 2 of the elimination written and read and the solution's neighbour.
func (r *referenceSolver[T]) work() framework.Work {
	e := int64(r.p.elements())
	return framework.Work{FLOPs: thomasFLOPs * e, LoadBytes: e * (4*sizeOf[T]() + 8*8), StoreBytes: e * (sizeOf[T]() + 7*8)}
}
