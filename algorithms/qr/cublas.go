package qr

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/toolkit"
)

// gpuPeers are NVIDIA's libraries.
func gpuPeers() []framework.Version { return []framework.Version{cusolverVersion(), cublasVersion()} }

// cublasResults are the names of cublasStatus_t, from cublas_api.h.
var cublasResults = toolkit.Results{OutOfMemory: 3, Names: map[int32]string{
	1: "CUBLAS_STATUS_NOT_INITIALIZED", 3: "CUBLAS_STATUS_ALLOC_FAILED", 7: "CUBLAS_STATUS_INVALID_VALUE",
	8: "CUBLAS_STATUS_ARCH_MISMATCH", 11: "CUBLAS_STATUS_MAPPING_ERROR", 13: "CUBLAS_STATUS_EXECUTION_FAILED",
	14: "CUBLAS_STATUS_INTERNAL_ERROR", 15: "CUBLAS_STATUS_NOT_SUPPORTED",
}}

// cublasFunctions are those called, as the cuBLAS Library's documentation
// declares them, section cublas<t>geqrfBatched.
type cublasFunctions struct {
	create    func(handle *uintptr) int32                `symbol:"cublasCreate_v2"`
	destroy   func(handle uintptr) int32                 `symbol:"cublasDestroy_v2"`
	setStream func(handle, stream uintptr) int32         `symbol:"cublasSetStream_v2"`
	version   func(handle uintptr, version *int32) int32 `symbol:"cublasGetVersion_v2"`
	// geqrf takes arrays of addresses in device memory, and info in host
	// memory.
	geqrf  func(handle uintptr, m, n int32, a uintptr, lda int32, tau uintptr, info *int32, batch int32) int32 `symbol:"cublasSgeqrfBatched"`
	dgeqrf func(handle uintptr, m, n int32, a uintptr, lda int32, tau uintptr, info *int32, batch int32) int32 `symbol:"cublasDgeqrfBatched"`
}

// cublasLibrary is that of CUDA 13, 12, 11 and 10.
var cublasLibrary = toolkit.Peer[cublasFunctions](toolkit.Library{
	Name: "cuBLAS", File: "libcublas", Releases: []string{"13", "12", "11", "10"}, Since: "6.5",
})

func cublasVersion() framework.Version {
	return framework.Version{
		Name:      "cublas",
		Doc:       "NVIDIA's cuBLAS, geqrfBatched, in place: R and reflections, no Q; its input is restored untimed",
		Source:    "cuBLAS Library documentation",
		Processor: framework.GPU,
		Peer:      true,
		Available: cublasLibrary.Available,
		Supports: func(params framework.Values, _ gpu.Facts) error {
			if shapeOf(params).Full {
				return errors.New("geqrfBatched forms no Q: q = reduced is needed")
			}
			return nil
		},
		DeviceBytes: func(params, _ framework.Values) int64 {
			s := shapeOf(params)
			return s.bytes() + int64(s.Batch)*(16+s.size64()*int64(s.N))
		},
		New: framework.Typed(func(env framework.Env, p *problem, _ framework.Values) (*cublas, error) {
			lib, err := cublasLibrary.Functions()
			return &cublas{gpuData: newData(env, p), lib: lib}, err
		}),
	}
}

// cublas is version "cublas" at one point. It factors in place of Q.
type cublas struct {
	gpuData
	lib                *cublasFunctions
	handle             uintptr
	matrices, tauTable gpu.Pointer
	geqrf              string // name of the function
}

func (c *cublas) PreRun() error {
	if err := c.allocateInPlace(); err != nil {
		return err
	}
	s := c.p.shape
	c.geqrf = "cublas" + s.letter() + "geqrfBatched"
	tau, err := c.Alloc(s.size64() * int64(s.N) * int64(s.Batch))
	if err != nil {
		return err
	}
	table := func(first gpu.Pointer, bytes int) (gpu.Pointer, error) {
		list := make([]uint64, s.Batch)
		for b := range list {
			list[b] = uint64(first) + uint64(b*bytes)
		}
		return framework.AllocCopy(&c.GPURun, list)
	}
	if c.matrices, err = table(c.q, s.size()*s.sizeQ()); err != nil {
		return err
	}
	if c.tauTable, err = table(tau, s.size()*s.N); err != nil {
		return err
	}
	if err := cublasResults.Check("cublasCreate", c.lib.create(&c.handle)); err != nil {
		return err
	}
	c.AtPostRun(func() error {
		return cublasResults.Check("cublasDestroy", c.lib.destroy(c.handle))
	})
	if err := cublasResults.Check("cublasSetStream", c.lib.setStream(c.handle, uintptr(c.Env.Stream))); err != nil {
		return err
	}
	var version int32
	if r := c.lib.version(c.handle, &version); r == 0 {
		c.Remark("cuBLAS %d.%d.%d", version/10000, version/100%100, version%100)
	}
	return c.Reset()
}

// Reset copies A to where it is factored.
func (c *cublas) Reset() error { return c.restoreA() }

func (c *cublas) Run() error {
	var info int32
	s, geqrf := c.p.shape, c.lib.geqrf
	if s.Double {
		geqrf = c.lib.dgeqrf
	}
	if err := cublasResults.Check(c.geqrf, geqrf(c.handle, int32(s.M), int32(s.N), uintptr(c.matrices), int32(s.M), uintptr(c.tauTable), &info, int32(s.Batch))); err != nil {
		return err
	}
	if info != 0 {
		return fmt.Errorf("%s: info = %d: that argument is wrong", c.geqrf, info)
	}
	return nil
}

// Verify checks R alone, since there is no Q: RᵀR = AᵀA.
func (c *cublas) Verify() ([]framework.Check, error) {
	factored := c.p.elements(c.p.sizeQ() * c.p.Batch)
	if err := factored.download(c.Device, c.q); err != nil {
		return nil, err
	}
	if c.p.Double {
		return []framework.Check{compareGram(c.p, factored.double)}, nil
	}
	return []framework.Check{compareGram(c.p, factored.single)}, nil
}

// compareGram judges the upper triangles of factored matrices by the worst
// Frobenius norm of AᵀA-RᵀR relative to |A|².
func compareGram[T real](p *problem, factored []T) framework.Check {
	var mu sync.Mutex
	worst := 0.0
	each(p.shape, func(b int, w *scratch) {
		m, n := p.M, p.N
		a := widen(nil, matrix[T](p, b))
		w.q = widen(w.q, factored[b*p.sizeQ():(b+1)*p.sizeQ()])
		sum, norm := 0.0, 0.0
		for j := range n {
			at := a[j*m : (j+1)*m]
			norm += dot(at, at)
			for i := range j + 1 {
				d := dot(a[i*m:(i+1)*m], at) - dot(w.q[i*m:i*m+i+1], w.q[j*m:j*m+i+1])
				if i < j {
					sum += d * d // its mirror image
				}
				sum += d * d
			}
		}
		mu.Lock()
		defer mu.Unlock()
		worst = worse(worst, math.Sqrt(sum)/norm)
	})
	_, bound := p.bounds(householder)
	return framework.Check{Metric: "|AᵀA-RᵀR|/|A|²", Error: worst, Bound: 2 * bound}
}

// Work has no counts of its own: the library is closed. The nominal counts are
// those of R alone, with a matrix read and written.
func (c *cublas) Work() framework.Work {
	w := c.p.Nominal()
	w.NominalFLOPs /= 2 // forming the reduced Q takes as many
	w.NominalBytes = 2 * c.p.size64() * int64(c.p.Batch) * int64(c.p.sizeA())
	return w
}
