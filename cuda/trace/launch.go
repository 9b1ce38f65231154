package trace

import (
	"bench/cuda"
	"bench/cuda/occupancy"
	"bench/cuda/ptx"
)

// Launch is one launch, and what some of its blocks did.
type Launch struct {
	Kernel      string
	Code        *ptx.Kernel
	Grid, Block ptx.Dim3
	SharedBytes int // of a block, static and dynamic
	Attributes  cuda.Attributes
	// CodeBytes is the size of the machine code; 0: not known.
	CodeBytes int
	// Occupancy is how it fills a multiprocessor; the zero value where that is not known.
	Occupancy occupancy.Occupancy
	// Blocks are those that were executed. Total is of them.
	Blocks []*Block
	Total  Counts
	// Buffers are the allocations that it accesses.
	Buffers []Buffer
	// Hottest is what goes to the address that gets most atomic operations.
	Hottest Atomics
	// Unknown is why blocks were not executed, or not to their end; empty: they were.
	Unknown string
}

// Atomics are the atomic operations of a launch on one address, about: of threads, and the
// instructions of warps that have them. Float is true of floating-point additions, which
// the GPU does for one thread after the other, where it joins a warp's of integers.
type Atomics struct {
	Threads, Warps float64
	Float          bool
}

// Block is what one block did.
type Block struct {
	Number int
	Counts Counts
	Warps  []Warp
	// Read and Written are sectors of global memory, each counted once.
	Read, Written int
}

// Warp is the instructions of one warp in order, the first of them where they are more
// than are kept.
type Warp struct {
	Steps   []Step
	Sectors []uint64 // of 32 bytes in global memory, as Steps name them
	Total   int      // instructions, with those that are not kept
}

// Step is one instruction executed by a warp.
type Step struct {
	At    int32 // index in the kernel's code
	Lanes uint8 // that took part
	Space ptx.Space
	// Sectors are how many the access touches, from First on in Warp.Sectors where it is
	// one of global memory.
	Sectors uint8
	First   int32
	// New are those of the sectors that the block touches for the first time; Lines how many
	// lines of 128 bytes all of them lie in.
	New, Lines uint8
	// Waves are the passes of an access to shared memory (one for each word of the
	// fullest bank), the addresses of one to constants, and the most lanes on one address
	// of an atomic operation; Ideal what as many bytes need at least.
	Waves, Ideal uint8
}

// Counts are sums over warps.
type Counts struct {
	Instructions [ptx.Classes]float64 // of warps, by class, as about so many instructions of a GPU
	Threads      [ptx.Classes]float64 // of threads
	Branches     float64              // that lanes took differently
	Lanes        float64              // that could have taken part in them
	// Global memory: accesses of warps, bytes that threads asked for, and sectors.
	GlobalLoads, GlobalStores, GlobalBytes, GlobalSectors float64
	GlobalLines                                           float64 // of 128 bytes that the accesses touch
	// LeastSectors is how few sectors as many bytes need.
	LeastSectors float64
	Narrow       float64 // accesses of less than 4 bytes a thread
	// Shared memory: accesses, passes, and how few these bytes need.
	Shared, SharedWaves, SharedLeast float64
	// Atomic operations in global memory by threads; AtomicSame are those of threads of
	// one warp on one address that wait for another's; SharedAtomics likewise.
	Atomics, AtomicSame       float64
	SharedAtomics, SharedSame float64
	Local                     float64 // accesses of warps to local memory that the PTX has
	ConstantWaves             float64 // addresses beyond the first of constant loads
	Barriers                  float64 // of warps
	// Requests to the load and store unit beside accesses: shuffles, and accesses of
	// which no lane takes part.
	Requests       float64
	Divides, Roots float64 // instructions that PTX has one of for many of a GPU's: of integers, of floats
}

// Buffer is an allocation that a launch accesses.
type Buffer struct {
	Bytes int64
	// Read and Written are bytes of it that the launch touches, about: those of the
	// blocks that were executed, times all blocks by these, at most all of it.
	Read, Written float64
	// Warm is set where an earlier launch of the run has touched it.
	Warm bool
}

// warm are the buffers of a launch that repeats another.
func warm(list []Buffer) []Buffer {
	var all []Buffer
	for _, b := range list {
		b.Warm = true
		all = append(all, b)
	}
	return all
}

// Add adds x's counts, each times f.
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
	return []*float64{&c.Branches, &c.Lanes, &c.GlobalLoads, &c.GlobalStores, &c.GlobalBytes, &c.GlobalSectors, &c.GlobalLines, &c.LeastSectors, &c.Narrow,
		&c.Shared, &c.SharedWaves, &c.SharedLeast, &c.Atomics, &c.AtomicSame, &c.SharedAtomics, &c.SharedSame, &c.Local, &c.ConstantWaves, &c.Barriers, &c.Requests, &c.Divides, &c.Roots}
}

// Warps is the number of a block's warps.
func (l *Launch) Warps() int { return (l.Block.Count() + ptx.WarpSize - 1) / ptx.WarpSize }

// PerLaunch are the counts of the whole launch, from those of the executed blocks.
func (l *Launch) PerLaunch() Counts {
	var all Counts
	if len(l.Blocks) > 0 {
		all.Add(l.Total, float64(l.Grid.Count())/float64(len(l.Blocks)))
	}
	return all
}
