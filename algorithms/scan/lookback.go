package scan

import (
	_ "embed"
	"fmt"
	"strconv"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/internal/terminal"
)

//go:embed lookback.cu
var lookbackText string

func lookbackVersion() framework.Version {
	return framework.Version{
		Name:      "lookback",
		Doc:       "one kernel and one pass over memory for any length: tiles add up the sums of those before them",
		Source:    "Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back (2016)",
		Processor: framework.GPU,
		Tunables: []framework.Tunable{
			{Name: "P", Doc: "elements per thread", Values: framework.PowersOfTwo(4, 64)},
			{Name: "L", Doc: "threads of a block that scan, beside a warp that looks back; a tile has L·P elements", Values: framework.PowersOfTwo(64, 512)},
			{Name: "BLOCKS", Doc: "blocks per multiprocessor", Values: []int64{1, 2, 3, 4, 5, 6, 8, 10, 12, 16}},
			{Name: "W", Doc: "32·W tiles are looked back at together", Values: []int64{1, 2, 3, 4, 5, 6, 8, 9, 12, 16}},
			{Name: "STAGES", Doc: "tiles that a block holds in shared memory", Values: []int64{2, 3, 4, 6, 8, 12}},
			{Name: "AHEAD", Doc: "tiles by which a block's sums are known before their prefixes are needed, less than STAGES", Values: []int64{0, 1, 2, 3, 4, 6, 8}},
			{Name: "ASYNC", Doc: "1: tiles are copied to shared memory meanwhile, from compute capability 8.0 on; 0: by way of registers", Values: []int64{0, 1}},
			{Name: "STREAM", Doc: "2: stores say that nothing is used again; 1, 3: loads do too, with ASYNC = 0", Values: []int64{0, 1, 2, 3}},
		},
		Defaults: lookbackDefaults,
		Valid: func(params, v framework.Values, facts gpu.Facts) error {
			s := shapeOf(params)
			if err := limits(s, v, int(v.Int("L"))+warpSize, facts); err != nil {
				return err
			}
			if w := v.Int("W"); w < 1 || w > 16 {
				return fmt.Errorf("W = %d: want 1 to 16", w)
			}
			if err := stagesValid(s, v, facts); err != nil {
				return err
			}
			if n := tilesOf(s, v) * s.Batch; n >= 1<<31 {
				return fmt.Errorf("P·L = %s per tile make %s; want less than 2^31", terminal.Count(v.Int("P")*v.Int("L"), "element"), terminal.Count(n, "tile"))
			}
			return nil
		},
		DeviceBytes: func(params, v framework.Values) int64 {
			s := shapeOf(params)
			return 2*s.bytes() + stateBytes(s, v) + 8
		},
		New: newVersion(lookbackPlan),
	}
}

// lookbackDefaults returns the tunables; algorithms/scan/README.md says where they were measured.
func lookbackDefaults(params framework.Values, facts gpu.Facts) framework.Values {
	wide := int(typeBytes(params) / 4)
	if facts.ComputeMajor < 8 {
		return framework.IntValues("P", 8/wide, "L", 256, "BLOCKS", 2, "W", 1, "STAGES", 3, "AHEAD", 1, "ASYNC", 0, "STREAM", 0)
	}
	const p, l = 16, 512
	stages := max(2, min(4, (facts.SharedOptIn-boardBytes)/(4*p*l)))
	return framework.IntValues("P", p/wide, "L", l, "BLOCKS", 1, "W", 5, "STAGES", stages, "AHEAD", stages/2, "ASYNC", 1, "STREAM", 0)
}

// stagesValid refuses stages that the device cannot fill or hold.
func stagesValid(s shape, v framework.Values, facts gpu.Facts) error {
	n, ahead, async := int(v.Int("STAGES")), int(v.Int("AHEAD")), int(v.Int("ASYNC"))
	bytes := stagedBytes(s, v)
	switch {
	case n < 2 || n > 16:
		return fmt.Errorf("STAGES = %d: want 2 to 16", n)
	case ahead < 0 || ahead >= n:
		return fmt.Errorf("AHEAD = %d: want 0 to STAGES - 1 = %d", ahead, n-1)
	case async < 0 || async > 1:
		return fmt.Errorf("ASYNC = %d: want 0 or 1", async)
	case async == 1 && facts.ComputeMajor < 8:
		return fmt.Errorf("ASYNC = 1: copies to shared memory need compute capability 8.0, the device has %d.%d", facts.ComputeMajor, facts.ComputeMinor)
	case bytes+boardBytes > facts.SharedOptIn || int(v.Int("BLOCKS"))*(bytes+boardBytes+facts.SharedReserved) > facts.SharedPerSM:
		return fmt.Errorf("STAGES = %d and BLOCKS = %d need %d bytes of shared memory per block; the device has %d, and %d per multiprocessor",
			n, v.Int("BLOCKS"), bytes+boardBytes, facts.SharedOptIn, facts.SharedPerSM)
	}
	return nil
}

// boardBytes bounds the shared memory of a block apart from its stages: up to 18 boards of 16 sums and a
// count.
const boardBytes = 3 << 10

func stagedBytes(s shape, v framework.Values) int {
	return int(v.Int("STAGES")*v.Int("P")*v.Int("L")) * int(s.Bytes)
}

// tilesOf returns how many tiles a sequence has.
func tilesOf(s shape, v framework.Values) int {
	tile := int(v.Int("P") * v.Int("L"))
	return (s.N + tile - 1) / tile
}

// stateSize returns the bytes of a tile's state: one word with mark and value, or two for float64.
func stateSize(s shape) int64 {
	if s.Type == "f64" {
		return 16
	}
	return 8
}

// stateBytes returns the bytes of all tiles' states.
func stateBytes(s shape, v framework.Values) int64 {
	return stateSize(s) * int64(tilesOf(s, v)*s.Batch)
}

func lookbackPlan(s shape, v framework.Values, facts gpu.Facts) gpuPlan {
	p, l, b := int(v.Int("P")), int(v.Int("L")), int(v.Int("BLOCKS"))
	// Every sequence must start at a multiple of the vector.
	vector := min(p, int(vectorBytes/s.Bytes))
	for s.Batch > 1 && s.N%vector != 0 {
		vector /= 2
	}
	d := defines(s, vector, v, koggeStone, "P", "L", "BLOCKS", "W", "STAGES", "AHEAD", "ASYNC", "STREAM")
	d["BATCH"] = strconv.Itoa(min(s.Batch, 2))
	perSequence := tilesOf(s, v)
	tiles := perSequence * s.Batch
	rows, warps := p/vector, l/warpSize
	chain := vector - 1 + log2(warpSize) + rows + log2(warps) + 3
	if s.Type == "f64" {
		chain += perSequence // float32 carries the sums of tiles in float64
	}
	return gpuPlan{
		source: gpu.Source{
			Name: "lookback.cu", Text: lookbackText, Headers: map[string]string{"scan.cuh": headerText},
			Defines: d, Kernels: []string{"scan"},
		},
		shape: gpu.Launch{
			Grid: gpu.Dim3{X: min(tiles, b*max(1, facts.Multiprocessors))}, Block: gpu.Dim3{X: l + warpSize},
			SharedBytes: stagedBytes(s, v), Cooperative: facts.Cooperative,
		},
		resident:   true,
		chain:      float64(chain),
		work:       func(grid int) framework.Work { return lookbackWork(s, v, vector, grid) },
		stateBytes: stateBytes(s, v),
		arguments:  []any{int64(s.N), uint32(perSequence), uint32(tiles)},
	}
}

// lookbackWork counts a launch of grid blocks in which no state is read twice.
func lookbackWork(s shape, v framework.Values, vector, grid int) framework.Work {
	p, l := int(v.Int("P")), int(v.Int("L"))
	rows, warps := p/vector, l/warpSize
	perSequence := tilesOf(s, v)
	tiles := int64(perSequence * s.Batch)

	// For one tile, full or not: its sum; the states' sums; the sums within vectors, lanes and rows; the sums
	// of warps, in each warp; the sum before each element.
	additions := l*(p-1+log2(warpSize)) + warpSize*log2(warps) + warpSize*(log2(warpSize)+1) +
		rows*l*(vector-1) + rows*warps*rowAdditions(warpSize, koggeStone) + (rows-1+max(0, rows-2))*l +
		warps*laneAdditions(warps, koggeStone) + (warps-1)*warpSize + p*l
	before := (s.N + vector - 1) / vector * s.Batch // for the vectors that are stored
	if s.Exclusive {
		additions -= rows * l
	}
	// For one sequence: the states that its tiles look back at.
	near := min(perSequence, grid)
	seen := int64(near)*int64(near-1)/2 + int64(perSequence-near)*int64(grid)
	seen *= int64(s.Batch)
	return framework.Work{
		FLOPs:     int64(additions)*tiles + int64(before) + seen,
		LoadBytes: s.bytes() + seen*stateSize(s), StoreBytes: s.bytes() + tiles*stateSize(s),
	}
}
