package measure

import (
	"math"
	"testing"
	"time"
)

// TestLockedAndDriftingRuns: of runs that keep their phase from reading to reading nothing
// averages out; of ones whose phase moves on, more the more readings there are.
func TestLockedAndDriftingRuns(t *testing.T) {
	const period = 0.1
	v := view{seen: 0.01, idle: 10, mean: 60, most: 110}
	of := func(run, length float64) float64 {
		var s series // which shows no updates: the period is as stated
		return s.aliasing(load{window: span{0, length}, runs: int64(math.Round(length / run)), ended: length}, period, v)
	}
	locked, long := of(period, 10), of(period, 100)
	if !(locked > 30) || math.Abs(long/locked-1) > 1e-9 {
		t.Errorf("locked runs: %v W off in 10 s, %v in 100 s", locked, long)
	}
	const golden = 0.618034 // the phase of no harmonic comes back soon
	drifting, later := of(period*golden, 1), of(period*golden, 100)
	if !(drifting < 0.2*locked) || !(later < 0.5*drifting) {
		t.Errorf("drifting runs: %v W off in 1 s, %v in 100 s; locked %v", drifting, later, locked)
	}
	v.seen = 0.95 * period
	if got := of(period, 10); got != 0 {
		t.Errorf("%v W off where readings see nearly all", got)
	}
}

// TestLaggingIsAnIntegral of the level behind a lag, as summed up in small steps.
func TestLaggingIsAnIntegral(t *testing.T) {
	on := []span{{1, 1.5}, {2, 3.25}, {3.5, 3.75}}
	for _, lag := range []float64{0, 0.05, 0.7} {
		l := newLagging(on, lag)
		const step = 1e-5
		level, sum := 0.0, 0.0
		for i := range 600_000 {
			at, target := float64(i)*step, 0.0
			for _, s := range on {
				if s.from <= at && at < s.to {
					target = 1
				}
			}
			if i%25_000 == 0 {
				if got := l.until(at); math.Abs(got-sum) > 1e-3 {
					t.Errorf("lag %v: %v until %v, want %v", lag, got, at, sum)
				}
			}
			level += (target - level) * step / max(lag, step)
			sum += level * step
		}
	}
}

// TestRegularMoments: updates of one period, some of them seen late, come when the earliest
// of them say; ones of no period are not made regular.
func TestRegularMoments(t *testing.T) {
	const period = 0.1
	var seen, wild []float64
	for i := range 60 {
		at := 5 + period*float64(i) + 0.004*float64(i%5)/4
		if i%9 != 4 { // one is missed now and then
			seen = append(seen, at)
		}
		wild = append(wild, 5+period*float64(i)+0.05*math.Sin(float64(i*i)))
	}
	times, each := regular(seen, period)
	if len(times) != len(seen) || math.Abs(each/period-1) > 1e-3 {
		t.Fatalf("%d of %d moments, each %v", len(times), len(seen), each)
	}
	for i, at := range times {
		n := math.Round((at - 5) / period)
		if math.Abs(at-5-n*period) > 0.0015 || math.Abs(at-seen[i]) > 0.006 {
			t.Errorf("moment %d at %v, seen at %v", i, at, seen[i])
		}
	}
	if times, each := regular(wild, period); times != nil || each != period {
		t.Errorf("moments of no period are made regular: each %v", each)
	}
}

// TestExplainedShare is that of the least squares' fit of both parts.
func TestExplainedShare(t *testing.T) {
	var on []span
	for i := range 12 {
		from := 0.5*float64(i) + 0.1*math.Sin(float64(i))
		on = append(on, span{from, from + 0.2 + 0.01*float64(i%4)})
	}
	m := model{load: newLagging(on, 0), part: newLagging(on, 0.8)}
	f := &fit{}
	for i := range 55 {
		f.times = append(f.times, 0.3+0.1*float64(i))
	}
	x, y := f.means(m.load, 0.1, 0), f.means(m.part, 0.1, 0)
	for i := range f.times {
		f.values = append(f.values, 20+3*x[i]+2*y[i]+0.4*math.Sin(float64(7*i)))
	}
	// Residuals of the normal equations of 1, x and y.
	mean := func(f func(i int) float64) (s float64) {
		for i := range x {
			s += f(i) / float64(len(x))
		}
		return s
	}
	mx, my, mv := mean(func(i int) float64 { return x[i] }), mean(func(i int) float64 { return y[i] }), mean(func(i int) float64 { return f.values[i] })
	xx, yy, xy := mean(func(i int) float64 { return (x[i] - mx) * (x[i] - mx) }), mean(func(i int) float64 { return (y[i] - my) * (y[i] - my) }), mean(func(i int) float64 { return (x[i] - mx) * (y[i] - my) })
	xv, yv := mean(func(i int) float64 { return (x[i] - mx) * (f.values[i] - mv) }), mean(func(i int) float64 { return (y[i] - my) * (f.values[i] - mv) })
	vv := mean(func(i int) float64 { return (f.values[i] - mv) * (f.values[i] - mv) })
	a, b := (xv*yy-yv*xy)/(xx*yy-xy*xy), (yv*xx-xv*xy)/(xx*yy-xy*xy)
	want := (a*xv + b*yv) / vv
	if got := f.explained(m, 0.1, 0); math.Abs(got-want) > 1e-9 || want < 0.5 || want > 0.999 {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := f.explained(model{load: m.load}, 0.1, 0), xv*xv/(xx*vv); math.Abs(got-want) > 1e-9 {
		t.Errorf("of the load alone %v, want %v", got, want)
	}
}

// TestMarksAfter a moment: the first, and the last where none is.
func TestMarksAfter(t *testing.T) {
	w := &watch{marks: []mark{{time: 1}, {time: 2}, {time: 4}}}
	for at, want := range map[float64]int{0: 0, 1: 0, 1.5: 1, 2: 1, 3: 2, 4: 2, 9: 2} {
		if got := w.after(at); got != want {
			t.Errorf("after %v: mark %d, want %d", at, got, want)
		}
	}
}

// TestMoreTurns: some are taken whatever the limit, then as many and as long as asked for.
func TestMoreTurns(t *testing.T) {
	ago := func(seconds float64) time.Time {
		return time.Now().Add(-time.Duration(seconds * float64(time.Second)))
	}
	for _, c := range []struct {
		t    turns
		done int
		want bool
	}{
		{turns{5, 100, 1, ago(50)}, 1, true}, {turns{5, 100, 1, ago(50)}, 2, false}, {turns{5, 0, 100, ago(50)}, 4, true}, {turns{5, 0, 100, ago(50)}, 5, false},
		{turns{5, 70, 100, ago(50)}, 9, true}, {turns{5, 30, 100, ago(50)}, 9, false}, {turns{5, 30, 40, ago(50)}, 4, false},
	} {
		if got := c.t.more(c.done); got != c.want {
			t.Errorf("%+v after %d: %v", c.t, c.done, got)
		}
	}
}
