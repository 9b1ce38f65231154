package compare

import (
	"testing"

	"example.org/bench/framework/stats/statstest"
)

// TestGolden: the ratios of fixed inputs, to the last bit: what is published
// must not move.
func TestGolden(t *testing.T) {
	for _, want := range []struct {
		a, b                               string
		value, low, high, p, worse, within float64
	}{
		{"independent", "level", 0x1.023be26f95c7ep+00, 0x1.fbef762fbd554p-01, 0x1.0ad3322a29749p+00, 0x1.236b80849b73dp-05, 0x1.fffffffffffffp-01, 0x1.7e216b98f91fbp-12},
		{"resembling", "independent", 0x1.00b655c0ce22fp-01, 0x1.fb274df7d5634p-02, 0x1.03bb2b360d239p-01, 0x1.4487c4ecd3e94p-106, 0x1p+00, 0x1.6f507807e4671p-109},
		{"level", "resembling", 0x1.fa299cfb7c6f7p+00, 0x1.e968a58494e61p+00, 0x1.01e2f1435c6afp+01, 0x1.00be6f5cb159bp-69, 0x1.806a5a7fbb7f7p-69, 0x1p+00},
		{"few", "few", 0x1p+00, 0x1.02101641ac002p-02, 0x1.fbe844c9de82p+01, 0x1p+00, 0x1.61449fece788ap-01, 0x1.3d76c02630eecp-02},
		{"steps", "steps", 0x1p+00, 0x1.f9b0ac9775a78p-01, 0x1.0331bd9f1bc11p+00, 0x1p+00, 0x1p+00, 0x1.9e790c53ff1d1p-32},
		{"independent", "independent", 0x1p+00, 0x1.fb978b4c9a3f2p-01, 0x1.023920b77ffap+00, 0x1p+00, 0x1p+00, 0x1.f1b1d0a8256d2p-50},
	} {
		r := ratio(fromSamples(statstest.Inputs()[want.a]), fromSamples(statstest.Inputs()[want.b]))
		worse, within, _ := r.beyond(Metric{}, 0.05)
		if r.Value != want.value || *r.Low != want.low || *r.High != want.high || *r.P != want.p || worse != want.worse || within != want.within {
			t.Errorf("%s, %s: %x (%x to %x), p %x, beyond 5 %%: %x, within %x; want %+x", want.a, want.b, r.Value, *r.Low, *r.High, *r.P, worse, within, want)
		}
	}
	x, err := TurnsOf(statstest.Inputs()["few"], statstest.Inputs()["level"][:7], nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := [...]float64{x.Control.Value, x.Control.Low, x.Control.High, x.Smallest, x.Treatment.Value, x.Treatment.Low, x.Treatment.High, x.Effect.Value, x.Effect.P}
	if want := [...]float64{
		0x1.1adb653053677p+01, 0x1.2e9cd6ade13dcp+00, 0x1.08641eb60d2b4p+02, 0x1.90c83d6c1a568p+01,
		0x1.070561fd38fcfp-10, 0x1.057f2511f8185p-10, 0x1.088de54519c37p-10, 0x1.dc1847bc7b40cp-12, 0x1.8138cc786520ap-24,
	}; got != want {
		t.Errorf("turns %x, want %x", got, want)
	}
}
