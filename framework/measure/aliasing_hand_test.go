package measure

import (
	"math"
	"testing"

	"example.org/bench/framework"
)

// of is the aliasing of runs over so many seconds of readings that show no updates: the
// period is as stated, within half a percent.
func (v view) of(seconds, run, period float64) float64 {
	return (&series{}).aliasing(load{window: span{0, seconds}, runs: int64(math.Round(seconds / run))}, period, v)
}

// TestAliasingByHand: harmonics of 100 W above idle.
func TestAliasingByHand(t *testing.T) {
	squares, odd, known, drifting := 0.0, 0.0, 0.0, 0.0
	for i := range 200 {
		k := float64(i + 1)
		a := 100 / (math.Pi * k)
		squares += 2 * a * a
		if i%2 == 0 {
			odd += 2 * a * 2 / (math.Pi * k)
		}
		known += 2 * min(a, 10) * min(a, 10)
		// From reading to reading a quarter of a period: each fourth comes back, as far as is known.
		left := 1.0
		if off := math.Abs(k/4-math.Round(k/4)) - 0.005*k/4; off > 0 {
			left = min(1, 1/(2*40*off))
		}
		drifting += 2 * a * a * left * left
	}
	all := view{seen: 1e-6, idle: 20, mean: math.NaN(), most: 120} // nothing averages out
	for _, c := range []struct {
		name                 string
		v                    view
		seconds, run, period float64
		want                 float64
	}{
		{"locked", all, 4, 0.1, 0.1, 2 * math.Sqrt(squares)},
		{"mean known", view{1e-6, 0, 20, 30, 120}, 4, 0.1, 0.1, 2 * math.Sqrt(known)},
		{"mean below idle", view{1e-6, 0, 20, 10, 120}, 4, 0.1, 0.1, 0},
		{"nothing above idle", view{1e-6, 0, 20, math.NaN(), 15}, 4, 0.1, 0.1, 0},
		{"drifting", all, 4, 0.4, 0.1, 2 * math.Sqrt(drifting)},
		{"one reading", all, 0.1, 0.1, 0.1, 2 * math.Sqrt(squares)},
		{"none", all, 0.09, 0.09, 0.1, 0},
		{"period not known", all, 4, 0.1, 0, 0},
		// Half of a run is seen: of the even harmonics nothing is left, and all add up.
		{"half a run", view{0.05, 1e-12, 20, math.NaN(), 120}, 4, 0.1, 0.1, odd},
		{"nine tenths", view{0.9, 0.1, 20, math.NaN(), 120}, 4, 1, 1, 0},
	} {
		if got := c.v.of(c.seconds, c.run, c.period); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%s: %v W, want %v", c.name, got, c.want)
		}
	}
}

// TestView: what bounds a load's power is its board's limit or its counter, of the total alone,
// and else the readings.
func TestView(t *testing.T) {
	l := load{window: span{2, 8}, ended: 9}
	counters := []framework.Channel{
		{Unit: "W", Role: framework.Total}, {Unit: "J", Role: framework.Part, Counter: true}, {Unit: "s", Role: framework.Total, Counter: true},
		{Unit: "J", Role: framework.Total}, {Unit: "J", Role: framework.Total, Counter: true},
	}
	for _, c := range []struct {
		name     string
		limit    float64
		channels []framework.Channel
		role     framework.Role
		idle     float64
		window   float64
		want     view
	}{
		{"a limit", 700, counters[:4], framework.Total, 50, 0, view{0.025, 0, 50, math.NaN(), 700}},
		{"a limit below what was read", 60, counters[:4], framework.Total, 50, 0, view{0.025, 0, 50, math.NaN(), 180}},
		{"a counter", 0, counters, framework.Total, 50, 0.04, view{0.04, 0.15, 50, 5, math.Inf(1)}},
		{"both", 700, counters, framework.Total, 50, 0.04, view{0.04, 0.15, 50, 5, 700}},
		{"neither", 0, counters[:4], framework.Total, 50, 0, view{0.025, 0, 50, 70, 180}},
		{"a part", 700, counters, framework.Part, 20, 0, view{0.025, 0, 20, 30, 180}},
		{"idle not known", 0, counters[:4], framework.Total, math.NaN(), 0, view{0.025, 0, 0, 30, 180}},
	} {
		p := &polled{sensor: board{limit: c.limit}, channels: c.channels, window: []float64{c.window}, averagings: []float64{0}}
		for ; p.n <= 10; p.n++ {
			at := float64(p.n)
			p.times = append(p.times, at)
			for i := range c.channels {
				p.values = append(p.values, []float64{0, 7, 9, 11, 5}[i]*at)
			}
		}
		got := p.view(0, ChannelEnergy{Role: c.role, Period: 0.1, Power: 30, Idle: c.idle}, &series{values: []float64{180, 30}}, l)
		if got.seen != c.want.seen || got.exact != c.want.exact || got.idle != c.want.idle || !same(got.mean, c.want.mean) || got.most != c.want.most {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
