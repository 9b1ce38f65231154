package fft

import (
	_ "embed"
	"fmt"
	"strconv"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/cluster"
	"example.org/bench/internal/terminal"
)

//go:embed large_cluster.cu
var clusterSource string

//go:embed gates.cuh
var gatesHeader string

//go:embed turned.cuh
var turnedHeader string

// What the kernel is written for: a block's elements, a thread's, and the
// columns of a block in the first two steps.
const (
	clusterElements = 8192
	clusterPoints   = 32
	clusterThreads  = clusterElements / clusterPoints
	clusterColumns  = 32
	clusterRadix    = 16 // of all steps but the last
)

// clustered is one kernel in which a cluster of blocks transforms 8192
// elements each, in four steps with an exchange through distributed shared
// memory after the second.
type clustered struct {
	blocks    int // of a cluster
	minBlocks int
}

// clusters reports whether a device runs the kernel: it has clusters, of 16
// blocks too, and its compiler knows the stores to other blocks that came with
// PTX 8.1 (NVRTC 12.1). The simulator's compiler needs none.
func clusters(f gpu.Facts) bool {
	if f.ComputeMajor < 9 || f.SharedOptIn < 200<<10 {
		return false
	}
	var major, minor int
	if _, err := fmt.Sscanf(f.CompilerVersion, "NVRTC %d.%d", &major, &minor); err == nil {
		return major > 12 || major == 12 && minor >= 1
	}
	return f.CompilerVersion != ""
}

func planClustered(n, blocks int, like tile, s int) (clustered, error) {
	c := clustered{blocks: blocks, minBlocks: like.minBlocks}
	switch {
	case blocks < 2 || blocks > 16:
		return c, fmt.Errorf("CLUSTER = %d: want 2 to 16 blocks, or 0", blocks)
	case like.double:
		return c, fmt.Errorf("CLUSTER = %d transforms single precision only", blocks)
	case n != blocks*clusterElements || s != clusterElements || like.points != clusterPoints || like.radix != clusterRadix:
		return c, fmt.Errorf("CLUSTER = %d wants N = %d, S = %d, P = %d and r = %d; N = %d, S = %d, P = %d, r = %d", blocks,
			blocks*clusterElements, clusterElements, clusterPoints, clusterRadix, n, s, like.points, like.radix)
	}
	return c, nil
}

func (c clustered) columns() int { return clusterColumns * c.blocks }

// rows of a block in the last two steps.
func (c clustered) rows() int { return clusterElements / c.columns() }

// last is the radix of the last step.
func (c clustered) last() int { return c.columns() / clusterRadix }

// factors is the twiddle factors that one block holds.
func (c clustered) factors() int {
	return (log2(clusterRadix) + log2(c.last())) * (clusterRadix + c.rows())
}

const (
	complexBytes = 8 // of single precision
	gateBytes    = 8
)

// fixedBytes is the shared memory of a block without the next elements.
func (c clustered) fixedBytes() int {
	gates := 2 * c.rows() / clusterRadix
	return c.rows()*(c.columns()+2)*complexBytes + c.factors()*complexBytes + gates*gateBytes
}

// pairsBytes is one pair of next elements of every thread.
const pairsBytes = clusterThreads * 2 * complexBytes

// heldPairs is the pairs of a thread's next elements, of 16, that come into
// shared memory early: as many as leave room for a second block in the 228 KiB
// of compute capability 9.0, of which each block takes 1 KiB for the system.
func heldPairs(fixedBytes int) int {
	const block = 228<<10/2 - 1<<10
	return (block - fixedBytes) / pairsBytes
}

func (c clustered) held() int { return heldPairs(c.fixedBytes()) }

func (c clustered) sharedBytes() int { return c.fixedBytes() + c.held()*pairsBytes }

func (c clustered) shape(transforms int, _ gpu.Facts, kernel gpu.Kernel) (gpu.Launch, error) {
	return clusterShape(c.blocks, c.sharedBytes(), transforms, kernel)
}

// clusterShape is as many clusters of so many blocks as take the least rounds
// of items.
func clusterShape(blocks, sharedBytes, items int, kernel gpu.Kernel) (gpu.Launch, error) {
	shape := gpu.Launch{
		Block:       gpu.Dim3{X: clusterThreads},
		SharedBytes: sharedBytes,
		Cluster:     gpu.Dim3{X: blocks},
	}
	atOnce, err := kernel.ActiveClusters(shape)
	if err != nil {
		return shape, err
	}
	if atOnce < 1 {
		return shape, fmt.Errorf("the device holds no cluster of %s with %d bytes of shared memory each", terminal.Count(blocks, "block"), sharedBytes)
	}
	rounds := (items + atOnce - 1) / atOnce
	shape.Grid = gpu.Dim3{X: blocks * ((items + rounds - 1) / rounds)}
	return shape, nil
}

// appendPowers appends the powers 1, 2, 4, … below count of the factors
// exp(-2πi·k(i)/period), i < of.
func appendPowers(table []complex128, count, of, period int, k func(i int) int) []complex128 {
	for power := 1; power < count; power *= 2 {
		for i := range of {
			table = append(table, root(k(i)*power%period, period))
		}
	}
	return table
}

// tables holds, for each block of a cluster, the powers 1, 2, 4, … of the
// factors of step 2, of step 3, and of step 4 as products of a row's and of a
// column's.
func (c clustered) tables() [][]complex128 {
	n := c.blocks * clusterElements
	teams := c.rows() / clusterRadix
	var table []complex128
	powers := func(count, of, period int, k func(i int) int) {
		table = appendPowers(table, count, of, period, k)
	}
	for rank := range c.blocks {
		row := func(i int) int { return rank*c.rows() + i }
		powers(clusterRadix, clusterRadix, 256, func(i int) int { return i + clusterRadix*teams*rank })
		powers(clusterRadix, c.rows(), n/c.last(), row)
		powers(c.last(), c.rows(), n, row)
		powers(c.last(), clusterRadix, c.columns(), func(i int) int { return i })
	}
	return [][]complex128{table}
}

func (c clustered) count(transforms int) any { return int32(transforms) }

func (c clustered) source(inverse bool) gpu.Source {
	source := clusterSourceOf(c.blocks, c.held(), inverse)
	source.Name, source.Text, source.Kernels = "large_cluster.cu", clusterSource, []string{"clustered"}
	source.Defines["MIN_BLOCKS"] = strconv.Itoa(c.minBlocks)
	return source
}

// clusterSourceOf is what the sources of both cluster kernels have in common.
func clusterSourceOf(blocks, held int, inverse bool) gpu.Source {
	source := pass{tile: tile{size: clusterElements, columns: 1, points: clusterPoints, radix: clusterRadix}, stride: 1, ns: 1}.source(inverse)
	source.Defines = map[string]string{
		"REAL": source.Defines["REAL"], "INVERSE": source.Defines["INVERSE"],
		"CLUSTER": strconv.Itoa(blocks), "HELD": strconv.Itoa(held),
	}
	source.Headers["ahead.cuh"], source.Headers["turned.cuh"] = aheadHeader, turnedHeader
	source.Headers["cluster.cuh"], source.Headers["gates.cuh"] = cluster.Header, gatesHeader
	return source
}

// turnedFLOPs is struct Turned of r points with its factors known:
// butterflies of six multiply-adds.
func turnedFLOPs(r int) int64 { return int64(r/2*log2(r)) * 12 }

// factorFLOPs is the factors of each level of struct Turned from one.
func factorFLOPs(r int) int64 {
	var total int64
	for ; r > 4; r /= 2 {
		for k := range r / 4 {
			total += turnFLOPs(k * 64 / r)
		}
	}
	return total
}

// work counts the kernel over this many transforms, without the tables that
// each block reads once.
func (c clustered) work(transforms int) framework.Work {
	butterflies := int64(clusterPoints / c.last()) // of the last step; of the others two, which share their factors
	flops := 2*dftFLOPs(clusterRadix) + 4*turnedFLOPs(clusterRadix) + 2*factorFLOPs(clusterRadix) +
		butterflies*(turnedFLOPs(c.last())+factorFLOPs(c.last())+multiplyFLOPs*int64(log2(c.last())))
	bytes := int64(transforms) * int64(c.blocks) * clusterElements * complexBytes
	return framework.Work{
		FLOPs:      int64(transforms) * int64(c.blocks*clusterThreads) * flops,
		LoadBytes:  bytes,
		StoreBytes: bytes,
	}
}
