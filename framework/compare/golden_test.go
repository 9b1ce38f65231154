package compare

import (
	"math"
	"math/rand/v2"
	"testing"
)

// inputs are the series of the golden values: independent, each resembling
// the one before, in steps of a clock, a change of level, few.
func inputs() map[string][]float64 {
	r := rand.New(rand.NewPCG(13, 4))
	series := func(n int, f func(i int) float64) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = f(i)
		}
		return x
	}
	level := 0.0
	return map[string][]float64{
		"independent": series(100, func(int) float64 { return 1e-3 * (1 + 0.02*r.NormFloat64()) }),
		"resembling": series(211, func(int) float64 {
			level = 0.8*level + 0.01*r.NormFloat64()
			return 2e-3 * math.Exp(level)
		}),
		"steps": series(61, func(int) float64 { return 32e-9 * math.Round(1e2*(1+0.02*r.NormFloat64())) }),
		"level": series(150, func(i int) float64 { return 1e-3 * (1 + 0.05*float64(i/90) + 0.01*r.NormFloat64()) }),
		"few":   series(7, func(int) float64 { return 1 + r.ExpFloat64() }),
	}
}

// TestGolden: the ratios of fixed inputs, to the last bit: what is published
// must not move.
func TestGolden(t *testing.T) {
	for _, want := range []struct {
		a, b                               string
		value, low, high, p, worse, within float64
	}{
		{"independent", "level", 0x1.023be26f95c7ep+00, 0x1.fc478dcb1175ep-01, 0x1.078a3d3e7f845p+00, 0x1.236b80849b73dp-05, 0x1.fffffffffffffp-01, 0x1.7e216b98f91fbp-12},
		{"resembling", "independent", 0x1.00b655c0ce22fp-01, 0x1.fb88fdf809723p-02, 0x1.036032ee1761fp-01, 0x1.4487c4ecd3e94p-106, 0x1p+00, 0x1.6f507807e4671p-109},
		{"level", "resembling", 0x1.fa299cfb7c6f7p+00, 0x1.ef55c76113ee7p+00, 0x1.01c3174471225p+01, 0x1.00be6f5cb159bp-69, 0x1.806a5a7fbb7f7p-69, 0x1p+00},
		{"few", "few", 0x1p+00, 0x1.02101641ac002p-02, 0x1.fbe844c9de82p+01, 0x1p+00, 0x1.61449fece788ap-01, 0x1.3d76c02630eecp-02},
		{"steps", "steps", 0x1p+00, 0x1.f9b0ac9775a78p-01, 0x1.0331bd9f1bc11p+00, 0x1p+00, 0x1p+00, 0x1.9e790c53ff1d1p-32},
		{"independent", "independent", 0x1p+00, 0x1.fc4c497b7acadp-01, 0x1.01dd4ec1942f8p+00, 0x1p+00, 0x1p+00, 0x1.f1b1d0a8256d2p-50},
	} {
		r := ratio(fromSamples(inputs()[want.a]), fromSamples(inputs()[want.b]))
		worse, within, _ := r.beyond(Metric{}, 0.05)
		if r.Value != want.value || *r.Low != want.low || *r.High != want.high || *r.P != want.p || worse != want.worse || within != want.within {
			t.Errorf("%s, %s: %x (%x to %x), p %x, beyond 5 %%: %x, within %x; want %+x", want.a, want.b, r.Value, *r.Low, *r.High, *r.P, worse, within, want)
		}
	}
	x, err := TurnsOf(inputs()["few"], inputs()["level"][:9])
	if err != nil {
		t.Fatal(err)
	}
	got := [...]float64{x.Control.Value, x.Control.Low, x.Control.High, x.Smallest, x.Treatment.Value, x.Treatment.Low, x.Treatment.High, x.P}
	if want := [...]float64{
		0x1.1adb653053677p+01, 0x1.2e9cd6ade13dcp+00, 0x1.08641eb60d2b4p+02, 0x1.90c83d6c1a568p+01,
		0x1.07227adf1bc39p-10, 0x1.05a5227fae851p-10, 0x1.08a1ff0d237a7p-10, 0x1.6a7da34f66eb5p-82,
	}; got != want {
		t.Errorf("turns %x, want %x", got, want)
	}
}
