package tuning

import "bench/cuda"

// Occupancy is how a kernel fills a multiprocessor.
type Occupancy struct {
	Blocks, Warps int // resident
	// Share is Warps by the most that the multiprocessor holds.
	Share float64
	// RegisterShare is what Share would be if registers were the only limit.
	RegisterShare float64
	// Limit is what allows no further block: "threads", "blocks", "registers" or
	// "shared memory"; where no block fits, it says what is too large.
	Limit string
}

// Units in which a multiprocessor gives out what it has (NVIDIA's "CUDA
// Occupancy Calculator", compute capability 3.0 on).
const (
	registerUnit = 256 // registers, to a warp
	warpUnit     = 4   // warps that registers are shared between
)

func sharedUnit(f cuda.Facts) int {
	if f.ComputeMajor >= 8 {
		return 128
	}
	return 256
}

func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }

// OccupancyOf computes how many blocks of a kernel a multiprocessor holds at
// once: min(by registers, by shared memory, by threads, the device's most).
func OccupancyOf(f cuda.Facts, threads, registers, sharedBytes int) Occupancy {
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

// OccupancyRow is one way to fill a multiprocessor.
type OccupancyRow struct {
	Warps       int // of a block
	Registers   int // the most, a thread
	SharedBytes int // the most, a block
	Occupancy   Occupancy
}

// OccupancyTable lists for blocks of 1, 2, 4, … warps the most registers and
// shared memory with which a multiprocessor holds as many blocks as it can, and
// those with which three quarters and 62.5 % of its warps are left.
func OccupancyTable(f cuda.Facts) []OccupancyRow {
	most := f.MaxThreadsPerSM / f.WarpSize
	var rows []OccupancyRow
	for warps := 1; warps*f.WarpSize <= f.MaxThreadsBlock; warps *= 2 {
		full := min(most/warps, f.MaxBlocksPerSM)
		last := 0
		for _, eighths := range []int{8, 6, 5} {
			blocks := min(full, most*eighths/8/warps)
			if blocks == last || blocks < 1 || eighths == 5 && warps > 2 {
				continue // the same, or not a multiple of the block's warps
			}
			last = blocks
			r := OccupancyRow{Warps: warps}
			for n := 8; n <= 255; n += 8 {
				if OccupancyOf(f, warps*f.WarpSize, n, 0).Blocks >= blocks {
					r.Registers = n
				}
			}
			unit := sharedUnit(f)
			r.SharedBytes = min(f.SharedPerSM/blocks/unit*unit-f.SharedReserved, f.SharedOptIn)
			r.Occupancy = OccupancyOf(f, warps*f.WarpSize, r.Registers, r.SharedBytes)
			rows = append(rows, r)
		}
	}
	return rows
}
