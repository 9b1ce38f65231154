package fft

import (
	"errors"
	"math"
	"slices"
	"testing"

	"bench/framework"
	"bench/framework/algorithmtest"
)

// inParts examines an answer part by part.
func inParts[T element](p *problem, out []T, most int) []framework.Check {
	checks, err := verifyFast(p, func(take func(int, []T)) error {
		for at := 0; at < len(out); at += most {
			take(at, out[at:min(at+most, len(out))])
		}
		return nil
	})
	if err != nil {
		panic(err)
	}
	return checks
}

// transformed is the answer of the version stockham.
func transformed(t *testing.T, p *problem) []complex64 {
	t.Helper()
	a, err := newCPU(prepareStockham[complex64], prepareStockham[complex128])(framework.Env{Workers: 2}, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	run := a.(*cpuRun[complex64])
	if err := errors.Join(run.PreRun(), run.Run()); err != nil {
		t.Fatal(err)
	}
	out := run.out
	if err := run.PostRun(); err != nil {
		t.Fatal(err)
	}
	return out
}

// holdsPlanted plants errors in transforms of the sample and in others.
func holdsPlanted(t *testing.T, n, batch, part int) {
	t.Helper()
	p := testProblem(t, n, batch, "f32", "inverse")
	out := transformed(t, p)
	if checks := inParts(p, out, part); !algorithmtest.Good(checks) {
		t.Errorf("N %d: a right answer is refused: %v", n, checks)
	}
	outside := 0
	for slices.Contains(p.identity().sample, outside) {
		outside++
	}
	for _, at := range []int{outside, p.identity().sample[0]} {
		x := out[at*n : (at+1)*n]
		other := out[(at+1)%batch*n : ((at+1)%batch+1)*n]
		for name, spoil := range map[string]func(){
			"one element that is zero":        func() { x[n/3] = 0 },
			"one element of another sign":     func() { x[n-1] = -x[n-1] },
			"one element that is conjugated":  func() { x[n/5] = complex(real(x[n/5]), -imag(x[n/5])) },
			"two elements exchanged":          func() { x[1], x[n-2] = x[n-2], x[1] },
			"neighbours exchanged":            func() { x[n/2], x[n/2+1] = x[n/2+1], x[n/2] },
			"two transforms exchanged":        func() { swap(x, other) },
			"a transform of zeros":            func() { clear(x) },
			"a transform of another's output": func() { copy(x, other) },
			"a lost scale of one transform":   func() { scale(x, 1/float32(n)) },
			"a scale that is off by 1e-4":     func() { scale(x, 1+1e-4) },
			"a lost scale of all":             func() { scale(out, math.Sqrt2) },
			"one element that is no number":   func() { x[n/7] = complex(float32(math.NaN()), 0) },
			"one infinite element":            func() { x[n/7] = complex(0, float32(math.Inf(1))) },
		} {
			keptX, keptOther := slices.Clone(x), slices.Clone(other)
			spoil()
			if checks := inParts(p, out, part); algorithmtest.Good(checks) {
				t.Errorf("N %d, transform %d: %s passes: %v", n, at, name, checks)
			}
			if name == "a lost scale of all" {
				scale(out, 1/math.Sqrt2)
			}
			copy(x, keptX)
			copy(other, keptOther)
		}
	}
}

func swap(x, y []complex64) {
	for i := range x {
		x[i], y[i] = y[i], x[i]
	}
}

func scale(x []complex64, by float32) {
	for i, v := range x {
		x[i] = complex(real(v)*by, imag(v)*by)
	}
}

func TestFastCheckRefusesPlantedErrors(t *testing.T) {
	holdsPlanted(t, 64, 1<<18/64+77, 1<<20)
	holdsPlanted(t, 4096, 67, 4096*5)
	holdsPlanted(t, 1<<17, 7, 1<<14) // a transform in several parts
}

func TestFastCheckFindsOneElementOfMany(t *testing.T) {
	for n, elements := range map[int]int{64: 1 << 26, 1 << 22: 1 << 25} {
		p := testProblem(t, n, elements/n, "f32", "forward")
		out := transformed(t, p)
		if checks := inParts(p, out, partElements); !algorithmtest.Good(checks) {
			t.Errorf("N %d: a right answer is refused: %v", n, checks)
		}
		at := len(out) / 3
		for slices.Contains(p.identity().sample, at/n) {
			at += n
		}
		out[at] *= 2
		if checks := inParts(p, out, partElements); algorithmtest.Good(checks) {
			t.Errorf("N %d: one wrong element of %d passes: %v", n, elements, checks)
		}
	}
}

// What the vectors of many seeds let pass is as rare as the comment says, and of
// answers at the bound of full verification next to none is refused.
func TestFastCheckEscapes(t *testing.T) {
	const n, trials = 256, 20000
	// Errors of one element, of two that cancel in a sum, of all alike.
	kinds := map[string]func(i int) complex128{
		"one":    func(i int) complex128 { return map[bool]complex128{i == 5: 1}[true] },
		"two":    func(i int) complex128 { return map[int]complex128{7: math.Sqrt2 / 2, 80: -math.Sqrt2 / 2}[i] },
		"spread": func(int) complex128 { return complex(1/math.Sqrt(n), 0) },
	}
	for name, kind := range kinds {
		e := make([]complex128, n)
		for i := range e {
			e[i] = kind(i)
		}
		var below [3]int
		limits := [3]float64{0.1, 0.3, 1}
		for seed := range uint64(trials) {
			s := product(normal(n, seed), e)
			for i, limit := range limits {
				if math.Hypot(real(s), imag(s)) <= limit {
					below[i]++
				}
			}
		}
		for i, limit := range limits {
			want := 1 - math.Exp(-limit*limit)
			got := float64(below[i]) / trials
			if math.Abs(got-want) > 5*math.Sqrt(want/trials) {
				t.Errorf("an error of %s elements: the share of products up to %g is %.4f, want %.4f", name, limit, got, want)
			}
		}
	}
}

func TestFastCheckInDoublePrecision(t *testing.T) {
	for _, n := range []int{64, 1 << 16} {
		p := testProblem(t, n, 1<<18/n+9, "f64", "forward")
		out := slices.Clone(p.answer())
		if checks := inParts(p, out, 1<<17); !algorithmtest.Good(checks) {
			t.Errorf("N %d: the reference answer is refused: %v", n, checks)
		}
		at := 0
		for slices.Contains(p.identity().sample, at) {
			at++
		}
		out[at*n+3] += complex(1e-7, 0) * out[at*n+3] // beyond what float32 resolves
		if checks := inParts(p, out, 1<<17); algorithmtest.Good(checks) {
			t.Errorf("N %d: an error of float32's size passes: %v", n, checks)
		}
	}
}

func TestFastCheckIsForManyTransforms(t *testing.T) {
	for _, c := range []struct {
		n, batch int
		want     bool
	}{{64, 1 << 12, false}, {64, 1<<12 + 2, true}, {1 << 23, 1, false}, {1 << 23, 3, false}, {1 << 23, 8, true}} {
		p := &problem{N: c.n, Batch: c.batch}
		if got := p.hasIdentity(); got != c.want {
			t.Errorf("N %d, %d transforms: %v", c.n, c.batch, got)
		}
	}
	p := testProblem(t, 64, 3, "f32", "forward")
	if _, err := verifyFast(p, func(func(int, []complex64)) error { return nil }); !errors.Is(err, framework.ErrNoFastCheck) {
		t.Errorf("three transforms: %v", err)
	}
}

// An element that is wrong by its transform's root mean square passes no more often
// than escapes says, at any length.
func TestVectorsSuffice(t *testing.T) {
	for n := 64; n <= maxN; n *= 2 {
		p := &problem{N: n}
		one := slack * 2 * p.bound() * math.Sqrt(float64(n))
		if got := math.Pow(one, 2*float64(p.vectors())); got > escapes || p.vectors() > 2 {
			t.Errorf("N %d: %d vectors, which an element escapes with %g", n, p.vectors(), got)
		}
	}
}
