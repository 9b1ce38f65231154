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
		x, err := TurnsOf(repeats(rng, n, 1), repeats(rng, n, factor))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, x)
	}
	JudgeTurns(all)
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
			alarm = alarm || x.Verdict != NotTold
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
		x, err := TurnsOf(quiet, fill(10, func(int) float64 { return math.Exp(0.01 * rng.NormFloat64()) }))
		if err != nil {
			t.Fatal(err)
		}
		JudgeTurns([]*Turns{x})
		if x.Verdict != NotTold {
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
			if x.Verdict != want {
				t.Errorf("%.3f: %s at %.4f (%.4f to %.4f), smallest %.4f", factor, x.Verdict, x.Treatment.Value, x.Treatment.Low, x.Treatment.High, x.Smallest)
			}
		}
	}
}

// TestTurnsBelowTheControl: a difference that Student's test is sure of is not
// real where A differs from itself by as much.
func TestTurnsBelowTheControl(t *testing.T) {
	x, err := TurnsOf([]float64{1.019, 1.020, 1.021, 1.020}, []float64{1.0149, 1.0150, 1.0151, 1.0150})
	if err != nil {
		t.Fatal(err)
	}
	JudgeTurns([]*Turns{x})
	if x.Adjusted > 0.001 || x.Verdict != NotTold || x.Smallest < 0.02 {
		t.Errorf("p %g, verdict %s, smallest %g", x.Adjusted, x.Verdict, x.Smallest)
	}
}

// TestSmallestDifference is the further end of the control's interval, be it
// above 1 or below.
func TestSmallestDifference(t *testing.T) {
	for _, control := range [][]float64{{1.02, 1.021, 1.019}, {1 / 1.02, 1 / 1.021, 1 / 1.019}} {
		x, err := TurnsOf(control, nil)
		if err != nil || math.Abs(x.Smallest-0.0225) > 1e-4 {
			t.Errorf("%v: %v, %v", control, x.Smallest, err)
		}
	}
}

func TestTurnsRefused(t *testing.T) {
	if x, err := TurnsOf([]float64{1, 1, 1}, nil); err != nil || x.Control.Value != 1 {
		t.Errorf("%d repeats: %+v, %v", LeastRepeats, x, err)
	}
	for _, control := range [][]float64{nil, {1, 1}, {1, 0, 1}, {1, math.NaN(), 1}, {1, math.Inf(1), 1}} {
		if x, err := TurnsOf(control, nil); err == nil {
			t.Errorf("control %v gave %+v", control, x)
		}
	}
}
