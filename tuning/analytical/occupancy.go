package analytical

import (
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/occupancy"
)

// OccupancyRow is one way to fill a multiprocessor.
type OccupancyRow struct {
	Warps       int // of a block
	Registers   int // a thread
	SharedBytes int // a block
	Occupancy   occupancy.Occupancy
}

// OccupancyTable computes for a device the rows of Fig. 3 (a) of "Performance
// Tuning for GPU-Embedded Systems". Its fourth row is here twice: as printed,
// and with the 48 registers and 3072 bytes that give what is printed beside it
// (63 % and 20 blocks on GM20B).
func OccupancyTable(f gpu.Facts) []OccupancyRow {
	rows := []OccupancyRow{
		{1, 64, 2048, occupancy.Occupancy{}}, {2, 40, 0, occupancy.Occupancy{}}, {2, 32, 2048, occupancy.Occupancy{}}, {2, 40, 2560, occupancy.Occupancy{}}, {2, 48, 3072, occupancy.Occupancy{}},
		{4, 32, 4096, occupancy.Occupancy{}}, {4, 40, 5120, occupancy.Occupancy{}}, {8, 32, 8192, occupancy.Occupancy{}}, {8, 40, 10240, occupancy.Occupancy{}},
		{16, 32, 16384, occupancy.Occupancy{}}, {32, 32, 32768, occupancy.Occupancy{}},
	}
	for i, r := range rows {
		rows[i].Occupancy = occupancy.Of(f, r.Warps*f.WarpSize, r.Registers, r.SharedBytes)
	}
	return rows
}
