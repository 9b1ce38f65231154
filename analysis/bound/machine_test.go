package bound

import (
	"math"
	"slices"
	"testing"

	"example.org/bench/analysis/ptx"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
)

func close(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }

// TestTablesOfCapabilities: instructions of warps per cycle and multiprocessor, of the CUDA
// C++ Programming Guide's results of lanes.
func TestTablesOfCapabilities(t *testing.T) {
	for _, c := range []struct {
		major, minor                          int
		issue, fp32, fp64, fp16, integer, sfu float64
		l1                                    float64 // KiB
		latency64, latency, tensor            float64 // multiply-adds of float16
	}{
		{5, 2, 4, 4, 1. / 8, 2, 171. / 32, 1, 24, 12, 6, 1},
		{5, 3, 4, 4, 1. / 8, 4, 171. / 32, 1, 24, 12, 6, 1},
		{6, 0, 2, 2, 1, 2, 85. / 32, 0.5, 24, 12, 6, 1},
		{6, 1, 4, 4, 1. / 8, 4, 171. / 32, 1, 24, 12, 6, 1},
		{7, 0, 4, 2, 1, 2, 4, 0.5, 128, 8, 4, 512},
		{7, 5, 4, 2, 1. / 16, 2, 4, 0.5, 96, 16, 4, 512},
		{8, 0, 4, 2, 1, 4, 4, 0.5, 192, 8, 4, 1024},
		{8, 6, 4, 4, 1. / 16, 2, 4, 0.5, 128, 16, 4, 512},
		{8, 7, 4, 4, 1. / 16, 4, 4, 0.5, 192, 16, 4, 1024},
		{9, 0, 4, 4, 2, 4, 4, 0.5, 256, 8, 4, 1270},
		{10, 0, 4, 4, 2, 4, 4, 0.5, 256, 8, 4, 1270},
		{12, 0, 4, 4, 1. / 16, 4, 4, 0.5, 256, 16, 4, 512},
	} {
		m := MachineOf(gpu.Facts{ComputeMajor: c.major, ComputeMinor: c.minor, Multiprocessors: 10, ClockHz: 1e9}, record.Ceilings{}, 0)
		got := []float64{m.Issue, m.Rates[ptx.FP32], m.Rates[ptx.FP64], m.Rates[ptx.FP16], m.Rates[ptx.Integer], m.Rates[ptx.SFU], m.L1Bytes / 1024, m.Latency[ptx.FP64], m.Latency[ptx.FP32], m.Rates[ptx.Tensor] * ptx.MatrixUnit}
		if want := []float64{c.issue, c.fp32, c.fp64, c.fp16, c.integer, c.sfu, c.l1, c.latency64, c.latency, c.tensor}; !slices.EqualFunc(got, want, close) {
			t.Errorf("%d.%d: %v, want %v", c.major, c.minor, got, want)
		}
	}
}

// TestMachineByItsFacts: without ceilings, memory has 85 % of what its clock and width
// give, the L2 cache 40 bytes a cycle and multiprocessor; a clock that no one knows is
// named.
func TestMachineByItsFacts(t *testing.T) {
	f := gpu.Facts{ComputeMajor: 8, ComputeMinor: 6, Multiprocessors: 20, ClockHz: 15e8, MemoryClockHz: 7e9, MemoryBusBits: 256}
	m := MachineOf(f, record.Ceilings{}, 0)
	if !close(m.DRAM, 2*7e9*32*0.85) || !close(m.L2, 40*20*15e8) || m.L2Written != m.L2 || m.Launch != usualLaunch || m.Empty != usualLaunch || m.AtomicInteger != usualAtomic ||
		m.SharedLatency != usualShared || m.L2Latency != usualL2 || m.DRAMLatency != usualDRAM || m.L2Request != usualL2Request || m.ConstantTurn != usualConstantTurn || slices.Contains(m.Estimated, "clock") {
		t.Errorf("%+v", m)
	}
	f.ClockHz = 0
	if m := MachineOf(f, record.Ceilings{}, 0); m.Clock != 1e9 || !slices.Contains(m.Estimated, "clock") {
		t.Errorf("clock %v, estimated %q", m.Clock, m.Estimated)
	}
	if m := MachineOf(f, record.Ceilings{}, 12e8); m.Clock != 12e8 || slices.Contains(m.Estimated, "clock") {
		t.Errorf("clock %v, estimated %q", m.Clock, m.Estimated)
	}
	// A cache is no slower than the memory behind it.
	f.MemoryClockHz *= 100
	if m := MachineOf(f, record.Ceilings{}, 12e8); m.L2 != m.DRAM {
		t.Errorf("L2 %v, memory %v", m.L2, m.DRAM)
	}
}

// TestMachineByItsCeilings: what was measured counts, at the clock that is asked for, and
// within what tables have for possible.
func TestMachineByItsCeilings(t *testing.T) {
	const clock, sms = 1e9, 100
	of := func(c record.Ceilings) Machine { return MachineOf(facts, c, clock) }
	operations := func(warps float64) float64 { return 2 * warps * ptx.WarpSize * sms * clock } // of multiply-adds
	for name, c := range map[string]struct{ got, want float64 }{
		"float32":                       {of(record.Ceilings{FMA: operations(2.5)}).Rates[ptx.FP32], 2.5},
		"float32 at a higher clock":     {of(record.Ceilings{FMA: operations(7)}).Rates[ptx.FP32], 4},
		"float64":                       {of(record.Ceilings{FMA64: operations(1.5)}).Rates[ptx.FP64], 1.5},
		"float64 far beyond the table":  {of(record.Ceilings{FMA64: operations(100)}).Rates[ptx.FP64], 8},
		"special functions":             {of(record.Ceilings{SFU: 0.75 * ptx.WarpSize * sms * clock}).Rates[ptx.SFU], 0.75},
		"memory":                        {of(record.Ceilings{Copy: 2e12}).DRAM, 2e12},
		"L2":                            {of(record.Ceilings{L2: 5e12}).L2, 5e12},
		"L2 written":                    {of(record.Ceilings{L2: 5e12, L2Written: 3e12}).L2Written, 3e12},
		"L2 written, not measured":      {of(record.Ceilings{L2: 5e12}).L2Written, 5e12},
		"shared memory":                 {of(record.Ceilings{Shared: 0.5 * 128 * sms * clock}).SharedWaves, 0.5},
		"shared memory, slow":           {of(record.Ceilings{Shared: 1e9}).SharedWaves, 0.25},
		"shared memory, fast":           {of(record.Ceilings{Shared: 1e18}).SharedWaves, 1},
		"latency of shared memory":      {of(record.Ceilings{SharedLatency: 30e-9}).SharedLatency, 30},
		"latency of L2":                 {of(record.Ceilings{L2Latency: 200e-9}).L2Latency, 200},
		"latency of memory":             {of(record.Ceilings{MemoryLatency: 700e-9}).DRAMLatency, 700},
		"latency of memory beyond L2's": {of(record.Ceilings{L2Latency: 900e-9, MemoryLatency: 700e-9}).DRAMLatency, 900},
		"an empty launch":               {of(record.Ceilings{Launch: 3e-6, EmptyLaunch: 5e-6}).Empty, 5e-6},
		"an empty launch, not measured": {of(record.Ceilings{Launch: 3e-6}).Empty, 3e-6},
		"atomic integers":               {of(record.Ceilings{AtomicInteger: 4e-9, AtomicFloat: 5e-9}).AtomicInteger, 4e-9},
		"atomic floats":                 {of(record.Ceilings{AtomicInteger: 4e-9, AtomicFloat: 5e-9}).AtomicFloat, 5e-9},
		"atomic integers alone":         {of(record.Ceilings{AtomicInteger: 4e-9}).AtomicInteger, usualAtomic},
		"atomic floats alone":           {of(record.Ceilings{AtomicFloat: 4e-9}).AtomicFloat, usualAtomic},
		"single sectors":                {of(record.Ceilings{L2: 6e12, L2Sectors: 1e11}).L2Request, 60},
		"single sectors, fast":          {of(record.Ceilings{L2: 6e12, L2Sectors: 1e13}).L2Request, 32},
		"constants":                     {of(record.Ceilings{Constants: 2e10}).ConstantTurn, 5},
	} {
		if !close(c.got, c.want) {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
}
