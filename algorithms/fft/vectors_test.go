package fft

import (
	"fmt"
	"math"
	"math/cmplx"
	"testing"
)

func TestVectorsTransformIsKnown(t *testing.T) {
	for _, c := range []struct{ n, drawn int }{{64, 64}, {256, 64}, {512, 128}, {4096, 64}, {1 << 14, 1 << 10}} {
		for _, inverse := range []bool{false, true} {
			w, turned := vector[complex128](c.n, c.drawn, 7, inverse)
			agree(t, fmt.Sprint(c, inverse), w, turned, inverse, 12*roundoff64)
			single, turned32 := vector[complex64](c.n, c.drawn, 7, inverse)
			agree(t, fmt.Sprint(c, inverse, " in float32"), narrowed[complex128](single), narrowed[complex128](turned32), inverse, 2*roundoff32)
		}
	}
}

// agree holds turned against the reference transform of w.
func agree(t *testing.T, name string, w, turned []complex128, inverse bool, limit float64) {
	t.Helper()
	want := append([]complex128(nil), w...)
	transformBatch(1, want, len(w), inverse)
	var off, norm float64
	for i, v := range want {
		off += square(turned[i] - v)
		norm += square(v)
	}
	if e := math.Sqrt(off / norm); !(e <= limit) {
		t.Errorf("%s: the transform is off by %.2g of its norm, at most %.2g is right", name, e, limit)
	}
	if size := math.Sqrt(norm) / float64(len(w)); math.Abs(size-1) > 0.4 {
		t.Errorf("%s: the elements have a root mean square of %g", name, size)
	}
}

func square(v complex128) float64 { return real(v)*real(v) + imag(v)*imag(v) }

// What the vectors of many seeds let pass is as rare as the comments say, for
// drawn vectors and for lengthened ones, whatever the error.
func TestFastCheckEscapes(t *testing.T) {
	const n, trials = 1024, 4000
	at := func(places map[int]complex128) []complex128 {
		e := make([]complex128, n)
		for i, v := range places {
			e[i] = v
		}
		return e
	}
	chirp := make([]complex128, n)
	for i := range chirp {
		chirp[i] = fourierRoot(5*i*i, 2*n, false) / complex(math.Sqrt(n), 0)
	}
	const half = math.Sqrt2 / 2
	errors := map[string][]complex128{
		"one element":               at(map[int]complex128{5: 1}),
		"two elements":              at(map[int]complex128{7: half, 80: -half}),
		"elements of both halves":   at(map[int]complex128{7: half, 7 + n/2: -half}),
		"elements of four quarters": at(map[int]complex128{0: 0.5, n / 4: -0.5, n / 2: 0.5, 3 * n / 4: -0.5}),
		"neighbours":                at(map[int]complex128{8: 0.5, 9: 0.5i, 10: -0.5, 11: 0.5}),
		"a chirp":                   chirp,
	}
	for stride := 1; stride < n; stride *= 4 {
		errors[fmt.Sprintf("a tone on every %d-th element", stride)] = tone(n, stride)
	}
	for _, drawn := range []int{n, n / 4, n / 16} {
		limits := [3]float64{0.1, 0.3, 1}
		below := map[string]*[3]int{}
		for seed := range uint64(trials) {
			w, _ := vector[complex128](n, drawn, seed, false)
			for name, e := range errors {
				if below[name] == nil {
					below[name] = new([3]int)
				}
				s := cmplx.Abs(product(w, e))
				for i, limit := range limits {
					if s <= limit {
						below[name][i]++
					}
				}
			}
		}
		for name, counts := range below {
			for i, limit := range limits {
				want := 1 - math.Exp(-limit*limit)
				got := float64(counts[i]) / trials
				if math.Abs(got-want) > 5*math.Sqrt(want/trials)+spread(n, drawn) {
					t.Errorf("vectors made of %d drawn elements, an error of %s: the share of products up to %g is %.4f, want %.4f", drawn, name, limit, got, want)
				}
			}
		}
	}
}

// What is as large as one element that is wrong by its transform's root mean square
// passes no more often than escapes says, at any length.
func TestVectorsSuffice(t *testing.T) {
	for n := 64; n <= maxN; n *= 2 {
		for _, double := range []bool{false, true} {
			p := &problem{N: n, Double: double}
			one := p.escape(1 / math.Sqrt(float64(n)))
			if got := math.Pow(one, float64(p.vectors())); got > escapes || p.vectors() > 2 {
				t.Errorf("N %d: %d vectors, which such an error escapes with %g", n, p.vectors(), got)
			}
		}
	}
}

// A transform whose error is the largest that full verification takes is refused
// with next to no probability: e^(-slack²/s) for ‖z‖²/‖e‖² = s, which is above s > 1
// with variance/(variance+(s-1)²) at most.
func TestRightAnswersPass(t *testing.T) {
	for n := 64; n <= maxN; n *= 2 {
		variance := spread(n, drawn)
		law := func(s float64) float64 { return math.Exp(-slack * slack / s) }
		refused := law(1.2)
		for s := 1.2; s < 1e4; s *= 1.01 {
			refused += (law(s*1.01) - law(s)) * variance / (variance + (s-1)*(s-1))
		}
		if refused > 1e-7 {
			t.Errorf("N %d: refused with %g", n, refused)
		}
	}
}
