package compile

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"unsafe"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/cubin"
	"example.org/bench/gpu/cuda/nvrtc"
)

// board is a device that compiles kernels for a GPU that is not there and
// refuses what that GPU would refuse. It runs nothing: its memory holds
// nothing and its launches only check their shape.
type board struct {
	gpu.NoImages
	facts    gpu.Facts
	compiler *nvrtc.Compiler
	next     gpu.Pointer // first free address
	kernels  int         // compiled
	launches int
	// local is the bytes of local memory per thread that a compiler is known to give a
	// kernel; every other has none.
	local  map[string]int
	search bool // compile to PTX, and launch all: a search leaves what spills or does not fit
}

func (b *board) ID() string       { return "cuda:0" }
func (b *board) Facts() gpu.Facts { return b.facts }
func (b *board) Bind() error      { return nil }
func (b *board) Close() error     { return nil }

func (b *board) Alloc(bytes int64) (gpu.Pointer, error) {
	if bytes < 1 || int64(b.next)+bytes > b.facts.GlobalBytes {
		return 0, fmt.Errorf("%d bytes: %w", bytes, gpu.ErrOutOfMemory)
	}
	b.next += gpu.Pointer((bytes + 511) / 512 * 512)
	return b.next, nil
}

func (b *board) Free(gpu.Pointer) error                                                 { return nil }
func (b *board) CopyToDevice(gpu.Pointer, unsafe.Pointer, int64) error                  { return nil }
func (b *board) CopyToHost(unsafe.Pointer, gpu.Pointer, int64) error                    { return nil }
func (b *board) CopyToDeviceAsync(gpu.Pointer, unsafe.Pointer, int64, gpu.Stream) error { return nil }
func (b *board) CopyToHostAsync(unsafe.Pointer, gpu.Pointer, int64, gpu.Stream) error   { return nil }
func (b *board) CopyAsync(_, _ gpu.Pointer, _ int64, _ gpu.Stream) error                { return nil }
func (b *board) SetAsync(gpu.Pointer, byte, int64, gpu.Stream) error                    { return nil }
func (b *board) Synchronize(gpu.Stream) error                                           { return nil }

func (b *board) Compile(src gpu.Source) (gpu.Module, error) {
	if b.facts.ComputeMajor < 8 {
		src = oldest(src)
	}
	if b.search {
		image, err := b.compiler.Compile(src, strings.Replace(b.facts.Arch(), "sm", "compute", 1))
		if err != nil {
			return nil, err
		}
		kernels := map[string]gpu.Attributes{}
		for _, name := range src.Kernels {
			lowered := cmp.Or(image.Lowered[name], name)
			if !bytes.Contains(image.Code, []byte(".entry "+lowered+"(")) {
				return nil, fmt.Errorf("%s: no kernel %s", src.Name, name)
			}
			kernels[lowered] = gpu.Attributes{Registers: 32} // PTX does not say
			b.kernels++
		}
		return module{b, kernels, image}, nil
	}
	image, err := b.compiler.Compile(src, b.facts.Arch())
	if err != nil {
		return nil, err
	}
	kernels, err := cubin.Kernels(image.Code)
	if err != nil {
		return nil, err
	}
	for _, name := range src.Kernels {
		k, ok := kernels[cmp.Or(image.Lowered[name], name)]
		if !ok {
			return nil, fmt.Errorf("%s: no kernel %s", src.Name, name)
		}
		if k.LocalBytes > b.local[name] {
			return nil, fmt.Errorf("%s: kernel %s takes %d bytes of local memory per thread, with %d registers",
				src.Name, name, k.LocalBytes, k.Registers)
		}
		b.kernels++
	}
	return module{b, kernels, image}, nil
}

type module struct {
	board   *board
	kernels map[string]gpu.Attributes
	image   *nvrtc.Image
}

func (m module) Log() string   { return m.image.Log }
func (m module) Unload() error { return nil }

func (m module) Kernel(name string) (gpu.Kernel, error) {
	k, ok := m.kernels[cmp.Or(m.image.Lowered[name], name)]
	if !ok {
		return nil, fmt.Errorf("no kernel %s", name)
	}
	return kernel{m.board, name, k}, nil
}

func (m module) Global(name string) (gpu.Pointer, int64, error) {
	sizes, err := cubin.Variables(m.image.Code)
	if err != nil {
		return 0, 0, err
	}
	bytes, ok := sizes[cmp.Or(m.image.Lowered[name], name)]
	if !ok {
		return 0, 0, fmt.Errorf("no variable %s", name)
	}
	at, err := m.board.Alloc(bytes)
	return at, bytes, err
}

type kernel struct {
	board *board
	name  string
	takes gpu.Attributes
}

func (k kernel) Attributes() (gpu.Attributes, error) { return k.takes, nil }

func atLeast1(d gpu.Dim3) gpu.Dim3 {
	return gpu.Dim3{X: max(d.X, 1), Y: max(d.Y, 1), Z: max(d.Z, 1)}
}

// registersOf is what a block takes: registers are given to a warp in units
// of 256 (NVIDIA's "CUDA Occupancy Calculator", compute capability 3.0 on).
func registersOf(threads, perThread int) int {
	return (threads + 31) / 32 * ((perThread*32 + 255) / 256 * 256)
}

func (k kernel) Launch(_ gpu.Stream, shape gpu.Launch, args ...any) error {
	f := k.board.facts
	g, b := atLeast1(shape.Grid), atLeast1(shape.Block)
	threads := b.X * b.Y * b.Z
	shared := k.takes.StaticSharedBytes + shape.SharedBytes
	fail := func(format string, args ...any) error {
		return fmt.Errorf("kernel %s on %s: "+format, append([]any{k.name, f.Name}, args...)...)
	}
	switch {
	case k.board.search:
		return nil
	case threads > f.MaxThreadsBlock:
		return fail("%d threads per block, the most is %d", threads, f.MaxThreadsBlock)
	case k.takes.MaxThreadsPerBlock > 0 && threads > k.takes.MaxThreadsPerBlock:
		return fail("%d threads per block, its launch bounds say %d", threads, k.takes.MaxThreadsPerBlock)
	case registersOf(threads, k.takes.Registers) > f.RegistersBlock:
		return fail("%d threads of %d registers take %d, a block has %d", threads, k.takes.Registers,
			registersOf(threads, k.takes.Registers), f.RegistersBlock)
	case k.takes.StaticSharedBytes > f.SharedPerBlock:
		return fail("%d bytes of static shared memory, the most is %d", k.takes.StaticSharedBytes, f.SharedPerBlock)
	case shared > f.SharedOptIn:
		return fail("%d bytes of shared memory per block, the most is %d", shared, f.SharedOptIn)
	case g.X > 1<<31-1 || g.Y > 65535 || g.Z > 65535 || b.Z > 64:
		return fail("grid %v of blocks %v", g, b)
	case shape.Cluster != gpu.Dim3{} && f.ComputeMajor < 9:
		return fail("a cluster, which compute capability 9.0 brought")
	case shape.Cooperative && !f.Cooperative:
		return fail("a cooperative launch")
	}
	for i, a := range args {
		switch a.(type) {
		case gpu.Pointer, int32, uint32, int64, uint64, float32, float64, gpu.Raw:
		default:
			return fail("argument %d is a %T", i, a)
		}
	}
	k.board.launches++
	return nil
}

// ActiveBlocks is what threads, registers and shared memory allow.
func (k kernel) ActiveBlocks(threads, sharedBytes int) (int, error) {
	f := k.board.facts
	blocks := min(f.MaxBlocksPerSM, f.MaxThreadsPerSM/threads, f.RegistersPerSM/registersOf(threads, k.takes.Registers))
	if shared := k.takes.StaticSharedBytes + sharedBytes; shared > 0 {
		blocks = min(blocks, f.SharedPerSM/(shared+f.SharedReserved))
	}
	return blocks, nil
}

// ActiveClusters is what ActiveBlocks allows all multiprocessors.
func (k kernel) ActiveClusters(shape gpu.Launch) (int, error) {
	b, c := atLeast1(shape.Block), atLeast1(shape.Cluster)
	blocks, err := k.ActiveBlocks(b.X*b.Y*b.Z, shape.SharedBytes)
	return blocks * k.board.facts.Multiprocessors / (c.X * c.Y * c.Z), err
}
