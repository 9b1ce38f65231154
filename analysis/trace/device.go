// Package trace is a CUDA device that executes a few blocks of each launch on the CPU and records what
// their warps did: how many lanes took part in each instruction, what memory they touched, and in which
// pattern. It needs NVRTC and no GPU.
package trace

import (
	"bytes"
	"cmp"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"example.org/bench/analysis/ptx"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/cubin"
	"example.org/bench/gpu/cuda/nvrtc"
	"example.org/bench/gpu/cuda/occupancy"
	"example.org/bench/internal/terminal"
)

// Device executes launches as a GPU with the given facts would. Only one goroutine may use it.
type Device struct {
	gpu.NoImages
	facts    gpu.Facts
	compiler *nvrtc.Compiler
	memory   *memory
	all      bool // executes every block
	launches []*Launch
	known    map[string]*Launch // by kernel, shape and arguments
	rests    []*rest            // of the launches since the last call of Launches
	caughtUp float64            // instructions that were executed of them
}

var _ gpu.Device = (*Device)(nil)

// Option changes a device at Open.
type Option func(*Device)

// AllBlocks makes the device execute every block, so that answers are right, and record nothing.
func AllBlocks() Option { return func(d *Device) { d.all = true } }

// Open returns a device with these facts and at most that many bytes of memory.
func Open(facts gpu.Facts, bytes int64, options ...Option) (*Device, error) {
	var major int
	fmt.Sscanf(facts.DriverVersion, "%d.", &major) // without a version, any NVRTC will do
	c, err := nvrtc.OpenFor(major)
	if err != nil {
		return nil, err
	}
	if facts.GlobalBytes <= 0 || facts.GlobalBytes > bytes {
		facts.GlobalBytes = bytes
	}
	d := &Device{facts: facts, compiler: c, memory: newMemory(facts.GlobalBytes), known: map[string]*Launch{}}
	for _, o := range options {
		o(d)
	}
	return d, nil
}

// Compiler returns the version of the device's NVRTC.
func (d *Device) Compiler() string {
	major, minor := d.compiler.Version()
	return fmt.Sprintf("NVRTC %d.%d", major, minor)
}

// Launches returns the launches since the last call, and forgets them.
func (d *Device) Launches() []*Launch {
	l := d.launches
	d.launches, d.known, d.rests, d.caughtUp = nil, map[string]*Launch{}, nil, 0
	d.memory.forget()
	return l
}

// ID returns the ID of the device that this one stands for.
func (d *Device) ID() string { return "cuda:0" }

// Facts returns the facts that Open was given.
func (d *Device) Facts() gpu.Facts { return d.facts }

// Bind does nothing.
func (d *Device) Bind() error { return nil }

// Close frees the memory.
func (d *Device) Close() error {
	d.memory = newMemory(d.facts.GlobalBytes)
	return nil
}

// Alloc returns host memory.
func (d *Device) Alloc(bytes int64) (gpu.Pointer, error) {
	p, err := d.memory.alloc(bytes)
	return gpu.Pointer(p), err
}

// Free frees memory that Alloc returned.
func (d *Device) Free(p gpu.Pointer) error { return d.memory.free(uint64(p)) }

// CopyToDevice copies at once.
func (d *Device) CopyToDevice(dst gpu.Pointer, src unsafe.Pointer, n int64) error {
	to, err := d.memory.span(uint64(dst), n)
	copy(to, unsafe.Slice((*byte)(src), n))
	return err
}

// CopyToHost copies at once.
func (d *Device) CopyToHost(dst unsafe.Pointer, src gpu.Pointer, n int64) error {
	from, err := d.memory.span(uint64(src), n)
	copy(unsafe.Slice((*byte)(dst), n), from)
	return err
}

// CopyToDeviceAsync is CopyToDevice.
func (d *Device) CopyToDeviceAsync(dst gpu.Pointer, src unsafe.Pointer, n int64, _ gpu.Stream) error {
	return d.CopyToDevice(dst, src, n)
}

// CopyToHostAsync is CopyToHost.
func (d *Device) CopyToHostAsync(dst unsafe.Pointer, src gpu.Pointer, n int64, _ gpu.Stream) error {
	return d.CopyToHost(dst, src, n)
}

// CopyAsync copies at once.
func (d *Device) CopyAsync(dst, src gpu.Pointer, n int64, _ gpu.Stream) error {
	to, err := d.memory.span(uint64(dst), n)
	from, err2 := d.memory.span(uint64(src), n)
	copy(to, from)
	return errors.Join(err, err2)
}

// SetAsync fills at once.
func (d *Device) SetAsync(dst gpu.Pointer, value byte, n int64, _ gpu.Stream) error {
	to, err := d.memory.span(uint64(dst), n)
	for i := range to {
		to[i] = value
	}
	return err
}

// Synchronize does nothing: launches return when they are done.
func (d *Device) Synchronize(gpu.Stream) error { return nil }

type module struct {
	device    *Device
	code      *ptx.Module
	kernels   map[string]gpu.Attributes // nil where they are not known
	sizes     map[string]int            // of their code
	log       string
	lowered   map[string]string
	variables []uint64 // addresses of the module's variables
}

// Compile makes PTX, which is executed, and machine code, whose resources are read.
func (d *Device) Compile(src gpu.Source) (gpu.Module, error) {
	m := &module{device: d}
	text := src.Image
	if text == nil {
		image, err := d.compiler.Compile(src, "compute_"+d.facts.Arch()[len("sm_"):])
		if err != nil {
			return nil, err
		}
		text, m.log, m.lowered = image.Code, image.Log, image.Lowered
		machine, err := d.compiler.Compile(src, d.facts.Arch())
		if err != nil {
			return nil, err
		}
		if !machine.PTX {
			if m.kernels, err = cubin.Kernels(machine.Code); err != nil {
				return nil, fmt.Errorf("%s: %w", src.Name, err)
			}
			if m.sizes, err = cubin.CodeBytes(machine.Code); err != nil {
				return nil, fmt.Errorf("%s: %w", src.Name, err)
			}
		}
	} else if bytes.HasPrefix(text, []byte(elf.ELFMAG)) {
		return nil, fmt.Errorf("%s is machine code: only CUDA C++ and PTX are executed here", src.Name)
	}
	var err error
	if m.code, err = ptx.Parse(string(text)); err != nil {
		return nil, fmt.Errorf("%s: %w", src.Name, err)
	}
	err = m.code.Place(func(init []byte, n int) (uint64, error) {
		at, err := d.memory.alloc(int64(n))
		if err != nil {
			return 0, err
		}
		m.variables = append(m.variables, at)
		copy(d.memory.At(at, n), init)
		return at, nil
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", src.Name, err)
	}
	return m, nil
}

func (m *module) Log() string { return m.log }

func (m *module) Unload() error {
	var errs []error
	for _, at := range m.variables {
		errs = append(errs, m.device.memory.free(at))
	}
	m.variables = nil
	return errors.Join(errs...)
}

func (m *module) inCode(name string) string { return cmp.Or(m.lowered[name], name) }

func (m *module) Kernel(name string) (gpu.Kernel, error) {
	k := m.code.Kernel(m.inCode(name))
	if k == nil {
		return nil, fmt.Errorf("no kernel %s", name)
	}
	a, known := m.kernels[m.inCode(name)]
	if !known {
		a.StaticSharedBytes = k.SharedBytes
	}
	return &kernel{module: m, name: name, code: k, takes: a, known: known, bytes: m.sizes[m.inCode(name)]}, nil
}

func (m *module) Global(name string) (gpu.Pointer, int64, error) {
	at, n, ok := m.code.Global(m.inCode(name))
	if !ok {
		return 0, 0, fmt.Errorf("no variable %s", name)
	}
	return gpu.Pointer(at), n, nil
}

type kernel struct {
	module *module
	name   string
	code   *ptx.Kernel
	takes  gpu.Attributes
	known  bool
	bytes  int // of its machine code; 0 where it is not known
}

func (k *kernel) Attributes() (gpu.Attributes, error) { return k.takes, nil }

func (k *kernel) ActiveBlocks(threads, sharedBytes int) (int, error) {
	return occupancy.Of(k.module.device.facts, threads, k.takes.Registers, k.takes.StaticSharedBytes+sharedBytes).Blocks, nil
}

func (k *kernel) ActiveClusters(shape gpu.Launch) (int, error) {
	blocks, err := k.ActiveBlocks(extent(shape.Block).Count(), shape.SharedBytes)
	return blocks * k.module.device.facts.Multiprocessors / extent(shape.Cluster).Count(), err
}

func extent(d gpu.Dim3) ptx.Dim3 { return ptx.Dim3{X: max(d.X, 1), Y: max(d.Y, 1), Z: max(d.Z, 1)} }

func (k *kernel) Launch(_ gpu.Stream, shape gpu.Launch, args ...any) error {
	d := k.module.device
	l := &Launch{Kernel: k.name, Code: k.code, Grid: extent(shape.Grid), Block: extent(shape.Block), Attributes: k.takes, CodeBytes: k.bytes, SharedBytes: k.takes.StaticSharedBytes + shape.SharedBytes}
	if f := d.facts; l.Block.Count() > f.MaxThreadsBlock || l.SharedBytes > f.SharedOptIn {
		return fmt.Errorf("kernel %s: %s and %d bytes of shared memory per block, the device allows %d and %d",
			k.name, terminal.Count(l.Block.Count(), "thread"), l.SharedBytes, f.MaxThreadsBlock, f.SharedOptIn)
	}
	if k.known {
		l.Occupancy = occupancy.Of(d.facts, l.Block.Count(), k.takes.Registers, l.SharedBytes)
	}
	var raw [][]byte
	for _, a := range args {
		b, err := bytesOf(a)
		if err != nil {
			return fmt.Errorf("kernel %s: %w", k.name, err)
		}
		raw = append(raw, b)
	}
	packed, err := k.code.Arguments(raw)
	if err != nil {
		return err
	}
	run := &ptx.Launch{Kernel: k.code, Grid: l.Grid, Block: l.Block, SharedBytes: shape.SharedBytes, Arguments: packed, Memory: d.memory, Limit: blockLimit}
	if shape.Cluster != (gpu.Dim3{}) {
		run.Cluster = extent(shape.Cluster)
	}
	if d.all {
		for n := range l.Grid.Count() {
			if run.Rank(n) > 0 { // executed with the first block of its cluster
				continue
			}
			if _, err := run.Run(n); err != nil {
				return err
			}
		}
		return nil
	}
	d.launches = append(d.launches, l)
	key := fmt.Sprint(k.name, l.Grid, l.Block, l.SharedBytes, packed)
	if had := d.known[key]; had != nil {
		l.Blocks, l.Total, l.Unknown, l.Hottest, l.HottestLine, l.OneLine, l.Buffers = had.Blocks, had.Total, had.Unknown, had.Hottest, had.HottestLine, had.OneLine, warm(had.Buffers)
		return nil
	}
	d.known[key] = l
	if err := d.catchUp(args); err != nil {
		return err
	}
	if left := l.sample(run, d.memory); left != nil {
		d.rests = append(d.rests, left)
	}
	return nil
}

// bytesOf returns an argument's bytes in memory.
func bytesOf(a any) ([]byte, error) {
	var b []byte
	switch x := a.(type) {
	case gpu.Pointer:
		b = binary.LittleEndian.AppendUint64(b, uint64(x))
	case int32:
		b = binary.LittleEndian.AppendUint32(b, uint32(x))
	case uint32:
		b = binary.LittleEndian.AppendUint32(b, x)
	case int64:
		b = binary.LittleEndian.AppendUint64(b, uint64(x))
	case uint64:
		b = binary.LittleEndian.AppendUint64(b, x)
	case float32:
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	case float64:
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	case gpu.Raw:
		b = slices.Clone(x)
	default:
		return nil, fmt.Errorf("argument of type %T", a)
	}
	return b, nil
}
