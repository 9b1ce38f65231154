package analytical

import "bench/cuda"

// Occupancy is how a kernel fills a multiprocessor.
type Occupancy struct {
	Blocks int `json:"blocks"` // resident
	Warps  int `json:"warps"`
	// Share is Warps divided by the most that the multiprocessor holds.
	Share float64 `json:"share"`
	// RegisterShare is what Share would be if registers were the only limit.
	RegisterShare float64 `json:"register_share"`
	// Limit is what allows no further block: "threads", "blocks", "registers" or
	// "shared memory"; where no block fits, it says what is too large.
	Limit string `json:"limit"`
}

// Units in which a multiprocessor gives out what it has (NVIDIA's "CUDA
// Occupancy Calculator", compute capability 3.0 on).
const (
	registerUnit = 256 // registers, given to a warp at a time
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
	Registers   int // a thread
	SharedBytes int // a block
	Occupancy   Occupancy
}

// OccupancyTable computes for a device the rows of Fig. 3 (a) of "Performance
// Tuning for GPU-Embedded Systems". Its fourth row is here twice: as printed,
// and with the 48 registers and 3072 bytes that give what is printed beside it
// (63 % and 20 blocks on GM20B).
func OccupancyTable(f cuda.Facts) []OccupancyRow {
	rows := []OccupancyRow{
		{1, 64, 2048, Occupancy{}}, {2, 40, 0, Occupancy{}}, {2, 32, 2048, Occupancy{}}, {2, 40, 2560, Occupancy{}}, {2, 48, 3072, Occupancy{}},
		{4, 32, 4096, Occupancy{}}, {4, 40, 5120, Occupancy{}}, {8, 32, 8192, Occupancy{}}, {8, 40, 10240, Occupancy{}},
		{16, 32, 16384, Occupancy{}}, {32, 32, 32768, Occupancy{}},
	}
	for i, r := range rows {
		rows[i].Occupancy = OccupancyOf(f, r.Warps*f.WarpSize, r.Registers, r.SharedBytes)
	}
	return rows
}
