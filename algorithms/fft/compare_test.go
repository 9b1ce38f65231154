package fft

import (
	"math"
	"testing"

	"example.org/bench/framework"
)

// check32 and the others compare a whole answer.
func (p *problem) check32(out []complex64) []framework.Check {
	checks, _ := checkAll(p, whole(out)) // has no error
	return checks
}

func (p *problem) check64(out []complex128) []framework.Check {
	checks, _ := checkAll(p, whole(out)) // has no error
	return checks
}

func (p *problem) roundTrip32(back []complex64) framework.Check {
	c, _ := roundTrip(p, p.in32, whole(back)) // has no error
	return c[0]
}

// TestCompareInParts: parts of whole transforms, and of fractions of one, give the
// errors of the whole; a part too many or too few is refused.
func TestCompareInParts(t *testing.T) {
	const n, batch = 64, 8
	want, got := make([]complex128, n*batch), make([]complex64, n*batch)
	for i := range want {
		want[i] = complex(float64(i%7)-3, float64(i%5))
		got[i] = complex64(want[i])
	}
	got[3*n+5] += 0.5
	got[6*n+1] += 2i
	all := newComparison[complex64](n, want, 1)
	all.take(0, got)
	whole := all.checks(1)
	for _, part := range []int{n * batch, 4 * n, n, n / 2, n / 16} {
		c := newComparison[complex64](n, want, 1)
		for at := 0; at < len(got); at += part {
			c.take(at, got[at:at+part])
		}
		for i, one := range c.checks(1) {
			if one.Metric != whole[i].Metric || !(math.Abs(one.Error/whole[i].Error-1) < 1e-12) {
				t.Errorf("in parts of %d: %+v, whole %+v", part, one, whole[i])
			}
		}
		if c.take(0, got[:part]); c.checks(1)[0].OK() {
			t.Errorf("a part of %d twice is accepted", part)
		}
	}
	short := newComparison[complex64](n, want, 1)
	short.take(0, got[:n])
	if short.checks(1)[0].OK() {
		t.Error("an eighth of an answer is accepted")
	}
	if worst := whole[2].Error; !(worst > 0.1) {
		t.Errorf("the errors put in show as %v", worst)
	}
}
