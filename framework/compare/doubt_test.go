package compare

import (
	"testing"

	"example.org/bench/framework/record"
)

// A series of two levels is judged where no level of it could be on the other side of 1, and
// so is one of a machine that others used: a difference of 20 times is never inconclusive.
func TestDoubtWidensTheInterval(t *testing.T) {
	for _, c := range []struct {
		name          string
		factor, share float64 // of the CPUs that others had
		want          Verdict
	}{
		{"two levels, near", 1, 0, Inconclusive},
		{"two levels, far", 20, 0, Worse},
		{"two levels, far below", 0.05, 0, Better},
		{"others used the machine, near", 3, 0.5, Inconclusive},
		{"others used the machine, far", 30, 0.5, Worse},
	} {
		levels := func(f float64) []float64 {
			return fill(100, func(i int) float64 {
				if i%5 == 0 {
					return f * (0.97 + 0.001*float64(i%7))
				}
				return f * (1.1 + 0.001*float64(i%7))
			})
		}
		a := synthetic("a", []spot{{version: "v", n: 1, samples: fill(100, func(i int) float64 { return 1 + 0.001*float64(i%7) })}})
		b := synthetic("b", []spot{{version: "v", n: 1, samples: levels(c.factor)}})
		b.Rows[0].Time.Moved = record.Measured(0.3)
		b.Rows[0].Others = record.Measured(c.share)
		gate := 0.05
		r := compared(t, []Run{a, b}, Options{By: ByRun, Gate: &gate}).Tables[0].Cells[1].Ratio
		if r.Verdict != c.want {
			t.Errorf("%s: %s (%v to %v, p %v), want %s", c.name, r.Verdict, *r.Low, *r.High, *r.Adjusted, c.want)
		}
		wantGate := map[Verdict]Verdict{Worse: Worse, Better: NoWorse, Inconclusive: Inconclusive}[c.want]
		if r.Gate != wantGate {
			t.Errorf("%s: gate %s, want %s", c.name, r.Gate, wantGate)
		}
		if includes := *r.Low <= 1 && *r.High >= 1; includes != (c.want == Inconclusive) {
			t.Errorf("%s: the interval is %v to %v", c.name, *r.Low, *r.High)
		}
	}
}
