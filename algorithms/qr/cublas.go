package qr

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"bench/cuda"
	"bench/dynlib"
	"bench/framework"
)

// gpuPeers are NVIDIA's libraries.
func gpuPeers() []framework.Version { return []framework.Version{cusolverVersion(), cublasVersion()} }

// cublasNames are the library of CUDA 13, 12, 11, 10 and whatever a development
// package links.
var cublasNames = []string{
	"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so.10", "libcublas.so",
	"/usr/local/cuda/lib64/libcublas.so", "/usr/local/cuda/targets/aarch64-linux/lib/libcublas.so",
}

// cublasResults are the names of cublasStatus_t, from cublas_api.h.
var cublasResults = map[int32]string{
	1: "CUBLAS_STATUS_NOT_INITIALIZED", 3: "CUBLAS_STATUS_ALLOC_FAILED", 7: "CUBLAS_STATUS_INVALID_VALUE",
	8: "CUBLAS_STATUS_ARCH_MISMATCH", 11: "CUBLAS_STATUS_MAPPING_ERROR", 13: "CUBLAS_STATUS_EXECUTION_FAILED",
	14: "CUBLAS_STATUS_INTERNAL_ERROR", 15: "CUBLAS_STATUS_NOT_SUPPORTED",
}

func cublasError(call string, result int32) error { return peerError(call, result, 3, cublasResults) }

// cublasLibrary are the functions used, as the cuBLAS Library's documentation
// declares them, section cublas<t>geqrfBatched.
type cublasLibrary struct {
	create    func(handle *uintptr) int32
	destroy   func(handle uintptr) int32
	setStream func(handle, stream uintptr) int32
	version   func(handle uintptr, version *int32) int32
	// geqrf takes arrays of addresses in device memory, and info in host
	// memory.
	geqrf func(handle uintptr, m, n int32, a uintptr, lda int32, tau uintptr, info *int32, batch int32) int32
}

var cublasLoaded = sync.OnceValues(func() (*cublasLibrary, error) { return openCUBLAS(cublasNames...) })

func openCUBLAS(names ...string) (*cublasLibrary, error) {
	lib, err := dynlib.Open(names...)
	if err != nil {
		return nil, fmt.Errorf("cuBLAS not found; install it with the CUDA toolkit "+
			"(NVIDIA's repository: libcublas-12-9 or libcublas-13-0; JetPack: libcublas) "+
			"or add its folder to LD_LIBRARY_PATH: %w", err)
	}
	c := &cublasLibrary{}
	for symbol, fn := range map[string]any{
		"cublasCreate_v2":     &c.create,
		"cublasDestroy_v2":    &c.destroy,
		"cublasSetStream_v2":  &c.setStream,
		"cublasGetVersion_v2": &c.version,
		"cublasSgeqrfBatched": &c.geqrf,
	} {
		if err := lib.Func(fn, symbol); err != nil {
			return nil, fmt.Errorf("cuBLAS: %w; a release of CUDA 6.5 or later has it", err)
		}
	}
	return c, nil
}

func cublasVersion() framework.Version {
	return framework.Version{
		Name:      "cublas",
		Doc:       "NVIDIA's cuBLAS, geqrfBatched, in place: R and reflections, no Q; its input is restored untimed",
		Source:    "cuBLAS Library documentation",
		Processor: framework.GPU,
		Peer:      true,
		Available: func() error {
			_, err := cublasLoaded()
			return err
		},
		Supports: func(params framework.Values, _ cuda.Facts) error {
			if shapeOf(params).Full {
				return errors.New("geqrfBatched forms no Q: q = reduced is needed")
			}
			return nil
		},
		DeviceBytes: func(params, _ framework.Values) int64 {
			s := shapeOf(params)
			return s.bytes() + int64(s.Batch)*int64(16+4*s.N)
		},
		New: framework.Typed(func(env framework.Env, p *problem, _ framework.Values) (*cublas, error) {
			lib, err := cublasLoaded()
			return &cublas{gpuData: newData(env, p), lib: lib}, err
		}),
	}
}

// cublas is version "cublas" at one point. It factors in place of Q.
type cublas struct {
	gpuData
	lib                *cublasLibrary
	handle             uintptr
	matrices, tauTable cuda.Pointer
}

func (c *cublas) PreRun() error {
	if err := c.allocate(); err != nil {
		return err
	}
	s := c.p.shape
	tau, err := c.Alloc(4 * int64(s.N) * int64(s.Batch))
	if err != nil {
		return err
	}
	table := func(first cuda.Pointer, bytes int) (cuda.Pointer, error) {
		list := make([]uint64, s.Batch)
		for b := range list {
			list[b] = uint64(first) + uint64(b*bytes)
		}
		return framework.AllocCopy(&c.GPURun, list)
	}
	if c.matrices, err = table(c.q, 4*s.sizeQ()); err != nil {
		return err
	}
	if c.tauTable, err = table(tau, 4*s.N); err != nil {
		return err
	}
	if r := c.lib.create(&c.handle); r != 0 {
		return cublasError("cublasCreate", r)
	}
	c.AtPostRun(func() error {
		if r := c.lib.destroy(c.handle); r != 0 {
			return cublasError("cublasDestroy", r)
		}
		return nil
	})
	if r := c.lib.setStream(c.handle, uintptr(c.Env.Stream)); r != 0 {
		return cublasError("cublasSetStream", r)
	}
	var version int32
	if r := c.lib.version(c.handle, &version); r == 0 {
		c.Remark("cuBLAS %d.%d.%d", version/10000, version/100%100, version%100)
	}
	return c.Reset()
}

// Reset copies A to where it is factored.
func (c *cublas) Reset() error {
	return c.Device.CopyAsync(c.q, c.a, 4*int64(c.p.sizeA())*int64(c.p.Batch), c.Env.Stream)
}

func (c *cublas) Run() error {
	var info int32
	s := c.p.shape
	if r := c.lib.geqrf(c.handle, int32(s.M), int32(s.N), uintptr(c.matrices), int32(s.M), uintptr(c.tauTable), &info, int32(s.Batch)); r != 0 {
		return cublasError("cublasSgeqrfBatched", r)
	}
	if info != 0 {
		return fmt.Errorf("cublasSgeqrfBatched: info = %d: that argument is wrong", info)
	}
	return nil
}

// Verify holds R alone, since there is no Q, to RᵀR = AᵀA.
func (c *cublas) Verify() ([]framework.Check, error) {
	factored := make([]float32, c.p.sizeQ()*c.p.Batch)
	if err := cuda.Download(c.Device, factored, c.q); err != nil {
		return nil, err
	}
	return []framework.Check{c.p.compareGram(factored)}, nil
}

// compareGram judges the upper triangles of factored matrices by the worst
// Frobenius norm of AᵀA-RᵀR relative to |A|².
func (p *problem) compareGram(factored []float32) framework.Check {
	var mu sync.Mutex
	worst := 0.0
	each(p.shape, func(b int, w *scratch) {
		m, n := p.M, p.N
		a := widen(nil, p.matrix(b))
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
	w.NominalBytes = 8 * int64(c.p.Batch) * int64(c.p.sizeA())
	return w
}
