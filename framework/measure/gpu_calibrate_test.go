package measure

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"example.org/bench/framework/config"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver/drivertest"
)

// TestTimerOfAnotherRate: a device's timer that counts 19.2 MHz as 31.25 MHz, as on a
// TX1, does not change the SM clock that is told; events that are off are told.
func TestTimerOfAnotherRate(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, c := range []struct {
		timer, events int64 // in thousandths
		doubt         bool
	}{
		{1000, 1000, false},
		{614, 1000, false}, // 19.2 of 31.25
		{1630, 1000, false},
		{614, 614, true},
	} {
		// A loaded machine makes the host's time longer than that of the events: in one of some
		// tries nothing comes between.
		var wrong []string
		for range 20 {
			wrong = nil
			try := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
			timed(t, c.timer, c.events, c.doubt, try)
			if len(wrong) == 0 {
				break
			}
		}
		for _, w := range wrong {
			t.Errorf("%+v: %s", c, w)
		}
	}
}

// timed calibrates a timer of a stand-in device whose timer and events run at these
// thousandths of the host's rate.
func timed(t *testing.T, rate, events int64, doubt bool, wrong func(format string, args ...any)) {
	t.Helper()
	d := drivertest.Build(t)
	d.Set("timer_permille", rate)
	d.Set("event_permille", events)
	timer, err := NewGPUTimer(d.Open(t), config.Measure{})
	if err != nil {
		t.Fatal(err)
	}
	// Off by less than what launches and a loaded machine add.
	want := float64(rate) / 1000
	if math.Abs(timer.TimerRate/want-1) > 0.005 && !doubt {
		wrong("the timer's rate is %v, want %v", timer.TimerRate, want)
	}
	if err := timer.clock.stamp(0, first); err != nil {
		t.Fatal(err)
	}
	if err := timer.holder.Launch(0, gpu.Launch{}, uint64(shortHold)); err != nil {
		t.Fatal(err)
	}
	if err := timer.clock.stamp(0, last); err != nil {
		t.Fatal(err)
	}
	hz := timer.clock.window().hertz()
	if off := 0.01; math.Abs(hz/1e9-1) > off && !doubt || math.Abs(hz/1e9-1) > hostOff {
		wrong("the SM clock of 1000 MHz is told as %.0f MHz", hz/1e6)
	}
	notes, share := strings.Join(timer.Notes(), "; "), 0.0
	fmt.Sscanf(notes, "CUDA events show %f %% of the host's time", &share) //nolint:errcheck // the share is 0 then
	if told := math.Abs(share/100/want-1) <= hostOff; told != doubt || !doubt && notes != "" {
		wrong("notes %q", notes)
	}
	if err := timer.Close(); err != nil {
		t.Error(err)
	}
}

// A host that is late for every short hold does not make events doubtful; events that are too
// long beside the long hold alone are.
func TestBetweenHolds(t *testing.T) {
	const ms = 1e-3
	hold := func(timer, events float64) passed { return passed{timer: timer * ms, events: events * ms} }
	for _, c := range []struct {
		short, long       passed
		shortest, longest float64 // ms
		events, host      float64 // ms
	}{
		{hold(1, 1), hold(21, 21), 1.1, 21.1, 20, 20},
		{hold(1, 1), hold(21, 21), 20.3, 21.1, 20, 20},       // late for the short ones
		{hold(1, 1), hold(21, 21), 1.1, 26.1, 20, 25},        // for the long ones
		{hold(1, 1.1), hold(21, 23.1), 1.05, 21.05, 22, 20},  // events are a tenth too long
		{hold(1, 1.1), hold(21, 23.1), 11.05, 21.05, 22, 10}, // and late too
		{hold(1, 0.6), hold(21, 12.6), 1.05, 21.05, 12, 20},  // too short
		{hold(1, 1), hold(21, 21), 22, 21.5, 20, -0.5},       // nothing is left
	} {
		p := betweenHolds(c.short, c.long, c.shortest*ms, c.longest*ms)
		if math.Abs(p.events-c.events*ms) > 1e-9 || math.Abs(p.host-c.host*ms) > 1e-9 || math.Abs(p.timer-20*ms) > 1e-9 {
			t.Errorf("%+v: %+v", c, p)
		}
	}
}

// TestScale: the timer's rate is by events, or by the host's clock where these are off, and
// scales the SM clock where it is far from 1.
func TestScale(t *testing.T) {
	for _, c := range []struct {
		found      passed
		told, rate float64
		doubt      string
	}{
		{passed{1, 1, math.Inf(1)}, 0, 1, ""}, {passed{2, 2, 2}, 1, 1, ""}, {passed{2.01, 2, 2}, 1.005, 1, ""}, {passed{1.99, 2, 2}, 0.995, 1, ""},
		{passed{1.228, 2, 2}, 0.614, 0.614, ""}, {passed{2.04, 2, 2.08}, 1.02, 1.02, ""}, {passed{1.96, 2, 1.92}, 0.98, 0.98, ""},
		{passed{1.5, 1.2, 2}, 0.75, 0.75, "CUDA events show 60 % of the host's time: times by events are doubtful"},
		{passed{2, 2.2, 2}, 1, 1, "CUDA events show 110 % of the host's time: times by events are doubtful"},
	} {
		timer := &GPUTimer{clock: &smClock{rate: 1}}
		timer.scale(c.found)
		if !same(timer.TimerRate, c.told) || !same(timer.clock.rate, c.rate) || timer.doubt != c.doubt {
			t.Errorf("%+v: rate %v, the clock's %v, doubt %q", c.found, timer.TimerRate, timer.clock.rate, timer.doubt)
		}
	}
}
