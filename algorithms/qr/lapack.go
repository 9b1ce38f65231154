package qr

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"

	"example.org/bench/framework"
	"example.org/bench/internal/dynlib"
	"example.org/bench/internal/workers"
)

func lapackVersion() framework.Version {
	return framework.Version{
		Name:      "lapack",
		Doc:       "LAPACK's geqrf and orgqr of OpenBLAS, its own threads for one matrix, ours for a batch",
		Source:    "LAPACK Users' Guide, third edition (1999), section 2.4.2",
		Processor: framework.CPU,
		Peer:      true,
		Available: lapackLibrary.Available,
		New:       framework.Typed(newCPU(prepareLAPACK)),
	}
}

// lapackFunctions are the addresses of sgeqrf_(m, n, a, lda, tau, work, lwork,
// info) and sorgqr_(m, n, k, a, lda, tau, work, lwork, info), all by reference,
// integers of 32 bits, and of the same in double precision.
type lapackFunctions struct {
	geqrf      uintptr       `symbol:"sgeqrf_"`
	orgqr      uintptr       `symbol:"sorgqr_"`
	dgeqrf     uintptr       `symbol:"dgeqrf_"`
	dorgqr     uintptr       `symbol:"dorgqr_"`
	setThreads func(n int32) `symbol:"openblas_set_num_threads" optional:""` // nil: another library than OpenBLAS
}

var lapackLibrary = dynlib.OpenBLAS[lapackFunctions]()

// lapackFactoriser is version "lapack".
type lapackFactoriser struct {
	shape
	geqrf, orgqr uintptr // of the precision
	workers      int     // that share out matrices
	work, tau    []elements
}

// lapackCall holds the arguments of both routines, at fixed addresses.
type lapackCall struct{ m, n, k, lda, lwork, info int32 }

func prepareLAPACK(p *problem, env framework.Env) (factoriser, error) {
	lib, err := lapackLibrary.Functions()
	if err != nil {
		return nil, err
	}
	return newLAPACK(lib, p, env), nil
}

func newLAPACK(lib *lapackFunctions, p *problem, env framework.Env) *lapackFactoriser {
	s := p.shape
	x := &lapackFactoriser{shape: s, geqrf: lib.geqrf, orgqr: lib.orgqr, workers: 1}
	if s.Double {
		x.geqrf, x.orgqr = lib.dgeqrf, lib.dorgqr
	}
	threads := max(1, env.Workers)
	if s.Batch >= 2*threads {
		x.workers, threads = threads, 1
	}
	if lib.setThreads != nil {
		lib.setThreads(int32(threads))
	}
	for range x.workers {
		// The blocks of OpenBLAS's LAPACK are at most 64 columns wide.
		x.work = append(x.work, s.elements(64*s.cols()))
		x.tau = append(x.tau, s.elements(s.N))
	}
	return x
}

// Close has nothing to release.
func (x *lapackFactoriser) Close() error { return nil }

func (x *lapackFactoriser) run(q, r, a elements) error {
	if x.Double {
		return factorEach(x, q.double, r.double, a.double)
	}
	return factorEach(x, q.single, r.single, a.single)
}

func factorEach[T real](x *lapackFactoriser, q, r, a []T) error {
	errs := make([]error, x.workers)
	per := (x.Batch + x.workers - 1) / x.workers
	workers.Split(x.workers, x.workers, func(w int) {
		c := &lapackCall{m: int32(x.M), k: int32(x.N), lda: int32(x.M), lwork: int32(x.work[w].len())}
		for b := w * per; b < min((w+1)*per, x.Batch) && errs[w] == nil; b++ {
			errs[w] = factorOne(x, c, w, q[b*x.sizeQ():(b+1)*x.sizeQ()], r[b*x.sizeR():(b+1)*x.sizeR()], a[b*x.sizeA():(b+1)*x.sizeA()])
		}
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// one factors in place of Q, and copies R out before Q takes its place.
func factorOne[T real](x *lapackFactoriser, c *lapackCall, w int, q, r, a []T) error {
	copy(q, a)
	tau, work := of[T](x.tau[w]), of[T](x.work[w])
	c.n = int32(x.N)
	// The conversions must stand in the call itself: see unsafe.Pointer, pattern 4.
	purego.SyscallN(x.geqrf, uintptr(unsafe.Pointer(&c.m)), uintptr(unsafe.Pointer(&c.n)), uintptr(unsafe.Pointer(&q[0])),
		uintptr(unsafe.Pointer(&c.lda)), uintptr(unsafe.Pointer(&tau[0])), uintptr(unsafe.Pointer(&work[0])),
		uintptr(unsafe.Pointer(&c.lwork)), uintptr(unsafe.Pointer(&c.info)))
	if c.info != 0 {
		return x.wrong("geqrf", c)
	}
	upper(x.shape, r, q, 0)
	c.n = int32(x.cols())
	purego.SyscallN(x.orgqr, uintptr(unsafe.Pointer(&c.m)), uintptr(unsafe.Pointer(&c.n)), uintptr(unsafe.Pointer(&c.k)),
		uintptr(unsafe.Pointer(&q[0])), uintptr(unsafe.Pointer(&c.lda)), uintptr(unsafe.Pointer(&tau[0])),
		uintptr(unsafe.Pointer(&work[0])), uintptr(unsafe.Pointer(&c.lwork)), uintptr(unsafe.Pointer(&c.info)))
	if c.info != 0 {
		return x.wrong("orgqr", c)
	}
	return nil
}

// wrong is the error of a routine that refuses an argument.
func (x *lapackFactoriser) wrong(routine string, c *lapackCall) error {
	return fmt.Errorf("%s%s: info = %d: argument %d is wrong", strings.ToLower(x.letter()), routine, c.info, -c.info)
}

// upper copies the upper triangle of factored matrix b, of M rows, to R's of that place.
func upper[T real](s shape, r, factored []T, b int) {
	if len(r) == 0 {
		return // of the other precision
	}
	rows := s.cols()
	for j := range s.N {
		column := r[b*s.sizeR()+j*rows : b*s.sizeR()+(j+1)*rows]
		copy(column[:j+1], factored[b*s.sizeQ()+j*s.M:])
		clear(column[j+1:])
	}
}

// Work is unknown: the library's operations are not counted.
func (x *lapackFactoriser) Work() framework.Work { return framework.Work{} }
