package trace

import (
	"encoding/binary"
	"math"
	"testing"

	"example.org/bench/analysis/ptx"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/nvrtc"
)

// fill writes a number to each place, which look reads.
const fill = `
extern "C" __global__ void fill(int *y) { y[blockIdx.x * 32 + threadIdx.x] = blockIdx.x + 1; }
extern "C" __global__ void look(const int *y, int *z) { z[blockIdx.x * 32 + threadIdx.x] = y[blockIdx.x * 32 + threadIdx.x]; }
`

// What a later launch may read is there, also of blocks for which others stand; what nothing reads is not.
func TestBlocksThatOthersStandFor(t *testing.T) {
	if _, err := nvrtc.Open(); err != nil {
		t.Skipf("needs NVRTC: %v", err)
	}
	d, err := Open(gpu.Facts{ComputeMajor: 9, Multiprocessors: 4, MaxThreadsBlock: 1024, MaxThreadsPerSM: 2048, SharedOptIn: 1 << 16, SharedPerSM: 1 << 16, RegistersPerSM: 65536, RegistersBlock: 65536, MaxBlocksPerSM: 32, WarpSize: 32}, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	m, err := d.Compile(gpu.Source{Name: "fill.cu", Text: fill, Kernels: []string{"fill", "look"}})
	if err != nil {
		t.Fatal(err)
	}
	const blocks = 100
	var at [2]gpu.Pointer
	for n := range at {
		if at[n], err = d.Alloc(4 * 32 * blocks); err != nil {
			t.Fatal(err)
		}
	}
	shape := gpu.Launch{Grid: gpu.Dim3{X: blocks}, Block: gpu.Dim3{X: 32}}
	{
		k, err := m.Kernel("fill")
		if err != nil {
			t.Fatal(err)
		}
		if err := k.Launch(0, shape, at[0]); err != nil {
			t.Fatal(err)
		}
	}
	written := func(p gpu.Pointer) (n int) {
		for b := range blocks {
			if binary.LittleEndian.Uint32(d.memory.At(uint64(p)+uint64(4*32*b), 4)) == uint32(b+1) {
				n++
			}
		}
		return n
	}
	if n := written(at[0]); n != evenBlocks {
		t.Errorf("%d blocks were executed", n)
	}
	k, err := m.Kernel("look")
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Launch(0, shape, at[0], at[1]); err != nil {
		t.Fatal(err)
	}
	if n := written(at[0]); n != blocks {
		t.Errorf("%d of %d blocks were executed before the launch that reads what they write", n, blocks)
	}
	if n := written(at[1]); n != evenBlocks {
		t.Errorf("%d blocks of the last launch were executed", n)
	}
	if l := d.Launches(); len(l) != 2 || len(l[0].Blocks) != evenBlocks {
		t.Errorf("%d launches", len(l))
	}
}

// Of many addresses that are alike none is hot for having been met by chance; one that is, is.
func TestHottest(t *testing.T) {
	r := &recorder{atomics: map[uint64]Atomics{}, lines: map[uint64]float64{}}
	for n := range uint64(1000) {
		r.atomics[n], r.lines[n/32] = Atomics{Threads: 1, Warps: 1}, 32
	}
	r.atomics[7] = Atomics{Threads: 3, Warps: 3}
	l := &Launch{}
	if l.hottest(r, 1000); l.Hottest.Threads > 0 || l.HottestLine < 1000 || l.HottestLine > 32000 {
		t.Errorf("%+v, %g", l.Hottest, l.HottestLine)
	}
	r.atomics, r.lines = map[uint64]Atomics{4096: {Threads: 640, Warps: 20, Float: true}}, map[uint64]float64{32: 640}
	if l.hottest(r, 100); l.Hottest != (Atomics{64000, 2000, true}) || math.Abs(l.HottestLine-64000) > 1e-6 {
		t.Errorf("%+v, %g", l.Hottest, l.HottestLine)
	}
}

// On a line sectors take turns, and so do lanes that add floats to an address; integers of a sector are one.
func TestTurnsOnALine(t *testing.T) {
	e := &ptx.Event{Active: ^uint32(0), Addresses: &[ptx.WarpSize]uint64{}, Bytes: 4}
	for lane := range e.Addresses {
		e.Addresses[lane] = 4096 + uint64(lane/8*16) // four addresses in two sectors
	}
	for text, want := range map[string][2]float64{"red.global.add.u32": {2, 2}, "red.global.add.f32": {8, 16}} {
		r := &recording{recorder: &recorder{atomics: map[uint64]Atomics{}, lines: map[uint64]float64{}}, block: &Block{}}
		r.hot(e, &ptx.Instruction{Text: text})
		l := &Launch{}
		l.hottest(r.recorder, 1)
		if got := [2]float64{l.HottestLine, r.block.Counts.AtomicSectors}; got != want || !l.OneLine {
			t.Errorf("%s: %v, want %v; one line: %v", text, got, want, l.OneLine)
		}
	}
}
