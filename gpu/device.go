// Package gpu describes a GPU as algorithms and the framework see it: memory, modules compiled from source,
// and kernel launches. Four devices implement it: a CUDA GPU (package gpu/cuda/driver), a simulator that
// runs CUDA C++ on the CPU (package gpu/cuda/sim), a device that only compiles (package gpu/cuda/offline),
// and a device of OpenCL (package gpu/opencl).
package gpu

import (
	"fmt"
	"sync"
	"unsafe"
)

// Pointer is a place in a device's memory. Adding bytes to it gives a place further on in the same
// allocation; it need not be an address.
type Pointer uintptr

// Memory is a kind of memory that kernels read and write.
type Memory string

// The kinds of memory: the device's own memory; page-locked host memory that is mapped into the device's
// address space (zero-copy); and managed pages, which move to where they are touched.
const (
	DeviceMemory  Memory = "device"
	MappedMemory  Memory = "mapped"
	ManagedMemory Memory = "managed"
)

// Stream is a queue of work on a device; 0 is the default stream. The simulator has only the default
// stream, and its launches return when they are done.
type Stream uintptr

// Dim3 is the extent of a grid, a block or a cluster; a zero field means 1.
type Dim3 struct{ X, Y, Z int }

// Launch is the shape of one kernel launch.
type Launch struct {
	Grid, Block Dim3
	// SharedBytes is the dynamic shared memory of a block. If it exceeds 48 KiB, Launch raises the kernel's
	// limit. In OpenCL it is the kernel's last parameter, a pointer to local memory.
	SharedBytes int
	// Cluster is the extent of a thread-block cluster (compute capability 9.0
	// on); the zero value launches without clusters.
	Cluster Dim3
	// Cooperative requires that all blocks are resident at once.
	Cooperative bool
	// Arguments are the names of the arguments in messages; it may be empty.
	Arguments []string
}

// Source is CUDA C++, or OpenCL C for an OpenCL device, to be compiled for one device.
type Source struct {
	// Name is the file name shown in compiler messages, e.g. "stockham.cu".
	Name string
	Text string
	// Defines become -DNAME=VALUE.
	Defines map[string]string
	// Headers are the texts of the files that Text includes, by file name.
	Headers map[string]string
	// Image is compiled code, PTX or a cubin, that replaces Text.
	Image []byte
	// Kernels are the __global__ functions that Module.Kernel can return: plain names, or C++ expressions
	// such as "ns::sum<float, BLOCK>". Macros are expanded in them.
	Kernels []string
	// Globals are the __constant__ and __device__ variables that Module.Global can return, by their C++
	// names.
	Globals []string
	// Options are further compiler options, e.g. "--use_fast_math". The simulator honours only those that
	// define macros or name the C++ standard.
	Options []string
	// Benign are source lines, such as "bfs.cu:30", whose races and reads of unwritten memory the simulator
	// does not report.
	Benign []string
}

// Attributes are the resources that one compiled kernel needs.
type Attributes struct {
	Registers          int // per thread
	StaticSharedBytes  int // per block
	LocalBytes         int // per thread; above zero means spills or indexed arrays
	ConstBytes         int
	MaxThreadsPerBlock int
}

// Defines returns the Source.Defines of pairs of names and integers: Defines("N", 64, "P", 4).
func Defines(pairs ...any) map[string]string {
	d := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		d[pairs[i].(string)] = fmt.Sprintf("%d", pairs[i+1])
	}
	return d
}

// Device is one GPU, real or simulated.
//
// A real device belongs to the operating-system thread that called Bind: the caller locks its goroutine
// to that thread (runtime.LockOSThread).
type Device interface {
	// ID returns "cuda:0", "cuda:1", …, "opencl:0", … or "sim".
	ID() string
	Facts() Facts
	// Bind makes the device current on the calling thread.
	Bind() error
	// Compile compiles src, or takes the code from the disk cache, and loads it. A compiler error is a
	// *CompileError.
	Compile(src Source) (Module, error)
	// Alloc returns bytes of uninitialised device memory. If the device has too little, the error wraps
	// ErrOutOfMemory and states the sizes.
	Alloc(bytes int64) (Pointer, error)
	Free(Pointer) error
	// CopyToDevice and CopyToHost return when the copy is done.
	CopyToDevice(dst Pointer, src unsafe.Pointer, bytes int64) error
	CopyToHost(dst unsafe.Pointer, src Pointer, bytes int64) error
	// CopyToDeviceAsync and CopyToHostAsync are enqueued on s. Until s is synchronized, the host's memory
	// must stay unchanged, and Go's collector must not be able to free it. If the host's memory is not
	// page-locked, the calls may wait for the copy.
	CopyToDeviceAsync(dst Pointer, src unsafe.Pointer, bytes int64, s Stream) error
	CopyToHostAsync(dst unsafe.Pointer, src Pointer, bytes int64, s Stream) error
	// CopyAsync and SetAsync are enqueued on s.
	CopyAsync(dst, src Pointer, bytes int64, s Stream) error
	SetAsync(dst Pointer, value byte, bytes int64, s Stream) error
	Images
	// Synchronize waits for all work of s and reports its errors.
	Synchronize(s Stream) error
	Close() error
}

// Module is compiled code loaded on a device.
type Module interface {
	Kernel(name string) (Kernel, error)
	// Global returns the address and the size of a variable that Source.Globals named; the size is -1 if
	// unknown.
	Global(name string) (at Pointer, bytes int64, err error)
	// Log returns the compiler's messages, warnings included.
	Log() string
	Unload() error
}

// Kernel is one __global__ function of a module.
type Kernel interface {
	Attributes() (Attributes, error)
	// Launch enqueues the kernel on s. Arguments are Pointer, int32, uint32, int64, uint64, float32,
	// float64 or Raw, in the order of the kernel's parameters and with their types.
	Launch(s Stream, shape Launch, args ...any) error
	// ActiveBlocks returns the number of blocks of this shape that one multiprocessor holds.
	ActiveBlocks(threads, sharedBytes int) (int, error)
	// ActiveClusters returns the number of clusters of this shape that the device holds at once; 0 if a
	// cluster does not fit. The grid of shape is ignored.
	ActiveClusters(shape Launch) (int, error)
}

// Raw is an argument of any other type, as its bytes lie in memory: a half, a complex number, a vector type.
type Raw []byte

// Image is an argument of OpenCL: what Images.Texture or Surface returned.
type Image uint64

// Local is an argument of OpenCL: so many bytes of local memory for each work-group.
type Local int64

// CompileError is a failed compilation.
type CompileError struct {
	Name string // file name of the source
	Log  string // the compiler's messages
	Err  error
}

func (e *CompileError) Error() string {
	return fmt.Sprintf("compile %s: %v\n%s", e.Name, e.Err, e.Log)
}

func (e *CompileError) Unwrap() error { return e.Err }

// SizeOf returns the size of all elements in bytes.
func SizeOf[T any](all []T) int64 {
	var one T
	return int64(len(all)) * int64(unsafe.Sizeof(one))
}

// Upload copies src to dst.
func Upload[T any](d Device, dst Pointer, src []T) error {
	if len(src) == 0 {
		return nil
	}
	return d.CopyToDevice(dst, unsafe.Pointer(&src[0]), SizeOf(src))
}

// DownloadParts copies n elements of src in parts of at most most elements, and passes them to take in
// order, with the index of the part's first element. The next part is copied while take runs in another
// goroutine; take must not keep the part.
func DownloadParts[T any](d Device, n, most int, src Pointer, take func(at int, part []T)) error {
	most = min(n, most)
	var buffers [2][]T
	var taken sync.WaitGroup
	defer taken.Wait()
	for i, at := 0, 0; at < n; i, at = i+1, at+most {
		buffer := &buffers[i%len(buffers)]
		if *buffer == nil {
			*buffer = make([]T, most)
		}
		part := (*buffer)[:min(most, n-at)]
		if err := Download(d, part, src+Pointer(int64(at)*SizeOf(part[:1]))); err != nil {
			return err
		}
		taken.Wait()
		taken.Go(func() { take(at, part) })
	}
	return nil
}

// Download fills dst from src.
func Download[T any](d Device, dst []T, src Pointer) error {
	if len(dst) == 0 {
		return nil
	}
	return d.CopyToHost(unsafe.Pointer(&dst[0]), src, SizeOf(dst))
}
