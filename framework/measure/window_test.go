package measure

import (
	"math"
	"slices"
	"testing"

	"example.org/bench/framework"
)

// TestChangedAtItsBounds: the cumulative sum of [3 1 1 7 6 6] is 7 at most, 1.4113 times its
// scatter, and that of [7 7 6 2 4 4] 5, or 1.4086 times.
func TestChangedAtItsBounds(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		want bool
	}{
		{[]float64{3, 1, 1, 7, 6, 6}, true}, {[]float64{7, 7, 6, 2, 4, 4}, false},
		{[]float64{5, 5, 2, 1, 2, 1, 2, 6, 2, 5, 2, 8, 7, 8, 5, 3}, true},  // 1.4107
		{[]float64{7, 7, 8, 6, 4, 8, 5, 7, 1, 2, 6, 7, 2, 5, 2, 3}, false}, // 1.4090
		{[]float64{4, 4, 4, 4, 4, 4}, false},
		{[]float64{99, 99, 99, 101, 101, 101}, false}, // by 2 %
		{[]float64{98.9, 98.9, 98.9, 101, 101, 101}, true},
		{[]float64{1, 1, 1, 9, 9}, false}, // too few
		// The sum is as large after three as after four, where the means differ by less than 2 %.
		{[]float64{98.71875, 98.71875, 98.71875, 100, 100.9609375, 100.9609375, 100.9609375, 100.9609375}, true},
	} {
		if got := changed(c.x); got != c.want {
			t.Errorf("%v: %v", c.x, got)
		}
	}
}

// readAs is a sensor's readings of one channel each half second from second 0 to 20.
func readAs(ch framework.Channel, value func(t float64) float64) *polled {
	p := &polled{channels: []framework.Channel{ch}, periods: []float64{0.5}, interval: 0.1, due: math.Inf(1)}
	for ; p.n <= 40; p.n++ {
		t := float64(p.n) / 2
		p.times, p.values = append(p.times, t), append(p.values, value(t))
	}
	return p
}

var (
	totalPower  = framework.Channel{Name: "power", Unit: "W", Role: framework.Total}
	totalEnergy = framework.Channel{Name: "energy", Unit: "J", Role: framework.Total, Counter: true}
)

// TestBlocks of a power that rises by a watt a second, and of a counter of 3 W.
func TestBlocks(t *testing.T) {
	rising := func(t float64) float64 { return t }
	for _, c := range []struct {
		w                span
		runs             int64
		period, interval float64
		n                int
	}{
		{span{2, 18}, 100, 0.5, 0.1, 16}, {span{2, 8}, 100, 0.5, 0.1, 12}, {span{2, 8}, 100, 0.1, 0.5, 12}, {span{2, 18}, 7, 0.5, 0.1, 7},
		{span{2, 18}, 6, 0.5, 0.1, 6}, {span{2, 18}, 5, 0.5, 0.1, 0}, {span{2, 5}, 100, 0.5, 0.1, 6}, {span{2, 4.9}, 100, 0.5, 0.1, 0},
	} {
		p := readAs(totalPower, rising)
		p.periods[0], p.interval = c.period, c.interval
		var want []float64
		for i := range c.n {
			want = append(want, c.w.from+(float64(i)+0.5)*c.w.length()/float64(c.n))
		}
		if got := p.blocks(0, c.w, c.runs); !slices.EqualFunc(got, want, same) {
			t.Errorf("%+v: %v, want %v", c, got, want)
		}
	}
	energy := totalEnergy
	p := readAs(energy, func(t float64) float64 { return math.Mod(3*t, 40) })
	if got := p.blocks(0, span{2, 10}, 8); got != nil {
		t.Errorf("a counter that steps back: %v", got)
	}
	p.channels[0].WrapsAt = 40
	if got := p.blocks(0, span{2, 10}, 8); !slices.EqualFunc(got, slices.Repeat([]float64{3}, 8), same) {
		t.Errorf("a counter of 3 W: %v", got)
	}
	if got := readAs(totalEnergy, func(float64) float64 { return math.NaN() }).blocks(0, span{2, 10}, 8); got != nil {
		t.Errorf("of no readings: %v", got)
	}
}

// TestLevelAsksTotals of power and energy alone.
func TestLevelAsksTotals(t *testing.T) {
	jump := func(t float64) float64 { return 10 + 10*math.Floor(t/10) }
	for _, c := range []struct {
		ch    framework.Channel
		level bool
	}{
		{totalPower, false}, {framework.Channel{Unit: "W", Role: framework.Part}, true}, {framework.Channel{Unit: "degC", Role: framework.Total}, true},
	} {
		m := &Meter{sensors: []*polled{readAs(totalPower, func(float64) float64 { return 5 }), readAs(c.ch, jump)}}
		if got := m.level(span{4, 16}, 100); got != c.level {
			t.Errorf("%+v: level %v", c.ch, got)
		}
	}
}

// asked asks a watch of a load that began at second 2 after so many seconds of it, a run
// each quarter of a second, until it ends the load or has been asked each time.
func asked(w *watch, clock *virtualClock, from, to float64) (end float64) {
	for at := from; at <= to; at += 0.25 {
		clock.t = 2 + at
		if w.stop(at, int64(4*at)) {
			return at
		}
	}
	return math.Inf(1)
}

// TestWatch: the window begins after the lead-in of 1 s, lasts for 4 s, and the load goes on
// for half a second more.
func TestWatch(t *testing.T) {
	clock := &virtualClock{}
	watching := func(tail float64, power func(t float64) float64) *watch {
		m := &Meter{clock: clock, lead: 1, window: 4, tail: tail, sensors: []*polled{readAs(totalPower, power)}}
		return &watch{meter: m, base: math.NaN(), start: -1, end: -1}
	}
	steady := func(float64) float64 { return 7 }
	for _, c := range []struct {
		name  string
		tail  float64
		power func(t float64) float64
		end   float64
		want  load
		swing bool
	}{
		{"level", 0.5, steady, 5.5, load{span{3, 7}, 16, 7.6}, false},
		{"level, without a tail", 0, steady, 5, load{span{3, 7}, 16, 7.6}, false},
		{"one run as long as ten tails", 0.025, steady, 5.25, load{span{3, 7}, 16, 7.6}, false},
		// Up at second 4.5: the window begins a quarter of its length later.
		{"rises", 0.5, func(t float64) float64 { return 7 + min(7, max(0, 14*(t-4))) }, 6.5, load{span{4, 8}, 16, 8.6}, false},
		// Given up where 9 s have passed.
		{"never level", 0.5, func(t float64) float64 { return 100 * t }, 9.5, load{span{7, 11}, 16, 11.6}, true},
	} {
		w := watching(c.tail, c.power)
		if end := asked(w, clock, 0.25, 12); end != c.end || w.swings != c.swing {
			t.Errorf("%s: ended after %v s, want %v; swings %v", c.name, end, c.end, w.swings)
			continue
		}
		if got := w.load(99, 98, c.want.ended); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
		if got := w.load(99, 98, 1); got.ended != c.want.window.to {
			t.Errorf("%s: ended at %v, before its window", c.name, got.ended)
		}
	}
	// What is asked again before another run has ended tells nothing, nor does a window not begun.
	w := watching(0.5, steady)
	for range 3 {
		if clock.t = 2.75; w.stop(0.75, 3) || len(w.marks) != 1 || w.start >= 0 {
			t.Fatalf("marks %v, the window from %d", w.marks, w.start)
		}
	}
	if w.marks[0] != (mark{2.75, 3}) || w.load(9, 2.5, 6) != (load{span{3.5, 6}, 9, 6}) {
		t.Errorf("marks %v, load %+v", w.marks, w.load(9, 2.5, 6))
	}
	if clock.t = 3; w.stop(1, 4) || w.start != 1 {
		t.Errorf("the window begins at mark %d", w.start)
	}
	// Of two runs of more than ten tails none more is waited for.
	for tail, stop := range map[float64]bool{0.25: false, 0.24: true} {
		w := watching(tail, steady)
		w.stop(1, 1)
		if w.stop(3.5, 2) || w.stop(6, 3) != stop {
			t.Errorf("tail %v s: marks %v to %d", tail, w.marks, w.end)
		}
	}
}

// TestRestUntilLevel: idle power is that of the first idle time in which it is level, asked
// for each quarter of it, or of the last after 5 s or two idle times.
func TestRestUntilLevel(t *testing.T) {
	for _, c := range []struct {
		idle  float64
		power func(t float64) float64
		want  span
		notes int
	}{
		{4, func(float64) float64 { return 7 }, span{1, 5}, 0},
		{4, func(t float64) float64 { return 20 - 10*min(1, max(0, 2*(t-2))) }, span{3, 7}, 0},
		{4, func(t float64) float64 { return 100 - t }, span{5, 9}, 1},
		{2, func(t float64) float64 { return 100 - 4*t }, span{4, 6}, 1},
	} {
		clock := &virtualClock{}
		m := &Meter{clock: clock, lead: 1, idle: c.idle, sensors: []*polled{readAs(totalPower, c.power)}}
		m.sensors[0].periods[0] = 0.25
		e := &Energy{}
		if got := m.rest(e); got != c.want || len(e.Notes) != c.notes {
			t.Errorf("%+v: %+v, %q", c, got, e.Notes)
		}
	}
}
