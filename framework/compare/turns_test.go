package compare

import (
	"math"
	"math/rand/v2"
	"testing"
)

// repeats are ratios of an A/B pair: each repeat has its own offset, as new
// memory has, and its own noise.
func repeats(rng *rand.Rand, n int, factor float64) []float64 {
	return fill(n, func(int) float64 { return factor * math.Exp(0.01*rng.NormFloat64()+0.003*rng.ExpFloat64()-0.003) })
}

func judged(t *testing.T, rng *rand.Rand, pairs, n int, factor float64) []*Turns {
	t.Helper()
	var all []*Turns
	for range pairs {
		x, err := TurnsOf(repeats(rng, n, 1), repeats(rng, n, factor), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, x)
	}
	JudgeTurns(all, 0.01)
	return all
}

// TestTurnsFalseAlarms: of 1000 experiments of five equal pairs at most 5 % tell of
// a difference; 71 alarms have probability 0.2 % at a true rate of 5 %.
func TestTurnsFalseAlarms(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	alarms := 0
	for range 1000 {
		alarm := false
		for _, x := range judged(t, rng, 5, 10, 1) {
			alarm = alarm || x.Effect.Verdict == Better || x.Effect.Verdict == Worse
		}
		if alarm {
			alarms++
		}
	}
	t.Logf("%d of 1000", alarms)
	if alarms > 70 {
		t.Errorf("a difference was told in %d of 1000 experiments without any", alarms)
	}
}

// TestTurnsLevel: where the control is quiet, Student's test alone stands
// between noise and an alarm: 5 % of single equal pairs, 71 of 1000 at most.
func TestTurnsLevel(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	alarms := 0
	for range 1000 {
		quiet := fill(10, func(int) float64 { return 1 + 1e-9*rng.NormFloat64() })
		x, err := TurnsOf(quiet, fill(10, func(int) float64 { return math.Exp(0.01 * rng.NormFloat64()) }), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		JudgeTurns([]*Turns{x}, 0.01)
		if x.Effect.Verdict == Better || x.Effect.Verdict == Worse {
			alarms++
		}
	}
	if alarms > 70 || alarms < 30 { // both beyond 0.2 %
		t.Errorf("%d alarms of 1000, want about 50", alarms)
	}
}

func TestTurnsRealDifferences(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for factor, want := range map[float64]Verdict{1.05: Worse, 1 / 1.05: Better} {
		for _, x := range judged(t, rng, 20, 10, factor) {
			if x.Effect.Verdict != want {
				t.Errorf("%.3f: %s at %.4f (%.4f to %.4f), smallest %.4f", factor, x.Effect.Verdict, x.Effect.Value, x.Effect.Low, x.Effect.High, x.Smallest)
			}
		}
	}
}

// TestTurnsPower: effects of one standard deviation of the difference between
// repeats are found as often as the t test can, in ten repeats: 80 %.
func TestTurnsPower(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	found := 0
	for range 400 {
		noise := func(factor float64) []float64 {
			return fill(10, func(int) float64 { return factor * math.Exp(0.01/math.Sqrt2*rng.NormFloat64()) })
		}
		x, err := TurnsOf(noise(1), noise(math.Exp(0.01)), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		JudgeTurns([]*Turns{x}, 0.01)
		if x.Effect.Verdict == Worse {
			found++
		}
	}
	if t.Logf("%d of 400", found); found < 290 || found > 350 { // 80 %, ± three standard errors
		t.Errorf("%d of 400 effects of one standard deviation were found", found)
	}
}

// TestTurnsAgainstTheControl: what the machine does to A as well is no
// difference, however sure; and one that it hides is.
func TestTurnsAgainstTheControl(t *testing.T) {
	for _, c := range []struct {
		name               string
		control, treatment []float64
		want               Verdict
		differs            bool
	}{
		{"as the control", []float64{1.019, 1.020, 1.021, 1.020}, []float64{1.020, 1.019, 1.021, 1.0201}, Same, true},
		{"as the control, from 1", []float64{0.98, 0.981, 0.979, 0.98}, []float64{1, 1.001, 0.999, 1}, Worse, true},
		{"hidden by the control", []float64{1.019, 1.020, 1.021, 1.020}, []float64{1.0001, 1.0002, 0.9999, 0.9998}, Better, true},
		{"as noisy", []float64{1.02, 0.98, 1.01, 0.99}, []float64{0.99, 1.01, 0.98, 1.02}, NotTold, false},
	} {
		x, err := TurnsOf(c.control, c.treatment, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		JudgeTurns([]*Turns{x}, 0.01)
		if x.Effect.Verdict != c.want || x.Differs() != c.differs {
			t.Errorf("%s: %+v, differs %v", c.name, x.Effect, x.Differs())
		}
	}
}

// TestTurnsEnergy: the energies have a verdict of their own, in one family with
// the times.
func TestTurnsEnergy(t *testing.T) {
	even := []float64{1.001, 0.999, 1, 1}
	x, err := TurnsOf(even, even, []float64{0.8, 0.801, 0.799, 0.8}, nil)
	if err != nil {
		t.Fatal(err)
	}
	JudgeTurns([]*Turns{x}, 0.01)
	if x.Energy.Verdict != Better || x.Effect.Verdict != Same || math.Abs(x.Energy.Adjusted-2*x.Energy.P) > 1e-15 {
		t.Errorf("%+v, times %+v", x.Energy, x.Effect)
	}
	for _, energy := range [][]float64{{1, 1}, {1, 0, 1}} {
		if _, err := TurnsOf(even, even, energy, nil); err == nil {
			t.Errorf("energies %v are taken", energy)
		}
	}
}

// TestSmallestDifference is the further end of the control's interval, be it
// above 1 or below.
func TestSmallestDifference(t *testing.T) {
	for _, control := range [][]float64{{1.02, 1.021, 1.019}, {1 / 1.02, 1 / 1.021, 1 / 1.019}} {
		x, err := TurnsOf(control, nil, nil, nil)
		if err != nil || math.Abs(x.Smallest-0.0225) > 1e-4 {
			t.Errorf("%v: %v, %v", control, x.Smallest, err)
		}
	}
}

func TestTurnsRefused(t *testing.T) {
	if x, err := TurnsOf([]float64{1, 1, 1}, nil, nil, nil); err != nil || x.Control.Value != 1 {
		t.Errorf("%d repeats: %+v, %v", LeastRepeats, x, err)
	}
	for _, control := range [][]float64{nil, {1, 1}, {1, 0, 1}, {1, math.NaN(), 1}, {1, math.Inf(1), 1}} {
		if x, err := TurnsOf(control, nil, nil, nil); err == nil {
			t.Errorf("control %v gave %+v", control, x)
		}
	}
}
