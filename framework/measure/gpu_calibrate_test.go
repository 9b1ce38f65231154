package measure

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"bench/cuda"
	"bench/cuda/driver/drivertest"
	"bench/framework/config"
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
	if err := timer.holder.Launch(0, cuda.Launch{}, uint64(shortHold)); err != nil {
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
