package scan

import (
	_ "embed"
	"fmt"
	"math/bits"
	"strconv"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/internal/terminal"
)

//go:embed block.cu
var blockText string

const minBlockN = 64

// blockVersion scans each sequence within a block.
func blockVersion(name, source string, pattern int) framework.Version {
	return framework.Version{
		Name:      name,
		Doc:       "one kernel, sequences within a block: rows by shuffles, sums of warps through 32 shared elements per sequence; in OpenCL all through local memory",
		Source:    source + "; " + literature,
		Processor: framework.GPU,
		Portable:  true,
		Tunables: []framework.Tunable{
			{Name: "S", Doc: "shared elements per block, 32 for each of its L·P/N sequences, not used where a sequence fits a warp; in OpenCL one for each vector", Values: framework.PowersOfTwo(32, 1024)},
			{Name: "P", Doc: "elements per thread", Values: framework.PowersOfTwo(2, 32)},
			{Name: "L", Doc: "threads per block", Values: framework.PowersOfTwo(32, 1024)},
			{Name: "BLOCKS", Doc: "least number of blocks per multiprocessor that must have registers", Values: framework.PowersOfTwo(1, 32)},
			{Name: "STREAM", Doc: "1: loads say that nothing is used again, 2: stores do, 3: both", Values: []int64{0, 1, 2, 3}},
		},
		Defaults: blockDefaults,
		Valid: func(params, v framework.Values, facts gpu.Facts) error {
			return blockValid(shapeOf(params), v, facts)
		},
		Supports:    func(params framework.Values, facts gpu.Facts) error { return blockSupports(shapeOf(params), facts) },
		DeviceBytes: func(params, _ framework.Values) int64 { return 2 * shapeOf(params).bytes() },
		New: newVersion(func(s shape, v framework.Values, facts gpu.Facts) gpuPlan {
			if facts.OpenCL != nil {
				return localPlan(s, v, pattern)
			}
			return blockPlan(name, s, v, pattern)
		}),
	}
}

// maxBlockN returns the length of the longest sequence whose elements fit in a block's registers.
func maxBlockN(s shape, facts gpu.Facts) int {
	most := 16384
	if facts.RegistersBlock < 64<<10 {
		most = 8192
	}
	return most * 4 / int(s.Bytes)
}

func blockSupports(s shape, facts gpu.Facts) error {
	if most := maxBlockN(s, facts); !framework.IsPowerOfTwo(s.N) || s.N < minBlockN || s.N > most {
		return fmt.Errorf("N = %d: want a power of two from %d to %d, which a block holds; version %s takes any", s.N, minBlockN, most, anyLength(facts))
	}
	return doubles(s, facts)
}

func blockTunables(n, p, l, b, stream int) framework.Values {
	return framework.IntValues("S", warpSize*p*l/n, "P", p, "L", l, "BLOCKS", b, "STREAM", stream)
}

// blockDefaults returns the literature's analytical values on devices like the literature's, if it has any,
// and measured values (algorithms/scan/README.md) elsewhere.
func blockDefaults(params framework.Values, facts gpu.Facts) framework.Values {
	s := shapeOf(params)
	n := s.N
	wide := int(s.Bytes / 4)
	if facts.OpenCL != nil {
		return localDefaults(s, facts)
	}
	if facts.Embedded() {
		switch {
		case n <= 256:
			return blockTunables(n, 4, 64, 1, 0)
		case n <= 4096/wide:
			return blockTunables(n, 4, n/4, 1, 0)
		}
		return blockTunables(n, 16/wide, n*wide/16, 1, 0)
	}
	switch {
	case n <= 128:
		return blockTunables(n, 4/wide, 128, 1, 0)
	case n <= 512:
		return blockTunables(n, 8/wide, 64*wide, 1, 0)
	case n <= 1024:
		return blockTunables(n, 16/wide, 64*wide, 1, 0)
	case n == 2048 && s.Type == "f64":
		return blockTunables(n, 8, 256, 1, 0)
	}
	return blockTunables(n, 32/wide, n*wide/32, 1, 0)
}

func blockValid(s shape, v framework.Values, facts gpu.Facts) error {
	if facts.OpenCL != nil {
		return localValid(s, v, facts)
	}
	if err := limits(s, v, int(v.Int("L")), facts); err != nil {
		return err
	}
	p, l := int(v.Int("P")), int(v.Int("L"))
	switch {
	case p*l < s.N:
		return fmt.Errorf("P·L = %s per block are less than N = %d", terminal.Count(p*l, "element"), s.N)
	case int(v.Int("S")) != warpSize*p*l/s.N:
		return fmt.Errorf("S = %d: 32 elements for each of the block's P·L/N = %s are %d", v.Int("S"), terminal.Count(p*l/s.N, "sequence"), warpSize*p*l/s.N)
	}
	return nil
}

func log2(n int) int { return bits.Len(uint(n)) - 1 }

// laneAdditions returns how many additions a warp executes for the scan of each group of width lanes, by
// pattern, counting only lanes that add.
func laneAdditions(width, pattern int) int {
	if pattern == koggeStone {
		return warpSize / width * (width*log2(width) - (width - 1))
	}
	return warpSize / 2 * log2(width)
}

// rowAdditions returns the same for a warp's row of vectors, whose first step adds in all lanes and then
// selects.
func rowAdditions(width, pattern int) int {
	if pattern == koggeStone {
		return laneAdditions(width, pattern) + warpSize/width
	}
	return laneAdditions(width, pattern) + warpSize/2
}

func blockPlan(name string, s shape, v framework.Values, pattern int) gpuPlan {
	p, l := int(v.Int("P")), int(v.Int("L"))
	vector := min(p, int(vectorBytes/s.Bytes))
	row, warp := warpSize*vector, warpSize*p
	d := defines(s, vector, v, pattern, "P", "L", "BLOCKS", "STREAM")
	d["N"] = strconv.Itoa(s.N)
	perBlock := p * l / s.N

	// For one sequence: its vectors, the lanes of each row, rows and warps.
	width := min(warpSize, s.N/vector)
	rows := max(1, s.N/row)        // of a sequence
	team := max(1, s.N/warp)       // warps
	chained := min(rows, warp/row) // rows in a warp
	additions := s.N/vector*(vector-1) + rows*rowAdditions(width, pattern)*width/warpSize + s.N
	if s.Exclusive {
		additions -= s.N / vector // the first element of a vector is the sum before it
	}
	if chained > 1 {
		sums := chained - 2 // of a warp's rows; the last row's sum is only for other warps
		if team > 1 {
			sums++
		}
		additions += team * (chained - 1 + sums) * warpSize // and the sum before each row
	}
	if team > 1 {
		additions += team*laneAdditions(team, pattern) + (team-1)*rows/team*warpSize
	}
	chain := vector - 1 + log2(width) + 1
	if chained > 1 {
		chain += chained
	}
	if team > 1 {
		chain += log2(team) + 1
	}
	return gpuPlan{
		source: gpu.Source{
			Name: name + ".cu", Text: blockText, Headers: map[string]string{"scan.cuh": headerText},
			Defines: d, Kernels: []string{"scan"},
		},
		shape: gpu.Launch{Grid: gpu.Dim3{X: (s.Batch + perBlock - 1) / perBlock}, Block: gpu.Dim3{X: l}},
		chain: float64(chain),
		work: func(int) framework.Work {
			return framework.Work{FLOPs: int64(additions) * int64(s.Batch), LoadBytes: s.bytes(), StoreBytes: s.bytes()}
		},
		arguments: []any{int64(s.elements())},
	}
}
