package fft

import (
	"errors"
	"math"
	"slices"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
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
	a, err := newCPU(prepareStockham[complex64], prepareStockham[complex128])(framework.Env{Workers: 2}, p, framework.IntValues("TILE", tileKiB))
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
	sample := identityOf[complex64](p).sample
	outside := 0
	for slices.Contains(sample, outside) {
		outside++
	}
	places := []int{outside}
	if len(sample) > 0 {
		places = append(places, sample[0])
	}
	for _, at := range places {
		x := out[at*n : (at+1)*n]
		other := out[(at+1)%batch*n : ((at+1)%batch+1)*n]
		for name, spoil := range map[string]func(){
			"one element that is zero":            func() { x[n/3] = 0 },
			"one element of another sign":         func() { x[n-1] = -x[n-1] },
			"one element that is conjugated":      func() { x[n/5] = complex(real(x[n/5]), -imag(x[n/5])) },
			"two elements exchanged":              func() { x[1], x[n-2] = x[n-2], x[1] },
			"neighbours exchanged":                func() { x[n/2], x[n/2+1] = x[n/2+1], x[n/2] },
			"elements of both halves exchanged":   func() { x[3], x[n/2+3] = x[n/2+3], x[3] },
			"elements of two quarters exchanged":  func() { x[n/4], x[n/2] = x[n/2], x[n/4] },
			"two transforms exchanged":            func() { swap(x, other) },
			"a transform of zeros":                func() { clear(x) },
			"a transform of another's output":     func() { copy(x, other) },
			"a lost scale of one transform":       func() { scale(x, 1/float32(n)) },
			"a scale that is off by 1e-4":         func() { scale(x, 1+1e-4) },
			"a lost scale of all":                 func() { scale(out, math.Sqrt2) },
			"a wrong value in the last butterfly": func() { addTone(x, n/4) },
			"a wrong value three passes before":   func() { addTone(x, n/256) },
			"a wrong value in the first pass":     func() { addTone(x, 1) },
			"a half of the elements zero":         func() { clear(x[n/2:]) },
			"one element that is not a number":    func() { x[n/7] = complex(float32(math.NaN()), 0) },
			"one infinite element":                func() { x[n/7] = complex(0, float32(math.Inf(1))) },
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

// addTone adds what a wrong intermediate value becomes where its butterflies write
// every stride-th element: a tone on these, here as large as one element.
func addTone(x []complex64, stride int) {
	stride = max(stride, 1)
	for i, v := range tone(len(x), stride) {
		x[i] += complex64(complex(math.Sqrt(float64(len(x))), 0) * v)
	}
}

// tone is one of norm 1 on every stride-th element.
func tone(n, stride int) []complex128 {
	e := make([]complex128, n)
	count := n / stride
	for i := range count {
		e[i*stride+stride/2] = fourierRoot(i*(count/2+1), count, false) / complex(math.Sqrt(float64(count)), 0)
	}
	return e
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
	holdsPlanted(t, 64, 1<<20/64+77, 1<<20)
	holdsPlanted(t, 4096, 259, 4096*5)
	holdsPlanted(t, 1<<17, 7, 1<<14) // a transform in several parts
	holdsPlanted(t, 1<<19, 3, 1<<20) // beyond drawn vectors, no sample
}

func TestFastCheckFindsOneElementOfMany(t *testing.T) {
	for n, elements := range map[int]int{64: 1 << 24, 1 << 22: 1 << 22} {
		p := testProblem(t, n, elements/n, "f32", "forward")
		out := transformed(t, p)
		if checks := inParts(p, out, partElements); !algorithmtest.Good(checks) {
			t.Errorf("N %d: a right answer is refused: %v", n, checks)
		}
		at := len(out) / 3
		for slices.Contains(identityOf[complex64](p).sample, at/n) {
			at += n
		}
		out[at] *= 2
		if checks := inParts(p, out, partElements); algorithmtest.Good(checks) {
			t.Errorf("N %d: one wrong element of %d passes: %v", n, elements, checks)
		}
	}
}

func TestFastCheckInDoublePrecision(t *testing.T) {
	for n, batch := range map[int]int{64: 1<<14 + 9, 1 << 16: 25, 1 << 19: 2} {
		p := testProblem(t, n, batch, "f64", "forward")
		out := slices.Clone(p.answer())
		if checks := inParts(p, out, 1<<17); !algorithmtest.Good(checks) {
			t.Errorf("N %d: the reference answer is refused: %v", n, checks)
		}
		at := 0
		for slices.Contains(identityOf[complex128](p).sample, at) {
			at++
		}
		out[at*n+3] += complex(1e-7, 0) * out[at*n+3] // beyond what float32 resolves
		if checks := inParts(p, out, 1<<17); algorithmtest.Good(checks) {
			t.Errorf("N %d: an error of float32's size passes: %v", n, checks)
		}
	}
}

// A version that is less exact than it should be, by as much as no transform shows, is
// refused for all of them.
func TestFastCheckFindsLostAccuracy(t *testing.T) {
	const n, batch = 1024, 600
	p := testProblem(t, n, batch, "f32", "forward")
	right := narrow(p)
	for _, c := range []struct {
		size float64 // of the error, in bounds
		good bool
	}{{0.9, true}, {8, false}} {
		out := slices.Clone(right)
		noise := normal(n*batch, 1)
		for i, v := range noise {
			out[i] += v * complex(float32(c.size*p.bound()*math.Sqrt(n*2.0/3)), 0) // √(2/3) is the inputs' root mean square
		}
		checks := inParts(p, out, 1<<20)
		total := checks[len(checks)-1]
		if total.OK() != c.good || c.good && !algorithmtest.Good(checks) {
			t.Errorf("an error of %g bounds everywhere: %v", c.size, checks)
		}
		if size := total.Error / p.bound(); math.Abs(size-c.size) > c.size/4 {
			t.Errorf("an error of %g bounds is taken for %g", c.size, size)
		}
	}
}

func TestSampledTransforms(t *testing.T) {
	for _, c := range []struct{ n, batch, want int }{
		{64, 10, 10}, {64, 1 << 20, 4096}, {1 << 18, 3, 1}, {1 << 19, 63, 0}, {1 << 19, 64, 1}, {1 << 23, 8, 0},
	} {
		if got := (&problem{N: c.n, Batch: c.batch}).sampled(); got != c.want {
			t.Errorf("N %d, %d transforms: %d are compared, want %d", c.n, c.batch, got, c.want)
		}
	}
}

func TestFastCheckIsForManyTransforms(t *testing.T) {
	for _, c := range []struct {
		n, batch int
		want     bool
	}{{64, 1 << 12, false}, {64, 1 << 13, false}, {64, 1 << 14, true}, {1 << 18, 1, false}, {1 << 20, 1, false}, {1 << 20, 3, true}, {1 << 23, 8, true}} {
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
