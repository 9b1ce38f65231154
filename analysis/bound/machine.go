package bound

import (
	"example.org/bench/analysis/ptx"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
)

// Machine is what a GPU can do at most, in the model's quantities. Rates of a multiprocessor are per cycle.
type Machine struct {
	Facts gpu.Facts
	Clock float64 // Hz
	// Rates are instructions of warps by class, and Issue those of all classes.
	Rates [ptx.Classes]float64
	Issue float64
	// Latency is the cycles from an instruction to its result by class; for memory it is that of the
	// first-level cache.
	Latency                               [ptx.Classes]float64
	SharedLatency, L2Latency, DRAMLatency float64
	// DRAM and L2 are bytes per second of the whole GPU, and L2Written those of writes.
	DRAM, L2, L2Written float64
	// SharedWaves are passes of shared memory, and of the first-level cache.
	SharedWaves float64
	L1Bytes     float64 // with the shared memory
	// Launch is the seconds from one launch to the next in a queue, and Empty those of a launch that does
	// nothing.
	Launch, Empty float64
	// Blocks is how many blocks begin per second at most; 0: unknown.
	Blocks float64
	// AtomicInteger and AtomicFloat are the seconds between atomic operations on one address: of integers per
	// warp, and of floats per thread.
	AtomicInteger, AtomicFloat float64
	// AtomicLine and AtomicSector are the seconds between atomic operations on sectors of one line, and on
	// any sectors of the whole L2 cache.
	AtomicLine, AtomicSector float64
	// L2Request is the bytes that the L2 cache could read in the time of a request of one sector, and L2Write
	// in the time of one that writes to it.
	L2Request, L2Write float64
	// Request is the bytes that memory could move in the time of a read of a sector at random, and Write in
	// the time of a write of a part of one.
	Request, Write float64
	// ConstantTurn is the cycles of each further constant that lanes read.
	ConstantTurn float64
	// Estimated names the values that no measurement gives, which come from a table.
	Estimated []string
}

// throughput is results per cycle of a multiprocessor ("CUDA C++ Programming Guide", throughput of native
// arithmetic instructions), by compute capability. tensor is multiply-adds of float16 ("NVIDIA A100 Tensor
// Core GPU Architecture" and the like); for 9.0 it is what mma.sync reaches, 0.62 of 2048 ("Benchmarking and
// Dissecting the NVIDIA Hopper GPU Architecture via Microbenchmarking").
type throughput struct {
	fp32, fp64, fp16, integer, multiply, convert, sfu float64
	l1                                                float64 // KiB of first-level cache and shared memory together
	arithmetic                                        float64 // cycles of latency
	tensor                                            float64
}

func throughputOf(f gpu.Facts) throughput {
	switch major, minor := f.ComputeMajor, f.ComputeMinor; {
	case major <= 5: // shared memory has a place of its own
		t := throughput{128, 4, 128, 128, 43, 32, 32, 24, 6, 0}
		if minor == 3 {
			t.fp16 = 256
		}
		return t
	case major == 6 && minor == 0:
		return throughput{64, 32, 128, 64, 21, 16, 16, 24, 6, 0}
	case major == 6:
		return throughput{128, 4, 256, 128, 43, 32, 32, 24, 6, 0}
	case major == 7 && minor == 5:
		return throughput{64, 2, 128, 64, 64, 16, 16, 96, 4, 512}
	case major == 7:
		return throughput{64, 32, 128, 64, 64, 16, 16, 128, 4, 512}
	case major == 8 && minor == 0:
		return throughput{64, 32, 256, 64, 64, 16, 16, 192, 4, 1024}
	case major == 8 && minor == 7:
		return throughput{128, 2, 256, 64, 64, 64, 16, 192, 4, 1024}
	case major == 8:
		return throughput{128, 2, 128, 64, 64, 64, 16, 128, 4, 512}
	case major == 9, major == 10 && minor == 0:
		return throughput{128, 64, 256, 64, 64, 64, 16, 256, 4, 1270}
	}
	return throughput{128, 2, 256, 64, 64, 64, 16, 256, 4, 512}
}

// Latencies without measurements, in cycles, about those published for compute capabilities 7.0 to 9.0
// ("Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking"; "Benchmarking and Dissecting the
// NVIDIA Hopper GPU Architecture via Microbenchmarking").
const (
	usualL1     = 33
	usualShared = 29
	usualL2     = 260
	usualDRAM   = 600
)

// Values without measurements: a launch on an idle queue, and an atomic operation in the L2 cache, which
// takes one at a time on an address.
const (
	usualLaunch       = 2e-6
	usualAtomic       = 1e-9
	usualAtomicLine   = 1.5e-9 // of an H200: 256 sums that lie side by side (results/h200-weakness)
	usualAtomicSector = 0.02e-9
	usualL2Request    = 64
	usualConstantTurn = 4
	usualRequest      = 96
	usualWrite        = 256
	l2BytesPerCycle   = 40 // of a multiprocessor
)

// MachineOf returns the GPU with these facts and ceilings at a clock; hz of 0 means its highest.
func MachineOf(f gpu.Facts, c record.Ceilings, hz float64) Machine {
	m := Machine{Facts: f, Clock: hz, Issue: 4, SharedWaves: 1}
	if m.Clock <= 0 {
		m.Clock = float64(f.ClockHz)
	}
	if m.Clock <= 0 {
		m.Clock = 1e9
		m.Estimated = append(m.Estimated, "clock")
	}
	t := throughputOf(f)
	if t.fp32 == 64 && f.ComputeMajor == 6 { // two schedulers
		m.Issue = 2
	}
	for class, results := range map[ptx.Class]float64{ptx.Free: 1 << 20, ptx.FP32: t.fp32, ptx.FP64: t.fp64, ptx.FP16: t.fp16 / 2, ptx.Integer: t.integer + t.multiply,
		ptx.Multiply: t.multiply, ptx.Convert: t.convert, ptx.SFU: t.sfu, ptx.LaneExchange: 32, ptx.LoadStore: 32, ptx.Control: 64, ptx.Barrier: 32} {
		m.Rates[class] = results / ptx.WarpSize
	}
	m.Rates[ptx.Tensor] = max(1, t.tensor) / ptx.MatrixUnit
	for class := range m.Latency {
		m.Latency[class] = t.arithmetic
	}
	m.Latency[ptx.Free] = 0
	m.Latency[ptx.FP64] = max(2*t.arithmetic, ptx.WarpSize/t.fp64)
	m.Latency[ptx.SFU], m.Latency[ptx.Convert], m.Latency[ptx.Tensor] = 18, 10, 33
	m.Latency[ptx.LaneExchange], m.Latency[ptx.LoadStore], m.Latency[ptx.Barrier] = 24, usualL1, 20
	m.SharedLatency, m.L2Latency, m.DRAMLatency = usualShared, usualL2, usualDRAM
	m.L1Bytes = t.l1 * 1024
	m.measured(c)
	return m
}

// measured replaces values of tables by measured ceilings.
func (m *Machine) measured(c record.Ceilings) {
	sms := float64(max(1, m.Facts.Multiprocessors))
	say := func(known bool, what string) bool {
		if !known {
			m.Estimated = append(m.Estimated, what)
		}
		return known
	}
	rate := func(class ptx.Class, perSecond float64) {
		if r := perSecond / ptx.WarpSize / sms / m.Clock; r > 0 {
			m.Rates[class] = min(r, 4*m.Rates[class])
		}
	}
	if say(c.FMA > 0, "float32 rate") {
		// The ceiling was reached at a clock of its own. It is not taken to be higher than the table allows
		// at this clock.
		rate(ptx.FP32, min(c.FMA/2, m.Rates[ptx.FP32]*ptx.WarpSize*sms*m.Clock))
	}
	if say(c.FMA64 > 0, "float64 rate") {
		rate(ptx.FP64, c.FMA64/2)
	}
	if say(c.SFU > 0, "special function rate") {
		rate(ptx.SFU, c.SFU)
	}
	m.DRAM, m.L2 = c.Copy, c.L2
	if !say(c.Copy > 0, "memory bandwidth") {
		m.DRAM = 2 * float64(m.Facts.MemoryClockHz) * float64(m.Facts.MemoryBusBits) / 8 * 0.85
	}
	if !say(c.L2 > 0, "L2 bandwidth") {
		m.L2 = l2BytesPerCycle * sms * m.Clock
	}
	m.DRAM, m.L2 = max(m.DRAM, 1), max(m.L2, m.DRAM, 1)
	if say(c.Shared > 0, "shared memory bandwidth") {
		m.SharedWaves = min(1, max(0.25, c.Shared/128/sms/m.Clock))
	}
	if say(c.SharedLatency > 0, "shared memory latency") {
		m.SharedLatency = c.SharedLatency * m.Clock
	}
	if say(c.L2Latency > 0, "L2 latency") {
		m.L2Latency = c.L2Latency * m.Clock
	}
	if say(c.MemoryLatency > 0, "memory latency") {
		m.DRAMLatency = c.MemoryLatency * m.Clock
	}
	m.DRAMLatency = max(m.DRAMLatency, m.L2Latency)
	m.Launch, m.Empty, m.Blocks = c.Launch, c.EmptyLaunch, c.Blocks
	m.AtomicInteger, m.AtomicFloat = c.AtomicInteger, c.AtomicFloat
	if !say(c.Launch > 0, "time of a launch") {
		m.Launch, m.Empty = usualLaunch, usualLaunch
	}
	if m.Empty <= 0 {
		m.Empty = m.Launch
	}
	if !say(c.AtomicInteger > 0 && c.AtomicFloat > 0, "rate of atomic operations on one address") {
		m.AtomicInteger, m.AtomicFloat = usualAtomic, usualAtomic
	}
	m.AtomicLine, m.AtomicSector = c.AtomicLine, 0
	if !say(c.AtomicLine > 0 && c.AtomicSectors > 0, "rate of atomic operations on lines") {
		m.AtomicLine, m.AtomicSector = usualAtomicLine, usualAtomicSector
	} else {
		m.AtomicSector = 1 / c.AtomicSectors
	}
	m.L2Written = m.L2
	if say(c.L2Written > 0, "L2 bandwidth of writes") {
		m.L2Written = c.L2Written
	}
	m.L2Request, m.ConstantTurn = usualL2Request, usualConstantTurn
	m.Request, m.Write = usualRequest, usualWrite
	if say(c.MemorySectors > 0 && c.MemorySectorsWritten > 0, "rate of single sectors from memory") {
		m.Request, m.Write = max(32, m.DRAM/c.MemorySectors), max(32, m.DRAM/c.MemorySectorsWritten)
	}
	if say(c.L2Sectors > 0, "rate of single sectors from the L2 cache") {
		m.L2Request = max(32, m.L2/c.L2Sectors)
	}
	m.L2Write = m.L2Request
	if say(c.L2SectorsWritten > 0, "rate of single sectors to the L2 cache") {
		m.L2Write = max(32, m.L2/c.L2SectorsWritten)
	}
	if say(c.Constants > 0, "rate of different constants") {
		m.ConstantTurn = sms * m.Clock / c.Constants
	}
}
