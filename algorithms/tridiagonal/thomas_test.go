package tridiagonal

import (
	"testing"

	"bench/cuda"
	"bench/framework"
)

// TestThomasDefaultsDouble: the defaults in float64 are what was fastest on an
// H200, and a Jetson's are unchanged.
func TestThomasDefaultsDouble(t *testing.T) {
	h200 := cuda.Facts{RegistersBlock: 64 << 10, SharedOptIn: 227 << 10}
	tx2 := cuda.Facts{RegistersBlock: 32 << 10, SharedOptIn: 48 << 10, Integrated: true}
	for _, x := range []struct {
		facts   cuda.Facts
		n, p, g int
	}{
		{h200, 64, 4, 16}, {h200, 128, 4, 16}, {h200, 256, 16, 8}, {h200, 512, 16, 8}, {h200, 1024, 0, 64}, {h200, 4096, 0, 64},
		{tx2, 64, 4, 16}, {tx2, 512, 4, 4}, {tx2, 1024, 0, 64},
	} {
		p := framework.IntValues("N", x.n)
		p["precision"] = framework.TextValue("f64")
		v := thomasDefaults(p, x.facts)
		if int(v.Int("P")) != x.p || int(v.Int("G")) != x.g {
			t.Errorf("N = %d, %d registers: P = %d, G = %d, want %d, %d", x.n, x.facts.RegistersBlock, v.Int("P"), v.Int("G"), x.p, x.g)
		}
	}
}
