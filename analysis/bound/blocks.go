package bound

import (
	"example.org/bench/analysis/ptx"
	"example.org/bench/analysis/trace"
	"example.org/bench/framework/record"
	"example.org/bench/gpu/cuda/occupancy"
)

// filling is about how many instructions of a warp bring 128 bytes to shared memory: a load, a store, and the
// computation of their addresses.
const filling = 6

// resident returns how many blocks a multiprocessor holds.
func (s *multiprocessor) resident() int {
	f := s.m.Facts
	n := s.l.Occupancy.Blocks
	if spilled := s.l.Attributes.LocalBytes - s.l.Code.LocalBytes; s.ch&noSpills != 0 && spilled > 0 { // registers hold what was spilled
		n = min(n, max(1, occupancy.Of(f, s.l.Block.Count(), s.l.Attributes.Registers+spilled/4, s.l.SharedBytes).Blocks))
	}
	if s.ch&moreWarps != 0 || n == 0 {
		n = max(n, 1, f.MaxThreadsPerSM/max(1, s.l.Warps()*ptx.WarpSize))
	}
	return max(1, n)
}

// filled returns the cycle at which a block that begins at that cycle can begin to work, if a change makes it
// bring data to its shared memory first: constants from their cache, one after the other, or data that it
// loads repeatedly.
func (s *multiprocessor) filled(b *trace.Block, at float64) float64 {
	if s.ch&oneAddress != 0 {
		s.constants = max(s.constants, at) + float64(b.Constants)*s.m.ConstantTurn
		at = s.constants + s.m.SharedLatency
	}
	if s.ch&reused == 0 || b.Read == 0 {
		return at
	}
	sectors := float64(b.Read)
	for k := range s.scheduler {
		s.scheduler[k] = max(s.scheduler[k], at) + sectors/4*filling/schedulers*s.perScheduler
	}
	s.lsu = max(s.lsu, at) + 2*sectors/4/s.m.SharedWaves
	s.toL2(at, record.SectorBytes*sectors)
	s.asked, s.missed = s.asked+sectors, s.missed+sectors
	there := max(s.lsu, s.l2+s.m.L2Latency)
	if from := sectors * s.t.portion; from > 0 {
		s.dram = max(s.dram, at) + record.SectorBytes*from*s.t.readTime/max(1, s.t.requests)/s.dramCycle
		there = max(there, s.dram+s.m.DRAMLatency)
	}
	return there + s.m.SharedLatency + barrierCost
}
