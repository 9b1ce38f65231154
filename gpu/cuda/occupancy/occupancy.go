// Package occupancy computes the number of blocks of a kernel that a multiprocessor holds at once.
package occupancy

import "example.org/bench/gpu"

// Occupancy is how a kernel fills a multiprocessor.
type Occupancy struct {
	Blocks        int     `json:"blocks"`         // resident
	Warps         int     `json:"warps"`          // resident
	Share         float64 `json:"share"`          // warps by the most that the multiprocessor holds
	RegisterShare float64 `json:"register_share"` // the same, if registers were the only limit
	// Limit is the resource that allows no further block: "threads", "blocks", "registers" or "shared
	// memory". Where no block fits, it says what is too large.
	Limit string `json:"limit"`
}

// The units in which a multiprocessor allocates registers and warps (NVIDIA's "CUDA Occupancy
// Calculator", compute capability 3.0 on).
const (
	registerUnit = 256 // registers, allocated to a warp at a time
	warpUnit     = 4   // warps that share registers
)

func sharedUnit(f gpu.Facts) int {
	if f.ComputeMajor >= 8 {
		return 128
	}
	return 256
}

func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }

// Of computes how many blocks of a kernel a multiprocessor holds at
// once: min(by registers, by shared memory, by threads, the device's most).
func Of(f gpu.Facts, threads, registers, sharedBytes int) Occupancy {
	warps := roundUp(threads, f.WarpSize) / f.WarpSize
	most := f.MaxThreadsPerSM / f.WarpSize
	o := Occupancy{Blocks: most / max(warps, 1), Limit: "threads"}
	least := func(blocks int, limit string) {
		if blocks < o.Blocks {
			o.Blocks, o.Limit = blocks, limit
		}
	}
	least(f.MaxBlocksPerSM, "blocks")
	o.RegisterShare = 1
	if registers > 0 {
		perWarp := roundUp(registers*f.WarpSize, registerUnit)
		byRegisters := f.RegistersPerSM / perWarp / warpUnit * warpUnit
		o.RegisterShare = min(1, float64(byRegisters)/float64(most))
		least(byRegisters/max(warps, 1), "registers")
		if warps*perWarp > f.RegistersBlock {
			least(0, "registers")
		}
	}
	if sharedBytes > 0 {
		least(f.SharedPerSM/roundUp(sharedBytes+f.SharedReserved, sharedUnit(f)), "shared memory")
		if sharedBytes > f.SharedOptIn {
			least(0, "shared memory")
		}
	}
	if threads < 1 || threads > f.MaxThreadsBlock {
		least(0, "threads")
	}
	o.Warps = min(most, o.Blocks*warps)
	o.Share = float64(o.Warps) / float64(most)
	return o
}
