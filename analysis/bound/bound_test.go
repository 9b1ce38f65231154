package bound

import (
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/bench/analysis/ptx"
	"example.org/bench/framework"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
)

var facts = gpu.Facts{ComputeMajor: 9, Multiprocessors: 100, WarpSize: 32, MaxThreadsPerSM: 2048, ClockHz: 2e9, L2Bytes: 50 << 20}

// What is not measured is from tables, and named.
func TestMachineOf(t *testing.T) {
	m := MachineOf(facts, record.Ceilings{}, 0)
	if m.Clock != 2e9 || m.Rates[ptx.FP32] != 4 || m.Rates[ptx.FP64] != 2 || len(m.Estimated) != 16 || !(m.L2 > m.DRAM) {
		t.Errorf("%+v", m)
	}
	c := record.Ceilings{Copy: 3e12, FMA: 100 * 128 * 2 * 1e9, FMA64: 100 * 64 * 2 * 1e9, SFU: 100 * 16 * 1e9, L2: 6e12, Shared: 100 * 128 * 1e9, SharedLatency: 20e-9,
		L2Latency: 150e-9, MemoryLatency: 500e-9, Launch: 2e-6, EmptyLaunch: 3e-6, AtomicInteger: 1e-9, AtomicFloat: 2e-9, L2Written: 3e12, L2Sectors: 75e9, L2SectorsWritten: 50e9, MemorySectors: 30e9, MemorySectorsWritten: 10e9, Constants: 50e9}
	m = MachineOf(facts, c, 1e9)
	if len(m.Estimated) != 0 || math.Abs(m.Rates[ptx.SFU]-0.5) > 1e-9 || m.SharedLatency != 20 || m.DRAMLatency != 500 || m.SharedWaves != 1 || m.Launch != 2e-6 || m.L2Request != 80 || m.L2Write != 120 || m.Request != 100 || m.Write != 300 || m.L2Written != 3e12 || m.ConstantTurn != 2 {
		t.Errorf("%+v", m)
	}
	old := facts
	old.ComputeMajor, old.ComputeMinor = 5, 3
	if m := MachineOf(old, record.Ceilings{}, 1e9); m.Rates[ptx.FP64] != 0.125 || m.Latency[ptx.FP32] != 6 {
		t.Errorf("5.3: %+v", m)
	}
}

// Code that is not known is judged by its problem's bytes and operations, or not at all.
func TestExplainUnknownCode(t *testing.T) {
	in := Input{Time: 1e-3, Facts: facts, Ceilings: record.Ceilings{Copy: 3e12, FMA: 50e12, FMA64: 25e12}, Missing: "it is a library's",
		Work: framework.Work{NominalBytes: 2.4e9, NominalFLOPs: 1e9}}
	w := Explain(in)
	if w.Class != Memory || math.Abs(w.Share-0.8) > 1e-9 || !w.Sure || len(w.Changes) != 0 {
		t.Errorf("%+v", w)
	}
	in.Work.NominalBytes = 1e9
	if w = Explain(in); w.Class != Unknown || w.Sure || w.Missing != in.Missing {
		t.Errorf("%+v", w)
	}
	// More operations than the units have time for are others'.
	in.Work.NominalFLOPs = 250e9
	if w = Explain(in); w.Class != Unknown || w.Sure || len(w.Uses) != 1 || !strings.Contains(w.Missing, "times what these units do in that time, so others do them, such as tensor cores") {
		t.Errorf("%+v", w)
	}
	in.Work.NominalFLOPs = 40e9
	if w = Explain(in); w.Title() != "compute (multiply-add)" || math.Abs(w.Share-0.8) > 0.01 {
		t.Errorf("%s %+v", w.Title(), w)
	}
	in.Work.NominalFLOPs = 1e9
	in.Missing = ""
	if w = Explain(in); w.Class != Unknown || !strings.Contains(w.Missing, "launches no kernel of its own") {
		t.Errorf("%+v", w)
	}
	in.Time = 0
	if w = Explain(in); w.Class != Unknown || w.Missing == "" || len(w.Uses) != 0 {
		t.Errorf("%+v", w)
	}
}

// A difference names what differs, and nothing else.
func TestDifferences(t *testing.T) {
	k := Kernel{Name: "k", Launches: 1, Registers: 32, Occupancy: 1, Mix: map[string]float64{"float32": 100, "integer": 10}}
	a := Why{Class: Memory, Time: 1e-3, Kernels: []Kernel{k}}
	if got := Differences(a, a); !slices.Equal(got, []string{"time 1000 → 1000 µs (×1)"}) {
		t.Errorf("%q", got)
	}
	k.SpillBytes, k.Occupancy, k.Mix = 96, 0.5, map[string]float64{"float32": 100, "memory": 90}
	b := Why{Class: L2, Time: 2e-3, Kernels: []Kernel{k}}
	got := Differences(b, a)
	for _, want := range []string{"time 1000 → 2000 µs (×2)", "bound by memory → L2", "spills 0 → 96 B a thread", "occupancy 100 → 50 %", "memory instructions 0 → 90", "integer instructions 10 → 0"} {
		if !slices.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	if slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, "registers") || strings.HasPrefix(s, "float32") }) {
		t.Errorf("%q", got)
	}
}
