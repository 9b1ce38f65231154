package fft

import "unsafe"

// kernels are the inner loops of the CPU version for one instruction set and
// precision. They work on rows: a row is one element of each of `lanes`
// transforms, the real parts and then the imaginary parts, so that a
// butterfly is plain vector arithmetic with the same twiddle factor in all
// lanes. Lane q of a row that was loaded from adjacent elements holds element
// order[q] of them, the order in which vectors come apart cheaply.
//
// The m-th kernel of first, firstInverse and pass has radix 2 << m. For
// distances, steps, offsets and strides the unit is a byte.
type kernels struct {
	name  string
	lanes int
	order []int
	// first is a pass that reads adjacent elements of the input, firstInverse
	// exchanges their real and imaginary parts (the inverse transform is the
	// forward one between two such exchanges).
	first, firstInverse, pass [3]passKernel
	// last8 is the last pass, in place; store8 the same to the output.
	last8                 func(work unsafe.Pointer, blocks int)
	store8, storeInverse8 func(dst, work unsafe.Pointer, offsets *uint32, stride, blocks, groups int)
	tiles                 func(dst unsafe.Pointer, step int, work unsafe.Pointer, rows *uint32, tiles int, u, v, scratch unsafe.Pointer)
	// directTiles is tiles with a factor for each element, in the order in which
	// tiles read them: kernels may have it for transforms up to longestDirect.
	directTiles   func(dst unsafe.Pointer, step int, work unsafe.Pointer, rows *uint32, tiles int, factors unsafe.Pointer)
	longestDirect int
	// gather and scatter move whole transforms, one per lane, to and from rows,
	// lanes/2 rows a unit.
	gather  func(work unsafe.Pointer, transforms *unsafe.Pointer, units, swapped int)
	scatter func(transforms *unsafe.Pointer, work unsafe.Pointer, rows *uint32, units, swapped int)
	// Kernels may do without both if they have a first pass that reads whole
	// transforms and a last one that writes them: outputs k of butterfly q go
	// offsets[q] + k·stride bytes into each.
	gatherFirst, gatherFirstInverse [3]gatherKernel
	scatterLast, scatterLastInverse func(transforms *unsafe.Pointer, work unsafe.Pointer, offsets *uint32, stride, blocks int)
	// Up to longestWhole whole transforms, one per lane, are faster than two
	// steps, provided that there are enough to fill the lanes.
	longestWhole int
	costs        costs
}

// costs are the counts of the kernels' code. Kept rows are written and read
// again within one kernel, for want of registers.
type costs struct {
	turnedFLOPs         [3]int64 // of a lane of a butterfly with twiddle factors
	lastFLOPs           int64    // of a lane of a butterfly of the last pass
	passKept, firstKept [3]int64 // rows a butterfly
	lastKept, storeKept int64    // rows a butterfly
	tileKept            int64    // rows per row
	tileHeld            bool     // the factors of a tile's rows stay in registers
}

// passKernel does the butterflies of blocks blocks of radix·m rows, decimation
// in frequency: rows p + m·j give the rows p + m·k, turned by pk/(radix·m).
// Source rows are distance apart and source blocks step; destination rows are
// packed. Source and destination may be the same. twiddles are (radix-1)
// factors for each p.
type passKernel func(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

// gatherKernel is a first pass from whole transforms, one block of radix·m rows.
type gatherKernel func(work unsafe.Pointer, transforms *unsafe.Pointer, m int, twiddles unsafe.Pointer)

// laneOrder is the order of kernels whose vectors of complex numbers come
// apart in units of 16 bytes that hold group numbers.
func laneOrder(lanes, group int) []int {
	order := make([]int, lanes)
	for q := range order {
		unit, r := q/(2*group), q%(2*group)
		order[q] = unit*group + r
		if r >= group {
			order[q] += lanes/2 - group
		}
	}
	return order
}

func portableKernels[R scalar]() *kernels {
	k := &kernels{name: "portable", lanes: portableLanes, longestWhole: 256,
		last8: portableLast8[R], store8: portableStore8[R](false), storeInverse8: portableStore8[R](true),
		tiles: portableTiles[R], gather: portableGather[R], scatter: portableScatter[R],
		costs: costs{turnedFLOPs: [3]int64{10, 34, 98}, lastFLOPs: 56,
			passKept: [3]int64{1, 3, 15}, firstKept: [3]int64{3, 7, 23}, lastKept: 8, storeKept: 16}}
	for q := range portableLanes {
		k.order = append(k.order, q)
	}
	for i, radix := range []int{2, 4, 8} {
		k.first[i] = portablePass[R](radix, adjacent)
		k.firstInverse[i] = portablePass[R](radix, exchanged)
		k.pass[i] = portablePass[R](radix, split)
	}
	return k
}

// kernelsFor lists what runs on this machine, the fastest first; the portable
// ones come last.
func kernelsFor[T element]() []*kernels {
	if elementBytes[T]() == 16 {
		return append(machineKernels64(), portableKernels[float64]())
	}
	return append(machineKernels32(), portableKernels[float32]())
}
