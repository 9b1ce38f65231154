package fft

import (
	_ "embed"
	"fmt"
	"strconv"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/internal/terminal"
)

//go:embed large_columns.cu
var columnsSource string

// columnsPerTile is the columns that a cluster takes together: 128 bytes of a
// row.
const columnsPerTile = 16

// columnSize is the elements of a column for one block of a cluster.
const columnSize = clusterElements / columnsPerTile

// columnPass is the first of two passes, or the second too, by clusters of
// blocks.
type columnPass struct {
	blocks int // of a cluster
	stride int // columns of a transform
	second bool
}

// planColumns divides a transform of n elements into a pass over columns of
// 512 elements for each block of a cluster, and one of tiles of s elements or,
// where tiles are those of clusters, by clusters again.
func planColumns(n, blocks, s int, like tile) ([]stage, error) {
	size := blocks * columnSize
	rest := n / size
	like.size, like.columns, like.columnIn, like.columnOut = rest, s/max(rest, 1), true, true
	switch {
	case like.double:
		return nil, fmt.Errorf("CLUSTER = %d transforms single precision only", blocks)
	case blocks < 1 || blocks > 8:
		return nil, fmt.Errorf("CLUSTER = %d: want 1 to 8 blocks for the first of two passes", blocks)
	case s == clusterElements && like.points == clusterPoints && like.radix == clusterRadix && rest >= columnSize && rest <= size:
		return []stage{
			columnPass{blocks: blocks, stride: rest},
			columnPass{blocks: rest / columnSize, stride: size, second: true},
		}, nil
	case rest < max(like.points, columnsPerTile) || rest > s || like.columns > size:
		return nil, fmt.Errorf("CLUSTER = %d leaves N/%d = %s for the second pass: want %d to S = %d", blocks,
			size, terminal.Count(rest, "element"), max(like.points, columnsPerTile, s/size), s)
	}
	return []stage{
		columnPass{blocks: blocks, stride: rest},
		pass{tile: like.withPadding(), stride: size, ns: size},
	}, nil
}

// size is the elements of a column.
func (c columnPass) size() int { return c.blocks * columnSize }

// last is the radix of the last step.
func (c columnPass) last() int { return 2 * c.blocks }

// own is the results of steps 1 and 2 that a block takes through step 3.
func (c columnPass) own() int { return clusterRadix * clusterRadix / c.blocks }

// kept is the twiddle factors that a block keeps in shared memory: of step 2,
// and in the second pass of step 3.
func (c columnPass) kept() int {
	kept := log2(clusterRadix) * clusterRadix
	if c.second {
		kept += log2(c.last()) * c.own()
	}
	return kept
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
	return (clusterElements+2*c.turns()+c.kept())*complexBytes + gates*gateBytes
}

func (c columnPass) held() int { return heldPairs(c.fixedBytes()) }

func (c columnPass) sharedBytes() int { return c.fixedBytes() + c.held()*pairsBytes }

// tiles of so many transforms.
func (c columnPass) tiles(transforms int) int { return transforms * c.stride / columnsPerTile }

func (c columnPass) shape(transforms int, _ gpu.Facts, kernel gpu.Kernel) (gpu.Launch, error) {
	return clusterShape(c.blocks, c.sharedBytes(), c.tiles(transforms), kernel)
}

// tables holds, for each block of a cluster, the powers 1, 2, 4, … of the
// factors of step 2 and of step 3, then those of each tile's columns.
func (c columnPass) tables() [][]complex128 {
	var table, columns []complex128
	for rank := range c.blocks {
		table = appendPowers(table, clusterRadix, clusterRadix, 256, func(i int) int { return i + clusterRadix*clusterRadix/c.blocks*rank })
		table = appendPowers(table, c.last(), c.own(), c.size(), func(i int) int { return c.own()*rank + i })
	}
	for first := 0; c.second && first < c.stride; first += columnsPerTile {
		columns = appendPowers(columns, c.size(), columnsPerTile, c.stride*c.size(), func(i int) int { return first + i })
	}
	return [][]complex128{table, columns}
}

func (c columnPass) count(transforms int) any { return int32(c.tiles(transforms)) }

func (c columnPass) source(inverse bool) gpu.Source {
	source := clusterSourceOf(c.blocks, c.held(), inverse)
	source.Name, source.Text, source.Kernels = "large_columns.cu", columnsSource, []string{"columns"}
	source.Defines["STRIDE"], source.Defines["SECOND"] = strconv.Itoa(c.stride), "0"
	if c.second {
		source.Defines["SECOND"] = "1"
	}
	return source
}

// work counts the kernel over this many transforms, without the tables that
// each block reads once.
func (c columnPass) work(transforms int) framework.Work {
	levels, butterflies := int64(log2(c.last())), int64(clusterPoints/c.last())
	flops := 2*dftFLOPs(clusterRadix) + 2*turnedFLOPs(clusterRadix) + factorFLOPs(clusterRadix) +
		butterflies*turnedFLOPs(c.last()) + factorFLOPs(c.last())
	perTile := int64(c.blocks) * clusterThreads / 32 * levels * int64(min(32, c.own()/2)) // of step 3
	if c.second {
		flops = 4*(turnedFLOPs(clusterRadix)+factorFLOPs(clusterRadix)) + 8*multiplyFLOPs +
			butterflies*(turnedFLOPs(c.last())+factorFLOPs(c.last())+levels*multiplyFLOPs)
		perTile = int64(c.blocks * c.turns())
	}
	tiles := int64(c.tiles(transforms))
	bytes := tiles * int64(c.blocks) * clusterElements * complexBytes
	return framework.Work{
		FLOPs:      tiles * int64(c.blocks) * clusterThreads * flops,
		LoadBytes:  bytes + tiles*perTile*complexBytes,
		StoreBytes: bytes,
	}
}
