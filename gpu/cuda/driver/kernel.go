package driver

import (
	"fmt"
	"math"
	"runtime"
	"unsafe"

	"example.org/bench/gpu"
	"example.org/bench/internal/terminal"
)

// CUfunction_attribute numbers.
const (
	funcMaxThreads         = 0
	funcSharedBytes        = 1
	funcConstBytes         = 2
	funcLocalBytes         = 3
	funcRegisters          = 4
	funcMaxDynamicShared   = 8
	funcNonPortableCluster = 14
)

// CUlaunchAttributeID numbers.
const (
	launchCooperativeID = 2
	launchClusterID     = 4
)

// portableCluster is the largest cluster that every device with clusters runs.
const portableCluster = 8

// Kernel is one function of a module. Launch packs its arguments into memory of the Kernel, so a Kernel
// is launched from one thread at a time.
type Kernel struct {
	gpu    *GPU
	name   string
	handle function

	dynamicShared int // bytes of dynamic shared memory that are allowed so far
	wideCluster   bool
	// sizes are the bytes of each parameter; nil if the driver does not report them (before CUDA 12.4).
	sizes []int

	values []uint64         // one per argument
	params []unsafe.Pointer // point into values
	config launchConfig
	attrs  [2]launchAttribute
}

var _ gpu.Kernel = (*Kernel)(nil)

// launchConfig is CUlaunchConfig.
type launchConfig struct {
	gridX, gridY, gridZ    uint32
	blockX, blockY, blockZ uint32
	sharedBytes            uint32
	stream                 uintptr
	attrs                  *launchAttribute
	numAttrs               uint32
}

// launchAttribute is CUlaunchAttribute: an identifier and a union of 64 bytes.
type launchAttribute struct {
	id    uint32
	_     uint32
	value [16]uint32
}

func (k *Kernel) readLimits() error {
	static, err := k.attribute(funcSharedBytes)
	if err != nil {
		return err
	}
	k.dynamicShared = k.gpu.facts.SharedPerBlock - static
	k.grow(8)
	if k.gpu.api.funcGetParamInfo == nil {
		return nil
	}
	for i := 0; ; i++ {
		var offset, size uintptr
		r := k.gpu.api.funcGetParamInfo(k.handle, uintptr(i), &offset, &size)
		if r == errInvalidValue {
			break // past the last
		}
		if r != success {
			k.sizes = nil
			return nil
		}
		k.sizes = append(k.sizes, int(size))
	}
	if k.sizes == nil {
		k.sizes = []int{}
	}
	return nil
}

func (k *Kernel) grow(n int) {
	k.values = make([]uint64, n)
	k.params = make([]unsafe.Pointer, n)
	for i := range k.values {
		k.params[i] = unsafe.Pointer(&k.values[i])
	}
}

// Attributes returns the resources that the kernel takes.
func (k *Kernel) Attributes() (gpu.Attributes, error) {
	var a gpu.Attributes
	for _, r := range []struct {
		to     *int
		number int32
	}{
		{&a.Registers, funcRegisters}, {&a.StaticSharedBytes, funcSharedBytes}, {&a.LocalBytes, funcLocalBytes},
		{&a.ConstBytes, funcConstBytes}, {&a.MaxThreadsPerBlock, funcMaxThreads},
	} {
		v, err := k.attribute(r.number)
		if err != nil {
			return a, fmt.Errorf("kernel %s: %w", k.name, err)
		}
		*r.to = v
	}
	return a, nil
}

func (k *Kernel) attribute(number int32) (int, error) {
	var v int32
	err := k.gpu.api.check("cuFuncGetAttribute", k.gpu.api.funcGetAttribute(&v, number, k.handle))
	return int(v), err
}

// ActiveBlocks returns the number of blocks of this shape that one multiprocessor holds.
func (k *Kernel) ActiveBlocks(threads, sharedBytes int) (int, error) {
	if err := k.allowShared(sharedBytes); err != nil {
		return 0, err
	}
	var n int32
	err := k.gpu.api.check("cuOccupancyMaxActiveBlocksPerMultiprocessor",
		k.gpu.api.activeBlocks(&n, k.handle, int32(threads), uintptr(sharedBytes)))
	return int(n), err
}

// ActiveClusters returns the number of clusters of this shape that the device holds at once.
func (k *Kernel) ActiveClusters(shape gpu.Launch) (int, error) {
	a := k.gpu.api
	if a.activeClusters == nil {
		return 0, fmt.Errorf("kernel %s: active clusters: %w; CUDA 11.8 or newer reports them", k.name, ErrUnsupported)
	}
	if err := k.allowShared(shape.SharedBytes); err != nil {
		return 0, err
	}
	shape.Grid = shape.Cluster
	if err := k.clusters(0, shape); err != nil {
		return 0, err
	}
	var n int32
	err := a.check("cuOccupancyMaxActiveClusters", a.activeClusters(&n, k.handle, &k.config))
	return int(n), err
}

// allowShared raises the kernel's limit of dynamic shared memory.
func (k *Kernel) allowShared(bytes int) error {
	if bytes <= k.dynamicShared {
		return nil
	}
	if bytes > k.gpu.facts.SharedOptIn {
		return fmt.Errorf("kernel %s asks for %d bytes of shared memory per block; %s has %d",
			k.name, bytes, k.gpu.facts.Name, k.gpu.facts.SharedOptIn)
	}
	err := k.gpu.api.check("cuFuncSetAttribute", k.gpu.api.funcSetAttribute(k.handle, funcMaxDynamicShared, int32(bytes)))
	if err != nil {
		return fmt.Errorf("kernel %s: allow %d bytes of dynamic shared memory: %w", k.name, bytes, err)
	}
	k.dynamicShared = bytes
	return nil
}

// Launch enqueues the kernel on s.
func (k *Kernel) Launch(s gpu.Stream, shape gpu.Launch, args ...any) error {
	if err := k.pack(args); err != nil {
		return err
	}
	if err := k.allowShared(shape.SharedBytes); err != nil {
		return err
	}
	if k.gpu.launched != nil {
		k.gpu.launched(k.name)
	}
	grid, block := extent(shape.Grid), extent(shape.Block)
	if shape.Cluster != (gpu.Dim3{}) {
		return k.launchCluster(s, shape)
	}
	a := k.gpu.api
	call, address := "cuLaunchKernel", a.launchKernel
	if shape.Cooperative {
		call, address = "cuLaunchCooperativeKernel", a.launchCooperative
		if address == 0 {
			return fmt.Errorf("kernel %s: cooperative launch: %w; CUDA 9.0 or newer has it", k.name, ErrUnsupported)
		}
	}
	// cuLaunchCooperativeKernel has the same parameters except the last.
	r := k.gpu.call(address, uintptr(k.handle),
		uintptr(grid.X), uintptr(grid.Y), uintptr(grid.Z), uintptr(block.X), uintptr(block.Y), uintptr(block.Z),
		uintptr(shape.SharedBytes), uintptr(s), uintptr(unsafe.Pointer(&k.params[0])), 0)
	runtime.KeepAlive(k)
	if r != success {
		return k.launchError(call, r, shape)
	}
	return nil
}

// clusters sets up config and attrs for thread-block clusters.
func (k *Kernel) clusters(s gpu.Stream, shape gpu.Launch) error {
	a := k.gpu.api
	if a.launchKernelEx == 0 || k.gpu.facts.ComputeMajor < 9 {
		return fmt.Errorf("kernel %s: cluster launch: %w; it needs compute capability 9.0 and CUDA 11.8 or newer", k.name, ErrUnsupported)
	}
	grid, block, cluster := extent(shape.Grid), extent(shape.Block), extent(shape.Cluster)
	if cluster.X*cluster.Y*cluster.Z > portableCluster && !k.wideCluster {
		err := a.check("cuFuncSetAttribute", a.funcSetAttribute(k.handle, funcNonPortableCluster, 1))
		if err != nil {
			return fmt.Errorf("kernel %s: allow clusters of more than %d blocks: %w", k.name, portableCluster, err)
		}
		k.wideCluster = true
	}
	k.attrs[0] = launchAttribute{id: launchClusterID}
	k.attrs[0].value[0], k.attrs[0].value[1], k.attrs[0].value[2] = uint32(cluster.X), uint32(cluster.Y), uint32(cluster.Z)
	k.config = launchConfig{
		gridX: uint32(grid.X), gridY: uint32(grid.Y), gridZ: uint32(grid.Z),
		blockX: uint32(block.X), blockY: uint32(block.Y), blockZ: uint32(block.Z),
		sharedBytes: uint32(shape.SharedBytes), stream: uintptr(s), attrs: &k.attrs[0], numAttrs: 1,
	}
	if shape.Cooperative {
		k.attrs[1] = launchAttribute{id: launchCooperativeID}
		k.attrs[1].value[0] = 1
		k.config.numAttrs = 2
	}
	return nil
}

// launchCluster launches with thread-block clusters.
func (k *Kernel) launchCluster(s gpu.Stream, shape gpu.Launch) error {
	if err := k.clusters(s, shape); err != nil {
		return err
	}
	r := k.gpu.call(k.gpu.api.launchKernelEx, uintptr(unsafe.Pointer(&k.config)), uintptr(k.handle),
		uintptr(unsafe.Pointer(&k.params[0])), 0)
	runtime.KeepAlive(k)
	if r != success {
		return k.launchError("cuLaunchKernelEx", r, shape)
	}
	return nil
}

// launchError returns an error that names the limit that a refused launch has probably exceeded.
func (k *Kernel) launchError(call string, r Result, shape gpu.Launch) error {
	err := k.gpu.api.check(call, r)
	grid, block := extent(shape.Grid), extent(shape.Block)
	where := fmt.Sprintf("kernel %s, grid %d×%d×%d, block %d×%d×%d, %d bytes of dynamic shared memory",
		k.name, grid.X, grid.Y, grid.Z, block.X, block.Y, block.Z, shape.SharedBytes)
	switch r {
	case errInvalidValue, errLaunchOutOfResources:
		if a, e := k.Attributes(); e == nil && block.X*block.Y*block.Z > a.MaxThreadsPerBlock {
			return fmt.Errorf("%s: %w; with its %d registers per thread it runs at most %s per block", where, err, a.Registers, terminal.Count(a.MaxThreadsPerBlock, "thread"))
		}
	case errCooperativeTooLarge:
		if n, e := k.ActiveBlocks(block.X*block.Y*block.Z, shape.SharedBytes); e == nil {
			return fmt.Errorf("%s: %w; %s fit at once", where, err, terminal.Count(n*k.gpu.facts.Multiprocessors, "block"))
		}
	}
	return fmt.Errorf("%s: %w", where, err)
}

// extent returns d with zero fields replaced by 1.
func extent(d gpu.Dim3) gpu.Dim3 {
	return gpu.Dim3{X: max(d.X, 1), Y: max(d.Y, 1), Z: max(d.Z, 1)}
}

// pack stores the arguments in the memory that params points to.
func (k *Kernel) pack(args []any) error {
	if k.sizes != nil && len(args) != len(k.sizes) {
		return fmt.Errorf("kernel %s takes %s, got %d", k.name, terminal.Count(len(k.sizes), "argument"), len(args))
	}
	if len(args) > len(k.values) {
		k.grow(len(args))
	}
	for i, arg := range args {
		bytes := 8
		k.params[i] = unsafe.Pointer(&k.values[i])
		switch v := arg.(type) {
		case gpu.Pointer:
			k.values[i] = uint64(v)
		case int64:
			k.values[i] = uint64(v)
		case uint64:
			k.values[i] = v
		case float64:
			k.values[i] = math.Float64bits(v)
		case int32:
			k.values[i], bytes = uint64(uint32(v)), 4
		case uint32:
			k.values[i], bytes = uint64(v), 4
		case float32:
			k.values[i], bytes = uint64(math.Float32bits(v)), 4
		case gpu.Raw:
			if len(v) == 0 {
				return fmt.Errorf("kernel %s: argument %d is empty", k.name, i)
			}
			k.params[i], bytes = unsafe.Pointer(&v[0]), len(v)
		default:
			return fmt.Errorf("kernel %s: argument %d is a %T; want gpu.Pointer, int32, uint32, int64, uint64, float32, float64 or gpu.Raw", k.name, i, arg)
		}
		if k.sizes != nil && bytes != k.sizes[i] {
			return fmt.Errorf("kernel %s: argument %d is a %T of %s; the kernel's parameter has %d", k.name, i, arg, terminal.Count(bytes, "byte"), k.sizes[i])
		}
	}
	return nil
}
