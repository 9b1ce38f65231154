package qr

import (
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"

	"bench/dynlib"
	"bench/framework"
	"bench/framework/workers"
)

func lapackVersion() framework.Version {
	return framework.Version{
		Name:      "lapack",
		Doc:       "LAPACK's sgeqrf and sorgqr of OpenBLAS, its own threads for one matrix, ours for a batch",
		Source:    "LAPACK Users' Guide, third edition (1999), section 2.4.2",
		Processor: framework.CPU,
		Peer:      true,
		Available: lapackLibrary.Available,
		New:       framework.Typed(newCPU(prepareLAPACK)),
	}
}

// lapackFunctions are the addresses of sgeqrf_(m, n, a, lda, tau, work, lwork,
// info) and sorgqr_(m, n, k, a, lda, tau, work, lwork, info), all by reference,
// integers of 32 bits.
type lapackFunctions struct {
	geqrf      uintptr       `symbol:"sgeqrf_"`
	orgqr      uintptr       `symbol:"sorgqr_"`
	setThreads func(n int32) `symbol:"openblas_set_num_threads" optional:""` // nil: another library than OpenBLAS
}

var lapackLibrary = dynlib.OpenBLAS[lapackFunctions]()

// lapackFactoriser is version "lapack".
type lapackFactoriser struct {
	shape
	lib     *lapackFunctions
	workers int // that share out matrices
	work32  [][]float32
	tau     [][]float32
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
	x := &lapackFactoriser{shape: s, lib: lib, workers: 1}
	threads := max(1, env.Workers)
	if s.Batch >= 2*threads {
		x.workers, threads = threads, 1
	}
	if lib.setThreads != nil {
		lib.setThreads(int32(threads))
	}
	for range x.workers {
		// The blocks of OpenBLAS's LAPACK are at most 64 columns wide.
		x.work32 = append(x.work32, make([]float32, 64*s.cols()))
		x.tau = append(x.tau, make([]float32, s.N))
	}
	return x
}

// Close has nothing to release.
func (x *lapackFactoriser) Close() error { return nil }

func (x *lapackFactoriser) run(q, r, a []float32) error {
	errs := make([]error, x.workers)
	per := (x.Batch + x.workers - 1) / x.workers
	workers.Split(x.workers, x.workers, func(w int) {
		c := &lapackCall{m: int32(x.M), k: int32(x.N), lda: int32(x.M), lwork: int32(len(x.work32[w]))}
		for b := w * per; b < min((w+1)*per, x.Batch) && errs[w] == nil; b++ {
			errs[w] = x.one(c, w, q[b*x.sizeQ():(b+1)*x.sizeQ()], r[b*x.sizeR():(b+1)*x.sizeR()], a[b*x.sizeA():(b+1)*x.sizeA()])
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
func (x *lapackFactoriser) one(c *lapackCall, w int, q, r, a []float32) error {
	copy(q, a)
	c.n = int32(x.N)
	// The conversions must stand in the call itself: see unsafe.Pointer, pattern 4.
	purego.SyscallN(x.lib.geqrf, uintptr(unsafe.Pointer(&c.m)), uintptr(unsafe.Pointer(&c.n)), uintptr(unsafe.Pointer(&q[0])),
		uintptr(unsafe.Pointer(&c.lda)), uintptr(unsafe.Pointer(&x.tau[w][0])), uintptr(unsafe.Pointer(&x.work32[w][0])),
		uintptr(unsafe.Pointer(&c.lwork)), uintptr(unsafe.Pointer(&c.info)))
	if c.info != 0 {
		return fmt.Errorf("sgeqrf: info = %d: argument %d is wrong", c.info, -c.info)
	}
	x.upper(r, q)
	c.n = int32(x.cols())
	purego.SyscallN(x.lib.orgqr, uintptr(unsafe.Pointer(&c.m)), uintptr(unsafe.Pointer(&c.n)), uintptr(unsafe.Pointer(&c.k)),
		uintptr(unsafe.Pointer(&q[0])), uintptr(unsafe.Pointer(&c.lda)), uintptr(unsafe.Pointer(&x.tau[w][0])),
		uintptr(unsafe.Pointer(&x.work32[w][0])), uintptr(unsafe.Pointer(&c.lwork)), uintptr(unsafe.Pointer(&c.info)))
	if c.info != 0 {
		return fmt.Errorf("sorgqr: info = %d: argument %d is wrong", c.info, -c.info)
	}
	return nil
}

// upper copies the upper triangle of a factored matrix of M rows to R.
func (s shape) upper(r, factored []float32) {
	rows := s.cols()
	for j := range s.N {
		column := r[j*rows : (j+1)*rows]
		copy(column[:j+1], factored[j*s.M:])
		clear(column[j+1:])
	}
}

// Work is unknown: the library's operations are not counted.
func (x *lapackFactoriser) Work() framework.Work { return framework.Work{} }
