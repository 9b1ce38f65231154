package stats

import (
	"math"
	"slices"
	"testing"

	"example.org/bench/framework/stats/statstest"
)

// TestGolden: the statistics of fixed inputs, to the last bit: what describes
// recorded runs must not move.
func TestGolden(t *testing.T) {
	for name, want := range map[string]struct {
		Summary
		at                        int
		change, high, correlation float64
	}{
		"independent": {Summary{100, 0x1.06404ac66fad4p-10, 0x1.027a1ed040d56p-10, 0x1.097c981e2794ap-10, 0x1.f3350c1a1bd79p-11, 0x1.134a19ca42a9fp-10,
			0x1.061b03834e518p-10, 0x1.4eadaa7da82e1p-16, 0x1.04cc934d4718dp-10, 0x1.07fecba3cddcfp-10},
			76, 0x1.90d43e21b3bc4p+00, 0x1.0c607d31431b2p-10, 0x0p+00},
		"resembling": {Summary{211, 0x1.058605e3c8aep-09, 0x1.02f7b2250ca0bp-09, 0x1.089ff28c496a4p-09, 0x1.f04b92d8401b6p-10, 0x1.102bed1299fb9p-09,
			0x1.059ffa5b3a4aap-09, 0x1.1f401e4f58bc2p-15, 0x1.03045d003c8cp-09, 0x1.0868111bf1158p-09},
			19, 0x1.0ec1c43319f22p+02, 0x1.0bc8033d1aaa4p-09, 0x1.ab31ab5582bb9p-01},
		"steps": {Summary{61, 0x1.ad7f29abcaf49p-19, 0x1.a933a6b1c13eep-19, 0x1.b1caaca5d4aa3p-19, 0x1.98059ac99a685p-19, 0x1.bead3593f1cb2p-19,
			0x1.adfd561406d2dp-19, 0x1.16676756d0c28p-24, 0x1.aa547f6a2972ep-19, 0x1.b1caaca5d4aa3p-19},
			9, 0x1.4bb5da3df0056p+01, 0x1.ba61b299e8158p-19, 0x0p+00},
		"level": {Summary{150, 0x1.088a2424499c2p-10, 0x1.05cbf19dc3338p-10, 0x1.121a8c280a659p-10, 0x1.002cdaaebc169p-10, 0x1.1807858803f43p-10,
			0x1.0b2d4ddfdb982p-10, 0x1.aa90fca5a2f85p-16, 0x1.0487006318b5bp-10, 0x1.1135f7edd4dedp-10},
			90, 0x1.4b7364a55dbe8p+03, 0x1.1485d8dbedf1fp-10, 0x1.68c5a2af1dbbdp-01},
		"few": {Summary{7, 0x1.de7120a14cc95p+00, 0x1.4eb849377adb2p+00, 0x1.b2469242ea3p+01, 0x1.1b22ef3e7d2f2p+00, 0x1.abd8c76f7d85p+02,
			0x1.5c8949cae22dep+01, 0x1.04b13e76f4233p+01, 0x1.1b22ef3e7d2f2p+00, 0x1.abd8c76f7d85p+02},
			2, 0x1.8c97ef43f7248p-01, 0x1.46ff4e90e717p+02, 0x0p+00},
	} {
		x := statstest.Inputs()[name]
		if got := Summarize(x); got != want.Summary {
			t.Errorf("%s: summary\n%x, want\n%x", name, got, want.Summary)
		}
		if at, z, _ := NewSeries(x).ChangePoint(); at != want.at || z != want.change {
			t.Errorf("%s: changes at %d by %x deviations, want at %d by %x", name, at, z, want.at, want.change)
		}
		if got := Quantile(slices.Sorted(slices.Values(x)), 0.9); got != want.high {
			t.Errorf("%s: 90 %% quantile %x, want %x", name, got, want.high)
		}
		if got := NewSeries(x).RankAutocorrelation(); got != want.correlation {
			t.Errorf("%s: autocorrelation %x, want %x", name, got, want.correlation)
		}
	}
}

func TestGoldenBlocks(t *testing.T) {
	for name, want := range map[string][]float64{
		"independent": {-0x1.ba4e721a3f972p+02, -0x1.ba62b1ecea18p+02, -0x1.b94ee2e96397cp+02, -0x1.b95534e26de08p+02, -0x1.b9d408dd79f17p+02, -0x1.ba27b741c0f96p+02,
			-0x1.ba33ef661ef54p+02, -0x1.b9efe5f190435p+02, -0x1.b9f9177488104p+02, -0x1.ba74d7eeb3aa5p+02, -0x1.b9ea4cd742cb2p+02, -0x1.ba8a238702d22p+02},
		"resembling": {-0x1.8cf5f745706dp+02, -0x1.8d5b82fad6326p+02, -0x1.8e8477bc40699p+02, -0x1.8d43d115abec7p+02, -0x1.8d32eb9e95688p+02, -0x1.8dc60522eef6bp+02,
			-0x1.8e3cad3800f4dp+02, -0x1.8cbd60604634dp+02, -0x1.8da7f3ef6dee9p+02, -0x1.8e67ad71537a6p+02, -0x1.8e62548497537p+02, -0x1.8e6ab3794cb29p+02},
		"steps": {-0x1.9585a1b2d9321p+03, -0x1.953276a1ebecp+03, -0x1.94e0218cf22cbp+03, -0x1.94e0218cf22cbp+03, -0x1.948e9e31bf03dp+03, -0x1.943de86e5e977p+03,
			-0x1.948e9e31bf03dp+03, -0x1.948e9e31bf03dp+03, -0x1.948e9e31bf03dp+03, -0x1.953276a1ebecp+03, -0x1.953276a1ebecp+03, -0x1.94e0218cf22cbp+03},
		"level": {-0x1.ba095aa13573cp+02, -0x1.bab4cf32bfc1bp+02, -0x1.b9bd966f2c9d1p+02, -0x1.ba446d86a6f6ap+02, -0x1.b9dd1b9ee683bp+02, -0x1.ba02092bd3c25p+02,
			-0x1.ba25314064116p+02, -0x1.b8bfbe9d7e04cp+02, -0x1.b6ed6cf7d4453p+02, -0x1.b7096eb660d85p+02, -0x1.b6a355eec759ap+02, -0x1.b73d6812c68f1p+02},
		"few": nil,
	} {
		got := BlockMedians(statstest.Inputs()[name])
		for i, m := range got {
			got[i] = math.Log(m)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: logarithms\n%x, want\n%x", name, got, want)
		}
	}
}

func TestGoldenTests(t *testing.T) {
	for _, want := range []struct {
		a, b     string
		u, welch Tails
	}{
		{"independent", "level", Tails{0x1.66804746f3063p-23, 0x1.fffffa65fee2ep-01}, Tails{0x1p+00, 0x0p+00}},
		{"resembling", "independent", Tails{0x1p+00, 0x0p+00}, Tails{0x1p+00, 0x0p+00}},
		{"level", "resembling", Tails{0x1.5fe5df63edac6p-195, 0x1p+00}, Tails{0x1.fffffffffeb7ap-01, 0x1.4867506850dedp-41}},
		{"few", "few", Tails{0x1p-01, 0x1p-01}, Tails{0x1.002f0b18b2b6cp-01, 0x1.ffa1e9ce9a929p-02}},
		{"steps", "steps", Tails{0x1p-01, 0x1p-01}, Tails{0x1p+00, 0x0p+00}},
		{"independent", "independent", Tails{0x1p-01, 0x1p-01}, Tails{0x1p+00, 0x1.f7da9aecd58bep-928}},
	} {
		a, b := statstest.Inputs()[want.a], statstest.Inputs()[want.b]
		if got := Welch(a, b, 0.001); got != want.welch {
			t.Errorf("%s, %s: Welch's test %x, want %x", want.a, want.b, got, want.welch)
		}
		slices.Sort(a)
		slices.Sort(b)
		if got := MannWhitney(a, b); got != want.u {
			t.Errorf("%s, %s: U test %x, want %x", want.a, want.b, got, want.u)
		}
	}
	want := []float64{0x1.999999999999ap-05, 0x1.eb851eb851eb8p-04, 0x1.eb851eb851eb8p-04, 0x1.eb851eb851eb8p-06, 0x1p-01, 0x1.eb851eb851eb8p-04}
	if got := Holm([]float64{0.01, 0.04, 0.03, 0.005, 0.5, 0.03}); !slices.Equal(got, want) {
		t.Errorf("Holm: %x, want %x", got, want)
	}
}
