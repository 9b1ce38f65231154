package fft

import "unsafe"

// NEON is part of every arm64 processor that Go supports.

func machineKernels32() []*kernels {
	return []*kernels{{name: "neon", lanes: 4, order: []int{0, 2, 1, 3},
		first:        [3]passKernel{load2NEONF32, load4NEONF32, load8NEONF32},
		firstInverse: [3]passKernel{loadInverse2NEONF32, loadInverse4NEONF32, loadInverse8NEONF32},
		pass:         [3]passKernel{pass2NEONF32, pass4NEONF32, pass8NEONF32},
		last8:        last8NEONF32, store8: store8NEONF32, storeInverse8: storeInverse8NEONF32,
		tiles: tilesNEONF32, directTiles: directTilesNEONF32, longestDirect: 4096, longestWhole: 512, costs: costsNEON,
		gatherFirst:        [3]gatherKernel{gather2NEONF32, gather4NEONF32, gather8NEONF32},
		gatherFirstInverse: [3]gatherKernel{gatherInverse2NEONF32, gatherInverse4NEONF32, gatherInverse8NEONF32},
		scatterLast:        scatter8NEONF32, scatterLastInverse: scatterInverse8NEONF32}}
}

func machineKernels64() []*kernels {
	return []*kernels{{name: "neon", lanes: 2, order: []int{0, 1},
		first:        [3]passKernel{load2NEONF64, load4NEONF64, load8NEONF64},
		firstInverse: [3]passKernel{loadInverse2NEONF64, loadInverse4NEONF64, loadInverse8NEONF64},
		pass:         [3]passKernel{pass2NEONF64, pass4NEONF64, pass8NEONF64},
		last8:        last8NEONF64, store8: store8NEONF64, storeInverse8: storeInverse8NEONF64,
		tiles: tilesNEONF64, directTiles: directTilesNEONF64, longestDirect: 4096, longestWhole: 512, costs: costsNEON,
		gatherFirst:        [3]gatherKernel{gather2NEONF64, gather4NEONF64, gather8NEONF64},
		gatherFirstInverse: [3]gatherKernel{gatherInverse2NEONF64, gatherInverse4NEONF64, gatherInverse8NEONF64},
		scatterLast:        scatter8NEONF64, scatterLastInverse: scatterInverse8NEONF64}}
}

// FLOPs as counted in example.org/bench/lab/neon; 32 registers hold everything, tiles
// included.
var costsNEON = costs{turnedFLOPs: [3]int64{10, 34, 102}, lastFLOPs: 60, tileHeld: true}

//go:noescape
func load2NEONF32(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func load4NEONF32(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func load8NEONF32(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func loadInverse2NEONF32(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func loadInverse4NEONF32(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func loadInverse8NEONF32(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func pass2NEONF32(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func pass4NEONF32(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func pass8NEONF32(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func last8NEONF32(work unsafe.Pointer, blocks int)

//go:noescape
func store8NEONF32(dst, work unsafe.Pointer, offsets *uint32, stride, blocks, groups int)

//go:noescape
func storeInverse8NEONF32(dst, work unsafe.Pointer, offsets *uint32, stride, blocks, groups int)

//go:noescape
func tilesNEONF32(dst unsafe.Pointer, step int, work unsafe.Pointer, rows *uint32, tiles int, u, v, scratch unsafe.Pointer)

//go:noescape
func directTilesNEONF32(dst unsafe.Pointer, step int, work unsafe.Pointer, rows *uint32, tiles int, factors unsafe.Pointer)

//go:noescape
func gather2NEONF32(work unsafe.Pointer, transforms *unsafe.Pointer, m int, twiddles unsafe.Pointer)

//go:noescape
func gather4NEONF32(work unsafe.Pointer, transforms *unsafe.Pointer, m int, twiddles unsafe.Pointer)

//go:noescape
func gather8NEONF32(work unsafe.Pointer, transforms *unsafe.Pointer, m int, twiddles unsafe.Pointer)

//go:noescape
func gatherInverse2NEONF32(work unsafe.Pointer, transforms *unsafe.Pointer, m int, twiddles unsafe.Pointer)

//go:noescape
func gatherInverse4NEONF32(work unsafe.Pointer, transforms *unsafe.Pointer, m int, twiddles unsafe.Pointer)

//go:noescape
func gatherInverse8NEONF32(work unsafe.Pointer, transforms *unsafe.Pointer, m int, twiddles unsafe.Pointer)

//go:noescape
func scatter8NEONF32(transforms *unsafe.Pointer, work unsafe.Pointer, offsets *uint32, stride, blocks int)

//go:noescape
func scatterInverse8NEONF32(transforms *unsafe.Pointer, work unsafe.Pointer, offsets *uint32, stride, blocks int)

//go:noescape
func load2NEONF64(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func load4NEONF64(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func load8NEONF64(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func loadInverse2NEONF64(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func loadInverse4NEONF64(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func loadInverse8NEONF64(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func pass2NEONF64(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func pass4NEONF64(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func pass8NEONF64(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func last8NEONF64(work unsafe.Pointer, blocks int)

//go:noescape
func store8NEONF64(dst, work unsafe.Pointer, offsets *uint32, stride, blocks, groups int)

//go:noescape
func storeInverse8NEONF64(dst, work unsafe.Pointer, offsets *uint32, stride, blocks, groups int)

//go:noescape
func tilesNEONF64(dst unsafe.Pointer, step int, work unsafe.Pointer, rows *uint32, tiles int, u, v, scratch unsafe.Pointer)

//go:noescape
func directTilesNEONF64(dst unsafe.Pointer, step int, work unsafe.Pointer, rows *uint32, tiles int, factors unsafe.Pointer)

//go:noescape
func gather2NEONF64(work unsafe.Pointer, transforms *unsafe.Pointer, m int, twiddles unsafe.Pointer)

//go:noescape
func gather4NEONF64(work unsafe.Pointer, transforms *unsafe.Pointer, m int, twiddles unsafe.Pointer)

//go:noescape
func gather8NEONF64(work unsafe.Pointer, transforms *unsafe.Pointer, m int, twiddles unsafe.Pointer)

//go:noescape
func gatherInverse2NEONF64(work unsafe.Pointer, transforms *unsafe.Pointer, m int, twiddles unsafe.Pointer)

//go:noescape
func gatherInverse4NEONF64(work unsafe.Pointer, transforms *unsafe.Pointer, m int, twiddles unsafe.Pointer)

//go:noescape
func gatherInverse8NEONF64(work unsafe.Pointer, transforms *unsafe.Pointer, m int, twiddles unsafe.Pointer)

//go:noescape
func scatter8NEONF64(transforms *unsafe.Pointer, work unsafe.Pointer, offsets *uint32, stride, blocks int)

//go:noescape
func scatterInverse8NEONF64(transforms *unsafe.Pointer, work unsafe.Pointer, offsets *uint32, stride, blocks int)
