// Package offline is a CUDA device that compiles kernels and runs nothing. It fills the compiler's disk
// cache ahead of a real device, and reports the resources that each launch would take, even for a GPU
// that is not present.
package offline

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"unsafe"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/cubin"
	"example.org/bench/gpu/cuda/nvrtc"
	"example.org/bench/internal/terminal"
)

// Device compiles for a GPU with the given facts. Its memory holds nothing. Only one goroutine may use
// it.
type Device struct {
	facts    gpu.Facts
	compiler *nvrtc.Compiler
	next     gpu.Pointer // first free address
	launches []Launch
}

// Launch holds the resources that one kernel launch would take.
type Launch struct {
	Kernel string `json:"kernel"`
	Blocks int    `json:"blocks"`
	// Threads and SharedBytes, static and dynamic, are per block; Registers and LocalBytes are per
	// thread.
	Threads     int `json:"threads"`
	SharedBytes int `json:"shared_bytes"`
	Registers   int `json:"registers"`
	LocalBytes  int `json:"local_bytes,omitempty"`
}

var _ gpu.Device = (*Device)(nil)

// Refusal says why a device with these facts would run nothing: a kernel does not compile, or a launch
// exceeds the device's limits.
type Refusal struct{ error }

// Unwrap returns the error of the compilation or of the launch.
func (r Refusal) Unwrap() error { return r.error }

func refusef(format string, args ...any) error { return Refusal{fmt.Errorf(format, args...)} }

// Open returns a device with these facts. The compiler is the newest NVRTC whose code the device's driver
// accepts.
func Open(facts gpu.Facts) (*Device, error) {
	var major int
	fmt.Sscanf(facts.DriverVersion, "%d.", &major) // no version accepts any NVRTC
	c, err := nvrtc.OpenFor(major)
	if err != nil {
		return nil, err
	}
	return &Device{facts: facts, compiler: c}, nil
}

// Launches returns the launches since the last call.
func (d *Device) Launches() []Launch {
	l := d.launches
	d.launches = nil
	return l
}

// ID returns the ID of the device that this one stands for.
func (d *Device) ID() string { return "cuda:0" }

// Facts returns the facts that Open was given.
func (d *Device) Facts() gpu.Facts { return d.facts }

// Bind does nothing.
func (d *Device) Bind() error { return nil }

// Close does nothing.
func (d *Device) Close() error { return nil }

// Alloc returns addresses that hold nothing.
func (d *Device) Alloc(bytes int64) (gpu.Pointer, error) {
	const align = 512
	p := d.next + align
	d.next = p + gpu.Pointer((bytes+align-1)/align*align)
	return p, nil
}

// Free does nothing.
func (d *Device) Free(gpu.Pointer) error { return nil }

// CopyToDevice does nothing.
func (d *Device) CopyToDevice(gpu.Pointer, unsafe.Pointer, int64) error { return nil }

// CopyToHost does nothing.
func (d *Device) CopyToHost(unsafe.Pointer, gpu.Pointer, int64) error { return nil }

// CopyToDeviceAsync does nothing.
func (d *Device) CopyToDeviceAsync(gpu.Pointer, unsafe.Pointer, int64, gpu.Stream) error {
	return nil
}

// CopyToHostAsync does nothing.
func (d *Device) CopyToHostAsync(unsafe.Pointer, gpu.Pointer, int64, gpu.Stream) error { return nil }

// CopyAsync does nothing.
func (d *Device) CopyAsync(_, _ gpu.Pointer, _ int64, _ gpu.Stream) error { return nil }

// SetAsync does nothing.
func (d *Device) SetAsync(gpu.Pointer, byte, int64, gpu.Stream) error { return nil }

// Synchronize does nothing.
func (d *Device) Synchronize(gpu.Stream) error { return nil }

// Compile compiles src, or finds the code in the disk cache.
func (d *Device) Compile(src gpu.Source) (gpu.Module, error) {
	image := &nvrtc.Image{Code: src.Image, PTX: !bytes.HasPrefix(src.Image, []byte(elf.ELFMAG))}
	if src.Image == nil {
		var err error
		image, err = d.compiler.Compile(src, d.facts.Arch())
		var failed *gpu.CompileError
		if errors.As(err, &failed) && failed.Log != "" { // an error in the source, not in the compiler's installation
			return nil, Refusal{err}
		}
		if err != nil {
			return nil, err
		}
	}
	var err error
	m := module{device: d, log: image.Log, lowered: image.Lowered}
	if !image.PTX { // PTX does not state its resources
		if m.kernels, err = cubin.Kernels(image.Code); err != nil {
			return nil, fmt.Errorf("%s: %w", src.Name, err)
		}
		if m.variables, err = cubin.Variables(image.Code); err != nil {
			return nil, fmt.Errorf("%s: %w", src.Name, err)
		}
	}
	return m, nil
}

type module struct {
	device  *Device
	kernels map[string]gpu.Attributes // nil where they are not known
	log     string
	// lowered are names in the code, variables are sizes; nil where they are not known.
	lowered   map[string]string
	variables map[string]int64
}

func (m module) Log() string   { return m.log }
func (m module) Unload() error { return nil }

func (m module) Kernel(name string) (gpu.Kernel, error) {
	inCode := name
	if lowered, ok := m.lowered[name]; ok {
		inCode = lowered
	}
	a, ok := m.kernels[inCode]
	if !ok && m.kernels != nil {
		return nil, fmt.Errorf("no kernel %s", name)
	}
	return kernel{m.device, name, a}, nil
}

// Global returns an address that holds nothing.
func (m module) Global(name string) (gpu.Pointer, int64, error) {
	inCode := name
	if lowered, ok := m.lowered[name]; ok {
		inCode = lowered
	}
	bytes, ok := m.variables[inCode]
	switch {
	case m.variables == nil:
		bytes = -1
	case !ok:
		return 0, 0, fmt.Errorf("no variable %s", name)
	}
	at, err := m.device.Alloc(max(bytes, 1))
	return at, bytes, err
}

type kernel struct {
	device *Device
	name   string
	takes  gpu.Attributes
}

func (k kernel) Attributes() (gpu.Attributes, error) { return k.takes, nil }

func volume(d gpu.Dim3) int { return max(d.X, 1) * max(d.Y, 1) * max(d.Z, 1) }

// Launch records the resources that the launch would take. It refuses what the real device would refuse.
func (k kernel) Launch(_ gpu.Stream, shape gpu.Launch, _ ...any) error {
	l := Launch{
		Kernel: k.name, Blocks: volume(shape.Grid), Threads: volume(shape.Block),
		SharedBytes: k.takes.StaticSharedBytes + shape.SharedBytes, Registers: k.takes.Registers, LocalBytes: k.takes.LocalBytes,
	}
	f := k.device.facts
	switch {
	case f.MaxThreadsBlock > 0 && l.Threads > f.MaxThreadsBlock:
		return refusef("kernel %s: %d threads per block, the device allows %d", k.name, l.Threads, f.MaxThreadsBlock)
	case f.SharedOptIn > 0 && l.SharedBytes > f.SharedOptIn:
		return refusef("kernel %s: %d bytes of shared memory per block, the device allows %d", k.name, l.SharedBytes, f.SharedOptIn)
	case f.RegistersBlock > 0 && registersOf(l.Threads, l.Registers) > f.RegistersBlock:
		return refusef("kernel %s: %s of %d registers are more than a block's %d", k.name, terminal.Count(l.Threads, "thread"), l.Registers, f.RegistersBlock)
	}
	k.device.launches = append(k.device.launches, l)
	return nil
}

// registersOf returns the registers that a block takes. They are allocated to a warp in units of 256
// (NVIDIA's "CUDA Occupancy Calculator", compute capability 3.0 on).
func registersOf(threads, perThread int) int {
	return (threads + 31) / 32 * ((perThread*32 + 255) / 256 * 256)
}

// ActiveBlocks returns the number of blocks that threads, registers and shared memory allow.
func (k kernel) ActiveBlocks(threads, sharedBytes int) (int, error) {
	f := k.device.facts
	if threads < 1 {
		return 0, fmt.Errorf("kernel %s: a block of %s", k.name, terminal.Count(threads, "thread"))
	}
	blocks := min(f.MaxBlocksPerSM, f.MaxThreadsPerSM/threads)
	if r := registersOf(threads, k.takes.Registers); r > 0 {
		blocks = min(blocks, f.RegistersPerSM/r)
	}
	if shared := k.takes.StaticSharedBytes + sharedBytes; shared > 0 {
		blocks = min(blocks, f.SharedPerSM/(shared+f.SharedReserved))
	}
	return blocks, nil
}

// ActiveClusters returns the number of clusters that ActiveBlocks allows on all multiprocessors. Fewer
// fit where a cluster must lie within a part of them.
func (k kernel) ActiveClusters(shape gpu.Launch) (int, error) {
	blocks, err := k.ActiveBlocks(volume(shape.Block), shape.SharedBytes)
	return blocks * k.device.facts.Multiprocessors / volume(shape.Cluster), err
}
