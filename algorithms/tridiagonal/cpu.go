package tridiagonal

import "example.org/bench/framework"

// solver solves all systems of one problem.
type solver[T real] interface {
	// solve fills x and leaves the equations alone, unless the solver has a
	// restore method.
	solve(x []T, in equations[T]) error
	framework.Computation
}

// prepare makes a solver.
type prepare[T real] func(p *problem, env framework.Env, tunables framework.Values) (solver[T], error)

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
		New:       framework.OneThread(framework.Typed(newCPU(prepareReference[float32], prepareReference[float64]))),
	}
}

// newCPU makes a CPU version in the problem's precision.
func newCPU(p32 prepare[float32], p64 prepare[float64]) func(framework.Env, *problem, framework.Values) (framework.BaseAlgorithm, error) {
	return func(env framework.Env, p *problem, v framework.Values) (framework.BaseAlgorithm, error) {
		if p.Double {
			return newCPURun(env, p, p.in64, v, p64), nil
		}
		return newCPURun(env, p, p.in32, v, p32), nil
	}
}

// cpuRun is one CPU version at one point.
type cpuRun[T real] struct {
	framework.CPURun[*problem, solver[T]]
	in equations[T]
	x  []T
}

func newCPURun[T real](env framework.Env, p *problem, in equations[T], tunables framework.Values, f prepare[T]) *cpuRun[T] {
	prepare := func(p *problem, env framework.Env) (solver[T], error) { return f(p, env, tunables) }
	return &cpuRun[T]{CPURun: framework.CPURun[*problem, solver[T]]{Env: env, Problem: p, Prepare: prepare}, in: in}
}

func (a *cpuRun[T]) PreRun() error {
	a.x = make([]T, a.Problem.elements())
	return a.CPURun.PreRun()
}

func (a *cpuRun[T]) Run() error { return a.Prepared.solve(a.x, a.in) }

func (a *cpuRun[T]) Verify() ([]framework.Check, error) { return compare(a.Problem, a.in, a.x, 1) }

func (a *cpuRun[T]) VerifyFast() ([]framework.Check, error) {
	return compareFast(a.Problem, a.in, a.x, 1)
}

func (a *cpuRun[T]) PostRun() error {
	a.x = nil
	return a.CPURun.PostRun()
}

// unclosed is the Close of a solver that holds nothing but memory.
type unclosed struct{}

func (unclosed) Close() error { return nil }

// thomasFLOPs is what a sweep forward and one back take per row: for a pivot 2
// operations and a division, 1 for c, 3 for d; 2 back.
const thomasFLOPs = 9

// referenceSolver is version "reference".
type referenceSolver[T real] struct {
	unclosed
	p   *problem
	sys *wide
}

func prepareReference[T real](p *problem, _ framework.Env, _ framework.Values) (solver[T], error) {
	return &referenceSolver[T]{p: p, sys: newWide(p.N)}, nil
}

func (r *referenceSolver[T]) solve(x []T, in equations[T]) error {
	for s := range r.p.Batch {
		load(r.sys, r.p, in, s)
		thomas(r.sys.x, r.sys.a, r.sys.b, r.sys.c, r.sys.d, r.sys.work)
		at, stride := r.p.start(s), r.p.stride()
		for _, v := range r.sys.x {
			x[at] = T(v)
			at += stride
		}
	}
	return nil
}

// Work counts the copies in double precision too: 4 values written and read, 2 of the elimination written and
// read, and the solution's neighbour.
func (r *referenceSolver[T]) Work() framework.Work {
	e := int64(r.p.elements())
	return framework.Work{FLOPs: thomasFLOPs * e, LoadBytes: e * (4*sizeOf[T]() + 8*8), StoreBytes: e * (sizeOf[T]() + 7*8)}
}
