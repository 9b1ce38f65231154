package plots

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/plot"
)

func labels(ticks []plot.Tick) []string {
	var all []string
	for _, t := range ticks {
		if t.Label != "" {
			all = append(all, t.Label)
		}
	}
	return all
}

func TestAbscissa(t *testing.T) {
	powers := func(from, to float64) (v []float64) {
		for x := from; x <= to; x *= 2 {
			v = append(v, x)
		}
		return v
	}
	for name, c := range map[string]struct {
		values []float64
		log    bool
		want   []string
	}{
		"powers of two":    {powers(64, 4096), true, []string{"64", "128", "256", "512", "1Ki", "2Ki", "4Ki"}},
		"many":             {powers(64, 1<<23), true, []string{"64", "256", "1Ki", "4Ki", "16Ki", "64Ki", "256Ki", "1Mi", "4Mi"}},
		"decades":          {[]float64{1, 10, 100, 1000, 1e6}, true, []string{"1", "10", "100", "1000", "1e6"}},
		"few on a line":    {[]float64{1, 2, 3, 4}, false, []string{"1", "2", "3", "4"}},
		"crowded":          {[]float64{1, 2, 3, 100}, false, []string{"20", "40", "60", "80", "100"}},
		"a single value":   {[]float64{1000}, false, []string{"1000"}},
		"fractions":        {[]float64{0.25, 0.5, 0.75, 1}, false, []string{"0.25", "0.5", "0.75", "1"}},
		"one power of two": {[]float64{4096}, true, []string{"4Ki"}},
	} {
		a := abscissa("N", c.values, c.log)
		if got := labels(a.ticks); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if a.min >= a.max || a.min > c.values[0] || a.max < c.values[len(c.values)-1] {
			t.Errorf("%s: axis from %v to %v does not hold %v", name, a.min, a.max, c.values)
		}
	}
}

// Whatever the values, an axis must hold them, with enough labels to read
// values and few enough to fit.
func TestOrdinateOfAnyRange(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		low := math.Pow(10, random.Float64()*24-12)
		high := low * math.Pow(10, random.Float64()*12)
		s := newSpan()
		s.include(low, high, math.NaN(), math.Inf(1))
		var a scale
		if s.wide() {
			a = logarithmic(s, "time", "s")
		} else {
			a = linearFromZero(s, "time", "s")
		}
		if a.min > low || a.max < high {
			t.Fatalf("axis %v to %v does not hold %v to %v", a.min, a.max, low, high)
		}
		n := labels(a.ticks)
		if len(n) < 2 || len(n) > 12 {
			t.Errorf("%v to %v (log %v): %d labels: %q", low, high, a.log, len(n), n)
		}
		if compacted := slices.Compact(slices.Clone(n)); len(compacted) != len(n) {
			t.Errorf("%v to %v: a label repeats: %q", low, high, n)
		}
	}
}

func TestOrdinateOfZeros(t *testing.T) {
	s := newSpan()
	s.include(0, 0)
	if a := linearFromZero(s, "energy", "J"); a.min >= a.max || len(labels(a.ticks)) < 2 {
		t.Errorf("axis %+v", a)
	}
}
