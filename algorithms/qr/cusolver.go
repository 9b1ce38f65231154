package qr

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"

	"bench/cuda"
	"bench/dynlib"
	"bench/framework"
)

// cusolverNames are the library of CUDA 13, 12 and 11, 10.2 (JetPack 4) and
// 10.0, then whatever a development package links.
var cusolverNames = []string{
	"libcusolver.so.12", "libcusolver.so.11", "libcusolver.so.10", "libcusolver.so.10.0", "libcusolver.so",
	"/usr/local/cuda/lib64/libcusolver.so", "/usr/local/cuda/targets/aarch64-linux/lib/libcusolver.so",
}

// cusolverResults are the names of cusolverStatus_t, from cusolver_common.h.
var cusolverResults = map[int32]string{
	1: "CUSOLVER_STATUS_NOT_INITIALIZED", 2: "CUSOLVER_STATUS_ALLOC_FAILED", 3: "CUSOLVER_STATUS_INVALID_VALUE",
	4: "CUSOLVER_STATUS_ARCH_MISMATCH", 5: "CUSOLVER_STATUS_MAPPING_ERROR", 6: "CUSOLVER_STATUS_EXECUTION_FAILED",
	7: "CUSOLVER_STATUS_INTERNAL_ERROR", 9: "CUSOLVER_STATUS_NOT_SUPPORTED",
}

func cusolverError(call string, result int32) error {
	return peerError(call, result, 2, cusolverResults)
}

// peerError names a library's result; that of outOfMemory wraps
// cuda.ErrOutOfMemory.
func peerError(call string, result, outOfMemory int32, names map[int32]string) error {
	name := names[result]
	if name == "" {
		name = fmt.Sprintf("error %d", result)
	}
	err := fmt.Errorf("%s: %s", call, name)
	if result == outOfMemory {
		return fmt.Errorf("%w: %w", err, cuda.ErrOutOfMemory)
	}
	return err
}

// cusolverLibrary are the functions used, as the cuSOLVER Library's
// documentation declares them, sections cusolverDn<t>geqrf and <t>orgqr.
type cusolverLibrary struct {
	create    func(handle *uintptr) int32
	destroy   func(handle uintptr) int32
	setStream func(handle, stream uintptr) int32
	version   func(version *int32) int32
	geqrfSize func(handle uintptr, m, n int32, a uintptr, lda int32, elements *int32) int32
	geqrf     func(handle uintptr, m, n int32, a uintptr, lda int32, tau, work uintptr, elements int32, info uintptr) int32
	orgqrSize func(handle uintptr, m, n, k int32, a uintptr, lda int32, tau uintptr, elements *int32) int32
	orgqr     func(handle uintptr, m, n, k int32, a uintptr, lda int32, tau, work uintptr, elements int32, info uintptr) int32
}

var cusolverLoaded = sync.OnceValues(func() (*cusolverLibrary, error) { return openCUSOLVER(cusolverNames...) })

func openCUSOLVER(names ...string) (*cusolverLibrary, error) {
	lib, err := dynlib.Open(names...)
	if err != nil {
		return nil, fmt.Errorf("cuSOLVER not found; install it with the CUDA toolkit "+
			"(NVIDIA's repository: libcusolver-12-9 or libcusolver-13-0; JetPack: libcusolver) "+
			"or add its folder to LD_LIBRARY_PATH: %w", err)
	}
	c := &cusolverLibrary{}
	for symbol, fn := range map[string]any{
		"cusolverDnCreate":            &c.create,
		"cusolverDnDestroy":           &c.destroy,
		"cusolverDnSetStream":         &c.setStream,
		"cusolverGetVersion":          &c.version,
		"cusolverDnSgeqrf_bufferSize": &c.geqrfSize,
		"cusolverDnSgeqrf":            &c.geqrf,
		"cusolverDnSorgqr_bufferSize": &c.orgqrSize,
		"cusolverDnSorgqr":            &c.orgqr,
	} {
		if err := lib.Func(fn, symbol); err != nil {
			return nil, fmt.Errorf("cuSOLVER: %w; a release of CUDA 8.0 or later has it", err)
		}
	}
	return c, nil
}

// maxCalls is the most matrices that the versions of one call a matrix take.
const maxCalls = 1024

func cusolverVersion() framework.Version {
	return framework.Version{
		Name:      "cusolver",
		Doc:       "NVIDIA's cuSOLVER, geqrf and orgqr, in place and for each matrix; its input is restored untimed, and R is not copied out",
		Source:    "cuSOLVER Library documentation",
		Processor: framework.GPU,
		Peer:      true,
		Available: func() error {
			_, err := cusolverLoaded()
			return err
		},
		Supports: func(params framework.Values, _ cuda.Facts) error {
			if b := params.Int("batch"); b > maxCalls {
				return fmt.Errorf("batch = %d: two calls a matrix; at most %d matrices", b, maxCalls)
			}
			return nil
		},
		// The work area is some columns, and at most as large as the matrix.
		DeviceBytes: func(params, _ framework.Values) int64 { return 2 * shapeOf(params).bytes() },
		New: framework.Typed(func(env framework.Env, p *problem, _ framework.Values) (*cusolver, error) {
			lib, err := cusolverLoaded()
			return &cusolver{gpuData: newData(env, p), lib: lib}, err
		}),
	}
}

// cusolver is version "cusolver" at one point. It factors in place of Q.
type cusolver struct {
	gpuData
	lib             *cusolverLibrary
	handle          uintptr
	tau, info, work cuda.Pointer
	elements        int32
}

func (c *cusolver) PreRun() (err error) {
	if err := c.allocate(); err != nil {
		return err
	}
	s := c.p.shape
	if c.tau, err = c.Alloc(4 * int64(s.N) * int64(s.Batch)); err != nil {
		return err
	}
	if c.info, err = c.AllocFilled(0, 8); err != nil {
		return err
	}
	if r := c.lib.create(&c.handle); r != 0 {
		return cusolverError("cusolverDnCreate", r)
	}
	c.AtPostRun(func() error {
		if r := c.lib.destroy(c.handle); r != 0 {
			return cusolverError("cusolverDnDestroy", r)
		}
		return nil
	})
	if r := c.lib.setStream(c.handle, uintptr(c.Env.Stream)); r != 0 {
		return cusolverError("cusolverDnSetStream", r)
	}
	m, n, cols := int32(s.M), int32(s.N), int32(s.cols())
	var first, second int32
	if r := c.lib.geqrfSize(c.handle, m, n, uintptr(c.q), m, &first); r != 0 {
		return cusolverError("cusolverDnSgeqrf_bufferSize", r)
	}
	if r := c.lib.orgqrSize(c.handle, m, cols, n, uintptr(c.q), m, uintptr(c.tau), &second); r != 0 {
		return cusolverError("cusolverDnSorgqr_bufferSize", r)
	}
	c.elements = max(first, second, 1)
	if c.work, err = c.Alloc(4 * int64(c.elements)); err != nil {
		return err
	}
	var version int32
	if r := c.lib.version(&version); r == 0 {
		c.Remark("cuSOLVER %d.%d.%d, work area %d bytes", version/1000, version/100%10, version%100, 4*c.elements)
	}
	return c.Reset()
}

// Reset copies A to where Q is formed.
func (c *cusolver) Reset() error {
	s := c.p.shape
	if !s.Full || s.M == s.N {
		return c.Device.CopyAsync(c.q, c.a, 4*int64(s.sizeA())*int64(s.Batch), c.Env.Stream)
	}
	for b := range s.Batch {
		err := c.Device.CopyAsync(c.q+cuda.Pointer(4*b*s.sizeQ()), c.a+cuda.Pointer(4*b*s.sizeA()), 4*int64(s.sizeA()), c.Env.Stream)
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *cusolver) factor(b int) error {
	s := c.p.shape
	at, tau := uintptr(c.q)+uintptr(4*b*s.sizeQ()), uintptr(c.tau)+uintptr(4*b*s.N)
	if r := c.lib.geqrf(c.handle, int32(s.M), int32(s.N), at, int32(s.M), tau, uintptr(c.work), c.elements, uintptr(c.info)); r != 0 {
		return cusolverError("cusolverDnSgeqrf", r)
	}
	return nil
}

func (c *cusolver) Run() error {
	s := c.p.shape
	for b := range s.Batch {
		if err := c.factor(b); err != nil {
			return err
		}
		at, tau := uintptr(c.q)+uintptr(4*b*s.sizeQ()), uintptr(c.tau)+uintptr(4*b*s.N)
		if r := c.lib.orgqr(c.handle, int32(s.M), int32(s.cols()), int32(s.N), at, int32(s.M), tau, uintptr(c.work), c.elements, uintptr(c.info)+4); r != 0 {
			return cusolverError("cusolverDnSorgqr", r)
		}
	}
	return nil
}

// Verify takes Q, then factors again for R, which Q has overwritten.
func (c *cusolver) Verify() ([]framework.Check, error) {
	s, d := c.p.shape, c.Device
	q, factored := make([]float32, s.sizeQ()*s.Batch), make([]float32, s.sizeQ()*s.Batch)
	if err := errors.Join(cuda.Download(d, q, c.q), c.Reset()); err != nil {
		return nil, err
	}
	for b := range s.Batch {
		if err := c.factor(b); err != nil {
			return nil, err
		}
	}
	if err := d.Synchronize(c.Env.Stream); err != nil {
		return nil, err
	}
	var info [2]int32
	if err := errors.Join(cuda.Download(d, factored, c.q), d.CopyToHost(unsafe.Pointer(&info), c.info, 8)); err != nil {
		return nil, err
	}
	if info != [2]int32{} {
		return nil, fmt.Errorf("cuSOLVER: info of geqrf and orgqr = %v: that argument is wrong", info)
	}
	r := make([]float32, s.sizeR()*s.Batch)
	for b := range s.Batch {
		s.upper(r[b*s.sizeR():(b+1)*s.sizeR()], factored[b*s.sizeQ():(b+1)*s.sizeQ()])
	}
	return c.p.compare(q, r, householder), nil
}

// Work has no counts of its own: the library is closed.
func (c *cusolver) Work() framework.Work { return c.p.Nominal() }
