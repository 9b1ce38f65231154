package measure

import (
	"fmt"
	"math"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
)

// live is a sensor of the real clock: a counter and its power, both exact.
type live struct {
	start time.Time
	reads []time.Duration // when it was read
}

func (s *live) Name() string { return "live" }
func (s *live) Channels() []framework.Channel {
	return []framework.Channel{
		{Name: "power", Unit: "W", Role: framework.Total},
		{Name: "energy", Unit: "J", Role: framework.Total, Counter: true},
		{Name: "clock", Unit: "Hz", Role: framework.Other},
	}
}
func (s *live) Sample(dst []float64) error {
	now := time.Since(s.start)
	s.reads = append(s.reads, now)
	t := now.Truncate(liveUpdate).Seconds()
	dst[0], dst[1], dst[2] = 20+0.01*math.Mod(t*1e3, 7), 20*t, 1e9
	return nil
}
func (s *live) Notes() []string    { return nil }
func (s *live) Close() error       { return nil }
func (s *live) Averaging() float64 { return 0 }

const liveUpdate = 5 * time.Millisecond

// gap is the longest time between two reads of so many seconds from then on.
func (s *live) gap(from time.Duration, seconds float64) (longest time.Duration, reads int) {
	for i, at := range s.reads {
		if i > 0 && at > from && (at-from).Seconds() < seconds {
			longest = max(longest, at-s.reads[i-1])
			reads++
		}
	}
	return longest, reads
}

// measuredLive measures a load of 1 ms a run, and says what the energy is not.
func measuredLive(t *testing.T) (e *Energy, fault string) {
	t.Helper()
	sensor := &live{start: time.Now()}
	m, err := NewMeter([]framework.Sensor{sensor}, config.Measure{PowerWindow: 0.4}, Knowledge{})
	if err != nil {
		t.Fatal(err)
	}
	timer := NewCPUTimer(quick)
	w := &work{workers: 1, run: spin(time.Millisecond)}
	var began time.Duration
	e, err = m.Measure(func(stop func(float64, int64) bool) (int64, float64, error) {
		began = time.Since(sensor.start)
		return timer.Sustain(w, stop)
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Channels) != 2 {
		t.Fatalf("%d channels of energy, want 2", len(e.Channels))
	}
	if e.Window < 0.4 || e.Runs < 1 || float64(e.Runs)*1e-3 > e.Window {
		fault = fmt.Sprintf("%d runs of 1 ms in %v s", e.Runs, e.Window)
	}
	// A stall of the poller costs the counter what passes meanwhile, at each end of
	// the window.
	gap, reads := sensor.gap(began+250*time.Millisecond, e.Window) // after the lead-in
	unseen := (gap + liveUpdate).Seconds()
	for _, ch := range e.Channels {
		if math.Abs(ch.Power-20) > 0.1+20*2*unseen/e.Window || 10*ch.Readings < 9*reads-20 || ch.Fresh < int(e.Window/unseen/2) {
			fault = fmt.Sprintf("%s: %v W of 20, %d readings of %d, %d fresh; not read for %v at most", ch.Channel, ch.Power, ch.Readings, reads, ch.Fresh, gap)
		}
	}
	return e, fault
}

// TestMeterRealTime: the power of a real clock's sensor, as known as the longest time
// without a reading allows. Where the machine stalled what writes the load, or the
// end of a window, the measurement is made again.
func TestMeterRealTime(t *testing.T) {
	var e *Energy
	for attempt := 0; ; attempt++ {
		measured, fault := measuredLive(t)
		if e = measured; fault == "" {
			break
		}
		if attempt == 20 {
			t.Fatal(fault)
		}
	}
	seen := map[string]bool{}
	for i, x := range e.Samples {
		seen[x.Channel] = true
		if i > 0 && e.Samples[i-1].Channel == x.Channel && x.Time < e.Samples[i-1].Time {
			t.Fatal("samples go back in time")
		}
	}
	if !seen["clock"] {
		t.Error("the clock channel was not kept among the samples")
	}
}
