package experiment

import (
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// pairOf is a pair whose repeats had these control and treatment times of B, A's
// being 1 s, and these energies of B, A's being 1 J; 0: none.
func pairOf(control, treatment, energy [3]float64) *Pair {
	p := &Pair{Name: "fft", A: plan.Point{Version: "a", Device: "cpu"}, B: plan.Point{Version: "b"}}
	turns := func(b float64) *measure.Alternation {
		return &measure.Alternation{A: []float64{1}, B: []float64{b}, BatchA: 1, BatchB: 1, Caches: config.Hot}
	}
	window := func(joules float64) *engine.RunEnergy {
		if joules == 0 {
			return nil
		}
		return &engine.RunEnergy{Joules: joules, Doubt: "slow sensor"}
	}
	for i := range control {
		r := &engine.Turns{Status: record.OK, Control: turns(control[i]), Treatment: turns(treatment[i]), EnergyA: window(1), EnergyB: window(energy[i]),
			VerificationA: framework.FastVerification, VerificationB: framework.NoVerification}
		p.repeats = append(p.repeats, r)
	}
	return p
}

// TestVerdictsOfTurns: faster, slower, the same within a share, unknown, and a
// sentence where the control differs from 1.
func TestVerdictsOfTurns(t *testing.T) {
	even := [3]float64{0.9999, 1, 1.0001}
	const bias = "A differs from itself"
	for _, c := range []struct {
		name                       string
		control, treatment, energy [3]float64
		says, saysNot              string
	}{
		{"faster", even, [3]float64{0.9, 0.901, 0.899}, [3]float64{}, "b is faster", "energy"},
		{"slower", even, [3]float64{1.1, 1.101, 1.099}, [3]float64{}, "b is slower", bias},
		{"the same", even, [3]float64{1.001, 1, 0.999}, [3]float64{}, "the same within 0.3 %", bias},
		{"unknown", even, [3]float64{1.1, 1, 0.95}, [3]float64{}, "unknown, a difference of up to 2", bias},
		{"unknown without a bound", even, [3]float64{1, 20, 0.05}, [3]float64{}, "unknown, any difference is possible: the repeats differ too much", "up to"},
		{"biased control", [3]float64{1.02, 1.0201, 1.0199}, [3]float64{1.02, 1.0202, 1.0198}, [3]float64{}, bias, "slower"},
		{"less energy", even, even, [3]float64{0.8, 0.801, 0.799}, "energy, B/A: 0.8000 (95 % interval 0.7975 to 0.8025): b takes less energy", bias},
		{"more energy", even, even, [3]float64{1.8, 1.801, 1.799}, "b takes more energy", bias},
		{"doubtful energy", even, even, [3]float64{1.8, 1.801, 1.799}, "energy: slow sensor", bias},
		{"energy of one repeat lacks", even, even, [3]float64{1.8, 1.8, 0}, "the same within", "energy, B/A"},
	} {
		r := &Turns{Pairs: []*Pair{pairOf(c.control, c.treatment, c.energy)}}
		r.Judge(0.01)
		if text := r.Text(); !strings.Contains(text, c.says) || strings.Contains(text, c.saysNot) {
			t.Errorf("%s: want %q and not %q in\n%s", c.name, c.says, c.saysNot, text)
		}
	}
}

// TestTunablesOfTurns: what is not a default is told of either side, with its source.
func TestTunablesOfTurns(t *testing.T) {
	even := [3]float64{0.9999, 1, 1.0001}
	p := pairOf(even, even, even)
	p.B.Tunables, p.B.TunableOrder = framework.Values{"P": framework.IntValue(4), "L": framework.IntValue(64)}, []string{"P", "L"}
	r := &Turns{Pairs: []*Pair{p}}
	r.Judge(0.01)
	for _, c := range []struct {
		changed []string
		tuned   string
		want    string
	}{{nil, "", ""}, {[]string{"L"}, "", "  tunables of B, b: P=4 L=64 (set by the config)\n"}, {[]string{"L"}, "wisdom, exact size", "  tunables of B, b: P=4 L=64 (wisdom, exact size)\n"}} {
		p.B.Changed, p.B.Tuned = c.changed, c.tuned
		text := r.Text()
		if c.want == "" && strings.Contains(text, "tunables") || !strings.Contains(text, c.want) || !strings.Contains(text, "B/A, b / a: ") {
			t.Errorf("want %q in\n%s", c.want, text)
		}
	}
}

// TestVerificationOfTurns: text and JSON say how the answers were checked.
func TestVerificationOfTurns(t *testing.T) {
	even := [3]float64{0.9999, 1, 1.0001}
	for _, c := range []struct {
		b    framework.Verification
		text string
	}{{framework.FastVerification, "  verification: fast\n"}, {framework.FullVerification, "  verification: A fast, B full\n"}} {
		p := pairOf(even, even, even)
		p.VerificationA, p.VerificationB = framework.FastVerification, c.b
		r := &Turns{Pairs: []*Pair{p}}
		r.Judge(0.01)
		if text := r.Text(); !strings.Contains(text, c.text) {
			t.Errorf("no %q in\n%s", c.text, text)
		}
	}
}

// TestEnergiesOfRepeats: ab.csv has them beside the treatment's times.
func TestEnergiesOfRepeats(t *testing.T) {
	r := &Turns{Pairs: []*Pair{pairOf([3]float64{1, 1, 1}, [3]float64{2, 2, 2}, [3]float64{1.5, 1.5, 1.5})}}
	r.Judge(0.01)
	ratios, _, err := r.Tables()
	lines := strings.Split(strings.TrimSpace(string(ratios)), "\n")
	if err != nil || len(lines) != 7 || !strings.HasSuffix(lines[0], ",energy_a_J,energy_b_J,caches,verification_a,verification_b") || !strings.HasSuffix(lines[1], ",1,1,,,,hot,fast,fast") || !strings.HasSuffix(lines[2], ",1,1,,1,1.5,hot,fast,none") {
		t.Errorf("%v\n%s", err, ratios)
	}
}

// TestEnergyRatio is B's energy by A's, where both are known; samples that were taken
// again are noted once.
func TestEnergyRatio(t *testing.T) {
	energy := func(joules float64) *engine.RunEnergy { return &engine.RunEnergy{Joules: joules} }
	for _, c := range []struct {
		a, b *engine.RunEnergy
		want float64
	}{{energy(2), energy(3), 1.5}, {energy(0), energy(3), 0}, {energy(-1), energy(3), 0}, {nil, energy(3), 0}, {energy(2), nil, 0}} {
		if got := (&Pair{}).energyRatio(&engine.Turns{EnergyA: c.a, EnergyB: c.b}); got != c.want {
			t.Errorf("%v by %v: %v, want %v", c.b, c.a, got, c.want)
		}
	}
	var p Pair
	if p.note(&measure.Alternation{}); len(p.Notes) != 0 {
		t.Errorf("%q of samples that stand", p.Notes)
	}
	p.note(&measure.Alternation{Dropped: 1})
	if p.note(&measure.Alternation{Dropped: 2, Notes: []string{"x"}}); len(p.Notes) != 2 || !strings.Contains(p.Notes[0], "taken again") {
		t.Errorf("%q", p.Notes)
	}
	r := &Turns{Pairs: []*Pair{pairOf([3]float64{1, 1, 1}, [3]float64{2, 2, 2}, [3]float64{1.5, 1.5, 1.5})}}
	r.Pairs[0].repeats[0].EnergyA = energy(0)
	r.Judge(0.01)
	if ratios, _, err := r.Tables(); err != nil || !strings.HasSuffix(strings.Split(string(ratios), "\n")[2], ",1,1,,,1.5,hot,fast,none") {
		t.Errorf("%v\n%s", err, ratios)
	}
}
