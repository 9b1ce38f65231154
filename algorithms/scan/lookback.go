package scan

import (
	_ "embed"
	"fmt"
	"strconv"

	"bench/cuda"
	"bench/framework"
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
			{Name: "P", Doc: "elements a thread", Values: powers(4, 64)},
			{Name: "L", Doc: "threads of a block that scan, beside a warp that looks back; a tile has L·P elements", Values: powers(64, 512)},
			{Name: "BLOCKS", Doc: "blocks a multiprocessor", Values: []int64{1, 2, 3, 4, 5, 6, 8, 10, 12, 16}},
			{Name: "W", Doc: "32·W tiles are looked back at together", Values: powers(1, 16)},
			{Name: "STAGES", Doc: "tiles ahead that are copied to shared memory meanwhile; 0: none", Values: []int64{0, 2, 3, 4, 6}},
			{Name: "STREAM", Doc: "1: loads say that nothing is used again, 2: stores do, 3: both", Values: []int64{0, 1, 2, 3}},
		},
		Defaults: lookbackDefaults,
		Valid: func(params, v framework.Values, facts cuda.Facts) error {
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
				return fmt.Errorf("P·L = %d elements a tile make %d tiles; want less than 2^31", v.Int("P")*v.Int("L"), n)
			}
			return nil
		},
		DeviceBytes: func(params, v framework.Values) int64 {
			s := shapeOf(params)
			return 2*s.bytes() + stateBytes(s, v) + 8
		},
		New: func(env framework.Env, q framework.Problem, v framework.Values) (framework.BaseAlgorithm, error) {
			return newGPURun(env, q, func(s shape) (gpuPlan, error) { return lookbackPlan(s, v, env.Device.Facts()), nil })
		},
	}
}

// lookbackDefaults are measured where docs/scan.md says so.
func lookbackDefaults(params framework.Values, facts cuda.Facts) framework.Values {
	wide := int(typeBytes(params) / 4)
	if embedded(facts) {
		return settings("P", 16/wide, "L", 256, "BLOCKS", 2, "W", 1, "STAGES", 0, "STREAM", 0)
	}
	return settings("P", 32/wide, "L", 512, "BLOCKS", 1, "W", 4/wide, "STAGES", 0, "STREAM", 0)
}

// stagesValid refuses copies ahead that the device cannot make or hold.
func stagesValid(s shape, v framework.Values, facts cuda.Facts) error {
	n := int(v.Int("STAGES"))
	bytes := stagedBytes(s, v)
	switch {
	case n < 0 || n > 16:
		return fmt.Errorf("STAGES = %d: want 0 to 16", n)
	case n > 0 && facts.ComputeMajor < 8:
		return fmt.Errorf("STAGES = %d: copies to shared memory need compute capability 8.0, the device has %d.%d", n, facts.ComputeMajor, facts.ComputeMinor)
	case n > 0 && (bytes+sharedBytes > facts.SharedOptIn || int(v.Int("BLOCKS"))*(bytes+sharedBytes+facts.SharedReserved) > facts.SharedPerSM):
		return fmt.Errorf("STAGES = %d and BLOCKS = %d need %d bytes of shared memory a block; the device has %d, and %d a multiprocessor",
			n, v.Int("BLOCKS"), bytes+sharedBytes, facts.SharedOptIn, facts.SharedPerSM)
	}
	return nil
}

// sharedBytes is at least what look-back takes beside its stages.
const sharedBytes = 512

func stagedBytes(s shape, v framework.Values) int {
	return int(v.Int("STAGES")*v.Int("P")*v.Int("L")) * int(s.Bytes)
}

// tilesOf is how many tiles a sequence has.
func tilesOf(s shape, v framework.Values) int {
	tile := int(v.Int("P") * v.Int("L"))
	return (s.N + tile - 1) / tile
}

// stateBytes are two lists of what tiles make known: a word with flag and
// value, or in float64 a flag and two values.
func stateBytes(s shape, v framework.Values) int64 {
	each := int64(8)
	if s.Type == "f64" {
		each = 24
	}
	return 2 * each * int64(tilesOf(s, v)*s.Batch)
}

func lookbackPlan(s shape, v framework.Values, facts cuda.Facts) gpuPlan {
	p, l, b := int(v.Int("P")), int(v.Int("L")), int(v.Int("BLOCKS"))
	// Every sequence must start where a vector may.
	vector := min(p, int(vectorBytes/s.Bytes))
	for s.Batch > 1 && s.N%vector != 0 {
		vector /= 2
	}
	d := defines(s, vector, v, koggeStone, "P", "L", "BLOCKS", "W", "STAGES", "STREAM")
	d["BATCH"] = strconv.Itoa(min(s.Batch, 2))
	perSequence := tilesOf(s, v)
	tiles := perSequence * s.Batch
	grid := min(tiles, b*max(1, facts.Multiprocessors))
	rows, warps := p/vector, l/warpSize

	// Of one tile, full or not: within vectors, lanes, rows and warps, what
	// lies before each vector and element; a tile's own and one other's sum.
	additions := rows*l*(vector-1) + rows*warps*laneAdditions(warpSize, koggeStone) + 2*rows*l +
		warps*laneAdditions(warps, koggeStone) + 2*l + p*l
	if s.Exclusive {
		additions -= rows * l
	}
	chain := vector - 1 + log2(warpSize) + rows + log2(warps) + 3
	if s.Type == "f64" {
		chain += perSequence // float32 carries the sums of tiles in float64
	}
	states := stateBytes(s, v) / 2
	return gpuPlan{
		source: cuda.Source{
			Name: "lookback.cu", Text: lookbackText, Headers: map[string]string{"scan.cuh": headerText},
			Defines: d, Kernels: []string{"scan"},
		},
		shape: cuda.Launch{Grid: cuda.Dim3{X: grid}, Block: cuda.Dim3{X: l + warpSize}, SharedBytes: stagedBytes(s, v)},
		chain: float64(chain),
		// A tile reads at least one state, and writes its own twice and the
		// other list's once.
		work: framework.Work{
			FLOPs:     int64(additions) * int64(tiles),
			LoadBytes: s.bytes() + states, StoreBytes: s.bytes() + 3*states,
		},
		stateBytes: stateBytes(s, v),
		arguments:  []any{int64(s.N), uint32(perSequence), uint32(tiles)},
	}
}
