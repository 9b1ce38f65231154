package axis

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func texts(a Axis) []string {
	var all []string
	for _, t := range a.Ticks {
		if t.Text != "" {
			all = append(all, t.Text)
		}
	}
	return all
}

func TestSwept(t *testing.T) {
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
		"powers of two":     {powers(64, 4096), true, []string{"64", "128", "256", "512", "1Ki", "2Ki", "4Ki"}},
		"many":              {powers(64, 1<<23), true, []string{"64", "256", "1Ki", "4Ki", "16Ki", "64Ki", "256Ki", "1Mi", "4Mi"}},
		"decades":           {[]float64{1, 10, 100, 1000, 1e6}, true, []string{"1", "10", "10²", "10³", "10⁶"}},
		"few on a line":     {[]float64{1, 2, 3, 4}, false, []string{"1", "2", "3", "4"}},
		"crowded":           {[]float64{1, 2, 3, 100}, false, []string{"20", "40", "60", "80", "100"}},
		"a single value":    {[]float64{1000}, false, []string{"1000"}},
		"fractions":         {[]float64{0.25, 0.5, 0.75, 1}, false, []string{"0.25", "0.5", "0.75", "1"}},
		"one power of two":  {[]float64{4096}, true, []string{"4Ki"}},
		"millions":          {[]float64{1000001, 1000002}, false, []string{"1000001", "1000002"}},
		"close on decades":  {[]float64{1200001, 1200002, 1200004}, true, []string{"1200001", "1200002", "1200004"}},
		"nothing":           {nil, false, nil},
		"none on decades":   {[]float64{0, 1}, true, []string{"0", "1"}},
		"what is no number": {[]float64{math.NaN(), 1, 2, math.Inf(1)}, false, []string{"1", "2"}},
	} {
		a := Swept("N", c.values, c.log)
		if got := texts(a); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if a.Min >= a.Max {
			t.Errorf("%s: axis from %v to %v", name, a.Min, a.Max)
		}
	}
}

// TestRatesNextToEachOther: the highest rates of a dozen versions, which are next to each
// other, have one tick, and leave the other rates their labels.
func TestRatesNextToEachOther(t *testing.T) {
	values := []float64{10, 100, 1000}
	for i := range 12 {
		values = append(values, 1170+2*float64(i))
	}
	var shown []string
	for _, tick := range Swept("rate_hz", values, true).Ticks {
		shown = append(shown, tick.Text)
	}
	if want := []string{"10", "100", "1000", "1192"}; !slices.Equal(shown, want) {
		t.Errorf("%q; want %q", shown, want)
	}
	if all := Swept("N", []float64{1, 2, 4, 8, 16}, true).Ticks; len(all) != 5 {
		t.Errorf("%v", all)
	}
}

// Whatever the values, an axis must hold them, with enough texts to read values and few
// enough to fit, and no two may be the same.
func TestAnyRange(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		low := math.Pow(10, random.Float64()*36-18)
		high := low * math.Pow(10, random.Float64()*12)
		if random.IntN(3) == 0 { // close together
			high = low * (1 + math.Pow(10, -12*random.Float64()))
		}
		s := NewSpan()
		s.Include(low, high, math.NaN(), math.Inf(1))
		for _, unit := range []string{"s", "FLOP/s", "B", "J", ""} {
			for kind, a := range map[string]Axis{"from zero": FromZero(s, "x", unit), "around": Around(s, "x", unit), "logarithmic": Logarithmic(s, "x", unit),
				"swept": Swept("x", []float64{low, high}, s.Wide())} {
				if a.Min > low || a.Max < high {
					t.Fatalf("%s: axis %v to %v does not hold %v to %v", kind, a.Min, a.Max, low, high)
				}
				n := texts(a)
				if kind != "swept" && len(n) < 2 || len(n) > 12 {
					t.Errorf("%s: %v to %v: %d texts: %q", kind, low, high, len(n), n)
				}
				if kind != "swept" && slices.ContainsFunc(n, func(s string) bool { return len([]rune(s)) > 8+len([]rune(unit))+9 }) {
					t.Errorf("%s: %v to %v: long texts %q", kind, low, high, n)
				}
				slices.Sort(n)
				if len(slices.Compact(n)) != len(texts(a)) {
					t.Errorf("%s: %v to %v: a text repeats: %q", kind, low, high, texts(a))
				}
			}
		}
	}
}

func TestFromZero(t *testing.T) {
	for name, c := range map[string]struct {
		values []float64
		min    float64
	}{"zeros": {[]float64{0, 0}, 0}, "none": {nil, 0}, "positive": {[]float64{1, 2}, 0}, "below zero": {[]float64{-1, 2}, -1.18}, "negative": {[]float64{-2, -2}, -2.12}} {
		s := NewSpan()
		s.Include(c.values...)
		if a := FromZero(s, "energy", "J"); math.Abs(a.Min-c.min) > 1e-9 || a.Min >= a.Max || len(texts(a)) < 2 {
			t.Errorf("%s: axis %+v", name, a)
		}
	}
}

// TestSixTimesTheSame is of two versions that differ by 0.3 %.
func TestSixTimesTheSame(t *testing.T) {
	s := NewSpan()
	s.Include(359.8e-6, 360.9e-6)
	if got, want := texts(Logarithmic(s, "time", "s")), []string{"330 µs", "340 µs", "350 µs", "360 µs", "370 µs", "380 µs", "390 µs"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := texts(Around(s, "time", "s")), []string{"360", "360.5", "361"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// FuzzAxis makes axes of any two numbers: they have ends that a drawing can use, and
// a bounded number of ticks within them, of different texts.
func FuzzAxis(f *testing.F) {
	special := []float64{0, 5e-324, 1e-323, 1e-320, 3e-308, 1e-300, 1e-20, 360e-6, 1, 3, 1e300, 1.7e308, math.MaxFloat64, math.Inf(1), math.NaN()}
	for _, x := range special {
		for _, y := range special {
			f.Add(x, y)
			f.Add(-x, y)
			f.Add(-x, -y)
		}
	}
	f.Add(360.0, math.Nextafter(360, 361))
	f.Fuzz(func(t *testing.T, x, y float64) {
		s := NewSpan()
		s.Include(x, y)
		sorted := []float64{x, y}
		slices.Sort(sorted)
		for kind, a := range map[string]Axis{"from zero": FromZero(s, "x", "s"), "around": Around(s, "x", "s"), "logarithmic": Logarithmic(s, "x", "s"), "linear": Linear(s.Min, s.Max, 8, "x", "s"),
			"swept": Swept("x", sorted, false), "swept logarithmic": Swept("x", sorted, true)} {
			if kind != "linear" && !(a.Min < a.Max) || math.IsInf(a.Max-a.Min, 0) || a.Log && !(a.Min > 0) {
				t.Errorf("%s of %v and %v: from %v to %v", kind, x, y, a.Min, a.Max)
			}
			if len(a.Ticks) > 100 {
				t.Errorf("%s of %v and %v: %d ticks", kind, x, y, len(a.Ticks))
			}
			seen := map[string]bool{}
			for _, k := range a.Ticks {
				if math.IsNaN(k.Value) || math.IsInf(k.Value, 0) || k.Text != "" && seen[k.Text] {
					t.Errorf("%s of %v and %v: tick %v %q", kind, x, y, k.Value, k.Text)
				}
				seen[k.Text] = true
			}
			for _, v := range []float64{x, y, -1, 0, 1} {
				if p := a.Share(v); !(p >= -1 && p <= 2) {
					t.Errorf("%s of %v and %v: %v stands at %v", kind, x, y, v, p)
				}
			}
		}
	})
}

// TestOneStyle: an axis has powers of ten or numbers in full, not both; powers of two stay.
func TestOneStyle(t *testing.T) {
	for name, c := range map[string]struct {
		axis Axis
		want []string
	}{
		"decades to 10⁸":       {Swept("N", []float64{1e4, 1e5, 1e6, 1e7, 1e8}, true), []string{"10⁴", "10⁵", "10⁶", "10⁷", "10⁸"}},
		"below a million":      {Swept("N", []float64{1e3, 1e4, 1e5}, true), []string{"1000", "10000", "100000"}},
		"mantissas":            {Swept("N", []float64{2500000, 5000000}, true), []string{"2.5×10⁶", "5×10⁶"}},
		"powers of two":        {Swept("N", []float64{1 << 16, 1 << 20, 1 << 24}, true), []string{"64Ki", "1Mi", "16Mi"}},
		"small":                {Logarithmic(Span{1e-6, 1e-2}, "share", ""), []string{"10⁻⁶", "10⁻⁵", "10⁻⁴", "10⁻³", "10⁻²"}},
		"linear to 2 million":  {Linear(0, 2e6, 4, "N", ""), []string{"0", "5×10⁵", "10⁶", "1.5×10⁶", "2×10⁶"}},
		"too long for a power": {Swept("N", []float64{1234567, 1234568}, false), []string{"1234567", "1234568"}},
	} {
		if got := texts(c.axis); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if got := Count(3.5e6) + " " + Count(1<<20) + " " + Count(1000) + " " + Count(-1e-7); got != "3.5×10⁶ 1Mi 1000 -10⁻⁷" {
		t.Errorf("counts %s", got)
	}
}
