package fft

import (
	_ "embed"
	"fmt"
	"strconv"

	"bench/cuda"
	"bench/framework"
)

//go:embed large_columns.cu
var columnsSource string

//go:embed turned.cuh
var turnedHeader string

// columnsPerTile is the columns that a cluster takes together: 128 bytes of a
// row.
const columnsPerTile = 16

// columnPass is one of two passes, by clusters of blocks that take columns of
// 512 elements a block.
type columnPass struct {
	blocks    int // of a cluster
	stride    int // columns of a transform
	second    bool
	minBlocks int
}

// columnSize is the elements of a column for one block of a cluster.
const columnSize = clusterElements / columnsPerTile

// planColumns divides a transform of n elements into two passes, of which the
// first, with the longer columns, is by clusters of this many blocks.
func planColumns(n, blocks int, like tile, s int) ([]stage, error) {
	size := 1 << ((log2(n) + 1) / 2)
	want := size / columnSize
	switch {
	case like.double:
		return nil, fmt.Errorf("CLUSTER = %d transforms single precision only", blocks)
	case s != clusterElements || like.points != clusterPoints || like.radix != clusterRadix:
		return nil, fmt.Errorf("CLUSTER = %d wants S = %d, P = %d and r = %d; S = %d, P = %d, r = %d", blocks,
			clusterElements, clusterPoints, clusterRadix, s, like.points, like.radix)
	case blocks != want || n/size < columnSize:
		return nil, fmt.Errorf("CLUSTER = %d transforms N = %d in one pass, or N = %d to %d in two; N = %d", blocks,
			blocks*clusterElements, max(columnSize*columnSize, (blocks*columnSize)*(blocks*columnSize)/2), (blocks*columnSize)*(blocks*columnSize), n)
	}
	one := columnPass{blocks: size / columnSize, stride: n / size, minBlocks: like.minBlocks}
	two := columnPass{blocks: n / size / columnSize, stride: size, second: true, minBlocks: like.minBlocks}
	return []stage{one, two}, nil
}

func (c columnPass) threads() int { return clusterThreads }

// size is the elements of a column.
func (c columnPass) size() int { return c.blocks * columnSize }

// last is the radix of the last step.
func (c columnPass) last() int { return 2 * c.blocks }

// own is the results of steps 1 and 2 that a block takes through step 3.
func (c columnPass) own() int { return clusterRadix * clusterRadix / c.blocks }

// factors is the twiddle factors that one block holds throughout.
func (c columnPass) factors() int {
	return log2(clusterRadix)*clusterRadix + log2(c.last())*c.own()
}

// turns is the factors of the columns of one tile, the powers 1, 2, 4, … of
// all three steps.
func (c columnPass) turns() int {
	if !c.second {
		return 0
	}
	return columnsPerTile * log2(c.size())
}

// fixedBytes is the shared memory of a block without the next elements.
func (c columnPass) fixedBytes() int {
	const gates = 2 * 2 // of two teams
	return (clusterElements+2*c.turns()+c.factors())*complexBytes + gates*gateBytes
}

func (c columnPass) held() int { return heldPairs(c.fixedBytes()) }

func (c columnPass) sharedBytes() int { return c.fixedBytes() + c.held()*pairsBytes }

// tiles of so many transforms.
func (c columnPass) tiles(transforms int) int { return transforms * c.stride / columnsPerTile }

func (c columnPass) shape(transforms int, _ cuda.Facts, kernel cuda.Kernel) (cuda.Launch, error) {
	return clusterShape(c.blocks, c.sharedBytes(), c.tiles(transforms), kernel)
}

// tables holds, for each block of a cluster, the powers 1, 2, 4, … of the
// factors of step 2 and of step 3, then those of each tile's columns.
func (c columnPass) tables() [][]complex128 {
	var steps, columns []complex128
	for rank := range c.blocks {
		steps = appendPowers(steps, clusterRadix, clusterRadix, 256, func(i int) int { return i + clusterRadix*clusterRadix/c.blocks*rank })
		steps = appendPowers(steps, c.last(), c.own(), c.size(), func(i int) int { return c.own()*rank + i })
	}
	if c.second {
		for first := 0; first < c.stride; first += columnsPerTile {
			columns = appendPowers(columns, c.size(), columnsPerTile, c.stride*c.size(), func(i int) int { return first + i })
		}
	}
	return [][]complex128{steps, columns}
}

func (c columnPass) count(transforms int) any { return int32(c.tiles(transforms)) }

func (c columnPass) source(inverse bool) cuda.Source {
	source := clusterSourceOf(c.blocks, c.held(), c.minBlocks, inverse)
	source.Name, source.Text, source.Kernels = "large_columns.cu", columnsSource, []string{"columns"}
	source.Defines["STRIDE"] = strconv.Itoa(c.stride)
	source.Defines["SECOND"] = "0"
	if c.second {
		source.Defines["SECOND"] = "1"
	}
	return source
}

// work counts the kernel over this many transforms, without the tables that
// each block reads once.
func (c columnPass) work(transforms int) framework.Work {
	pairs := int64(8 / c.blocks) // of butterflies of the last step
	levels := int64(log2(c.last()))
	flops := 2*dftFLOPs(clusterRadix) + 2*turnedFLOPs(clusterRadix) + factorFLOPs(clusterRadix) +
		pairs*(2*turnedFLOPs(c.last())+factorFLOPs(c.last()))
	var loads int64
	if c.second {
		// Steps 1 and 2 have factors of their own for each column.
		flops = 2*(2*turnedFLOPs(clusterRadix)+2*factorFLOPs(clusterRadix)+4*multiplyFLOPs) +
			pairs*2*(turnedFLOPs(c.last())+factorFLOPs(c.last())+levels*multiplyFLOPs)
		loads = int64(c.tiles(transforms)) * int64(c.blocks) * int64(c.turns()) * complexBytes
	}
	bytes := int64(transforms) * int64(c.stride) * int64(c.size()) * complexBytes
	return framework.Work{
		FLOPs:      int64(c.tiles(transforms)) * int64(c.blocks*clusterThreads) * flops,
		LoadBytes:  bytes + loads,
		StoreBytes: bytes,
	}
}
