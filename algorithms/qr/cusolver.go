package qr

import (
	"errors"
	"fmt"
	"unsafe"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/toolkit"
	"example.org/bench/internal/terminal"
)

// cusolverResults are the names of cusolverStatus_t, from cusolver_common.h.
var cusolverResults = toolkit.Results{OutOfMemory: 2, Names: map[int32]string{
	1: "CUSOLVER_STATUS_NOT_INITIALIZED", 2: "CUSOLVER_STATUS_ALLOC_FAILED", 3: "CUSOLVER_STATUS_INVALID_VALUE",
	4: "CUSOLVER_STATUS_ARCH_MISMATCH", 5: "CUSOLVER_STATUS_MAPPING_ERROR", 6: "CUSOLVER_STATUS_EXECUTION_FAILED",
	7: "CUSOLVER_STATUS_INTERNAL_ERROR", 9: "CUSOLVER_STATUS_NOT_SUPPORTED",
}}

// cusolverFunctions are those called, as the cuSOLVER Library's documentation
// declares them, sections cusolverDn<t>geqrf and <t>orgqr.
type cusolverFunctions struct {
	create    func(handle *uintptr) int32        `symbol:"cusolverDnCreate"`
	destroy   func(handle uintptr) int32         `symbol:"cusolverDnDestroy"`
	setStream func(handle, stream uintptr) int32 `symbol:"cusolverDnSetStream"`
	version   func(version *int32) int32         `symbol:"cusolverGetVersion"`

	geqrfSize  func(handle uintptr, m, n int32, a uintptr, lda int32, elements *int32) int32                                    `symbol:"cusolverDnSgeqrf_bufferSize"`
	geqrf      func(handle uintptr, m, n int32, a uintptr, lda int32, tau, work uintptr, elements int32, info uintptr) int32    `symbol:"cusolverDnSgeqrf"`
	orgqrSize  func(handle uintptr, m, n, k int32, a uintptr, lda int32, tau uintptr, elements *int32) int32                    `symbol:"cusolverDnSorgqr_bufferSize"`
	orgqr      func(handle uintptr, m, n, k int32, a uintptr, lda int32, tau, work uintptr, elements int32, info uintptr) int32 `symbol:"cusolverDnSorgqr"`
	dgeqrfSize func(handle uintptr, m, n int32, a uintptr, lda int32, elements *int32) int32                                    `symbol:"cusolverDnDgeqrf_bufferSize"`
	dgeqrf     func(handle uintptr, m, n int32, a uintptr, lda int32, tau, work uintptr, elements int32, info uintptr) int32    `symbol:"cusolverDnDgeqrf"`
	dorgqrSize func(handle uintptr, m, n, k int32, a uintptr, lda int32, tau uintptr, elements *int32) int32                    `symbol:"cusolverDnDorgqr_bufferSize"`
	dorgqr     func(handle uintptr, m, n, k int32, a uintptr, lda int32, tau, work uintptr, elements int32, info uintptr) int32 `symbol:"cusolverDnDorgqr"`
}

// cusolverLibrary is that of CUDA 13 and 12, 11, 10.2 (JetPack 4) and 10.0.
var cusolverLibrary = toolkit.Peer[cusolverFunctions](toolkit.Library{
	Name: "cuSOLVER", File: "libcusolver", Releases: []string{"12", "11", "10", "10.0"}, Since: "8.0",
})

// maxCalls is the largest batch of a version that calls its library for each matrix.
const maxCalls = 1024

func cusolverVersion() framework.Version {
	return framework.Version{
		Name:      "cusolver",
		Doc:       "NVIDIA's cuSOLVER, geqrf and orgqr, in place and for each matrix; its input is restored untimed, and R is not copied out",
		Source:    "cuSOLVER Library documentation",
		Processor: framework.GPU,
		Peer:      true,
		Available: cusolverLibrary.Available,
		Supports: func(params framework.Values, _ gpu.Facts) error {
			if b := params.Int("batch"); b > maxCalls {
				return fmt.Errorf("batch = %d: two calls per matrix; at most %d matrices", b, maxCalls)
			}
			return nil
		},
		// The work area is a few columns, and at least 3 MiB (seen with CUDA 13, 96 × 33).
		DeviceBytes: func(params, _ framework.Values) int64 { return 2*shapeOf(params).bytes() + 4<<20 },
		New: framework.Typed(func(env framework.Env, p *problem, _ framework.Values) (*cusolver, error) {
			lib, err := cusolverLibrary.Functions()
			return newCUSOLVER(env, p, lib), err
		}),
	}
}

// cusolver is version "cusolver" at one point. It factors in place of Q.
type cusolver struct {
	gpuData
	lib             *cusolverFunctions
	handle          uintptr
	tau, info, work gpu.Pointer
	elements        int32
	geqrf, orgqr    string // names of the functions
}

// newCUSOLVER takes the functions of the problem's precision: they differ by name alone.
func newCUSOLVER(env framework.Env, p *problem, lib *cusolverFunctions) *cusolver {
	if p.Double && lib != nil {
		double := *lib
		double.geqrfSize, double.geqrf, double.orgqrSize, double.orgqr = lib.dgeqrfSize, lib.dgeqrf, lib.dorgqrSize, lib.dorgqr
		lib = &double
	}
	name := "cusolverDn" + p.letter()
	return &cusolver{gpuData: newData(env, p), lib: lib, geqrf: name + "geqrf", orgqr: name + "orgqr"}
}

func (c *cusolver) PreRun() (err error) {
	if err := c.allocateInPlace(); err != nil {
		return err
	}
	s := c.p.shape
	if c.tau, err = c.Alloc(s.size64() * int64(s.N) * int64(s.Batch)); err != nil {
		return err
	}
	if c.info, err = c.AllocFilled(0, 8); err != nil {
		return err
	}
	if err := cusolverResults.Check("cusolverDnCreate", c.lib.create(&c.handle)); err != nil {
		return err
	}
	c.AtPostRun(func() error {
		return cusolverResults.Check("cusolverDnDestroy", c.lib.destroy(c.handle))
	})
	if err := cusolverResults.Check("cusolverDnSetStream", c.lib.setStream(c.handle, uintptr(c.Env.Stream))); err != nil {
		return err
	}
	m, n, cols := int32(s.M), int32(s.N), int32(s.cols())
	var first, second int32
	if err := cusolverResults.Check(c.geqrf+"_bufferSize", c.lib.geqrfSize(c.handle, m, n, uintptr(c.q), m, &first)); err != nil {
		return err
	}
	if err := cusolverResults.Check(c.orgqr+"_bufferSize", c.lib.orgqrSize(c.handle, m, cols, n, uintptr(c.q), m, uintptr(c.tau), &second)); err != nil {
		return err
	}
	c.elements = max(first, second, 1)
	if c.work, err = c.Alloc(s.size64() * int64(c.elements)); err != nil {
		return err
	}
	var version int32
	if r := c.lib.version(&version); r == 0 {
		c.Remark("cuSOLVER %d.%d.%d, work area %s", version/1000, version/100%10, version%100, terminal.Count(s.size()*int(c.elements), "byte"))
	}
	return c.Reset()
}

// Reset copies A to where Q is formed.
func (c *cusolver) Reset() error { return c.restoreA() }

func (c *cusolver) factor(b int) error {
	s := c.p.shape
	at, tau := uintptr(c.q)+uintptr(s.size()*b*s.sizeQ()), uintptr(c.tau)+uintptr(s.size()*b*s.N)
	return cusolverResults.Check(c.geqrf, c.lib.geqrf(c.handle, int32(s.M), int32(s.N), at, int32(s.M), tau, uintptr(c.work), c.elements, uintptr(c.info)))
}

func (c *cusolver) Run() error {
	s := c.p.shape
	for b := range s.Batch {
		if err := c.factor(b); err != nil {
			return err
		}
		at, tau := uintptr(c.q)+uintptr(s.size()*b*s.sizeQ()), uintptr(c.tau)+uintptr(s.size()*b*s.N)
		if err := cusolverResults.Check(c.orgqr, c.lib.orgqr(c.handle, int32(s.M), int32(s.cols()), int32(s.N), at, int32(s.M), tau, uintptr(c.work), c.elements, uintptr(c.info)+4)); err != nil {
			return err
		}
	}
	return nil
}

func (c *cusolver) Verify() ([]framework.Check, error) {
	return c.p.verify(householder, c.download)
}

func (c *cusolver) VerifyFast() ([]framework.Check, error) {
	return c.p.verifyFast(householder, c.download)
}

// download takes Q, factors again for R, which Q has overwritten, and puts Q back.
func (c *cusolver) download() (q, r elements, err error) {
	s, d, none := c.p.shape, c.Device, elements{}
	q, factored := s.elements(s.sizeQ()*s.Batch), s.elements(s.sizeQ()*s.Batch)
	if err := errors.Join(q.download(d, c.q), c.Reset()); err != nil {
		return none, none, err
	}
	for b := range s.Batch {
		if err := c.factor(b); err != nil {
			return none, none, err
		}
	}
	if err := d.Synchronize(c.Env.Stream); err != nil {
		return none, none, err
	}
	var info [2]int32
	if err := errors.Join(factored.download(d, c.q), d.CopyToHost(unsafe.Pointer(&info), c.info, 8)); err != nil {
		return none, none, err
	}
	if info != [2]int32{} {
		return none, none, fmt.Errorf("cuSOLVER: info of geqrf and orgqr = %v: that argument is wrong", info)
	}
	r = s.elements(s.sizeR() * s.Batch)
	for b := range s.Batch {
		upper(s, r.single, factored.single, b)
		upper(s, r.double, factored.double, b)
	}
	return q, r, q.upload(d, c.q)
}

// Work has no counts of the version's own, because the library is closed.
func (c *cusolver) Work() framework.Work { return c.p.Nominal() }
