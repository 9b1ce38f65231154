package measure

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// switching is a load that is on for times of no pattern, around 0.12 s, in the seconds
// from 1 to about 9.
func switching() (on []span) {
	at := 1.0
	for i := range 36 {
		at += 0.06 + 0.12*math.Abs(math.Sin(float64(3*i*i)))
		s := span{at, at + 0.05 + 0.13*math.Abs(math.Sin(float64(i*i)))}
		on, at = append(on, s), s.to
	}
	return on
}

// overlap is how long the load was on from one moment to another.
func overlap(on []span, from, to float64) (seconds float64) {
	for _, s := range on {
		seconds += max(0, min(to, s.to)-max(from, s.from))
	}
	return seconds
}

// reading is a series of n updates, each read just before and just after it.
func reading(n int, update, value func(i int) float64) *series {
	s := &series{times: []float64{0}, values: []float64{1}}
	for i := range n {
		at := update(i)
		s.times = append(s.times, at-1e-3, at+1e-3)
		s.values = append(s.values, s.values[len(s.values)-1], value(i))
	}
	return s
}

// TestBestWindow: windows and delays that a board could have are found exactly, where one of
// those that are tried is the true one, and nearly, where it lies between two.
func TestBestWindow(t *testing.T) {
	const period = 0.1
	on := switching()
	f := &fit{}
	for i := range 60 {
		f.times = append(f.times, 1.037+period*float64(i))
	}
	for _, c := range []struct {
		window, delay float64 // in periods
		within        float64 // of the window, by share, and of the delay, in periods
	}{
		{0.05, 0.45, 1e-9}, {0.05 * math.Pow(1.15, 11), 0, 1e-9}, {0.05 * math.Pow(1.15, 26), 1.2, 1e-9}, {0.05 * math.Pow(1.15, 11), -0.2, 1e-9},
		{0.05 * math.Pow(1.15, 39), 0.1, 1e-9}, // of 11.6 periods, the longest
		{0.05 * math.Pow(1.15, 11) * 1.03, 0.14, 1e-9}, {0.05 * math.Pow(1.15, 20) * 1.03, 0.11, 1e-9}, {0.05 * math.Pow(1.15, 20) * 1.06, 0.08, 1e-9}, {0.05 * math.Pow(1.15, 20) * 0.94, 0.12, 1e-9}, {0.05 * math.Pow(1.15, 11) * 0.97, 0.06, 1e-9},
		{0.3 * 1.03, 0.17, 0.015}, {4, 0.3, 0.02},
	} {
		f.values = nil
		for _, at := range f.times {
			to := at - c.delay*period
			f.values = append(f.values, 50+300*overlap(on, to-c.window*period, to)/(c.window*period))
		}
		x := f.best(model{load: newLagging(on, 0)}, period)
		if math.Abs(x.Window/period/c.window-1) > c.within || math.Abs(x.Delay/period-c.delay) > c.within || math.Abs(x.Explained-1) > c.within || x.Period != period {
			t.Errorf("%+v: %+v", c, x)
		}
	}
}

// TestFitSeenTakesBetterMoments: updates that come regularly and are read late are taken to
// be regular, and ones that come at any time are taken to have come when they were read, also
// of boards whose power lags behind the load, wholly or in part.
func TestFitSeenTakesBetterMoments(t *testing.T) {
	const period, window = 0.1, 0.03
	on := switching()
	s := &series{times: []float64{0}, values: []float64{1}}
	for i := range 55 {
		at := 1.037 + period*float64(i)
		late := 0.02 * math.Abs(math.Sin(float64(i*i)))
		s.times = append(s.times, at-0.015+late/4, at+late)
		s.values = append(s.values, s.values[len(s.values)-1], 50+300*overlap(on, at-window, at)/window)
	}
	if x, err := fitSeen(s, on, period); err != nil || math.Abs(x.Window/window-1) > 0.05 || math.Abs(x.Delay) > 0.004 || x.Explained < 0.995 {
		t.Errorf("read late: %+v, %v", x, err)
	}
	for _, c := range []struct{ lag, part, slow float64 }{{0, 0, 1}, {0.02, 0, 1}, {0, 0.4, 0.3}} {
		load, slow := newLagging(on, c.lag), newLagging(on, c.slow)
		mean := func(l *lagging, to float64) float64 { return (l.until(to) - l.until(to-window)) / window }
		any := func(i int) float64 { return 1.037 + period*(float64(i)+0.45*math.Sin(float64(i*i))) }
		x, err := fitSeen(reading(55, any, func(i int) float64 { return 50 + 300*mean(load, any(i)) + 300*c.part*mean(slow, any(i)) }), on, period)
		if err != nil || math.Abs(x.Window/window-1) > 0.03 || x.Delay < 0 || x.Delay > 0.001 || x.Explained < 0.999 || x.Period != period {
			t.Errorf("at any time, %+v: %+v, %v", c, x, err)
		}
	}
}

// TestFitSeenMoments: of the moments of updates those count that explain more, be it a little:
// here all are read 10 ms late, or up to 20 ms later than that.
func TestFitSeenMoments(t *testing.T) {
	const period, window = 0.1, 0.03
	on := switching()
	value := func(at float64) float64 { return 50 + 300*overlap(on, at-window, at)/window }
	due := func(i int) float64 { return 1.037 + period*float64(i) }
	late := func(i int) float64 { return 0.02 * math.Abs(math.Sin(float64(i*i))) }
	noisy := reading(60, func(i int) float64 { return due(i) + 0.01 + late(i) }, func(i int) float64 { return value(due(i)) + 60*math.Sin(float64(7*i*i)) })
	if x, err := fitSeen(noisy, on, period); err != nil || math.Abs(x.Delay-0.01) > 0.004 {
		t.Errorf("regular: %+v, %v", x, err)
	}
	any := func(i int) float64 { return due(i) + late(i) }
	if x, err := fitSeen(reading(60, any, func(i int) float64 { return value(any(i)) }), on, period); err != nil || x.Explained < 0.999 {
		t.Errorf("nearly regular: %+v, %v", x, err)
	}
}

// TestFitSeenRefuses too few new values, and ones that do not follow the load.
func TestFitSeenRefuses(t *testing.T) {
	var on []span // for 60 to 99 ms of each 200
	for i := range 40 {
		on = append(on, span{0.2 * float64(i), 0.2*float64(i) + 0.06 + 0.001*float64(i)})
	}
	each := func(i int) float64 { return 0.2*float64(i) + 0.15 }
	of := func(n int, noise float64) error {
		_, err := fitSeen(reading(n, each, func(i int) float64 { return 2 + float64(i) + noise*math.Sin(float64(i*i)) }), on, 0.2)
		return err
	}
	if err := of(39, 0); err == nil || err.Error() != "39 new values while the load changed, want 40" {
		t.Errorf("39 values: %v", err)
	}
	if err := of(40, 0); err != nil {
		t.Errorf("40 values: %v", err)
	}
	if err := of(40, 14); err == nil || !strings.HasSuffix(err.Error(), "load (63 % explained, want 80)") {
		t.Errorf("noise: %v", err)
	}
}

// TestExplainedOfOneSign: what moves against the load is not explained by it, nor is a share
// that a lagging one explains as well.
func TestExplainedOfOneSign(t *testing.T) {
	on := switching()
	f := &fit{}
	for i := range 60 {
		f.times = append(f.times, 1+0.1*float64(i))
	}
	m := model{load: newLagging(on, 0)}
	share := f.means(m.load, 0.05, 0)
	f.values = share
	if got := f.explained(m, 0.05, 0); math.Abs(got-1) > 1e-9 {
		t.Errorf("the load itself: %v", got)
	}
	m.part = newLagging(on, 0)
	if got := f.explained(m, 0.05, 0); got != 0 {
		t.Errorf("two of the same: %v", got)
	}
	m.part = newLagging(on, 1)
	f.values = f.means(m.part, 0.05, 0)
	if got := f.explained(m, 0.05, 0); got != 0 {
		t.Errorf("the lagging share alone: %v", got)
	}
	f.values = slices.Clone(share)
	for i := range f.values {
		f.values[i] *= -1
	}
	if got := f.explained(model{load: m.load}, 0.05, 0); got != 0 {
		t.Errorf("against the load: %v", got)
	}
	f.values = slices.Repeat([]float64{1}, 60)
	if got := f.explained(model{load: m.load}, 0.05, 0); got != 0 {
		t.Errorf("values that do not change: %v", got)
	}
}

// TestRegularAt: the moments are on the line through those seen, as early as all but a
// twentieth of them; a missed one is counted.
func TestRegularAt(t *testing.T) {
	seen := []float64{1, 1.5, 2, 3, 3.5, 4, 5.5, 6} // 2.5, 4.5 and 5 were missed
	times, each := regular(seen, 0.55)
	if !same(each, 0.5) || len(times) != len(seen) {
		t.Fatalf("%v, each %v", times, each)
	}
	for i := range times {
		if !same(times[i], seen[i]) {
			t.Errorf("moment %d at %v, want %v", i, times[i], seen[i])
		}
	}
	// Of the quarters around the median one is late by two tenths of a period, and another by four.
	for late, regularly := range map[float64]bool{0.2: true, 0.4: false} {
		x := make([]float64, 40)
		for i := range x {
			if x[i] = float64(i); i%4 >= 2 {
				x[i] += late
			}
		}
		if times, _ := regular(x, 1); (times != nil) != regularly {
			t.Errorf("late by %v: %v", late, times)
		}
	}
}
