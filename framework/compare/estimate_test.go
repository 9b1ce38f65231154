package compare

import (
	"math"
	"testing"

	"example.org/bench/framework/record"
	"example.org/bench/framework/stats"
	"example.org/bench/framework/stats/statstest"
)

// bounds are the ends of an interval, NaN where there is none.
func bounds(e Estimate) (low, high float64) {
	if e.Low == nil {
		return math.NaN(), math.NaN()
	}
	return *e.Low, *e.High
}

func TestEstimatesWithoutSamples(t *testing.T) {
	none := math.NaN()
	for name, c := range map[string]struct {
		e                       Estimate
		value, low, high, sigma float64
	}{
		"± 10 %":                   {fromUncertainty(20, 0.1), 20, 18, 22, 0.1 / 1.959964},
		"no uncertainty":           {fromUncertainty(20, 0), 20, none, none, 0},
		"as large as the value":    {fromUncertainty(20, 1), 20, none, none, 0},
		"an interval":              {fromInterval(4, 2, 8), 4, 2, 8, math.Log(4) / (2 * 1.959964)},
		"an interval from 0":       {fromInterval(2, 0, 4), 2, none, none, 0},
		"an interval of one value": {fromInterval(2, 2, 2), 2, none, none, 0},
	} {
		low, high := bounds(c.e)
		same := func(a, b float64) bool { return math.Abs(a-b) < 1e-12 || math.IsNaN(a) && math.IsNaN(b) }
		if c.e.Value != c.value || !same(low, c.low) || !same(high, c.high) || !same(c.e.sigmaOr(), c.sigma) {
			t.Errorf("%s: %v (%v to %v), sigma %v", name, c.e.Value, low, high, c.e.sigmaOr())
		}
	}
	// What is known as an interval alone has the same sigma.
	low, high := 1.0, 4.0
	if e := (Estimate{Value: 2, Low: &low, High: &high}); math.Abs(e.sigmaOr()-math.Log(4)/(2*1.959964)) > 1e-12 {
		t.Errorf("sigma %v", e.sigmaOr())
	}
}

// TestRates: deadlines that were met are compared by their share; latencies of runs that fell behind, which grow with the run's
// length, are not.
func TestRates(t *testing.T) {
	of := func(metric string, r record.Rate) Estimate {
		for _, m := range Metrics() {
			if m.Name == metric {
				return m.of(&entry{row: &record.Row{Rate: record.RareOf(r)}})
			}
		}
		t.Fatalf("no metric %s", metric)
		return Estimate{}
	}
	n := record.Measured
	served := record.Rate{Used: n(0.5), MissShare: n(0.01), MissLow: n(0.005), MissHigh: n(0.02), P50: n(2e-3), P50Low: n(1.9e-3), P50High: n(2.1e-3)}
	if e := of("on_time", served); e.Value != 0.99 || e.Low == nil || *e.Low != 0.98 || *e.High != 0.995 {
		t.Errorf("on time %+v", e)
	}
	if e := of("latency", served); e.Value != 2e-3 {
		t.Errorf("latency %+v", e)
	}
	behind := served
	behind.Used = n(1.2)
	if e := of("latency", behind); e.Value != 0 {
		t.Errorf("latency of runs that fell behind %+v", e)
	}
	none := record.Rate{Used: n(2), MissShare: n(1), MissLow: n(0.9), MissHigh: n(1)}
	if e := of("on_time", none); e.Value != 0 {
		t.Errorf("none on time: %+v", e)
	}
	if e := of("on_time", record.Rate{}); e.Value != 0 {
		t.Errorf("not at a rate: %+v", e)
	}
}

// TestBlocksWidenTheInterval: five of twelve blocks are 10 % longer than the
// others, so the median of all is at the low end of its order statistics.
func TestBlocksWidenTheInterval(t *testing.T) {
	x := fill(120, func(i int) float64 {
		if i/10%2 == 1 && i < 100 {
			return 1.1
		}
		return 1
	})
	e := fromSamples(x)
	_, half, _ := stats.Student(e.blocks, 0.95)
	if low, _ := bounds(e); e.Value != 1 || math.Abs(low-math.Exp(-half)) > 1e-12 || half < 0.02 {
		t.Errorf("%v from %v, blocks ± %v", e.Value, low, half)
	}
}

// TestTailsOfResemblingSamples: with an autocorrelation of 0.6 the deviate of
// the U test counts half, unless what the intervals tell is stronger.
func TestTailsOfResemblingSamples(t *testing.T) {
	series := func(f, c float64, interval bool) Estimate {
		e := Estimate{Value: f, Samples: 9, autocorrelation: c, sorted: fill(9, func(i int) float64 { return f * (1 + 0.1*float64(i-4)) })}
		if interval {
			low, high := f*0.99, f*1.01
			e.Low, e.High = &low, &high
		}
		return e
	}
	near := func(name string, a, b stats.Tails) {
		if math.Abs(a.More-b.More) > 1e-12 || math.Abs(a.Less-b.Less) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, a, b)
		}
	}
	tails := func(a, b Estimate, x float64) stats.Tails {
		got, ok := ratio(a, b).tails(x)
		if !ok {
			t.Error("no tails")
		}
		return got
	}
	plain := tails(series(1, 0, false), series(1.3, 0, false), 1)
	near("the U test", plain, stats.MannWhitney(series(1, 0, false).sorted, series(1.3, 0, false).sorted))
	weak := plain.Larger(plain.Weaken(0.5))
	near("one resembles", tails(series(1, 0.6, false), series(1.3, 0, false), 1), weak)
	near("the other resembles", tails(series(1, 0, false), series(1.3, 0.6, false), 1), weak)
	near("one interval", tails(series(1, 0.6, true), series(1.3, 0, false), 1), weak)
	near("the other interval", tails(series(1, 0.6, false), series(1.3, 0, true), 1), weak)
	near("both intervals", tails(series(1, 0.6, true), series(1.3, 0, true), 1), plain) // the normal test is surer than the U test
	// 0.8 % slower, held against 3 %: the normal test is between the U test and
	// half its deviate, so it counts.
	a, b := series(1, 0.6, true), series(1.008, 0, true)
	for i := range a.sorted {
		a.sorted[i], b.sorted[i] = 1, 1.008
	}
	u := stats.MannWhitney(a.sorted, fill(9, func(int) float64 { return 1.008 / 1.03 }))
	normal := stats.NormalTest(math.Log(1.008/1.03), math.Hypot(a.sigmaOr(), b.sigmaOr()))
	near("against 3 %", tails(a, b, 1.03), stats.Tails{More: u.More, Less: normal.Less})
}

func TestTailsWithoutSamples(t *testing.T) {
	a, b := fromUncertainty(10, 0.03), fromUncertainty(11, 0.04)
	got, ok := ratio(a, b).tails(1.05)
	want := stats.NormalTest(math.Log(1.1/1.05), 0.05/1.959964)
	if !ok || math.Abs(got.More-want.More) > 1e-9 || math.Abs(got.Less-want.Less) > 1e-9 {
		t.Errorf("%v, want %v", got, want)
	}
	for _, r := range []*Ratio{ratio(a, Estimate{Value: 11}), ratio(Estimate{Value: 10}, b)} {
		if _, ok := r.tails(1); ok || r.P != nil {
			t.Errorf("a value without uncertainty has p %v", r.P)
		}
	}
}

// TestFaster: of two tunings the one that worked counts, then the shorter; the
// first of equal ones.
func TestFaster(t *testing.T) {
	row := func(status record.Status, seconds float64) *record.Row {
		w := &record.Row{}
		if w.Status = status; seconds > 0 {
			w.Time.Median = record.Measured(seconds)
		}
		return w
	}
	ok1, ok2, untimed, wrong := row(record.OK, 1), row(record.OK, 2), row(record.OK, 0), row(record.Wrong, 0)
	for _, c := range []struct {
		name string
		a, b *record.Row
		want bool
	}{
		{"shorter", ok1, ok2, true}, {"longer", ok2, ok1, false}, {"equal", ok1, row(record.OK, 1), false},
		{"ok beside wrong", ok2, wrong, true}, {"wrong beside ok", wrong, ok2, false}, {"both wrong", wrong, wrong, false},
		{"timed beside untimed", ok2, untimed, true}, {"untimed beside timed", untimed, ok2, false},
	} {
		if got := faster(c.a, c.b); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestOneInterval: a comparison's ± is that of the run.
func TestOneInterval(t *testing.T) {
	for name, x := range statstest.Inputs() {
		e, s := fromSamples(x), stats.Summarize(x)
		if low, high := bounds(e); e.Value != s.Median || low != s.Low || high != s.High || math.IsNaN(low) {
			t.Errorf("%s: %v (%v to %v), in a run %v (%v to %v)", name, e.Value, low, high, s.Median, s.Low, s.High)
		}
		if e.half() != record.Interval(s) {
			t.Errorf("%s: ± %s, in a run %s", name, e.half(), record.Interval(s))
		}
	}
}
