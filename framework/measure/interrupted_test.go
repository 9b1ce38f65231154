package measure

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// batches are n samples of batches of runs, each of which takes seconds and differs by a
// thousandth. more is what a batch takes besides.
func batches(n, runs int, seconds float64, more func(i int) float64) *Series {
	rng := rand.New(rand.NewPCG(3, 5))
	s := &Series{Batch: runs, ClockHz: 2e9}
	for i := range n {
		s.Samples = append(s.Samples, seconds*(1+1e-3*rng.NormFloat64())+more(i)/float64(runs))
	}
	return s
}

func nothing(int) float64 { return 0 }

// TestInterrupted finds others' slices in times, and nothing where times differ for another
// cause.
func TestInterrupted(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	by := func(chance, seconds float64) func(int) float64 {
		return func(int) float64 {
			if rng.Float64() < chance {
				return seconds
			}
			return 0
		}
	}
	cold := func(seconds float64) *Series { return batches(600, 1, seconds, nothing) }
	lower := func(s *Series, hz float64) *Series { s.ClockHz = hz; return s }
	flapping := func(factor float64) *Series { // between two clocks
		s := batches(200, 6, 354e-6, nothing)
		for i := range s.Samples {
			if rng.Float64() < 0.3 {
				s.Samples[i] *= factor
			}
		}
		s.ClockRange = factor - 1
		return s
	}
	for _, c := range []struct {
		name      string
		cold, hot *Series
		signs     []string // how each begins, or a part of it
	}{
		{"alone", cold(354e-6), batches(200, 6, 358e-6, nothing), nil},
		{"caches that help", cold(20e-6), batches(200, 200, 10e-6, nothing), nil},
		{"lines to write back", cold(20e-6), batches(200, 70, 30e-6, nothing), nil},
		{"one that always works", cold(354e-6), batches(200, 6, 772e-6, nothing), []string{"hot times contradict cold ones (77"}},
		{"half the clock", cold(354e-6), lower(batches(200, 6, 720e-6, nothing), 1e9), nil},
		{"a batch of one run", cold(126e-6), batches(20, 1, 252e-6, nothing), nil},
		{"a short kernel every 3 ms", cold(354e-6), batches(200, 6, 354e-6, by(0.7, 250e-6)), []string{"back to back"}},
		{"slices of 2 ms", cold(354e-6), batches(200, 6, 354e-6, func(i int) float64 { return 2e-3 * float64(i*i%3) }), []string{"others' slices in them (2 ms longer) back to back"}},
		{"long runs", batches(40, 1, 20e-3, by(0.5, 2e-3)), batches(40, 1, 20e-3, by(0.5, 2e-3)), []string{"back to back", "with cold caches"}},
		{"few slices", cold(354e-6), batches(200, 6, 354e-6, func(i int) float64 { return map[bool]float64{true: 1e-3}[i%10 == 3] }), []string{"20 of 200 samples have others' slices in them (1"}},
		{"two of 200", cold(354e-6), batches(200, 6, 354e-6, func(i int) float64 { return map[bool]float64{true: 1e-3}[i%100 == 3] }), nil},
		{"a level that changes", cold(354e-6), batches(200, 6, 354e-6, func(i int) float64 { return map[bool]float64{true: 0.3e-3}[i > 120] }), nil},
		{"a level that changes and returns", cold(354e-6), batches(200, 6, 354e-6, func(i int) float64 { return map[bool]float64{true: 0.3e-3}[i > 60 && i < 120] }), nil},
		{"two clocks", cold(354e-6), flapping(1.2), nil},
		{"short pauses", cold(354e-6), batches(200, 6, 354e-6, by(0.5, 60e-6)), nil},
		{"scattered", cold(354e-6), batches(200, 6, 354e-6, func(int) float64 { return 1e-3 * rng.Float64() }), nil},
		{"five samples", cold(354e-6), batches(5, 6, 354e-6, by(0.5, 1e-3)), nil},
		{"no hot times", cold(354e-6), nil, nil},
		{"no cold times", nil, batches(200, 6, 772e-6, nothing), nil},
		{"nothing", nil, nil, nil},
		{"no samples", &Series{}, &Series{Batch: 6}, nil},
	} {
		signs := Interrupted(c.cold, c.hot, 1)
		ok := len(signs) == len(c.signs)
		for i := range min(len(signs), len(c.signs)) {
			ok = ok && strings.Contains(signs[i], c.signs[i])
		}
		if !ok {
			t.Errorf("%s: %q, want %q", c.name, signs, c.signs)
		}
	}
	// Two sets of inputs with times of their own, in an order by chance, are no slices; two groups back to
	// back, where one set is in place, are.
	groups := batches(200, 1, 10e-3, by(0.5, 1e-3))
	if one, two := Interrupted(groups, nil, 1), Interrupted(groups, nil, 2); len(one) != 1 || len(two) != 0 {
		t.Errorf("cold times in two groups: %q with one set of inputs, %q with two", one, two)
	}
	if signs := Interrupted(nil, groups, 2); len(signs) != 1 {
		t.Errorf("hot times in two groups: %q", signs)
	}
}

// TestSlicesOfAnotherProcess, after so much of this one's time: the times and the kernel that
// only looks at the timer show them, but for short ones, and nothing where there are none.
// Where in a period the look begins is left to chance: it may hold one slice more.
func TestSlicesOfAnotherProcess(t *testing.T) {
	for _, c := range []struct {
		slice, every int64
		times, pause string
	}{
		{0, 1, "", ""},
		{300_000, 3_000_000, "slices in them", "a kernel was paused (6 times within 20 ms, for 1.8|7 times within 20 ms, for 2.1) ms"},
		{2_000_000, 2_000_000, "contradict", "a kernel was paused (5 times within 20 ms, for 10.0|6 times within 20 ms, for 12.0) ms"},
		{50_000, 3_000_000, "", ""},
	} {
		d, timer, alg := stub(t)
		timer.m.MinSamples = 60
		alg.cycles = 400_000 // cold; hot half of it
		cold, err := timer.Cold(alg)
		if err != nil {
			t.Fatal(err)
		}
		alg.cycles = 800_000 // as long as cold, each batch 2 ms
		d.Set("slice_every_ns", c.every)
		d.Set("slice_ns", c.slice)
		hot, err := timer.Hot(alg)
		if err != nil {
			t.Fatal(err)
		}
		if signs := strings.Join(Interrupted(cold, hot, 1), "; "); !strings.Contains(signs, c.times) || (signs == "") != (c.times == "") {
			t.Errorf("%d ns after %d ns: %q, want %q", c.slice, c.every, signs, c.times)
		}
		if sign, err := timer.Pauses(); err != nil || !regexp.MustCompile("^("+c.pause+")$").MatchString(sign) {
			t.Errorf("%d ns after %d ns: %q, %v; want %q", c.slice, c.every, sign, err, c.pause)
		}
	}
}
