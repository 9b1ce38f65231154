package tridiagonal

import (
	"errors"
	"fmt"
	"math/bits"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/toolkit"
	"example.org/bench/internal/dynlib"
	"example.org/bench/internal/terminal"
)

// cusparseResults are the names of cusparseStatus_t, from cusparse.h.
var cusparseResults = toolkit.Results{OutOfMemory: 2, Names: map[int32]string{
	1: "CUSPARSE_STATUS_NOT_INITIALIZED", 2: "CUSPARSE_STATUS_ALLOC_FAILED", 3: "CUSPARSE_STATUS_INVALID_VALUE",
	4: "CUSPARSE_STATUS_ARCH_MISMATCH", 5: "CUSPARSE_STATUS_MAPPING_ERROR", 6: "CUSPARSE_STATUS_EXECUTION_FAILED",
	7: "CUSPARSE_STATUS_INTERNAL_ERROR", 9: "CUSPARSE_STATUS_ZERO_PIVOT", 10: "CUSPARSE_STATUS_NOT_SUPPORTED",
	11: "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES",
}}

// cusparseFunctions holds the functions that every solver needs.
type cusparseFunctions struct {
	library   *dynlib.Library
	create    func(handle *uintptr) int32                `symbol:"cusparseCreate"`
	destroy   func(handle uintptr) int32                 `symbol:"cusparseDestroy"`
	setStream func(handle, stream uintptr) int32         `symbol:"cusparseSetStream"`
	version   func(handle uintptr, version *int32) int32 `symbol:"cusparseGetVersion"`
}

// cusparseLibrary is that of CUDA 12 and 13, 11, 10.2 (JetPack 4) and 10.0.
var cusparseLibrary = toolkit.Peer[cusparseFunctions](toolkit.Library{
	Name: "cuSPARSE", File: "libcusparse", Releases: []string{"12", "11", "10", "10.0"}, Since: "9.2",
})

// peer is one of the library's solvers: bind finds it in the library for a
// precision ("S" or "D").
type peer struct {
	name, doc, function string
	layout              string
	single              bool // one system only
	algorithms          []int64
	overwrites          bool // a, b and c too
	bind                func(c *cusparseFunctions, function string) (bound, error)
}

// bound is a solver for one precision. x holds d before a run and the solution after it.
type bound struct {
	bytes func(handle uintptr, v arrays, n, batch, algorithm int32, bytes *uint64) int32
	solve func(handle uintptr, v arrays, n, batch, algorithm int32, work gpu.Pointer) int32
}

// peers are declared as in the cuSPARSE Library documentation, sections
// "cusparse<t>gtsv…" of the preconditioners.
var peers = []peer{
	{name: "cusparse_strided", doc: "gtsv2StridedBatch", function: "gtsv2StridedBatch", layout: contiguous, bind: bindStrided},
	{name: "cusparse_interleaved", doc: "gtsvInterleavedBatch", function: "gtsvInterleavedBatch", layout: interleaved,
		algorithms: []int64{0, 1, 2}, overwrites: true, bind: bindInterleaved},
	{name: "cusparse", doc: "gtsv2, with pivoting", function: "gtsv2", layout: contiguous, single: true, bind: bindSingle},
	{name: "cusparse_nopivot", doc: "gtsv2_nopivot", function: "gtsv2_nopivot", layout: contiguous, single: true, bind: bindSingle},
}

// bindStrided binds (handle, m, dl, d, du, x, batchCount, batchStride, …).
func bindStrided(c *cusparseFunctions, function string) (bound, error) {
	var size func(handle uintptr, m int32, dl, d, du, x uintptr, count, stride int32, bytes *uint64) int32
	var solve func(handle uintptr, m int32, dl, d, du, x uintptr, count, stride int32, work uintptr) int32
	err := errors.Join(c.library.Func(&size, function+"_bufferSizeExt"), c.library.Func(&solve, function))
	return bound{
		bytes: func(h uintptr, v arrays, n, batch, _ int32, bytes *uint64) int32 {
			return size(h, n, uintptr(v.a), uintptr(v.b), uintptr(v.c), uintptr(v.x), batch, n, bytes)
		},
		solve: func(h uintptr, v arrays, n, batch, _ int32, work gpu.Pointer) int32 {
			return solve(h, n, uintptr(v.a), uintptr(v.b), uintptr(v.c), uintptr(v.x), batch, n, uintptr(work))
		},
	}, err
}

// bindInterleaved binds (handle, algo, m, dl, d, du, x, batchCount, …).
func bindInterleaved(c *cusparseFunctions, function string) (bound, error) {
	var size func(handle uintptr, algorithm, m int32, dl, d, du, x uintptr, count int32, bytes *uint64) int32
	var solve func(handle uintptr, algorithm, m int32, dl, d, du, x uintptr, count int32, work uintptr) int32
	err := errors.Join(c.library.Func(&size, function+"_bufferSizeExt"), c.library.Func(&solve, function))
	return bound{
		bytes: func(h uintptr, v arrays, n, batch, algorithm int32, bytes *uint64) int32 {
			return size(h, algorithm, n, uintptr(v.a), uintptr(v.b), uintptr(v.c), uintptr(v.x), batch, bytes)
		},
		solve: func(h uintptr, v arrays, n, batch, algorithm int32, work gpu.Pointer) int32 {
			return solve(h, algorithm, n, uintptr(v.a), uintptr(v.b), uintptr(v.c), uintptr(v.x), batch, uintptr(work))
		},
	}, err
}

// bindSingle binds (handle, m, n, dl, d, du, B, ldb, …), n being right-hand
// sides.
func bindSingle(c *cusparseFunctions, function string) (bound, error) {
	var size func(handle uintptr, m, n int32, dl, d, du, x uintptr, ldb int32, bytes *uint64) int32
	var solve func(handle uintptr, m, n int32, dl, d, du, x uintptr, ldb int32, work uintptr) int32
	err := errors.Join(c.library.Func(&size, function+"_bufferSizeExt"), c.library.Func(&solve, function))
	return bound{
		bytes: func(h uintptr, v arrays, n, _, _ int32, bytes *uint64) int32 {
			return size(h, n, 1, uintptr(v.a), uintptr(v.b), uintptr(v.c), uintptr(v.x), n, bytes)
		},
		solve: func(h uintptr, v arrays, n, _, _ int32, work gpu.Pointer) int32 {
			return solve(h, n, 1, uintptr(v.a), uintptr(v.b), uintptr(v.c), uintptr(v.x), n, uintptr(work))
		},
	}, err
}

// open binds the solver in one precision.
func (p peer) open(double bool) (*cusparseFunctions, bound, error) {
	c, err := cusparseLibrary.Functions()
	if err != nil {
		return nil, bound{}, err
	}
	precision := "S"
	if double {
		precision = "D"
	}
	b, err := p.bind(c, "cusparse"+precision+p.function)
	if err != nil {
		return nil, bound{}, fmt.Errorf("%s: %w; %s", cusparseLibrary.Name, err, cusparseLibrary.Release)
	}
	return c, b, nil
}

func (p peer) version() framework.Version {
	v := framework.Version{
		Name:      p.name,
		Doc:       "NVIDIA's cuSPARSE, " + p.doc + "; its inputs are restored untimed",
		Source:    "cuSPARSE Library documentation",
		Processor: framework.GPU,
		Peer:      true,
		Available: func() error {
			_, _, err := p.open(false)
			return err
		},
		Supports: func(params framework.Values, _ gpu.Facts) error {
			batch := systems(params)
			switch {
			case params.Text("layout") != p.layout && batch > 1:
				return fmt.Errorf("%s needs layout %s", p.name, p.layout)
			case p.single && batch > 1:
				return fmt.Errorf("%s solves one system: batch = 1 is needed", p.name)
			case rows(params) > 1<<31-1:
				return fmt.Errorf("%s counts in 32 bits: at most %d rows", p.name, 1<<31-1)
			}
			return nil
		},
		// Seven arrays hold equations, solution and what is restored from. The work area is at
		// most as large again as the equations, and up to 56 KiB more (seen with CUDA 13, 1334 rows).
		DeviceBytes: func(params, _ framework.Values) int64 { return 12*rows(params)*realBytes(params) + 128<<10 },
		New: framework.Typed(func(env framework.Env, q *problem, v framework.Values) (*cusparse, error) {
			return &cusparse{gpuRun: newGPURun(env, q), peer: p, algorithm: int32(v.Int("ALGO"))}, nil
		}),
	}
	if p.algorithms != nil {
		v.Tunables = []framework.Tunable{{Name: "ALGO", Doc: "0: Thomas, 1: LU with partial pivoting, 2: QR", Values: p.algorithms}}
		v.Defaults = func(framework.Values, gpu.Facts) framework.Values {
			return framework.Values{"ALGO": framework.IntValue(p.algorithms[0])}
		}
	}
	return v
}

// cusparse is one of the library's solvers at one point.
type cusparse struct {
	gpuRun
	peer      peer
	algorithm int32
	lib       *cusparseFunctions
	bound     bound
	handle    uintptr
	own       arrays // is overwritten
	work      gpu.Pointer
}

func (c *cusparse) PreRun() (err error) {
	if c.lib == nil { // a test sets its own
		if c.lib, c.bound, err = c.peer.open(c.p.Double); err != nil {
			return err
		}
	}
	if err := c.open(); err != nil {
		return err
	}
	c.own = c.data
	if c.peer.overwrites {
		if err := c.AllocEach(c.p.bytes(), &c.own.a, &c.own.b, &c.own.c); err != nil {
			return err
		}
	}
	in := c.own
	in.d = c.own.x
	c.transfer(in)
	if err := cusparseResults.Check("cusparseCreate", c.lib.create(&c.handle)); err != nil {
		return err
	}
	c.AtPostRun(func() error {
		return cusparseResults.Check("cusparseDestroy", c.lib.destroy(c.handle))
	})
	if err := cusparseResults.Check("cusparseSetStream", c.lib.setStream(c.handle, uintptr(c.Env.Stream))); err != nil {
		return err
	}
	var bytes uint64
	if err := cusparseResults.Check(c.peer.function+"_bufferSizeExt", c.bound.bytes(c.handle, c.own, int32(c.p.N), int32(c.p.Batch), c.algorithm, &bytes)); err != nil {
		return err
	}
	if c.work, err = c.Alloc(int64(max(bytes, 1))); err != nil {
		return err
	}
	var version int32
	if r := c.lib.version(c.handle, &version); r == 0 {
		c.Remark("cuSPARSE %d.%d.%d, work area %s", version/1000, version/100%10, version%100, terminal.Count(bytes, "byte"))
	}
	return c.Reset()
}

// Reset copies the equations to where the library overwrites them.
func (c *cusparse) Reset() error {
	bytes, d, s := c.p.bytes(), c.Device, c.Env.Stream
	err := d.CopyAsync(c.own.x, c.data.d, bytes, s)
	if c.peer.overwrites {
		err = errors.Join(err, d.CopyAsync(c.own.a, c.data.a, bytes, s), d.CopyAsync(c.own.b, c.data.b, bytes, s),
			d.CopyAsync(c.own.c, c.data.c, bytes, s))
	}
	return err
}

func (c *cusparse) Run() error {
	return cusparseResults.Check(c.peer.function, c.bound.solve(c.handle, c.own, int32(c.p.N), int32(c.p.Batch), c.algorithm, c.work))
}

func (c *cusparse) Verify() ([]framework.Check, error) {
	return c.verify(c.own.x, bits.Len(uint(c.p.N)))
}

func (c *cusparse) VerifyFast() ([]framework.Check, error) {
	return c.verifyFast(c.own.x, bits.Len(uint(c.p.N)))
}

// Work has no counts of the version's own, because the library is closed.
func (c *cusparse) Work() framework.Work { return c.p.Nominal() }
