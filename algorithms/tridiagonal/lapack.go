package tridiagonal

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/internal/dynlib"
	"example.org/bench/internal/workers"
)

func lapackVersion() framework.Version {
	return framework.Version{
		Name:      "lapack",
		Doc:       "LAPACK's gtsv of OpenBLAS, called for each system, systems shared among threads; its inputs are restored untimed",
		Source:    "LAPACK Users' Guide, third edition (1999), driver routine xGTSV",
		Processor: framework.CPU,
		Peer:      true,
		Available: lapackLibrary.Available,
		Supports: func(params framework.Values, _ gpu.Facts) error {
			if params.Text("layout") == interleaved && systems(params) > 1 {
				return fmt.Errorf("xGTSV takes arrays without gaps: layout %s is needed", contiguous)
			}
			return nil
		},
		New: framework.Typed(func(env framework.Env, p *problem, v framework.Values) (framework.BaseAlgorithm, error) {
			if p.Double {
				return lapackRun[float64]{newCPURun(env, p, p.in64, v, prepareLAPACK[float64])}, nil
			}
			return lapackRun[float32]{newCPURun(env, p, p.in32, v, prepareLAPACK[float32])}, nil
		}),
	}
}

// lapackFunctions are the addresses of sgtsv_ and dgtsv_: (n, nrhs, dl, d, du,
// b, ldb, info), all by reference, integers of 32 bits. OpenBLAS's threads play
// no part in them.
type lapackFunctions struct {
	single uintptr `symbol:"sgtsv_"`
	double uintptr `symbol:"dgtsv_"`
}

var lapackLibrary = dynlib.OpenBLAS[lapackFunctions]()

// lapackRun restores what xGTSV overwrites.
type lapackRun[T real] struct{ *cpuRun[T] }

// PreRun restores for the first run, which no Reset precedes.
func (a lapackRun[T]) PreRun() error {
	if err := a.cpuRun.PreRun(); err != nil {
		return err
	}
	return a.Reset()
}

// Reset copies the equations to where xGTSV overwrites them.
func (a lapackRun[T]) Reset() error { return a.Prepared.(*lapackSolver[T]).restore(a.x, a.in) }

// lapackSolver is version "lapack".
type lapackSolver[T real] struct {
	unclosed
	p       *problem
	call    uintptr
	name    string
	workers int
	own     equations[T] // what xGTSV overwrites; its d is x
}

func prepareLAPACK[T real](p *problem, env framework.Env, _ framework.Values) (solver[T], error) {
	g, err := lapackLibrary.Functions()
	if err != nil {
		return nil, err
	}
	return newLAPACK[T](g, p, env), nil
}

func newLAPACK[T real](g *lapackFunctions, p *problem, env framework.Env) *lapackSolver[T] {
	s := &lapackSolver[T]{p: p, workers: max(1, env.Workers), call: g.single, name: "sgtsv"}
	if p.Double {
		s.call, s.name = g.double, "dgtsv"
	}
	n := p.elements()
	s.own = equations[T]{a: make([]T, n), b: make([]T, n), c: make([]T, n)}
	return s
}

func (s *lapackSolver[T]) restore(x []T, in equations[T]) error {
	const block = 1 << 16
	n := s.p.elements()
	workers.Split(s.workers, (n+block-1)/block, func(k int) {
		i, j := k*block, min((k+1)*block, n)
		copy(s.own.a[i:j], in.a[i:j])
		copy(s.own.b[i:j], in.b[i:j])
		copy(s.own.c[i:j], in.c[i:j])
		copy(x[i:j], in.d[i:j])
	})
	return nil
}

// solve needs restore before it.
func (s *lapackSolver[T]) solve(x []T, _ equations[T]) error {
	n := int32(s.p.N)
	var mu sync.Mutex
	var failed error
	per := max(1, (1<<14)/s.p.N)
	workers.Split(s.workers, (s.p.Batch+per-1)/per, func(g int) {
		// One allocation per group: a call's arguments are all addresses.
		var arg struct{ n, one, info int32 }
		arg.n, arg.one = n, 1
		for k := g * per; k < min((g+1)*per, s.p.Batch); k++ {
			i := k * s.p.N
			// The conversions must stand in the call itself: see unsafe.Pointer, pattern 4.
			purego.SyscallN(s.call, uintptr(unsafe.Pointer(&arg.n)), uintptr(unsafe.Pointer(&arg.one)),
				uintptr(unsafe.Pointer(&s.own.a[i+1])), uintptr(unsafe.Pointer(&s.own.b[i])),
				uintptr(unsafe.Pointer(&s.own.c[i])), uintptr(unsafe.Pointer(&x[i])),
				uintptr(unsafe.Pointer(&arg.n)), uintptr(unsafe.Pointer(&arg.info)))
			if arg.info != 0 {
				mu.Lock()
				failed = fmt.Errorf("%s: info = %d: %s", s.name, arg.info, meaning(k, arg.info))
				mu.Unlock()
			}
		}
	})
	return failed
}

// meaning is what xGTSV's info says of a system.
func meaning(system int, info int32) string {
	if info < 0 {
		return fmt.Sprintf("argument %d is wrong", -info)
	}
	return fmt.Sprintf("system %d has no pivot in row %d and is singular", system, info)
}

// Work is unknown: the library's code depends on the pivots.
func (s *lapackSolver[T]) Work() framework.Work { return framework.Work{} }
