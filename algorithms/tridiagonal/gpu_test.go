package tridiagonal

import (
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/gpu/cuda/sim"
	"example.org/bench/gpu/cuda/sim/simtest"
)

func methodOf(t *testing.T, name string) method {
	t.Helper()
	for _, m := range methods {
		if m.name == name {
			return m
		}
	}
	t.Fatalf("no method %s", name)
	return method{}
}

// Every way of exchanging, several radices and equations per thread, with
// systems that share a warp, fill one, and span several; the last block is
// not full.
func TestBatchedVersionsSolve(t *testing.T) {
	d := simtest.Open(t, sim.Checks())
	for _, x := range []struct {
		version     string
		n, batch    int
		precision   string
		p, l, radix int
		shuffle     bool
		dominance   float64
	}{
		{"cr", 64, 5, "f32", 2, 64, 2, true, 2},
		{"cr", 64, 5, "f64", 4, 32, 2, true, 1.05},
		{"cr", 256, 3, "f32", 2, 128, 2, false, 2},
		{"cr", 64, 3, "f64", 4, 64, 2, false, 2},
		{"pcr", 128, 3, "f32", 4, 64, 2, true, 2},
		{"pcr", 64, 7, "f32", 8, 32, 2, true, 1.05},
		{"pcr", 256, 3, "f64", 2, 128, 2, false, 2},
		{"pcr", 64, 3, "f32", 4, 64, 2, false, 2},
		{"lf", 64, 5, "f32", 2, 64, 2, true, 2},
		{"lf", 512, 3, "f64", 4, 256, 2, true, 1.05},
		{"lf", 256, 3, "f32", 2, 128, 2, false, 2},
		{"wm", 64, 5, "f32", 4, 64, 2, true, 2},
		{"wm", 512, 3, "f32", 4, 128, 4, true, 2},
		{"wm", 512, 3, "f64", 2, 256, 8, true, 1.05},
		{"wm", 128, 3, "f32", 4, 64, 8, true, 2},
		{"wm", 256, 3, "f32", 4, 64, 4, false, 2},
		{"wm", 256, 2, "f64", 2, 128, 8, false, 2},
		{"wm", 1024, 2, "f32", 16, 128, 2, true, 2},
	} {
		tunables := methodOf(t, x.version).tunables(x.n, x.precision == "f64", x.p, x.l, x.radix, x.shuffle)
		work := algorithmtest.Solve(t, Factory(), d, x.version, setting(x.n, x.batch, x.precision, contiguous, x.dominance), tunables)
		if want := work.NominalBytes; work.LoadBytes+work.StoreBytes != want || work.FLOPs < work.NominalFLOPs {
			t.Errorf("%s N=%d: %d bytes, want %d; %d FLOPs, nominal %d", x.version, x.n, work.LoadBytes+work.StoreBytes, want, work.FLOPs, work.NominalFLOPs)
		}
	}
}

func TestThomasSolvesInterleavedSystems(t *testing.T) {
	d := simtest.Open(t, sim.Checks())
	for _, x := range []struct {
		n, batch  int
		precision string
		p, g      int
		blocks    int // of a cluster
		ahead     int
		values    int64 // moved per row
	}{
		{64, 37, "f32", 16, 32, 0, 0, 5},
		{100, 37, "f32", 16, 8, 0, 0, 5},
		{100, 9, "f64", 8, 16, 0, 0, 5},
		{7, 40, "f64", 8, 32, 0, 0, 5}, // one thread per system
		{333, 5, "f32", 4, 4, 0, 0, 5},
		{64, 70, "f32", 0, 32, 0, 0, 9},
		{5, 3, "f64", 0, 64, 0, 0, 9},
		{131, 33, "f64", 0, 32, 0, 0, 9},
		{256, 40, "f32", 8, 32, 4, 0, 5},
		{256, 9, "f64", 8, 16, 2, 0, 5},
		{333, 9, "f32", 4, 8, 8, 0, 5},
		{40, 17, "f64", 4, 16, 16, 0, 5}, // blocks beyond the last row
		{64, 33, "f32", 8, 32, 8, 0, 5},  // one thread of a block per system
		{129, 5, "f64", 16, 8, 3, 0, 5},
		{64, 700, "f32", 8, 16, 0, 1, 5}, // more groups of systems than blocks
		{100, 9, "f64", 8, 16, 0, 1, 5},
		{70, 330, "f32", 4, 4, 4, 1, 5},
		{128, 301, "f64", 8, 16, 2, 1, 5},
	} {
		work := algorithmtest.Solve(t, Factory(), d, "thomas", setting(x.n, x.batch, x.precision, interleaved, 2), framework.IntValues("P", x.p, "G", x.g, "CLUSTER", x.blocks, "AHEAD", x.ahead))
		if got, want := 5*(work.LoadBytes+work.StoreBytes), x.values*work.NominalBytes; got != want {
			t.Errorf("N=%d P=%d: %d bytes, want %d", x.n, x.p, got/5, want/5)
		}
	}
}

// A version that is not stable for a problem is found to be wrong.
func TestGPUVersionsShowInstability(t *testing.T) {
	d := simtest.Open(t)
	for _, m := range methods {
		checks, _, err := algorithmtest.Try(Factory(), d, m.name, setting(64, 40, "f32", contiguous, 0.01), nil)
		if err != nil || algorithmtest.Good(checks) {
			t.Errorf("%s on dominance 0.01: %v, %v; want a wrong answer to be found", m.name, checks, err)
		}
	}
}

func TestValidRefusesTunables(t *testing.T) {
	d := simtest.Open(t)
	wm, cr := methodOf(t, "wm"), methodOf(t, "cr")
	p := setting(256, 1, "f32", contiguous, 2)
	good := wm.tunables(256, false, 4, 64, 4, false)
	if err := wm.valid(p, good, d.Facts()); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]int64{"S": 128, "P": 3, "L": 32, "r": 3} {
		v := good.Clone()
		v[name] = framework.IntValue(value)
		if wm.valid(p, v, d.Facts()) == nil {
			t.Errorf("%s = %d accepted", name, value)
		}
	}
	if cr.valid(p, cr.tunables(256, false, 4, 64, 2, true), d.Facts()) == nil {
		t.Error("cr: shuffles beyond a warp accepted")
	}
	small := d.Facts()
	small.SharedOptIn = 1 << 10
	if wm.valid(p, good, small) == nil {
		t.Error("more shared memory than there is accepted")
	}
	for what, q := range map[string]framework.Values{
		"interleaved":       setting(256, 2, "f32", interleaved, 2),
		"no power of two":   setting(100, 2, "f32", contiguous, 2),
		"too long a system": setting(1<<15, 2, "f32", contiguous, 2),
	} {
		if wm.supports(q, d.Facts()) == nil {
			t.Errorf("%s: supported", what)
		}
	}
}
