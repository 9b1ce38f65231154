package trace

import (
	"example.org/bench/analysis/ptx"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/occupancy"
)

// Launch is one launch, and what some of its blocks did.
type Launch struct {
	Kernel      string
	Code        *ptx.Kernel
	Grid, Block ptx.Dim3
	SharedBytes int // of a block, static and dynamic
	Attributes  gpu.Attributes
	// CodeBytes is the size of the machine code; 0 where it is not known.
	CodeBytes int
	// Occupancy is how the launch fills a multiprocessor; the zero value where that is not known.
	Occupancy occupancy.Occupancy
	// Blocks are the executed blocks. Those that stand for all come first, with their warps' instructions
	// (represent). Total is the sum of the counts of all.
	Blocks []*Block
	Total  Counts
	// Buffers are the allocations that the launch accesses.
	Buffers []Buffer
	// Hottest are the atomic operations on the address that gets most. HottestLine is the number of turns that
	// those on the busiest 128-byte line take. OneLine is set where no other line has any.
	Hottest     Atomics
	HottestLine float64
	OneLine     bool
	// Unknown is the reason why blocks were not executed, or not to their end; it is empty if they were.
	Unknown string
}

// Atomics estimates the atomic operations of a launch on one address: those of threads, and the warp
// instructions that contain them. Float is set for floating-point additions: the GPU performs them for one
// thread after another, but combines a warp's integer additions.
type Atomics struct {
	Threads, Warps float64
	Float          bool
}

// Block is what one block did.
type Block struct {
	Number int
	Counts Counts
	Warps  []Warp
	// Read and Written count sectors of global memory, Constants words of constant memory, each once.
	Read, Written, Constants int
}

// Warp holds the instructions of one warp in order: all, the first keptSteps, or none.
type Warp struct {
	Steps   []Step
	Sectors []uint64 // of 32 bytes in global memory, as Steps refer to them
	Total   int      // number of instructions, including those that are not kept
}

// Step is one instruction executed by a warp.
type Step struct {
	At    int32 // index in the kernel's code
	Lanes uint8 // number that took part
	Space ptx.Space
	// Sectors is the number of sectors that the access touches. They begin at First in Warp.Sectors where
	// the access is to global memory.
	Sectors uint8
	First   int32
	// New is the number of those sectors that the block touches for the first time, Lines that of the
	// 128-byte lines that contain them. Quarters are the quarters of a cycle that they occupy the first-level cache.
	New, Lines, Quarters uint8
	// Again is set where the lanes accessed the same just before: registers could hold it.
	Again bool
	// Waves is the number of passes of an access to shared memory (one for each word of the fullest
	// bank), of different words of an access to constants, or of lanes on the address that an atomic
	// operation has most of. Ideal is the smallest number that as many bytes need.
	Waves, Ideal uint8
}

// Counts are sums over warps.
type Counts struct {
	Instructions [ptx.Classes]float64 // of warps, by class, as the rough number of GPU instructions
	Threads      [ptx.Classes]float64 // of threads
	Branches     float64              // divergent ones
	Lanes        float64              // that could have taken part in the instructions
	// Global memory: accesses of warps, bytes that threads asked for, and sectors.
	GlobalLoads, GlobalStores, GlobalBytes, GlobalSectors float64
	GlobalLines                                           float64 // 128-byte lines that the accesses touch
	L1Cycles                                              float64 // of the first-level cache
	// LeastSectors is the smallest number of sectors that as many bytes need.
	LeastSectors float64
	Narrow       float64 // accesses of less than 4 bytes a thread
	// Again counts accesses to what the same threads accessed just before, Floats those of float32.
	Again, Floats float64
	// Shared memory: accesses, passes, and the fewest passes that these bytes need.
	Shared, SharedWaves, SharedLeast float64
	SharedStores                     float64
	// Atomic operations by threads in global memory. AtomicSame counts those that wait for another thread
	// of their warp on the same address. SharedAtomics and SharedSame are the same for shared memory.
	Atomics, AtomicSame float64
	// AtomicSectors counts warps' operations on sectors; a floating-point addition counts once for each
	// thread on the busiest address of the sector.
	AtomicSectors             float64
	StoredSectors             float64 // those of GlobalSectors that are written
	SharedAtomics, SharedSame float64
	Local                     float64 // accesses of warps to local memory in the PTX
	ConstantWaves             float64 // words of constant loads beyond the first
	Barriers                  float64 // of warps
	// Requests are those to the load and store unit besides accesses: shuffles, and accesses in which no
	// lane takes part.
	Requests       float64
	Divides, Roots float64 // single PTX instructions that become many GPU instructions: of integers, of floats
}

// Buffer is an allocation that a launch accesses.
type Buffer struct {
	Bytes int64
	// Read and Written estimate the bytes of it that the launch touches: those that the executed blocks
	// touch, scaled to all blocks, and at most the whole buffer.
	Read, Written float64
	// First is its first sector, as Warp.Sectors has them.
	First uint64
	// Reads and Writes are Read and Written without that limit.
	Reads, Writes float64
	// Lone and LoneWritten are the shares of the sectors that a block reads and writes without another one of
	// their 128-byte line. Whole is the share of the written sectors' bytes that threads write.
	Lone, LoneWritten, Whole float64
	// Warm is set where an earlier launch of the run has touched it.
	Warm bool
}

// warm returns the buffers of a launch that repeats another.
func warm(list []Buffer) []Buffer {
	var all []Buffer
	for _, b := range list {
		b.Warm = true
		all = append(all, b)
	}
	return all
}

// Add adds f times x's counts.
func (c *Counts) Add(x Counts, f float64) {
	for i := range c.Instructions {
		c.Instructions[i] += f * x.Instructions[i]
		c.Threads[i] += f * x.Threads[i]
	}
	to, from := c.single(), x.single()
	for i := range to {
		*to[i] += f * *from[i]
	}
}

func (c *Counts) single() []*float64 {
	return []*float64{&c.Branches, &c.Lanes, &c.GlobalLoads, &c.GlobalStores, &c.GlobalBytes, &c.GlobalSectors, &c.GlobalLines, &c.L1Cycles, &c.LeastSectors, &c.Narrow, &c.Again, &c.Floats, &c.SharedStores,
		&c.Shared, &c.SharedWaves, &c.SharedLeast, &c.Atomics, &c.AtomicSame, &c.AtomicSectors, &c.StoredSectors, &c.SharedAtomics, &c.SharedSame, &c.Local, &c.ConstantWaves, &c.Barriers, &c.Requests, &c.Divides, &c.Roots}
}

// Warps returns the number of a block's warps.
func (l *Launch) Warps() int { return (l.Block.Count() + ptx.WarpSize - 1) / ptx.WarpSize }

// PerLaunch returns the counts of the whole launch, scaled from those of the executed blocks.
func (l *Launch) PerLaunch() Counts {
	var all Counts
	if len(l.Blocks) > 0 {
		all.Add(l.Total, float64(l.Grid.Count())/float64(len(l.Blocks)))
	}
	return all
}
