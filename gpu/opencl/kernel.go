package opencl

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"unsafe"

	"example.org/bench/gpu"
	"example.org/bench/internal/terminal"
)

// Kernel is one __kernel function of a Module.
type Kernel struct {
	d      *Device
	name   string
	handle kernel
	takes  []uint32 // the address space of each parameter; 0 where the driver does not tell
	given  []given  // the arguments that are set
}

// given is an argument as it was set.
type given struct {
	set   bool
	bytes uintptr
	local bool
	value [16]uint64 // the argument; one that is longer is set anew each time
}

// Kernel returns the kernel of that name.
func (m *Module) Kernel(name string) (gpu.Kernel, error) {
	var r Result
	h := m.d.api.createKernel(m.program, name, &r)
	if r == errInvalidName {
		return nil, fmt.Errorf("%s has no kernel %s: %w", m.name, name, check("clCreateKernel", r))
	}
	if r != success {
		return nil, fmt.Errorf("kernel %s of %s: %w", name, m.name, check("clCreateKernel", r))
	}
	k := &Kernel{d: m.d, name: name, handle: h}
	m.kernels = append(m.kernels, k)
	var n uint32
	if err := check("clGetKernelInfo", m.d.api.getKernelInfo(h, kernelArguments, 4, unsafe.Pointer(&n), nil)); err != nil {
		return nil, fmt.Errorf("kernel %s: %w", name, err)
	}
	k.takes, k.given = make([]uint32, n), make([]given, n)
	for i := range k.takes {
		// A driver without this information returns an error. The launch then finds what does not fit.
		if m.d.api.getKernelArgInfo(h, uint32(i), kernelArgAddress, 4, unsafe.Pointer(&k.takes[i]), nil) != success {
			k.takes[i] = 0
		}
	}
	if known := m.takes[name]; len(known) == len(k.takes) {
		k.takes = known // a driver tells it only of programs built from source
	}
	return k, nil
}

// Attributes returns the resources that the kernel takes, as far as OpenCL tells them.
func (k *Kernel) Attributes() (gpu.Attributes, error) {
	var a gpu.Attributes
	for _, x := range []struct {
		to   *int
		what uint32
	}{{&a.MaxThreadsPerBlock, kernelGroupSize}, {&a.StaticSharedBytes, kernelLocalBytes}, {&a.LocalBytes, kernelPrivate}} {
		var n uint64
		if err := check("clGetKernelWorkGroupInfo", k.d.api.getKernelGroupInfo(k.handle, k.d.id, x.what, 8, unsafe.Pointer(&n), nil)); err != nil {
			return a, fmt.Errorf("kernel %s: %w", k.name, err)
		}
		*x.to = int(n)
	}
	return a, nil
}

// ErrUnknown says that OpenCL does not tell something.
var ErrUnknown = errors.New("OpenCL does not tell")

// ActiveBlocks returns ErrUnknown.
func (k *Kernel) ActiveBlocks(int, int) (int, error) {
	return 0, fmt.Errorf("how many work-groups a compute unit holds: %w", ErrUnknown)
}

// ActiveClusters returns ErrUnknown.
func (k *Kernel) ActiveClusters(gpu.Launch) (int, error) {
	return 0, fmt.Errorf("clusters: %w: it has none", ErrUnknown)
}

// Launch enqueues the kernel. Besides what gpu.Kernel takes, an argument may be a gpu.Local. SharedBytes is the local
// memory of the kernel's last parameter, which args then leaves out.
func (k *Kernel) Launch(s gpu.Stream, shape gpu.Launch, args ...any) error {
	if err := only(s); err != nil {
		return err
	}
	if shape.Cooperative || shape.Cluster != (gpu.Dim3{}) {
		return fmt.Errorf("kernel %s: OpenCL has no cooperative launches or clusters", k.name)
	}
	if shape.SharedBytes > k.d.facts.SharedPerBlock {
		return fmt.Errorf("kernel %s: %d bytes of local memory; the device allows %d", k.name, shape.SharedBytes, k.d.facts.SharedPerBlock)
	}
	if shape.SharedBytes > 0 {
		if len(args)+1 != len(k.given) {
			return fmt.Errorf("kernel %s takes %s, got %d and shared memory, which is local memory as the last argument", k.name, terminal.Count(len(k.given), "argument"), len(args))
		}
		if n := len(k.given) - 1; !k.given[n].local || k.given[n].bytes != uintptr(shape.SharedBytes) {
			if err := k.set(n, gpu.Local(shape.SharedBytes)); err != nil {
				return fmt.Errorf("kernel %s: its last argument %w", k.name, err)
			}
		}
	} else if len(args) != len(k.given) {
		return fmt.Errorf("kernel %s takes %s, got %d", k.name, terminal.Count(len(k.given), "argument"), len(args))
	}
	for i, arg := range args {
		if err := k.set(i, arg); err != nil {
			return fmt.Errorf("kernel %s: argument %s %w", k.name, argumentName(shape, i), err)
		}
	}
	d := k.d
	grid, block := extent(shape.Grid), extent(shape.Block)
	d.ranges = [6]uintptr{uintptr(grid[0]) * uintptr(block[0]), uintptr(grid[1]) * uintptr(block[1]), uintptr(grid[2]) * uintptr(block[2]),
		uintptr(block[0]), uintptr(block[1]), uintptr(block[2])}
	dimensions := uintptr(3)
	for dimensions > 1 && d.ranges[dimensions-1] == 1 {
		dimensions--
	}
	r := d.call(d.api.enqueueRange, uintptr(d.into), uintptr(k.handle), dimensions, 0,
		uintptr(unsafe.Pointer(&d.ranges[0])), uintptr(unsafe.Pointer(&d.ranges[3])), 0, 0, uintptr(unsafe.Pointer(d.events())))
	runtime.KeepAlive(d)
	if r != success {
		return k.launchError(r, grid, block)
	}
	return d.done("clEnqueueNDRangeKernel", r)
}

func argumentName(shape gpu.Launch, i int) string {
	if i < len(shape.Arguments) {
		return shape.Arguments[i]
	}
	return fmt.Sprint(i)
}

// extent returns d with zero fields replaced by 1.
func extent(d gpu.Dim3) [3]int { return [3]int{max(d.X, 1), max(d.Y, 1), max(d.Z, 1)} }

// launchError returns an error that names the limit that a refused launch has probably exceeded.
func (k *Kernel) launchError(r Result, grid, block [3]int) error {
	err := check("clEnqueueNDRangeKernel", r)
	where := fmt.Sprintf("kernel %s, %d×%d×%d work-groups of %d×%d×%d", k.name, grid[0], grid[1], grid[2], block[0], block[1], block[2])
	if r != errInvalidGroupSize && r != errInvalidItemSize && r != errOutOfResources {
		return fmt.Errorf("%s: %w", where, err)
	}
	var fixed [3]uintptr
	if k.d.api.getKernelGroupInfo(k.handle, k.d.id, kernelFixedSize, unsafe.Sizeof(fixed), unsafe.Pointer(&fixed[0]), nil) == success && fixed[0] > 0 &&
		fixed != [3]uintptr{uintptr(block[0]), uintptr(block[1]), uintptr(block[2])} {
		return fmt.Errorf("%s: %w; its source has reqd_work_group_size(%d, %d, %d)", where, err, fixed[0], fixed[1], fixed[2])
	}
	if a, e := k.Attributes(); e == nil && block[0]*block[1]*block[2] > a.MaxThreadsPerBlock {
		return fmt.Errorf("%s: %w; it runs at most %s per work-group here", where, err, terminal.Count(a.MaxThreadsPerBlock, "work-item"))
	}
	return fmt.Errorf("%s: %w", where, err)
}

// set sets an argument, unless it has that value already.
func (k *Kernel) set(i int, arg any) error {
	v := given{set: true, bytes: 8}
	space := uint32(addressPrivate)
	from := unsafe.Pointer(&v.value[0])
	switch x := arg.(type) {
	case gpu.Pointer:
		m, err := k.d.argument(x)
		if err != nil {
			return err
		}
		v.value[0], space = uint64(m), addressGlobal
	case gpu.Image:
		v.value[0], space = uint64(x), addressGlobal
	case gpu.Local:
		if x <= 0 {
			return fmt.Errorf("has %d bytes of local memory; want more", x)
		}
		v.bytes, v.local, space = uintptr(x), true, addressLocal
	case int64:
		v.value[0] = uint64(x)
	case uint64:
		v.value[0] = x
	case float64:
		v.value[0] = math.Float64bits(x)
	case int32:
		v.value[0], v.bytes = uint64(uint32(x)), 4
	case uint32:
		v.value[0], v.bytes = uint64(x), 4
	case float32:
		v.value[0], v.bytes = uint64(math.Float32bits(x)), 4
	case gpu.Raw:
		if len(x) == 0 {
			return errors.New("is empty")
		}
		v.bytes = uintptr(len(x))
		if v.bytes > unsafe.Sizeof(v.value) {
			v.set, from = false, unsafe.Pointer(&x[0])
		} else {
			copy(unsafe.Slice((*byte)(from), len(x)), x)
		}
	default:
		return fmt.Errorf("is a %T; want gpu.Pointer, gpu.Local, int32, uint32, int64, uint64, float32, float64 or gpu.Raw", arg)
	}
	if err := fits(k.takes[i], space); err != nil {
		return err
	}
	if k.given[i] == v && v.set {
		return nil
	}
	k.given[i] = v
	if v.set && !v.local {
		from = unsafe.Pointer(&k.given[i].value[0])
	}
	if v.local {
		from = nil
	}
	r := k.d.call(k.d.api.setKernelArg, uintptr(k.handle), uintptr(i), v.bytes, uintptr(from))
	runtime.KeepAlive(k)
	runtime.KeepAlive(arg)
	if r == success {
		return nil
	}
	k.given[i] = given{}
	err := check("clSetKernelArg", r)
	if r == errInvalidArgSize {
		return fmt.Errorf("has %s, which is not the size of the kernel's parameter: %w", terminal.Count(int(v.bytes), "byte"), err)
	}
	return fmt.Errorf("is refused: %w", err)
}

// spaces are the names of address spaces.
var spaces = map[uint32]string{addressGlobal: "__global", addressConstant: "__constant", addressLocal: "__local", addressPrivate: "a value"}

// fits returns an error if a parameter in the address space takes refuses an argument in space. A takes of 0 is unknown.
func fits(takes, space uint32) error {
	if takes == 0 || takes == space || takes == addressConstant && space == addressGlobal {
		return nil
	}
	what := map[uint32]string{addressGlobal: "a vector", addressLocal: "local memory", addressPrivate: "a value"}[space]
	return fmt.Errorf("is %s, and the kernel's parameter is %s", what, spaces[takes])
}
