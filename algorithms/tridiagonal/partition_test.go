package tridiagonal

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/gpu/cuda/nvrtc"
	"example.org/bench/gpu/cuda/sim"
	"example.org/bench/gpu/cuda/sim/simtest"
	"example.org/bench/test/everyboard"
)

func splitTunables(p, l, streams int, device bool, sizes ...int) framework.Values {
	s := splitting{sizes: sizes, equations: p, threads: l, streams: streams, device: device}
	return s.tunables(true)
}

// Sub-systems of sizes that fill their threads and that do not, last ones that
// are short or a single row, on the host and on the device, in one level and
// in several.
func TestPartitionSolvesOneSystem(t *testing.T) {
	d := simtest.Open(t, sim.Checks())
	for _, x := range []struct {
		n         int
		precision string
		tunables  framework.Values
	}{
		{100, "f64", splitTunables(4, 32, 1, true, 4)},
		{1001, "f32", splitTunables(4, 64, 1, true, 10)}, // the last has one row
		{999, "f64", splitTunables(2, 64, 1, false, 5)},
		{3000, "f32", splitTunables(4, 64, 3, false, 35)},
		{5000, "f64", splitTunables(8, 64, 1, true, 1250)},
		{5001, "f32", splitTunables(16, 32, 1, false, 1024)},
		{4, "f32", splitTunables(4, 32, 1, false, 64)},
		{9000, "f32", splitTunables(4, 64, 2, false, 10, 10)},
		{20000, "f32", splitTunables(4, 64, 1, false, 10, 10, 5, 5, 5)},
		{20000, "f32", splitTunables(2, 64, 1, true, 4)}, // more levels than asked for
	} {
		work := algorithmtest.Solve(t, Factory(), d, "recursive", setting(x.n, 1, x.precision, contiguous, 2), x.tunables)
		if work.LoadBytes < 8*int64(x.n)*4 || work.StoreBytes < int64(x.n)*4 || work.FLOPs < work.NominalFLOPs {
			t.Errorf("N=%d: work %+v is too little", x.n, work)
		}
	}
}

func TestPartitionShowsInstability(t *testing.T) {
	d := simtest.Open(t)
	checks, _, err := algorithmtest.Try(Factory(), d, "partition", setting(10000, 1, "f32", contiguous, 0.001), nil)
	if err != nil || algorithmtest.Good(checks) {
		t.Errorf("dominance 0.001: %v, %v; want a wrong answer to be found", checks, err)
	}
}

func TestLevelsShrinkToABlock(t *testing.T) {
	s := splitting{double: true, sizes: []int{4}, equations: 4, threads: 128, streams: 1, device: true}
	levels := s.levels(100_000_000)
	for i, l := range levels[1:] {
		if l.n != 2*levels[i].parts {
			t.Errorf("level %d has %d rows, the one before leaves %d", i+1, l.n, 2*levels[i].parts)
		}
	}
	if rest := interfaceRows(levels); rest > wholeRows(true) || levels[0].parts != 25_000_000 {
		t.Errorf("%d levels leave %d rows, first %d parts", len(levels), rest, levels[0].parts)
	}
	s.device = false
	if levels := s.levels(1000); len(levels) != 1 || interfaceRows(levels) != 500 {
		t.Errorf("the host's levels: %+v", levels)
	}
}

// The literature's heuristic: tables 1 and 2 of the paper.
func TestLiteratureSizes(t *testing.T) {
	for n, want := range map[int][3]int{ // rows, streams, recursive steps
		100: {4, 1, 0}, 4500: {4, 1, 0}, 5000: {8, 1, 0}, 30_000: {16, 1, 0}, 60_000: {20, 1, 0}, 80_000: {32, 1, 0},
		200_000: {32, 2, 0}, 400_000: {32, 4, 0}, 1_000_000: {32, 8, 0}, 2_000_000: {32, 16, 0}, 4_500_000: {32, 32, 1},
		8_000_000: {32, 32, 2}, 10_000_000: {32, 32, 3}, 20_000_000: {64, 32, 3}, 100_000_000: {64, 32, 3},
	} {
		if got := [3]int{literatureRows(n), literatureStreams(n), literatureSteps(n)}; got != want {
			t.Errorf("N = %d: %v, want %v", n, got, want)
		}
	}
	// One step takes the interface's own optimum, more begin with 10.
	p := setting(4_500_000, 1, "f64", contiguous, 2)
	if v := partitionDefaults(p, boards[0], true); v.Int("R") != 1 || v.Int("m1") != 32 {
		t.Errorf("N = 4.5e6: %v", v)
	}
	p = setting(8_000_000, 1, "f64", contiguous, 2)
	if v := partitionDefaults(p, boards[0], true); v.Int("R") != 2 || v.Int("m1") != 10 || v.Int("m2") != 32 {
		t.Errorf("N = 8e6: %v", v)
	}
}

func TestPartitionRefusesTunables(t *testing.T) {
	d := simtest.Open(t)
	p := setting(10_000, 1, "f64", contiguous, 2)
	good := splitTunables(4, 128, 1, true, 64, 10)
	if err := partitionValid(p, good, d.Facts()); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]int64{"m": 3, "m1": 1251, "P": 3, "L": 100, "STREAMS": 0, "R": 5} {
		v := good.Clone()
		v[name] = framework.IntValue(value)
		if partitionValid(p, v, d.Facts()) == nil {
			t.Errorf("%s = %d accepted", name, value)
		}
	}
	if partitionVersion(false).Supports(setting(64, 2, "f64", contiguous, 2), d.Facts()) == nil {
		t.Error("two systems are supported")
	}
}

func TestPartitionCompilesWithoutLocalMemory(t *testing.T) {
	compiler, err := nvrtc.Open()
	if err != nil {
		t.Fatal(err)
	}
	for _, board := range everyboard.Of(boards) {
		for _, precision := range []string{"f32", "f64"} {
			if precision == "f32" && board.ComputeMajor == 5 || precision == "f64" && board.ComputeMajor == 8 {
				continue // as the other
			}
			var done []partKernel
			for _, n := range []int{40_000, 100_000_000} { // others: lab/compile
				p := setting(n, 1, precision, contiguous, 2)
				v := partitionDefaults(p, board, true)
				if err := partitionValid(p, v, board); err != nil {
					t.Errorf("%s N=%d %s: its own defaults: %v", board.Name, n, precision, err)
				}
				s, err := splittingOf(p, v)
				if err != nil {
					t.Fatal(err)
				}
				levels := s.levels(n)
				kernels := []partKernel{}
				for _, l := range levels {
					kernels = append(kernels, l.kernel)
				}
				if s.device {
					kernels = append(kernels, wholeKernel(s.double, interfaceRows(levels)))
				}
				for _, k := range kernels {
					if slices.Contains(done, k) {
						continue
					}
					done = append(done, k)
					for name, taken := range compileFor(t, compiler, board, k.source(k.rows == 0)) {
						t.Logf("%s %s %+v %s: %d registers", board.Name, precision, k, name, taken.Registers)
					}
				}
			}
		}
	}
}

// TestHostInterfaceHasNoSubnormals solves interfaces of sub-systems of m rows, whose two ends are
// coupled by about dominance^-m: what a sweep makes of that is subnormal for some m, and slow.
func TestHostInterfaceHasNoSubnormals(t *testing.T) {
	const n = 64
	for m := 8; m <= 160; m += 8 {
		r := rand.New(rand.NewPCG(1, uint64(m)))
		h := hostInterface{n: n}
		h.in32, h.x32, h.work32 = slices5[float32](make([]byte, 5*n*4), n)
		want := make([]float64, n)
		var in [4][]float64 // a, b, c, d as they are before anything is dropped
		for i := range n {
			near, far := 0.25+r.Float64()/4, math.Pow(3.7, -float64(m))*(0.5+r.Float64())
			a, c := -near, far
			if i%2 == 1 {
				a, c = far, near
			}
			h.in32.a[i], h.in32.b[i], h.in32.c[i], h.in32.d[i] = float32(a), -1, float32(c), float32(r.Float64()-0.5)
		}
		h.in32.a[0], h.in32.c[n-1] = 0, 0
		for k, v := range [][]float32{h.in32.a, h.in32.b, h.in32.c, h.in32.d} {
			for _, x := range v {
				in[k] = append(in[k], float64(x))
			}
		}
		thomas(want, in[0], in[1], in[2], in[3], make([]float64, n))
		h.solve()
		for i := range n {
			for _, v := range []float32{h.work32[i], h.x32[i]} {
				if v != 0 && math.Abs(float64(v)) < 0x1p-126 {
					t.Fatalf("m = %d: row %d has the subnormal number %g", m, i, v)
				}
			}
			for _, v := range []float32{h.in32.a[i], h.in32.c[i]} { // b is -1
				if v != 0 && math.Abs(float64(v)) <= 0x1p-48 {
					t.Fatalf("m = %d: row %d is coupled by %g, whose products are subnormal", m, i, v)
				}
			}
			if e := math.Abs(float64(h.x32[i]) - want[i]); e > 8*0x1p-24 {
				t.Errorf("m = %d: x[%d] is %g, off by %g", m, i, h.x32[i], e)
			}
		}
	}
}
