package driver

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/nvrtc"
	"example.org/bench/internal/terminal"
)

// GPU is one CUDA device with its primary context. Its methods, and those of its modules, kernels and
// streams, are called on the thread that called Bind.
type GPU struct {
	lib      *Library
	api      *api
	index    int
	device   device
	context  context
	facts    gpu.Facts
	compiler Compiler
	closed   bool
	options  []string // added to every source
	launched func(kernel string)
	arrays   map[gpu.ArrayID]gpu.Array
	args     [11]uintptr // the arguments of call
}

var _ gpu.Device = (*GPU)(nil)

// Open opens GPU index and makes it current on the calling thread.
func (l *Library) Open(index int) (*GPU, error) {
	n, err := l.Count()
	if err != nil {
		return nil, err
	}
	if index < 0 || index >= n {
		return nil, noDevice(fmt.Sprintf("there is no cuda:%d", index), fmt.Sprintf("the last of the %d here is cuda:%d", n, n-1), nil)
	}
	g, err := l.find(index)
	if err != nil {
		return nil, err
	}
	if err := g.api.check("cuDevicePrimaryCtxRetain", g.api.primaryCtxRetain(&g.context, g.device)); err != nil {
		return nil, noDevice(fmt.Sprintf("cuda:%d cannot be opened", index), initHelp(err), err)
	}
	if err := g.Bind(); err != nil {
		return nil, errors.Join(err, g.Close())
	}
	if g.facts, err = g.readFacts(); err != nil {
		return nil, errors.Join(err, g.Close())
	}
	return g, nil
}

// find looks up a GPU and a compiler for it.
func (l *Library) find(index int) (*GPU, error) {
	g := &GPU{lib: l, api: &l.api, index: index, compiler: l.Compiler}
	if err := g.api.check("cuDeviceGet", g.api.deviceGet(&g.device, int32(index))); err != nil {
		return nil, noDevice("the GPU does not answer", initHelp(err), err)
	}
	_ = g.findCompiler() // Compile looks again, and reports why there is none
	return g, nil
}

// findCompiler looks for a compiler if the GPU has none. A compiler that could not be opened once, as
// with too many open files, may be found later.
func (g *GPU) findCompiler() error {
	if g.compiler != nil {
		return nil
	}
	c, err := nvrtc.OpenFor(g.lib.version / 1000)
	if err != nil {
		return err
	}
	g.compiler = c
	g.facts.CompilerVersion = versionOf(c)
	return nil
}

func versionOf(c Compiler) string {
	major, minor := c.Version()
	return fmt.Sprintf("NVRTC %d.%d", major, minor)
}

// All returns the facts of every GPU, in order, and opens none.
func (l *Library) All() ([]gpu.Facts, error) {
	n, err := l.Count()
	if err != nil {
		return nil, err
	}
	all := make([]gpu.Facts, n)
	for i := range all {
		g, err := l.find(i)
		if err != nil {
			return nil, err
		}
		if all[i], err = g.readFacts(); err != nil {
			return nil, fmt.Errorf("cuda:%d: %w", i, err)
		}
	}
	return all, nil
}

// ID returns "cuda:0", "cuda:1", ….
func (g *GPU) ID() string { return fmt.Sprintf("cuda:%d", g.index) }

// Facts returns the device's limits.
func (g *GPU) Facts() gpu.Facts { return g.facts }

// Context returns the device's primary context, for libraries that are used beside the driver.
func (g *GPU) Context() uintptr { return uintptr(g.context) }

// Index returns the device's number in the order of CUDA_VISIBLE_DEVICES.
func (g *GPU) Index() int { return g.index }

// Watch makes every later kernel launch call launched; nil ends it.
func (g *GPU) Watch(launched func(kernel string)) { g.launched = launched }

// Bind makes the device current on the calling thread.
func (g *GPU) Bind() error {
	return g.api.check("cuCtxSetCurrent", g.api.ctxSetCurrent(g.context))
}

// Close releases the primary context. A second call does nothing.
func (g *GPU) Close() error {
	if g.closed {
		return nil
	}
	g.closed = true
	return g.api.check("cuDevicePrimaryCtxRelease", g.api.primaryCtxRelease(g.device))
}

// call calls a function of the driver by address. The arguments go through g's memory, because a slice
// made for each call would be garbage. Pointers among them must be to heap memory that the caller keeps
// alive.
func (g *GPU) call(function uintptr, args ...uintptr) Result {
	n := copy(g.args[:], args)
	r, _, _ := purego.SyscallN(function, g.args[:n]...)
	return Result(r)
}

// Memory returns the device's free and total memory in bytes.
func (g *GPU) Memory() (free, total int64, err error) {
	var f, t uintptr
	err = g.api.check("cuMemGetInfo", g.api.memGetInfo(&f, &t))
	return int64(f), int64(t), err
}

// Alloc returns bytes of uninitialised device memory.
func (g *GPU) Alloc(bytes int64) (gpu.Pointer, error) {
	if bytes <= 0 {
		return 0, fmt.Errorf("allocate %s of device memory: the size must be above zero", terminal.Count(bytes, "byte"))
	}
	var p uintptr
	err := g.api.check("cuMemAlloc", g.api.memAlloc(&p, uintptr(bytes)))
	if err == nil {
		return gpu.Pointer(p), nil
	}
	if errors.Is(err, gpu.ErrOutOfMemory) {
		if free, total, e := g.Memory(); e == nil {
			return 0, fmt.Errorf("allocate %s on %s, which has %s free of %s: %w",
				gibibytes(bytes), g.ID(), gibibytes(free), gibibytes(total), err)
		}
	}
	return 0, fmt.Errorf("allocate %s on %s: %w", gibibytes(bytes), g.ID(), err)
}

func gibibytes(n int64) string {
	if n < 1<<30/100 {
		return terminal.Count(n, "byte")
	}
	return fmt.Sprintf("%.2f GiB", float64(n)/(1<<30))
}

// Free frees memory; a zero pointer is ignored.
func (g *GPU) Free(p gpu.Pointer) error {
	if p == 0 {
		return nil
	}
	return g.api.check("cuMemFree", g.api.memFree(uintptr(p)))
}

// CopyToDevice copies from host memory and returns when the data has arrived.
func (g *GPU) CopyToDevice(dst gpu.Pointer, src unsafe.Pointer, bytes int64) error {
	if err := checkSize(bytes); err != nil || bytes == 0 {
		return err
	}
	if err := g.api.check("cuMemcpyHtoD", g.api.memcpyHtoD(uintptr(dst), src, uintptr(bytes))); err != nil {
		return err
	}
	// A copy from pageable memory returns once the data is staged (CUDA Driver API, "API synchronization
	// behavior").
	return g.Synchronize(0)
}

// CopyToHost copies to host memory.
func (g *GPU) CopyToHost(dst unsafe.Pointer, src gpu.Pointer, bytes int64) error {
	if err := checkSize(bytes); err != nil || bytes == 0 {
		return err
	}
	return g.api.check("cuMemcpyDtoH", g.api.memcpyDtoH(dst, uintptr(src), uintptr(bytes)))
}

// CopyToDeviceAsync enqueues a copy from host memory on s.
func (g *GPU) CopyToDeviceAsync(dst gpu.Pointer, src unsafe.Pointer, bytes int64, s gpu.Stream) error {
	if err := checkSize(bytes); err != nil || bytes == 0 {
		return err
	}
	r := g.call(g.api.memcpyHtoDAsync, uintptr(dst), uintptr(src), uintptr(bytes), uintptr(s))
	return g.api.check("cuMemcpyHtoDAsync", r)
}

// CopyToHostAsync enqueues a copy to host memory on s.
func (g *GPU) CopyToHostAsync(dst unsafe.Pointer, src gpu.Pointer, bytes int64, s gpu.Stream) error {
	if err := checkSize(bytes); err != nil || bytes == 0 {
		return err
	}
	r := g.call(g.api.memcpyDtoHAsync, uintptr(dst), uintptr(src), uintptr(bytes), uintptr(s))
	return g.api.check("cuMemcpyDtoHAsync", r)
}

// CopyAsync enqueues a copy within the device on s.
func (g *GPU) CopyAsync(dst, src gpu.Pointer, bytes int64, s gpu.Stream) error {
	if err := checkSize(bytes); err != nil || bytes == 0 {
		return err
	}
	r := g.call(g.api.memcpyDtoDAsync, uintptr(dst), uintptr(src), uintptr(bytes), uintptr(s))
	return g.api.check("cuMemcpyDtoDAsync", r)
}

// SetAsync enqueues filling memory with value on s.
func (g *GPU) SetAsync(dst gpu.Pointer, value byte, bytes int64, s gpu.Stream) error {
	if err := checkSize(bytes); err != nil || bytes == 0 {
		return err
	}
	r := g.call(g.api.memsetD8Async, uintptr(dst), uintptr(value), uintptr(bytes), uintptr(s))
	return g.api.check("cuMemsetD8Async", r)
}

func checkSize(bytes int64) error {
	if bytes < 0 {
		return fmt.Errorf("copy or set %s: the size must not be negative", terminal.Count(bytes, "byte"))
	}
	return nil
}

// Synchronize waits for all work of s and reports its errors.
func (g *GPU) Synchronize(s gpu.Stream) error {
	r := g.call(g.api.streamSynchronize, uintptr(s))
	return g.api.check("cuStreamSynchronize", r)
}

// ResetPersistingCache resets persisting L2 lines to normal, so that a flush reaches them. It does
// nothing on drivers and devices without such lines.
func (g *GPU) ResetPersistingCache() error {
	if g.api.ctxResetPersistingL2 == nil || g.facts.ComputeMajor < 8 {
		return nil
	}
	return g.api.check("cuCtxResetPersistingL2Cache", g.api.ctxResetPersistingL2())
}
