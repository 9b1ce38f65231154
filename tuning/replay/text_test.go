package replay

import (
	"testing"

	"example.org/bench/tuning/recorded"
)

// A standard that was not reached, and a clock that the spaces do not have, are left out.
func TestTexts(t *testing.T) {
	r := Result{Space: "gemm", Strategy: "best", Repeats: 3, Runs: [][]float64{{0.5, 1}, {0.5, 0.75}}, Median: []float64{0.5, 1}, P05: []float64{0.25, 0.75}, EvaluationsMedian: 2, Invalid: 0.5, OwnSeconds: 2e-3}
	want := "gemm: budget 2, 3 repeats\nstrategy         median      p05      phi standard 1 standard 2  invalid  own ms/eval\n"
	if got := r.Heading("", "2"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	want = "best             1.0000   0.7500   0.8750          2          -      0.5        2.000"
	if got := r.Line(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	r.Clocked, r.SecondsMedian, r.TotalSeconds = true, 12.34567, 20
	want = "gemm, edp: budget auto, 3 repeats\nstrategy         median      p05      phi standard 1 standard 2  invalid  own ms/eval  standard 1  standard 2   mean time\n"
	if got := r.Heading("edp", "auto"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	want = "best             1.0000   0.7500   0.8750          2          -      0.5        2.000     12.35 s           -        20 s"
	if got := r.Line(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	scored := []Scored{{Space: "a", Strategy: "x", Score: 0.25}, {Space: "b", Strategy: "x", Score: 0.75}, {Space: "a", Strategy: "y", Score: 1}, {Space: "b", Strategy: "y", Score: 0.5}}
	want = "  strategy   mean          95 %      a      b\n         y  0.750  0.50 to 1.00  1.000  0.500\n         x  0.500  0.25 to 0.75  0.250  0.750\n"
	if got := ScoresText(scored, []*recorded.Space{{Name: "a"}, {Name: "b"}}); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
