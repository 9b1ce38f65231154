package measure

import (
	"math"
	"slices"
	"testing"

	"example.org/bench/framework/config"
)

func TestChangeZ(t *testing.T) {
	for n, want := range map[int]float64{4: 2.6, 40: 2.6, 80: 2.6 + 0.22*math.Ln2, 400: 2.6 + 0.22*math.Log(10)} {
		if got := changeZ(n); !same(got, want) {
			t.Errorf("%d samples: %v, want %v", n, got, want)
		}
	}
}

// TestSettled: a look is held against the latest at a quarter of the samples.
func TestSettled(t *testing.T) {
	for _, c := range []struct {
		name  string
		looks []look
		now   look
		want  bool
	}{
		{"none before", nil, look{count: 1000, ranks: 1}, false},
		{"at 0.85", []look{{count: 40, ranks: 1}}, look{count: 160, ranks: 0.85}, true},
		{"narrower", []look{{count: 40, ranks: 1}}, look{count: 160, ranks: 0.84}, false},
		{"too few before", []look{{count: 39, ranks: 1}}, look{count: 160, ranks: 1}, false},
		{"not yet four times", []look{{count: 40, ranks: 1}}, look{count: 159, ranks: 1}, false},
		{"the latest counts", []look{{count: 40, ranks: 1}, {count: 50, ranks: 10}, {count: 60, ranks: 1}}, look{count: 239, ranks: 2}, false},
		{"not the first", []look{{count: 40, ranks: 10}, {count: 60, ranks: 1}}, look{count: 240, ranks: 0.9}, true},
	} {
		if got := (&Rule{looks: c.looks}).settled(c.now); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestClockStep(t *testing.T) {
	for _, c := range []struct {
		sorted []float64
		want   float64
	}{
		{[]float64{1, 1, 3, 3}, 2}, {[]float64{1, 1, 3, 3, 4, 4}, 1}, {[]float64{1, 1, 3}, 0}, {[]float64{2, 2, 2}, 0},
		{[]float64{1, 1, 1 + 1e-13, 3, 3, 3}, 2 - 1e-13},     // rounding is not a step
		{[]float64{1e-6, 1e-6, 1.5e-6, 1.5e-6}, 0.5e-6},      // in seconds
		{[]float64{4, 4, 4 + 3.9e-12, 5, 5, 5}, 1 - 3.9e-12}, // relative to the sample
	} {
		if got := clockStep(c.sorted); math.Abs(got-c.want) > 1e-14 {
			t.Errorf("%v: %v, want %v", c.sorted, got, c.want)
		}
	}
}

// taken is a rule that has taken samples by a clock of that resolution.
func taken(m config.Measure, resolution float64, samples []float64) *Rule {
	r := newRule(m, func() float64 { return 0 })
	r.Clock(1, resolution)
	for _, x := range samples {
		r.Add(x)
	}
	return r
}

// levels are so many samples of each value.
func levels(counts []int, values ...float64) (x []float64) {
	for i, n := range counts {
		x = append(x, slices.Repeat(values[i:i+1], n)...)
	}
	return x
}

// TestWhatIsUnmet: each condition that does not hold is said, and no other.
func TestWhatIsUnmet(t *testing.T) {
	steady, turns := levels([]int{40}, 2), slices.Repeat([]float64{2, 2.2}, 20)
	for _, c := range []struct {
		name    string
		m       config.Measure
		samples []float64
		clock   float64
		want    string
	}{
		{"all met", config.Measure{MinSamples: 40, MinTime: 80, Noise: 0.1}, steady, 1e-9, ""},
		{"samples", config.Measure{MinSamples: 41, MinTime: 80, Noise: 0.1}, steady, 1e-9, "40 of 41 samples"},
		{"time", config.Measure{MinSamples: 40, MinTime: 81, Noise: 0.1}, steady, 1e-9, "80 of 81 s run time"},
		{"no time at all", config.Measure{Noise: 0.1}, append([]float64{0, -1, math.Inf(1)}, steady...), 1e-9, "3 samples had no positive time"},
		{"few", config.Measure{Noise: 0.1}, []float64{1, 1, 1}, 1e-9, "too few samples to know the median's noise"},
		{"noise", config.Measure{Noise: 0.01}, turns, 1e-9, "median known within 4.8 %, 1 % asked for"},
		{"the clock's step", config.Measure{Noise: 0.01}, turns, 0.042, "median known within 5.8 %, 1 % asked for (one step of the clock is 2.0 %)"},
		{"a step as small as the noise", config.Measure{Noise: 0.03125}, slices.Repeat([]float64{1.5, 2.5}, 20), 0.0625, "median known within 27 %, 3.125 % asked for"},
		{"level", config.Measure{Noise: 0.2}, levels([]int{20, 30}, 1, 1.5), 1e-9, "median known within 33 %, 20 % asked for; the level changed by +50 % while sampling"},
		{"lower level", config.Measure{Noise: 0.2}, levels([]int{20, 30}, 2, 1), 1e-9, "median known within 100 %, 20 % asked for; the level changed by -50 % while sampling"},
		{"29 equal ones of an unknown clock", config.Measure{Noise: 0.1}, levels([]int{29}, 1), 0, "too few samples to know the median's noise"},
		{"30 equal ones", config.Measure{Noise: 0.1}, levels([]int{30}, 1), 0, ""},
		{"29 unequal ones", config.Measure{Noise: 0.1}, append(levels([]int{28}, 1), 1.001), 0, ""},
	} {
		if got := taken(c.m, c.clock, c.samples).unmet(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func plus(more float64, x []float64) []float64 {
	for i := range x {
		x[i] += more
	}
	return x
}

// TestChangeOfLevel: only a change that is significant, larger than the noise,
// and no warm-up that the median does not feel.
func TestChangeOfLevel(t *testing.T) {
	mixed := func(first ...float64) []float64 { // 46 values without a trend
		for i := range 46 {
			first = append(first, float64(1+i*17%46))
		}
		return first
	}
	for _, c := range []struct {
		name        string
		noise       float64
		samples     []float64
		extra, want float64
	}{
		{"none", 0.01, levels([]int{50}, 1), 0, 0},
		{"up", 0.01, levels([]int{20, 30}, 1, 1.5), 0, 0.5},
		{"down", 0.01, levels([]int{30, 20}, 2, 1), 0, -0.5},
		{"not that significant", 0.01, levels([]int{20, 30}, 1, 1.5), 10, 0},
		{"as large as the noise", 0.5, levels([]int{30, 20}, 2, 3), 0, 0},
		{"larger than the noise", 0.49, levels([]int{30, 20}, 2, 3), 0, 0.5},
		{"a tenth warms up", 0.01, levels([]int{5, 45}, 2, 1), 0, 0},
		{"more warms up", 0.01, levels([]int{6, 44}, 2, 1), 0, -0.5},
		// The four at the start move the median from 23.5 to 25.5, by 7.8 %.
		{"warm-up that the median feels", 0.15, mixed(100, 100, 100, 100), 0, 23.5/100 - 1},
		{"warm-up within the noise", 0.16, mixed(100, 100, 100, 100), 0, 0},
		// They move it from 30 to 32, by half of the noise.
		{"warm-up at half the noise", 0.125, slices.Concat(levels([]int{4}, 100), plus(6.5, mixed())), 0, 0},
		{"warm-up, then a change", 0.01, levels([]int{4, 20, 26}, 9, 1, 2), 0, 1},
	} {
		r := taken(config.Measure{Noise: c.noise}, 1e-9, c.samples)
		r.inspect()
		if got := r.change(c.extra, false); !same(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestInspectBothSides: the interval of eight samples is from the least to the greatest; half
// of it is the longer side, with half of the clock's step of 4 % of the median.
func TestInspectBothSides(t *testing.T) {
	for _, ends := range [][2]float64{{9, 14}, {6, 11}} {
		l := taken(config.Measure{}, 0.4, []float64{10, ends[0], 10, 10, ends[1], 10, 10, 10}).inspect()
		if !same(l.half, 0.42) || !same(l.ranks, 0.42) || !same(l.step, 0.04) || l.count != 8 {
			t.Errorf("%v: %+v", ends, l)
		}
	}
	if l := taken(config.Measure{}, 0.4, []float64{10, 10, 10}).inspect(); !math.IsInf(l.half, 1) || !math.IsInf(l.ranks, 1) {
		t.Errorf("of three: %+v", l)
	}
}

// TestResemblingSamples of a level count for less: with an autocorrelation of r as
// √((1-r)/(1+r)) times as many standard deviations.
func TestResemblingSamples(t *testing.T) {
	var samples []float64
	for i := range 60 {
		samples = append(samples, 10+math.Sin(float64(i)/3)+3*float64(i/30))
	}
	r := taken(config.Measure{Noise: 0.01}, 1e-9, samples)
	r.inspect()
	_, z, like := r.series.ChangePoint()
	if like < 0.3 || z < changeZ(60) {
		t.Fatalf("%v standard deviations, autocorrelation %v", z, like)
	}
	fewer := z * math.Sqrt((1-like)/(1+like))
	for _, c := range []struct {
		z     float64
		alike bool
		found bool
	}{{z, false, true}, {z + 1e-6, false, false}, {fewer - 1e-6, true, true}, {fewer + 1e-6, true, false}} {
		if got := r.change(c.z-changeZ(60), c.alike); (got != 0) != c.found {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestLooks: the rule looks as soon as there are enough samples of enough time,
// and then whenever there are a fifth more.
func TestLooks(t *testing.T) {
	for _, c := range []struct {
		m    config.Measure
		want []int
	}{
		{config.Measure{Noise: 1e-6, Timeout: 1}, []int{1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18}},
		{config.Measure{Noise: 1e-6, Timeout: 1, MinSamples: 10}, []int{10, 12, 15, 18}},
		{config.Measure{Noise: 1e-6, Timeout: 1, MinTime: 14}, []int{14, 17}}, // of a second each
	} {
		r := taken(c.m, 1e-9, nil)
		if stop, _, _ := r.Done(); stop {
			t.Errorf("%+v: stops without a sample", c.m)
		}
		for i := range 20 {
			r.Add(0.9 + 0.2*float64(i%2)) // two make 2 s
			r.Done()
		}
		var counts []int
		for _, l := range r.looks {
			counts = append(counts, l.count)
		}
		if !slices.Equal(counts, c.want) || r.first != c.want[0] {
			t.Errorf("%+v: looks at %v, the first at %d; want %v", c.m, counts, r.first, c.want)
		}
	}
}

// TestKnownAsAskedFor: a median that is known as well as is asked for is known;
// a sample of four runs is known to a quarter of the clock's step.
func TestKnownAsAskedFor(t *testing.T) {
	for batch, want := range map[int]string{4: "median known within 1.0 % after 30 samples", 0: "", 3: ""} {
		r := newRule(config.Measure{Noise: 0.01, MinSamples: 30, Timeout: 1}, func() float64 { return 0 })
		r.Clock(batch, 0.08)
		for range 30 {
			r.Add(1)
		}
		if stop, converged, reason := r.Done(); stop != (want != "") || converged != stop || reason != want {
			t.Errorf("batches of %d: %v, %v, %q", batch, stop, converged, reason)
		}
	}
}
