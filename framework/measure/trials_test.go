package measure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"example.org/bench/framework/config"
	"example.org/bench/framework/stats"
)

// trial is one random sensor, and whether what the Meter states of it holds.
type trial struct {
	name  string
	holds bool
	// unknown: the reading never changed, and no uncertainty is stated.
	unknown bool
	stated  float64 // relative uncertainty
	why     string
}

// randomTrial measures a power of random shape through a sensor of random
// period, phase, step and faults.
func randomTrial(t *testing.T, seed uint64) trial {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 77))
	between := func(a, b float64) float64 { return a + (b-a)*r.Float64() }
	base := between(1, 300)
	noise := make([]float64, 1<<14)
	for i := range noise {
		noise[i] = base * 0.01 * r.NormFloat64()
	}
	// The load itself flickers, every 7 ms.
	flicker := func(t float64) float64 { return noise[int(t/7e-3)%len(noise)] }
	s := &synthetic{period: 1e-3 * math.Exp(between(0, math.Log(500))), cost: 200e-6, averaging: -1}
	s.phase = s.period * r.Float64()
	if r.IntN(2) == 0 {
		s.averaging = 0
	}
	var shape string
	switch r.IntN(3) {
	case 0:
		shape = "constant"
		s.power = func(t float64) float64 { return base + flicker(t) }
	case 1:
		shape = "ramp"
		slope := base * between(-0.02, 0.05)
		s.power = func(t float64) float64 { return base + slope*(t-1000) + flicker(t) }
	default:
		shape = "square"
		high, half, shift := base*between(1.2, 4), between(0.05, 0.5), between(0, 1)
		s.power = func(t float64) float64 {
			if x := (t + shift) / half; math.Floor(x)-2*math.Floor(x/2) < 1 {
				return base + flicker(t)
			}
			return high + flicker(t)
		}
	}
	fault := "none"
	switch r.IntN(5) {
	case 0:
		fault = "EAGAIN bursts"
		every, length := between(0.3, 1), between(0.01, 0.1)
		s.lost = func(t float64) bool { return t-every*math.Floor(t/every) < length }
	case 1:
		fault = "failing reads"
		every, length := between(0.3, 1), between(0.01, 0.1)
		s.fails = func(t float64) bool { return t-every*math.Floor(t/every) < length }
	case 2:
		fault = "stuck"
		s.frozen, s.value = true, base
	}
	if fault != "stuck" && r.IntN(3) == 0 {
		shape, s.counter = "counter of a "+shape, true
		s.wrapsAt = base * between(2, 20)
	} else {
		s.step = base * between(0, 0.03)
	}
	e, ch, truth := bench(t, s, config.Measure{PowerWindow: 2}, between(0.5e-3, 40e-3))
	got := trial{name: fmt.Sprintf("seed %d: %s, update period %.0f ms, fault %s", seed, shape, 1e3*s.period, fault)}
	off := math.Abs(ch.Energy - truth)
	got.why = fmt.Sprintf("%.4g J, truth %.4g J: off by %.2g %%, stated %.2g %%; period found %.3g s, step %.2g %%", ch.Energy, truth, 100*off/truth, 100*ch.Uncertainty/truth, ch.Period, 100*s.step/base)
	switch {
	case strings.Contains(strings.Join(e.Notes, "; "), "never changed"):
		// Of a reading that never changes nothing is claimed, and that is said.
		got.holds = ch.Uncertainty == 0 && ch.Fresh == 0
		got.unknown = true
	default:
		got.stated = ch.Uncertainty / truth
		got.holds = fault != "stuck" && ch.Uncertainty > 0 && off <= ch.Uncertainty
	}
	return got
}

// TestStatedUncertaintyHolds: the truth lies within the stated uncertainty in
// at least 95 % of trials, of every shape and with every fault.
func TestStatedUncertaintyHolds(t *testing.T) {
	const trials = 1000
	miss, all := map[string]int{}, map[string]int{}
	var stated []float64 // of steady powers that nothing disturbs
	failed, unknown, healthy := 0, 0, 0
	for seed := range uint64(trials) {
		x := randomTrial(t, seed)
		_, kind, _ := strings.Cut(x.name, ": ")
		shape, _, _ := strings.Cut(kind, ",")
		_, fault, _ := strings.Cut(kind, "fault ")
		for _, k := range []string{shape, "with fault " + fault} {
			all[k]++
			if !x.holds {
				miss[k]++
			}
		}
		if !x.holds {
			failed++
			t.Logf("%s: %s", x.name, x.why)
		}
		if fault == "none" {
			healthy++
			if x.unknown {
				unknown++
			} else if shape == "constant" {
				stated = append(stated, x.stated)
			}
		}
	}
	if failed > trials/20 {
		t.Errorf("%d of %d trials miss", failed, trials)
	}
	for k, n := range all {
		if miss[k] > n/20+1 {
			t.Errorf("%s: %d of %d trials miss", k, miss[k], n)
		}
	}
	// Wide enough would be easy.
	if m := stats.Summarize(stated).Median; !(m < 0.025) {
		t.Errorf("steady powers, read in steps of up to 3 %%, are stated within %.2g %% at the median", 100*m)
	}
	if unknown > healthy/10 {
		t.Errorf("of %d sensors without a fault %d state nothing", healthy, unknown)
	}
}
