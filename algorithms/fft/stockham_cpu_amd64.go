package fft

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

func machineKernels32() []*kernels {
	var list []*kernels
	if hasAVX512() {
		list = append(list, &kernels{name: "avx512", lanes: 16, longestWhole: 256, order: laneOrder(16, 2),
			first:        [3]passKernel{load2AVX512F32, load4AVX512F32, load8AVX512F32},
			firstInverse: [3]passKernel{loadInverse2AVX512F32, loadInverse4AVX512F32, loadInverse8AVX512F32},
			pass:         [3]passKernel{pass2AVX512F32, pass4AVX512F32, pass8AVX512F32},
			last8:        last8AVX512F32, store8: store8AVX512F32, storeInverse8: storeInverse8AVX512F32,
			tiles: tilesAVX512F32, gather: gatherAVX512F32, scatter: scatterAVX512F32, costs: costsAVX512})
	}
	if hasAVX2() {
		list = append(list, &kernels{name: "avx2", lanes: 8, longestWhole: 256, order: laneOrder(8, 2),
			first:        [3]passKernel{load2AVX2F32, load4AVX2F32, load8AVX2F32},
			firstInverse: [3]passKernel{loadInverse2AVX2F32, loadInverse4AVX2F32, loadInverse8AVX2F32},
			pass:         [3]passKernel{pass2AVX2F32, pass4AVX2F32, pass8AVX2F32},
			last8:        last8AVX2F32, store8: store8AVX2F32, storeInverse8: storeInverse8AVX2F32,
			tiles: tilesAVX2F32, gather: gatherAVX2F32, scatter: scatterAVX2F32, costs: costsAVX2})
	}
	return list
}

func machineKernels64() []*kernels {
	var list []*kernels
	if hasAVX512() {
		list = append(list, &kernels{name: "avx512", lanes: 8, longestWhole: 256, order: laneOrder(8, 1),
			first:        [3]passKernel{load2AVX512F64, load4AVX512F64, load8AVX512F64},
			firstInverse: [3]passKernel{loadInverse2AVX512F64, loadInverse4AVX512F64, loadInverse8AVX512F64},
			pass:         [3]passKernel{pass2AVX512F64, pass4AVX512F64, pass8AVX512F64},
			last8:        last8AVX512F64, store8: store8AVX512F64, storeInverse8: storeInverse8AVX512F64,
			tiles: tilesAVX512F64, gather: gatherAVX512F64, scatter: scatterAVX512F64, costs: costsAVX512})
	}
	if hasAVX2() {
		list = append(list, &kernels{name: "avx2", lanes: 4, longestWhole: 256, order: laneOrder(4, 1),
			first:        [3]passKernel{load2AVX2F64, load4AVX2F64, load8AVX2F64},
			firstInverse: [3]passKernel{loadInverse2AVX2F64, loadInverse4AVX2F64, loadInverse8AVX2F64},
			pass:         [3]passKernel{pass2AVX2F64, pass4AVX2F64, pass8AVX2F64},
			last8:        last8AVX2F64, store8: store8AVX2F64, storeInverse8: storeInverse8AVX2F64,
			tiles: tilesAVX2F64, gather: gatherAVX2F64, scatter: scatterAVX2F64, costs: costsAVX2})
	}
	return list
}

// FLOPs as counted in stockham_cpu_amd64.h; 16 registers are too few for
// radix 8, which then keeps its four even rows in memory.
var (
	costsAVX512 = costs{turnedFLOPs: [3]int64{10, 34, 102}, lastFLOPs: 60, tileKept: 1}
	costsAVX2   = costs{turnedFLOPs: [3]int64{10, 34, 102}, lastFLOPs: 60, tileKept: 1,
		passKept: [3]int64{0, 0, 4}, firstKept: [3]int64{0, 0, 4}, lastKept: 4, storeKept: 4}
)

func hasAVX2() bool   { return cpu.X86.HasAVX2 && cpu.X86.HasFMA }
func hasAVX512() bool { return hasAVX2() && cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ }

//go:noescape
func pass2AVX512F32(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func pass4AVX512F32(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func pass8AVX512F32(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func load2AVX512F32(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func load4AVX512F32(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func load8AVX512F32(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func loadInverse2AVX512F32(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func loadInverse4AVX512F32(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func loadInverse8AVX512F32(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func last8AVX512F32(work unsafe.Pointer, blocks int)

//go:noescape
func store8AVX512F32(dst, work unsafe.Pointer, offsets *uint32, stride, blocks, groups int)

//go:noescape
func storeInverse8AVX512F32(dst, work unsafe.Pointer, offsets *uint32, stride, blocks, groups int)

//go:noescape
func tilesAVX512F32(dst unsafe.Pointer, step int, work unsafe.Pointer, rows *uint32, tiles int, u, v, scratch unsafe.Pointer)

//go:noescape
func gatherAVX512F32(work unsafe.Pointer, transforms *unsafe.Pointer, units, swapped int)

//go:noescape
func scatterAVX512F32(transforms *unsafe.Pointer, work unsafe.Pointer, rows *uint32, units, swapped int)

//go:noescape
func pass2AVX512F64(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func pass4AVX512F64(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func pass8AVX512F64(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func load2AVX512F64(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func load4AVX512F64(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func load8AVX512F64(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func loadInverse2AVX512F64(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func loadInverse4AVX512F64(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func loadInverse8AVX512F64(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func last8AVX512F64(work unsafe.Pointer, blocks int)

//go:noescape
func store8AVX512F64(dst, work unsafe.Pointer, offsets *uint32, stride, blocks, groups int)

//go:noescape
func storeInverse8AVX512F64(dst, work unsafe.Pointer, offsets *uint32, stride, blocks, groups int)

//go:noescape
func tilesAVX512F64(dst unsafe.Pointer, step int, work unsafe.Pointer, rows *uint32, tiles int, u, v, scratch unsafe.Pointer)

//go:noescape
func gatherAVX512F64(work unsafe.Pointer, transforms *unsafe.Pointer, units, swapped int)

//go:noescape
func scatterAVX512F64(transforms *unsafe.Pointer, work unsafe.Pointer, rows *uint32, units, swapped int)

//go:noescape
func pass2AVX2F32(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func pass4AVX2F32(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func pass8AVX2F32(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func load2AVX2F32(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func load4AVX2F32(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func load8AVX2F32(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func loadInverse2AVX2F32(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func loadInverse4AVX2F32(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func loadInverse8AVX2F32(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func last8AVX2F32(work unsafe.Pointer, blocks int)

//go:noescape
func store8AVX2F32(dst, work unsafe.Pointer, offsets *uint32, stride, blocks, groups int)

//go:noescape
func storeInverse8AVX2F32(dst, work unsafe.Pointer, offsets *uint32, stride, blocks, groups int)

//go:noescape
func tilesAVX2F32(dst unsafe.Pointer, step int, work unsafe.Pointer, rows *uint32, tiles int, u, v, scratch unsafe.Pointer)

//go:noescape
func gatherAVX2F32(work unsafe.Pointer, transforms *unsafe.Pointer, units, swapped int)

//go:noescape
func scatterAVX2F32(transforms *unsafe.Pointer, work unsafe.Pointer, rows *uint32, units, swapped int)

//go:noescape
func pass2AVX2F64(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func pass4AVX2F64(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func pass8AVX2F64(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func load2AVX2F64(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func load4AVX2F64(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func load8AVX2F64(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func loadInverse2AVX2F64(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func loadInverse4AVX2F64(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func loadInverse8AVX2F64(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)

//go:noescape
func last8AVX2F64(work unsafe.Pointer, blocks int)

//go:noescape
func store8AVX2F64(dst, work unsafe.Pointer, offsets *uint32, stride, blocks, groups int)

//go:noescape
func storeInverse8AVX2F64(dst, work unsafe.Pointer, offsets *uint32, stride, blocks, groups int)

//go:noescape
func tilesAVX2F64(dst unsafe.Pointer, step int, work unsafe.Pointer, rows *uint32, tiles int, u, v, scratch unsafe.Pointer)

//go:noescape
func gatherAVX2F64(work unsafe.Pointer, transforms *unsafe.Pointer, units, swapped int)

//go:noescape
func scatterAVX2F64(transforms *unsafe.Pointer, work unsafe.Pointer, rows *uint32, units, swapped int)
