package fft

import (
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
)

func TestCheckNamesWhatWouldBeRight(t *testing.T) {
	for _, c := range []struct {
		n, elements int64
		want        string
	}{
		{1000, 1 << 20, "nearest are 512 and 1024"},
		{0, 1 << 20, "nearest are 64"},
		{9000000, 1 << 24, "nearest are 8388608"},
		{1024, 512, "at least one transform"},
		{1024, 5000, "nearest are 4096 and 5120"},
		{1024, 1 << 20, ""},
	} {
		err := check(framework.Values{"N": framework.IntValue(c.n), "batch_elements": framework.IntValue(c.elements)})
		switch {
		case c.want == "" && err != nil:
			t.Errorf("N %d: %v", c.n, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("N %d elements %d: error %v, want %q", c.n, c.elements, err, c.want)
		}
	}
}

func TestFactoryVersionsDifferInNameOrProcessor(t *testing.T) {
	seen := map[string]bool{}
	for _, v := range Factory().Versions {
		key := v.Name + " " + string(v.Processor)
		if seen[key] {
			t.Errorf("two versions %s", key)
		}
		seen[key] = true
	}
	for _, name := range []string{"reference", "stockham", "fftw"} {
		if !seen[name+" CPU"] {
			t.Errorf("no CPU version %s", name)
		}
	}
}

func TestInputsDependOnSeedOnly(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one := testProblem(t, 64, 1000, "f32", "forward")
	runtime.GOMAXPROCS(3)
	three := testProblem(t, 64, 1000, "f32", "forward")
	if !slices.Equal(one.in32, three.in32) {
		t.Error("inputs depend on the number of workers")
	}
	q, err := newProblem(framework.Env{Seed: 8}, setting(64, 1000, "f32", "forward"))
	if err != nil {
		t.Fatal(err)
	}
	if slices.Equal(one.in32, q.(*problem).in32) {
		t.Error("two seeds give the same inputs")
	}
}

func TestInputsAreUniform(t *testing.T) {
	const n = 1 << 20
	single, double := testProblem(t, n, 1, "f32", "forward"), testProblem(t, n, 1, "f64", "forward")
	var parts32, parts64 []float64
	for i := range n {
		a, b := single.in32[i], double.in64[i]
		parts32 = append(parts32, float64(real(a)), float64(imag(a)))
		parts64 = append(parts64, real(b), imag(b))
	}
	for name, parts := range map[string][]float64{"f32": parts32, "f64": parts64} {
		var sum, squares float64
		for _, x := range parts {
			if x == 0 || x <= -1 || x >= 1 {
				t.Fatalf("%s: %g is zero or outside (-1, 1)", name, x)
			}
			sum += x
			squares += x * x
		}
		// Five standard deviations of the mean, and of the mean square.
		count := float64(len(parts))
		if mean := sum / count; math.Abs(mean) > 5*math.Sqrt(1.0/3/count) {
			t.Errorf("%s: mean %g", name, mean)
		}
		if v := squares / count; math.Abs(v-1.0/3) > 5*math.Sqrt(4.0/45/count) {
			t.Errorf("%s: mean square %g, want 1/3", name, v)
		}
	}
}

// narrow is the reference answer as a float32 version would give it at best.
func narrow(p *problem) []complex64 {
	out := make([]complex64, p.elements())
	for i, v := range p.answer() {
		out[i] = complex64(v)
	}
	return out
}

func TestChecksRefusePlantedErrors(t *testing.T) {
	for _, n := range []int{64, 4096, 1 << 18} {
		batch := max(2, 1<<18/n)
		p := testProblem(t, n, batch, "f32", "forward")
		out := narrow(p)
		if !algorithmtest.Good(p.check32(out)) {
			t.Errorf("N %d: the reference answer is refused: %v", n, p.check32(out))
		}
		at := (batch-1)*n + n/3
		plant := func(name string, spoil func(out []complex64)) {
			spoilt := slices.Clone(out)
			spoil(spoilt)
			if algorithmtest.Good(p.check32(spoilt)) {
				t.Errorf("N %d: %s passes: %v", n, name, p.check32(spoilt))
			}
		}
		plant("two elements exchanged", func(o []complex64) { o[at], o[at+1] = o[at+1], o[at] })
		plant("an element of another transform", func(o []complex64) { o[at] = o[at-n] })
		plant("a sign lost", func(o []complex64) { o[at] = -o[at] })
		plant("a NaN", func(o []complex64) { o[at] = complex(float32(math.NaN()), 0) })
		plant("the last transform missing", func(o []complex64) { clear(o[(batch-1)*n:]) })
		plant("a hundred-thousandth too much", func(o []complex64) { o[at] *= 1 + 1e-5*3 })
		if algorithmtest.Good(p.check32(out[:len(out)-n])) {
			t.Errorf("N %d: a short output passes", n)
		}
	}
}

// TestChecksRefuseWrongTwiddleFactors computes one transform of several with
// one factor or all factors wrong.
func TestChecksRefuseWrongTwiddleFactors(t *testing.T) {
	for _, precision := range []string{"f32", "f64"} {
		for _, n := range []int{64, 1024, 1 << 16} {
			p := testProblem(t, n, 3, precision, "forward")
			spoilt := func(spoil func(w []complex128)) []framework.Check {
				x := make([]complex128, n)
				if p.Double {
					copy(x, p.in64[n:])
				} else {
					for i := range x {
						x[i] = complex128(p.in32[n+i])
					}
				}
				w := twiddles(n, false)
				spoil(w)
				transform(x, w, 1)
				if p.Double {
					return p.check64(slices.Concat(p.answer()[:n], x, p.answer()[2*n:]))
				}
				out := narrow(p)
				for i, v := range x {
					out[n+i] = complex64(v)
				}
				return p.check32(out)
			}
			if c := spoilt(func([]complex128) {}); !algorithmtest.Good(c) {
				t.Errorf("%s N %d: right factors are refused: %v", precision, n, c)
			}
			for name, spoil := range map[string]func(w []complex128){
				"one conjugated":   func(w []complex128) { w[n/8+1] = complex(real(w[n/8+1]), -imag(w[n/8+1])) },
				"one of neighbour": func(w []complex128) { w[n/5|1] = w[n/5|1+1] },
				"all shifted":      func(w []complex128) { copy(w, w[1:]) },
				"one zero":         func(w []complex128) { w[n/2-1] = 0 },
			} {
				if c := spoilt(spoil); algorithmtest.Good(c) {
					t.Errorf("%s N %d: twiddle factors, %s, pass: %v", precision, n, name, c)
				}
			}
		}
	}
}

func TestRoundTripRefusesPlantedErrors(t *testing.T) {
	p := testProblem(t, 256, 5, "f32", "inverse")
	back := make([]complex64, len(p.in32))
	for i, v := range p.in32 {
		back[i] = v * complex(float32(p.N), 0)
	}
	if c := p.roundTrip32(back); !c.OK() || c.Metric != "round trip" {
		t.Errorf("the input itself is refused: %+v", c)
	}
	back[7], back[8] = back[8], back[7]
	if c := p.roundTrip32(back); c.OK() {
		t.Errorf("two elements exchanged pass: %+v", c)
	}
	if c := p.roundTrip32(p.in32); c.OK() {
		t.Errorf("a scaled round trip passes: %+v", c)
	}
}

func TestHostBytes(t *testing.T) {
	p := testProblem(t, 64, 16, "f32", "forward")
	if got, want := hostBytes(setting(64, 16, "f32", "forward")), int64(8*len(p.in32)+16*len(p.answer())); got != want {
		t.Errorf("f32: %d bytes, the problem holds %d", got, want)
	}
	p = testProblem(t, 64, 16, "f64", "forward")
	if got, want := hostBytes(setting(64, 16, "f64", "forward")), int64(16*len(p.in64)+16*len(p.answer())); got != want {
		t.Errorf("f64: %d bytes, the problem holds %d", got, want)
	}
}
