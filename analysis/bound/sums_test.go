package bound

import (
	"math"
	"slices"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
)

// TestSumOf: counts are of all launches, the rest of the kernel that takes longest in all.
func TestSumOf(t *testing.T) {
	s := sumOf(Why{Kernels: []Kernel{
		{Launches: 2, Model: 1, MemoryBytes: 100, L2Sectors: 7, Atomics: 5, SpillBytes: 1, Registers: 11, Mix: map[string]float64{"integer": 3}},
		{Launches: 8, Model: 0.5, MemoryBytes: 10, L2Sectors: 1, Atomics: 2, SpillBytes: 2, Registers: 22, SharedBytes: 64, Mix: map[string]float64{"integer": 1, "fp32": 2}},
		{Launches: 1, Model: 3, MemoryBytes: 1000, SpillBytes: 3, Registers: 33},
		{Launches: 1, Model: 4, SpillBytes: 4, Registers: 44}, // as long: the first counts
	}})
	if s.launches != 12 || s.memory != 1280 || s.l2 != 22 || s.atomics != 26 || s.mix["integer"] != 14 || s.mix["fp32"] != 16 || s.instructions != 30 || s.spills != 2 || s.registers != 22 || s.shared != 64 {
		t.Errorf("%+v", s)
	}
	if s := sumOf(Why{Kernels: []Kernel{{Launches: 9, Model: 0.5, Registers: 1}, {Launches: 1, Model: 5, Registers: 2}, {Launches: 2, Model: 2, Registers: 3}}}); s.registers != 2 {
		t.Errorf("of the kernel that takes longest: %+v", s)
	}
}

func TestDiffer(t *testing.T) {
	for _, c := range []struct {
		a, b float64
		want bool
	}{{0, 0, false}, {0, 1e-9, true}, {100, 103, false}, {100, 104, true}, {104, 100, true}, {-100, 100, true}, {-100, -102, false}, {5e9, 5e9, false}} {
		if got := differ(c.a, c.b); got != c.want {
			t.Errorf("%v and %v: %v", c.a, c.b, got)
		}
	}
}

func TestShortCounts(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 12.5: "12.5", 1234.5: "1234", -99: "-99", 99000: "9.9e+04", 1e5: "100 k", -2.5e6: "-2.5 M", 3e9: "3 G"} {
		if got := short(x); got != want {
			t.Errorf("%v: %q, want %q", x, got, want)
		}
	}
}

// TestSmallDifferencesAreNotSaid: neither of counts nor of the mix of instructions; shares
// are in percent.
func TestSmallDifferencesAreNotSaid(t *testing.T) {
	kernel := func(use, integer float64) Why {
		return Why{Class: Memory, Kernels: []Kernel{{Launches: 1, SectorUse: use, Mix: map[string]float64{"fp32": 1000, "integer": integer}}}}
	}
	if got := Differences(kernel(0.5, 100), kernel(0.51, 130)); len(got) != 0 {
		t.Errorf("%q", got)
	}
	if got, want := Differences(kernel(0.5, 100), kernel(0.75, 160)), []string{"instructions of warps 1160 → 1100", "use of sectors 75 → 50 %", "integer instructions 160 → 100"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestLostTime(t *testing.T) {
	w := Why{Time: 6, Gains: map[string]float64{"none": 1, "worse": 0.5, "half": 2, "third": 1.5}}
	for change, want := range map[string]float64{"none": 0, "worse": 0, "half": 3, "third": 2, "unknown": 0} {
		if got := w.lost(change); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %v, want %v", change, got, want)
		}
	}
}

// TestWhatBothLoseIsNoReason, a clock that is not known is none, and one that is a little
// lower comes after what costs more.
func TestWhatBothLoseIsNoReason(t *testing.T) {
	fast := Why{Time: 1e-3, Model: 1e-3, Clock: 2e9, Kernels: kernelOf(8, 1, 32, 1e7), Gains: map[string]float64{"spills": 3}}
	slow := Why{Time: 2e-3, Model: 2e-3, Clock: 1.9e9, Kernels: kernelOf(96, 1, 32, 1e7), Gains: map[string]float64{"spills": 1.5}}
	if b := ReasonsOf(slow, fast); !slices.Equal(b.Reasons, []string{"clock 2000 → 1900 MHz"}) {
		t.Errorf("%q; spills cost both as much", b.Reasons)
	}
	fast.Gains = nil
	if b := ReasonsOf(slow, fast); !slices.Equal(b.Reasons, []string{"spills 8 → 96 B a thread", "clock 2000 → 1900 MHz"}) {
		t.Errorf("%q", b.Reasons)
	}
	for _, clocks := range [][2]float64{{0, 2e9}, {1.9e9, 0}, {0, 0}, {2e9, 2e9}} {
		slow.Clock, fast.Clock = clocks[0], clocks[1]
		if b := ReasonsOf(slow, fast); len(b.Reasons) != 1 {
			t.Errorf("of the clocks %v: %q", clocks, b.Reasons)
		}
	}
	// Memory has a clock of its own.
	slow.Clock, fast.Clock, slow.Class = 1e9, 2e9, Memory
	if b := ReasonsOf(slow, fast); len(b.Reasons) != 1 {
		t.Errorf("%q", b.Reasons)
	}
}

// TestUsesOfUnknownCode are ranked by their shares, with how much longer the first is busy.
func TestUsesOfUnknownCode(t *testing.T) {
	in := Input{Time: 1e-3, Facts: facts, Ceilings: record.Ceilings{Copy: 2e12}, Clock: 1e9, Missing: "it is a library's", Work: framework.Work{NominalBytes: 18e8, NominalFLOPs: 1024e7}}
	// 100 multiprocessors of 4·32 multiply-adds at 1 GHz are 25.6 TFLOP/s.
	w := Explain(in)
	if len(w.Uses) != 2 || !close(w.Share, 0.9) || !close(w.Second, 0.4) || !close(w.Margin, 2.25) || w.Next != "multiply-add (the problem's operations)" || w.Class != Memory || !w.Sure {
		t.Errorf("%+v", w)
	}
	in.Work.NominalBytes = 2e8
	in.Double = true // half the rate
	if w = Explain(in); !close(w.Share, 0.8) || !close(w.Second, 0.1) || !close(w.Margin, 8) || w.Class != Compute {
		t.Errorf("%+v", w)
	}
	in.Work.NominalFLOPs = 0
	if w = Explain(in); len(w.Uses) != 1 || !close(w.Share, 0.1) || w.Second != 0 || w.Margin != 0 || w.Next != "" || w.Sure {
		t.Errorf("%+v", w)
	}
	in.Work, in.Facts = framework.Work{NominalFLOPs: 1e9}, gpu.Facts{}
	if w = Explain(in); len(w.Uses) != 0 || w.Share != 0 || w.Class != Unknown {
		t.Errorf("of a GPU that is not known: %+v", w)
	}
}
