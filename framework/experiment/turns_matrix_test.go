package experiment

import (
	"strings"
	"testing"

	"example.org/bench/framework"
)

// A row a pair, with verdicts by sign; what is said of several is said once.
func TestMatrixOfTurns(t *testing.T) {
	even := [3]float64{0.9999, 1, 1.0001}
	faster, unknown := pairOf(even, [3]float64{0.5, 0.501, 0.499}, [3]float64{0.8, 0.801, 0.799}), pairOf(even, [3]float64{1.1, 1, 0.95}, [3]float64{})
	faster.Name, unknown.Name = "fft N 64", "fft N 128"
	failed := pairOf(even, even, even)
	failed.Name, failed.Failure = "fft N 256", "b is wrong"
	for _, p := range []*Pair{faster, unknown} {
		p.VerificationA, p.VerificationB = framework.FullVerification, framework.FullVerification
	}
	r := &Turns{Pairs: []*Pair{faster, unknown, failed}}
	r.Judge(0.01)
	const want = `A is a, B is b; on cpu, 3 repeats, lower is better
problem               A          B                B/A by A/A
fft N 64        1.000 s  500.0 ms   0.500 (0.497 to 0.503) +
fft N 128       1.000 s    1.000 s  1.01 (0.84 to 1.22) ?
geometric mean                      0.7
problem                         energy, B/A
fft N 64        0.8000 (0.7975 to 0.8025) +
fft N 128
geometric mean
+ better, - worse, ? no difference told; = the same within --same
verification: full
energy: slow sensor
fft N 256: b is wrong
finding: b is faster than a at 1 of 2 problems: 0.500 (0.497 to 0.503) times its time; cannot tell b from a at 1 of 2 problems: about 5 repeats would show 10 %
`
	if got := r.Printed(false, false, 80); got != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
	long := r.Printed(true, false, 80)
	if !strings.HasPrefix(long, r.Text()) || !strings.HasSuffix(long, r.Finding().Line(false)) || !strings.Contains(long, "B/A by A/A: ") {
		t.Errorf("long\n%s", long)
	}
}

func TestFindingOfTurns(t *testing.T) {
	even := [3]float64{0.9999, 1, 1.0001}
	for _, c := range []struct {
		treatment [3]float64
		want      string
		told      bool
	}{
		{[3]float64{0.5, 0.501, 0.499}, "b is faster than a: 0.500 (0.497 to 0.503) times its time", true},
		{[3]float64{1.1, 1.101, 1.099}, "b is slower than a: 1.100 (1.097 to 1.103) times its time", true},
		{[3]float64{1.001, 1, 0.999}, "b takes the time of a within 0.3 %", true},
		{[3]float64{1.05, 1, 0.99}, "cannot tell b from a: at most 9.6 % apart", false},
		{[3]float64{1.1, 1, 0.9}, "cannot tell b from a: about 7 repeats would show 10 %", false},
		{[3]float64{1, 1e9, 1e-9}, "cannot tell b from a: more repeats would narrow it", false},
	} {
		r := &Turns{Pairs: []*Pair{pairOf(even, c.treatment, [3]float64{})}}
		r.Judge(0.01)
		if got := r.Finding(); got.Text != c.want || got.Told != c.told {
			t.Errorf("%q, told %v; want %q, %v", got.Text, got.Told, c.want, c.told)
		}
	}
	both := &Turns{Pairs: []*Pair{pairOf(even, [3]float64{1.05, 1, 0.99}, [3]float64{}), pairOf(even, [3]float64{1.1, 1, 0.9}, [3]float64{})}}
	both.Judge(0.01)
	if got := both.Finding().Text; got != "cannot tell b from a at 2 of 2 problems: about 7 repeats would show 10 %" {
		t.Errorf("of the one known worst: %q", got)
	}
	if got := (&Turns{Pairs: []*Pair{{Failure: "x"}}}).Finding(); got.Text != "" {
		t.Errorf("of nothing: %q", got.Text)
	}
}
