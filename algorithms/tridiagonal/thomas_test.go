package tridiagonal

import (
	"maps"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// TestThomasDefaults: the defaults are what was fastest on an H200, without
// clusters as well, and a Jetson's are the literature's.
func TestThomasDefaults(t *testing.T) {
	h200 := gpu.Facts{RegistersBlock: 64 << 10, SharedOptIn: 227 << 10, ComputeMajor: 9}
	a100 := gpu.Facts{RegistersBlock: 64 << 10, SharedOptIn: 163 << 10, ComputeMajor: 8}
	tx2 := gpu.Facts{RegistersBlock: 32 << 10, SharedOptIn: 48 << 10, Integrated: true}
	for _, x := range []struct {
		facts                          gpu.Facts
		precision                      string
		n, p, columns, clusters, ahead int
	}{
		{a100, "f64", 64, 4, 16, 0, 0}, {a100, "f64", 128, 4, 16, 0, 0}, {a100, "f64", 256, 16, 8, 0, 0}, {a100, "f64", 512, 16, 8, 0, 0},
		{a100, "f64", 1024, 0, 64, 0, 0}, {a100, "f64", 4096, 0, 64, 0, 0},
		{tx2, "f64", 64, 4, 16, 0, 0}, {tx2, "f64", 512, 4, 4, 0, 0}, {tx2, "f64", 1024, 0, 64, 0, 0},
		{h200, "f64", 128, 4, 16, 0, 0}, {h200, "f64", 256, 8, 16, 0, 1}, {h200, "f64", 512, 8, 16, 4, 1}, {h200, "f64", 513, 8, 16, 8, 1},
		{h200, "f64", 1024, 8, 16, 8, 1}, {h200, "f64", 2048, 8, 16, 8, 1}, {h200, "f64", 4096, 8, 16, 16, 1}, {h200, "f64", 4097, 0, 64, 0, 0},
		{h200, "f32", 128, 8, 32, 0, 0}, {h200, "f32", 256, 8, 32, 2, 0}, {h200, "f32", 1000, 8, 32, 8, 0}, {h200, "f32", 1024, 8, 32, 8, 0},
		{h200, "f32", 2048, 8, 16, 8, 0}, {h200, "f32", 4096, 8, 16, 16, 0}, {h200, "f32", 5000, 0, 64, 0, 0},
	} {
		p := framework.IntValues("N", x.n)
		p["precision"] = framework.TextValue(x.precision)
		want := thomasTunables(x.p, x.columns, x.clusters, x.ahead)
		if v := thomasDefaults(p, x.facts); !maps.Equal(v, want) {
			t.Errorf("%s N = %d, compute capability %d: %v, want %v", x.precision, x.n, x.facts.ComputeMajor, v, want)
		}
	}
}
