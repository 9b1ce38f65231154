package measure

import (
	"math"
	"slices"
	"testing"

	"example.org/bench/framework"
)

// readings are values a second apart, from second 0.
func readings(values ...float64) *series {
	s := &series{values: values}
	for i := range values {
		s.times = append(s.times, float64(i))
	}
	return s
}

func same(a, b float64) bool { return math.Abs(a-b) < 1e-9 || math.IsNaN(a) && math.IsNaN(b) }

func TestInterpolation(t *testing.T) {
	s := &series{times: []float64{0, 1, 3}, values: []float64{0, 10, 40}}
	for at, want := range map[float64]float64{-1: 0, 0: 0, 0.25: 2.5, 1: 10, 2: 25, 3: 40, 9: 40} {
		if got := s.at(at); !same(got, want) {
			t.Errorf("at %v s: %v, want %v", at, got, want)
		}
	}
	if got := (&series{}).at(1); !math.IsNaN(got) {
		t.Errorf("of no reading: %v", got)
	}
	for w, want := range map[span]float64{
		{0, 3}: 55, {0.5, 2}: 3.75 + 17.5, {-2, 1}: 5, {2, 5}: 32.5 + 80, {1.5, 2}: 10.625, {1, 1}: 0,
	} {
		if got := s.integral(w); !same(got, want) {
			t.Errorf("integral over %v: %v, want %v", w, got, want)
		}
	}
}

func TestChanges(t *testing.T) {
	s := readings(1, 1, 2, 2, 3, 1, 1)
	if got := s.changes(); !slices.Equal(got, []int{2, 4, 5}) {
		t.Errorf("changes at %v", got)
	}
	if got := s.changeIntervals(); !slices.Equal(got, []float64{2, 1}) {
		t.Errorf("intervals %v", got)
	}
	for w, want := range map[span]int{{2, 5}: 3, {2.1, 4.9}: 1, {6, 9}: 0} {
		if got := s.fresh(w); got != want {
			t.Errorf("%d changes in %v, want %d", got, w, want)
		}
	}
}

// TestCovers: a twentieth of the window, or three intervals, may lack readings
// at either end.
func TestCovers(t *testing.T) {
	for _, c := range []struct {
		first, last, interval float64
		want                  bool
	}{
		{0, 10, 0.1, true}, {0.5, 9.5, 0.1, true}, {0.51, 9.5, 0.1, false}, {0.5, 9.49, 0.1, false},
		{3, 7, 1, true}, {3.1, 7, 1, false}, {3, 6.9, 1, false}, {-5, 15, 0.1, true},
	} {
		s := &series{times: []float64{c.first, c.last}, values: []float64{1, 1}}
		if got := s.covers(span{0, 10}, c.interval); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	if (&series{}).covers(span{0, 10}, 1) {
		t.Error("no reading covers a window")
	}
}

func TestUnwrap(t *testing.T) {
	for _, c := range []struct {
		wrapsAt    float64
		from, want []float64 // nil: not ok
	}{
		{10, []float64{5, 8, 1, 4}, []float64{5, 8, 11, 14}},
		{10, []float64{9, 2, 2, 8, 1}, []float64{9, 12, 12, 18, 21}},
		{0, []float64{5, 5, 6}, []float64{5, 5, 6}},
		{0, []float64{5, 4}, nil},
	} {
		s := readings(slices.Clone(c.from)...)
		if ok := s.unwrap(c.wrapsAt); ok != (c.want != nil) || ok && !slices.Equal(s.values, c.want) {
			t.Errorf("%v at %v: %v, %v, want %v", c.from, c.wrapsAt, s.values, ok, c.want)
		}
	}
}

// TestDifference of a counter that grows by 3 and by 5 J in turn, every two
// seconds.
func TestDifference(t *testing.T) {
	s := readings(0, 0, 3, 3, 8, 8, 11, 11, 16, 16)
	for w, want := range map[span]float64{
		{2, 8}: 13, {3, 7}: 13.5 - 5.5, {4, 6}: 3,
		{1, 9}: 13 + 2.5 + 2.5, // grows on as between the nearest updates
	} {
		if got := s.difference(w); !same(got, want) {
			t.Errorf("over %v: %v, want %v", w, got, want)
		}
	}
	for name, c := range map[string]struct {
		s    *series
		w    span
		want float64
	}{
		"still":                            {readings(5, 5, 5), span{0, 2}, 0},
		"a single reading":                 {readings(5), span{0, 2}, math.NaN()},
		"a single change":                  {readings(5, 6, 6), span{0, 2}, math.NaN()},
		"begins in the middle":             {readings(0, 0, 2, 4, 6), span{0, 4}, 8},
		"begins in the second half":        {readings(0, 0, 0, 4, 6), span{0, 4}, math.NaN()},
		"ends in the middle":               {readings(0, 2, 4, 4, 4), span{0, 4}, 8},
		"ends in the first half":           {readings(0, 2, 4, 4, 4, 4), span{0, 5}, math.NaN()},
		"begins late in a shifted window":  {readings(0, 0, 0, 4, 6), span{1, 5}, 8},
		"ends early in a shifted window":   {readings(0, 2, 4, 4, 4, 4, 4), span{-1, 5}, 12},
		"ends earlier in a shifted window": {readings(0, 2, 4, 4, 4, 4, 4), span{-1, 5.1}, math.NaN()},
	} {
		if got := c.s.difference(c.w); !same(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestPowerUncertainty works the parts out by hand: readings of 10 and 11 W in
// turn have ten successive differences of 1 W, a standard deviation of √½ W, and
// Student's quantile of ten degrees is 2.228139.
func TestPowerUncertainty(t *testing.T) {
	turns := readings(10, 11, 10, 11, 10, 11, 10, 11, 10, 11, 10)
	scatter := 2.2281389 * math.Sqrt(0.5) / math.Sqrt(11)
	cut := func(from, to int) *series {
		return &series{times: slices.Concat(turns.times[:from], turns.times[to:]), values: slices.Concat(turns.values[:from], turns.values[to:])}
	}
	for _, c := range []struct {
		name             string
		s                *series
		w                span
		period, interval float64
		want             float64
	}{
		{"still", readings(10, 10, 10), span{0, 2}, 1, 0.4, 0},
		// 10 s of half a step and of scatter; edges of 0.5 W for 1 s and 0.4 s.
		{"in turns", turns, span{0, 10}, 1, 0.4, 5 + math.Hypot(10*scatter, 1.4)},
		{"half of the window", turns, span{0, 5}, 1, 0.4, 2.5 + math.Hypot(5*2.5705818*math.Sqrt(0.5)/math.Sqrt(6), 1.4)},
		// One reading a period: every other, which are equal, so a whole step remains.
		{"read twice a period", turns, span{0, 10}, 2, 0.4, 10 + 2.4},
		{"read twice an interval", turns, span{0, 10}, 1, 2, 10 + 3},
		// Their differences are 1 and 0, or 1 and -1 W; Student's quantile of two degrees is 4.302653.
		{"half of them new", readings(10, 11, 11), span{0, 2}, 1, 0.4, 2 + math.Hypot(2*4.3026527*0.5/math.Sqrt(3), 1.4)},
		{"three", readings(10, 11, 10), span{0, 2}, 1, 0.4, 1 + math.Hypot(2*4.3026527*math.Sqrt(0.5)/math.Sqrt(3), 1.4)},
		// Steps are of 0.25 W, so that the same value twice is no new reading: four differences, of
		// 2.5, -2.5, 2.5 and -0.25 W. The edges are 1.75 and 0.5 W from the mean.
		{"repeated", readings(8.75, 8.75, 11.25, 11.25, 8.75, 8.75, 11.25, 11.25, 11), span{0, 8}, 1, 0.4,
			1 + math.Hypot(8*2.7764451*math.Sqrt((3*6.25+0.0625)/8)/math.Sqrt(5), 1.4*(1.75+0.5))},
		// One reading in the window has no scatter, and 10.9 W hold at both edges.
		{"a single one", readings(10, 11, 10), span{0.9, 1.1}, 1, 0.4, 0.2 + 1.4*0.8},
		// A second that is held up to an edge counts twice, by the readings' scatter of √(2.5/9) W.
		{"late", cut(0, 1), span{0, 10}, 1, 0.4, 5 + math.Hypot(10*2.2621572*math.Sqrt(0.5)/math.Sqrt(10), math.Hypot(1.4, 1.96*math.Sqrt(2.5/9)))},
		{"ends early", cut(10, 11), span{0, 10}, 1, 0.4, 5 + math.Hypot(10*2.2621572*math.Sqrt(0.5)/math.Sqrt(10), math.Hypot(1.4, 1.96*math.Sqrt(2.5/9)))},
		// Three intervals are no gap yet, and 0.9 of a period are one.
		{"three intervals apart", readings(10, 11, 10), span{0, 2}, 0.5, 1.0 / 3, 1 + math.Hypot(2*4.3026527*math.Sqrt(0.5)/math.Sqrt(3), 2.5/3)},
		{"nine tenths apart", &series{[]float64{0, 0.9, 1.8}, []float64{10, 11, 10}}, span{0, 1.8}, 1, 0.4, 0.9 + math.Hypot(1.8*4.3026527*math.Sqrt(0.5)/math.Sqrt(3), 1.4)},
		// From 3 s to 7 s nothing is read: half of 4 s by the readings' scatter.
		{"a gap", cut(4, 7), span{0, 10}, 1, 0.4,
			5 + math.Hypot(10*2.3646243*math.Sqrt(6.0/14)/math.Sqrt(8), math.Hypot(1.4, 1.96*math.Sqrt(0.5/7*4)*4/2))},
	} {
		if got := c.s.powerUncertainty(c.w, 10.5, c.period, c.interval); math.Abs(got-c.want) > 1e-4 {
			t.Errorf("%s: %v J, want %v", c.name, got, c.want)
		}
	}
}

// TestCounterUncertainty: 1 and 3 J a second in turn, polled every 0.1 s.
func TestCounterUncertainty(t *testing.T) {
	polling := 1.96 * 2 * 0.1 / math.Sqrt(6)
	turns := readings(0, 1, 4, 5, 8, 9, 12)
	within := 1.96 * math.Sqrt2 * math.Sqrt(1.2) / 2 // of 3, 1, 3, 1, 3 W
	for name, c := range map[string]struct {
		s    *series
		w    span
		want float64
	}{
		"still":              {readings(1, 1), span{0, 1}, 0},
		"one update":         {readings(0, 1, 1), span{0, 2}, polling},
		"two updates":        {readings(0, 1, 4), span{0, 2}, polling}, // one mean power
		"in turns":           {turns, span{0, 6}, math.Hypot(polling, within)},
		"outside":            {turns, span{20, 30}, polling},
		"updates at an edge": {turns, span{0, 2.5}, math.Hypot(polling, 1.96*math.Sqrt2*math.Sqrt2/2)},
	} {
		if got := c.s.counterUncertainty(load{window: c.w, runs: 1}, 2, 0, 0.1); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v J, want %v", name, got, c.want)
		}
	}
	// What a run of half a second takes above idle may be at either edge.
	for run, want := range map[float64]float64{0.5: 1.96 * 1.5 * 0.5 / math.Sqrt(6), 1: 0} {
		l := load{window: span{0, 6}, runs: int64(6 / run)}
		if got, want := turns.counterUncertainty(l, 2, 0.5, 0.1), math.Hypot(want, math.Hypot(polling, within)); math.Abs(got-want) > 1e-9 {
			t.Errorf("runs of %v s: %v J, want %v", run, got, want)
		}
	}
	slow := &series{times: []float64{0, 4, 8, 12}, values: []float64{0, 4, 16, 20}}
	if got, want := slow.counterUncertainty(load{window: span{0, 12}, runs: 1}, 2, 0, 0.1), math.Hypot(polling, 1.96*math.Sqrt2*math.Sqrt2*4/2); math.Abs(got-want) > 1e-9 {
		t.Errorf("updates every 4 s: %v J, want %v", got, want)
	}
}

// TestUpdates: each interval counts as so many periods as it is nearest to, up to three.
func TestUpdates(t *testing.T) {
	at := func(times ...float64) *series { // a new value at each time but the first
		s := &series{times: times}
		for i := range times {
			s.values = append(s.values, float64(i))
		}
		return s
	}
	whole := span{0, 100}
	for name, c := range map[string]struct {
		s                      *series
		w                      span
		about, period, inexact float64
	}{
		"no change":             {at(1), whole, 0.3, 0.3, 0.005},
		"one change":            {at(1, 2), whole, 0.3, 0.3, 0.005},
		"exact":                 {at(0, 1, 2, 3, 4), whole, 0.9, 1, 0.005},
		"the median is one":     {at(0, 1, 2, 3.2, 4.2, 6.2, 9.1), whole, 0.9, 8.1 / 7, 0.005 + 1/8.1}, // of 1.2 s,
		"far above about":       {at(0, 1, 3, 5), whole, 1, 1, 0.005},
		"half as much as about": {at(0, 1, 4, 7, 10), whole, 2, 1.5, 0.005}, // 3 s are two periods of 2 s
		"four periods":          {at(0, 1, 2, 3, 4, 8), whole, 1, 1, 0.005 + 0.75/3},
		"less than half of one": {at(0, 1, 2, 3, 3.4, 4.5), whole, 1, 3.1 / 3, 0.005 + (1.025-0.85)/3.1},
		"only long ones":        {at(0, 1, 5, 9), whole, 1, 1, 0.005},
		"only those within":     {at(0, 1, 2, 3, 5, 7), span{1, 3}, 1, 1, 0.005},
	} {
		if period, inexact := c.s.updates(c.w, c.about); !same(period, c.period) || !same(inexact, c.inexact) {
			t.Errorf("%s: %v s, by %v; want %v, %v", name, period, inexact, c.period, c.inexact)
		}
	}
}

// TestUntil: a reading at the moment itself stays.
func TestUntil(t *testing.T) {
	s := readings(5, 7, 6, 9)
	for at, want := range map[float64]int{-1: 0, 0: 1, 1.9: 2, 2: 3, 8: 4} {
		if got := s.until(at); len(got.times) != want || !slices.Equal(got.values, s.values[:want]) {
			t.Errorf("until %v: %+v, want %d", at, got, want)
		}
	}
	if s.highest() != 9 {
		t.Errorf("the highest is %v", s.highest())
	}
}

func TestUpdatePeriod(t *testing.T) {
	for _, c := range []struct {
		intervals []float64
		want      float64
	}{
		{nil, 0}, {[]float64{3}, 3}, {[]float64{1, 2, 1, 3, 1, 1.1}, 1},
		{[]float64{1, 1, 1, 1, 0.49}, 1}, // after a late one
		{[]float64{1, 1, 1, 1, 0.5}, 0.5},
	} {
		if got := updatePeriod(c.intervals); got != c.want {
			t.Errorf("%v: %v, want %v", c.intervals, got, c.want)
		}
	}
	for channel, want := range map[framework.Channel]bool{
		{Unit: "W"}: true, {Unit: "J", Counter: true}: true, {Unit: "W", Counter: true}: false, {Unit: "J"}: false, {Unit: "Hz"}: false,
	} {
		if measuresEnergy(channel) != want {
			t.Errorf("%+v: %v", channel, !want)
		}
	}
}

// TestCount: readings at the edges of the window belong to it.
func TestCount(t *testing.T) {
	p := &polled{channels: make([]framework.Channel, 2), n: 4, times: []float64{0, 1, 2, 3, 9},
		values: []float64{1, 5, math.NaN(), 6, math.Inf(1), 7, 4, 8, 0, 0}}
	if readings, missing := p.count(0, span{1, 3}); readings != 3 || missing != 2 {
		t.Errorf("%d readings, %d missing, want 3 and 2", readings, missing)
	}
	if s := p.series(1); !slices.Equal(s.values, []float64{5, 6, 7, 8}) || !slices.Equal(s.times, p.times[:4]) {
		t.Errorf("second channel %+v", s)
	}
	if s := p.series(0); !slices.Equal(s.values, []float64{1, 4}) || !slices.Equal(s.times, []float64{0, 3}) {
		t.Errorf("first channel %+v", s)
	}
}
