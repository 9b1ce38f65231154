package bound

import (
	"math"
	"slices"
	"testing"

	"example.org/bench/analysis/ptx"
	"example.org/bench/analysis/trace"
)

// Lanes that take one way come from as many warps as there were ways, and their accesses touch as many times more
// sectors, but no more than lanes.
func TestSpread(t *testing.T) {
	warps := []trace.Warp{{Steps: []trace.Step{{Lanes: 32}, {Lanes: 10}, {Lanes: 22}, {Lanes: 10}}}, {Steps: []trace.Step{{Lanes: 32}}}, {}}
	s := &multiprocessor{ch: together, spread: spread(&trace.Launch{Blocks: []*trace.Block{{Warps: warps}}})}
	if s.spread != 2 {
		t.Errorf("%v ways, want 2", s.spread)
	}
	for _, c := range []struct {
		x    trace.Step
		want float64
	}{{trace.Step{Lanes: 32, Sectors: 4}, 2}, {trace.Step{Lanes: 32, Sectors: 32}, 1}, {trace.Step{Lanes: 16, Sectors: 2}, 1}, {trace.Step{Lanes: 32}, 1}} {
		if got := s.apart(&c.x); got != c.want {
			t.Errorf("%+v: %v, want %v", c.x, got, c.want)
		}
	}
	s.ch = 0
	if got := s.apart(&trace.Step{Lanes: 32, Sectors: 4}); got != 1 {
		t.Errorf("without the change: %v", got)
	}
}

// A root by which something is divided is part of the approximate quotient, another is not.
func TestDivisors(t *testing.T) {
	m, err := ptx.Parse(`
.version 7.8
.target sm_53
.address_size 64
.visible .entry k()
{
	.reg .f32 %f<8>;
	sqrt.rn.f32 %f1, %f2;
	sqrt.rn.f32 %f3, %f2;
	div.rn.f32 %f4, %f3, %f1;
	ret;
}
`)
	if err != nil {
		t.Fatal(err)
	}
	l := &trace.Launch{Code: m.Kernel("k")}
	got := divisors(l)
	if n := len(slices.DeleteFunc(slices.Clone(got), func(b bool) bool { return !b })); n != 1 {
		t.Errorf("%d roots of %v", n, got)
	}
	s := &multiprocessor{ch: approximate, l: l, divisors: got}
	if n := slices.Index(got, true); s.parts(l.Code.Instruction(n), int32(n)) != nil {
		t.Error("the root takes instructions of its own")
	}
}

// What was spilled takes registers where it is not: fewer blocks are resident.
func TestRegistersOfWhatWasSpilled(t *testing.T) {
	l := &trace.Launch{Code: &ptx.Kernel{}, Block: ptx.Dim3{X: 256, Y: 1, Z: 1}}
	l.Attributes.Registers, l.Attributes.LocalBytes = 32, 160
	l.Occupancy.Blocks = 8
	m := Machine{}
	m.Facts.MaxThreadsPerSM, m.Facts.RegistersPerSM, m.Facts.RegistersBlock, m.Facts.WarpSize, m.Facts.MaxBlocksPerSM, m.Facts.MaxThreadsBlock = 2048, 65536, 65536, 32, 32, 1024
	for ch, want := range map[change]int{0: 8, noSpills: 3} {
		if got := (&multiprocessor{m: m, l: l, ch: ch}).resident(); got != want {
			t.Errorf("%d: %d blocks, want %d", ch, got, want)
		}
	}
}

// TestCodeFetchedAhead: code in a row comes as fast as it is fetched, to a warp that is slower without a wait; behind a
// jump the first line takes as long as the L2 cache does.
func TestCodeFetchedAhead(t *testing.T) {
	perLine := codeLine / codePerCycle
	for _, c := range []struct{ each, want float64 }{{perLine / 4, 300 + 7*perLine}, {3 * perLine, 300 + 7*3*perLine}} {
		s := multiprocessor{m: Machine{L2Latency: 300}, perInstruction: 16, lines: slices.Repeat([]float64{math.Inf(1)}, 100)}
		got := s.fetch(0, 0)
		for line := 1; line < 8; line++ {
			got = s.fetch(line*codeLine/16, got+c.each)
		}
		if math.Abs(got-c.want) > 1e-9 {
			t.Errorf("eight lines that take %v cycles each are there after %v, want %v", c.each, got, c.want)
		}
		if again := s.fetch(3, got); again != got {
			t.Errorf("a line that was fetched is there after %v more cycles", again-got)
		}
		if far := s.fetch(40*codeLine/16, got); far != got+300 {
			t.Errorf("behind a jump a line takes %v cycles, want 300", far-got)
		}
	}
}
