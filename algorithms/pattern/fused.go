package pattern

import (
	_ "embed"
	"fmt"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/internal/terminal"
)

//go:embed kernels/fused.cu
var fusedText string

func fusedVersion() framework.Version {
	return framework.Version{
		Name:      "v5",
		Doc:       "one kernel: several patterns per warp, shifts in registers, the square expanded",
		Source:    literature + ": the two steps; the expansion is this project's (algorithms/pattern/README.md)",
		Processor: framework.GPU,
		Tunables: []framework.Tunable{
			{Name: "LANES", Doc: "threads that share a pattern; a warp takes 32/LANES patterns at a time", Values: framework.PowersOfTwo(2, 32)},
			{Name: "R", Doc: "neighbouring shifts that a thread keeps in registers", Values: []int64{1, 2, 4, 7, 8, 13, 16, 26, 32, 51}},
			{Name: "ROLLED", Doc: "1: a loop takes R elements of the signal at a time; 0: all N are unrolled", Values: []int64{0, 1}},
			{Name: "THREADS", Doc: "threads per block", Values: []int64{32, 64, 96, 128, 192, 256, 384, 512, 768, 1024}},
			{Name: "BLOCKS", Doc: "blocks per multiprocessor", Values: []int64{1, 2, 3, 4, 5, 6, 8, 10, 12, 16}},
			{Name: "AHEAD", Doc: "1: the next patterns are loaded to registers meanwhile", Values: []int64{0, 1}},
		},
		Defaults: fusedDefaults,
		Valid:    func(params, v framework.Values, facts gpu.Facts) error { return fusedValid(shapeOf(params), v, facts) },
		DeviceBytes: func(params, _ framework.Values) int64 {
			s := shapeOf(params)
			return gpuPlan{slots: s.K}.bytes(s) // a block takes at least one pattern
		},
		New: newVersion(fusedPlan),
	}
}

// fusedDefaults returns the tunables; algorithms/pattern/README.md says where they were measured.
func fusedDefaults(params framework.Values, facts gpu.Facts) framework.Values {
	s := shapeOf(params)
	lanes, rolled, ahead := 8, 0, 0
	launches := [][2]int{{128, 5}, {128, 4}, {128, 2}, {128, 1}, {64, 1}, {32, 1}} // threads per block, blocks per multiprocessor
	switch {
	case s.length() > 512:
		lanes, rolled = warpSize, 1
	case s.N > 64:
		rolled = 1
	case s.K*16 <= 384*facts.Multiprocessors:
		// Every warp takes one group, for less code to fetch and more warps.
		lanes, rolled, ahead = 16, 1, 1
		launches = append([][2]int{{384, 1}, {256, 1}}, launches...)
	}
	v := framework.IntValues("LANES", lanes, "R", min(blocks(s.S, lanes), 13), "ROLLED", rolled, "AHEAD", ahead)
	for _, l := range launches {
		v["THREADS"], v["BLOCKS"] = framework.IntValue(int64(l[0])), framework.IntValue(int64(l[1]))
		if fusedValid(s, v, facts) == nil {
			break
		}
	}
	return v
}

// fused is the shape of the launch of version 5.
type fused struct {
	shape
	lanes, r, rolled, threads, blocks, ahead int
}

func fusedOf(s shape, v framework.Values) fused {
	return fused{s, int(v.Int("LANES")), int(v.Int("R")), int(v.Int("ROLLED")), int(v.Int("THREADS")), int(v.Int("BLOCKS")), int(v.Int("AHEAD"))}
}

// teams returns how many patterns a warp takes at a time.
func (f fused) teams() int { return warpSize / f.lanes }

// rounds returns how many rounds a team takes for all shifts.
func (f fused) rounds() int { return blocks(f.S, f.lanes*f.r) }

// vector returns how many elements an access of global memory has. Every row starts at a multiple of it.
func (f fused) vector() int {
	for _, v := range []int{4, 2} {
		if f.length()%v == 0 {
			return v
		}
	}
	return 1
}

// loads returns how many accesses a thread makes for the patterns of its warp.
func (f fused) loads() int { return blocks(f.teams()*f.length(), warpSize*f.vector()) }

// stride returns the distance of patterns in shared memory. It is their length, so that they are copied as
// they lie, unless three threads of a warp, each R elements beyond the last of its team, would hit the same
// bank. It is then the length among the next few multiples of 4 with the fewest conflicts.
func (f fused) stride() int {
	best, fewest := f.length(), f.meeting(f.length())
	if fewest <= 2 {
		return best
	}
	for s := blocks(f.length(), 4) * 4; s < f.length()+warpSize; s += 4 {
		if n := f.meeting(s); n < fewest {
			best, fewest = s, n
		}
	}
	return best
}

// meeting returns the largest number of threads of a warp that read from one bank at once.
func (f fused) meeting(stride int) (most int) {
	var banks [warpSize]int
	for i := range warpSize {
		b := (i/f.lanes*stride + i%f.lanes*f.r) % warpSize
		banks[b]++
		most = max(most, banks[b])
	}
	return most
}

// region returns how many elements a warp's patterns take in shared memory, up to the last element read.
func (f fused) region() int {
	return blocks((f.teams()-1)*f.stride()+max(f.length(), f.rounds()*f.lanes*f.r+f.N-1), 4) * 4
}

func (f fused) sharedBytes() int {
	return 4 * (blocks(4*f.N+f.G, 4)*4 + f.threads/warpSize*f.region())
}

// fixedSharedBytes bounds the other shared memory of kernel match.
const fixedSharedBytes = 256

func fusedValid(s shape, v framework.Values, facts gpu.Facts) error {
	f := fusedOf(s, v)
	switch {
	case f.lanes < 1 || f.lanes > warpSize || f.lanes&(f.lanes-1) != 0:
		return fmt.Errorf("LANES = %d is not a power of two up to %d", f.lanes, warpSize)
	case f.r < 1 || f.r > 64:
		return fmt.Errorf("R = %d: want 1 to 64", f.r)
	case f.rolled < 0 || f.rolled > 1:
		return fmt.Errorf("ROLLED = %d: want 0 or 1", f.rolled)
	case f.rolled == 0 && f.N*f.r > 2048:
		return fmt.Errorf("ROLLED = 0 unrolls N·R = %d steps; want at most 2048, or ROLLED = 1", f.N*f.r)
	case f.threads < warpSize || f.threads%warpSize != 0 || f.threads > facts.MaxThreadsBlock:
		return fmt.Errorf("THREADS = %d: want a multiple of %d up to the device's %d", f.threads, warpSize, facts.MaxThreadsBlock)
	case f.ahead < 0 || f.ahead > 1:
		return fmt.Errorf("AHEAD = %d: want 0 or 1", f.ahead)
	case f.ahead == 1 && f.loads()*f.vector() > 48:
		return fmt.Errorf("AHEAD = 1 needs %d registers for the next patterns; want at most 48, by a larger LANES", f.loads()*f.vector())
	}
	if f.blocks < 1 || f.blocks > facts.MaxBlocksPerSM || f.blocks*f.threads > facts.MaxThreadsPerSM {
		return fmt.Errorf("BLOCKS = %d of %s: want at least 1 and no more than the device's %d blocks and %d threads per multiprocessor",
			f.blocks, terminal.Count(f.threads, "thread"), facts.MaxBlocksPerSM, facts.MaxThreadsPerSM)
	}
	registers := 3*f.r + 24
	if f.ahead == 1 {
		registers += f.loads() * f.vector()
	}
	if registers > 255 || f.threads*registers > facts.RegistersBlock || f.blocks*f.threads*registers > facts.RegistersPerSM {
		return fmt.Errorf("R = %d, AHEAD = %d, THREADS = %d and BLOCKS = %d need about %d registers per thread; the device has 255, %d per block and %d per multiprocessor",
			f.r, f.ahead, f.threads, f.blocks, registers, facts.RegistersBlock, facts.RegistersPerSM)
	}
	shared := f.sharedBytes() + fixedSharedBytes
	if shared > facts.SharedOptIn || f.blocks*(shared+facts.SharedReserved) > facts.SharedPerSM {
		return fmt.Errorf("LANES = %d, R = %d, THREADS = %d and BLOCKS = %d need %d bytes of shared memory per block; the device has %d, and %d per multiprocessor",
			f.lanes, f.r, f.threads, f.blocks, shared, facts.SharedOptIn, facts.SharedPerSM)
	}
	return nil
}

func fusedPlan(s shape, v framework.Values, facts gpu.Facts) gpuPlan {
	f := fusedOf(s, v)
	warps := blocks(s.K, f.teams())
	grid := min(blocks(warps, f.threads/warpSize), f.blocks*max(1, facts.Multiprocessors))
	return gpuPlan{
		source: gpu.Source{
			Name: "fused.cu", Text: fusedText, Headers: map[string]string{"match.cuh": matchText},
			Defines: defines(s, "LANES", f.lanes, "R", f.r, "ROLLED", f.rolled, "THREADS", f.threads, "BLOCKS", f.blocks, "AHEAD", f.ahead,
				"VECTOR", f.vector(), "STRIDE", f.stride(), "REGION", f.region()),
			Kernels: []string{"match"},
		},
		launches: []launch{{
			kernel:    "match",
			shape:     gpu.Launch{Grid: gpu.Dim3{X: grid}, Block: gpu.Dim3{X: f.threads}, SharedBytes: f.sharedBytes()},
			arguments: []any{signalBuffer, weightsBuffer, gainsBuffer, templatesBuffer, slotsBuffer, resultBuffer, int32(s.K)},
		}},
		slots: grid,
		form:  expanded,
		work:  f.work(grid),
	}
}

// work counts what grid blocks execute, following fused.cu: whole warps, even if the last one has fewer
// patterns.
func (f fused) work(grid int) framework.Work {
	steps := int64(0) // of a sum over a team
	for 1<<steps < f.lanes {
		steps++
	}
	n, g := int64(f.N), int64(f.G)
	team := 4*n*int64(f.rounds()*f.lanes*f.r) + // shifts
		int64(f.rounds()*f.lanes)*(n+int64(f.r)-1) + // squares
		9*n + // E, B, C
		5*g + // parabola
		5*n + // directly
		int64(f.lanes)*(4*steps+1) // four sums, and the factor of B
	teams := int64(blocks(f.K, f.teams()) * f.teams())
	return framework.Work{
		FLOPs:      teams*team + 2*n*int64(grid), // 2·w·a in each block
		LoadBytes:  4*int64(f.K)*int64(f.length()) + 4*(2*n+g)*int64(grid) + slotLoads(grid),
		StoreBytes: resultBytes + slotStores(grid),
	}
}
