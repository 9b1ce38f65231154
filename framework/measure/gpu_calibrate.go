package measure

import (
	"math"
	"time"

	"example.org/bench/gpu"
	"example.org/bench/internal/terminal/digits"
)

// The device's timer (%globaltimer) is specified to count nanoseconds. On a TX1 and a Nano it
// counts 32 for each tick of a 19.2 MHz clock, as if that had 31.25 MHz (Linux for Tegra, nvgpu:
// ptimer_src_freq of gm20b, and its scaling).
const (
	// The difference of a long hold and a short one leaves out what launching and waiting take.
	shortHold = 1 * time.Millisecond
	longHold  = 21 * time.Millisecond
	// TimerOff is the relative error from which on the timer is scaled. Smaller ones may be the
	// calibration's.
	TimerOff = 0.01
	// hostOff is how far events may be from the host's clock, which on a loaded machine shows more
	// than passed on the device. holds is how many tries are made to see less.
	hostOff = 0.05
	holds   = 20
)

// passed is the length of one hold by the device's timer, by events and by the host's clock, in
// seconds.
type passed struct{ timer, events, host float64 }

// calibrate compares the device's timer with events and with the host's clock, once per context.
func (t *GPUTimer) calibrate() error {
	if _, err := t.hold(shortHold); err != nil { // the first launch loads the kernel
		return err
	}
	found := passed{host: math.Inf(1)}
	shortest, longest := math.Inf(1), math.Inf(1) // the host's clock can only show too much
	for range holds {
		short, err := t.hold(shortHold)
		if err != nil {
			return err
		}
		long, err := t.hold(longHold)
		if err != nil {
			return err
		}
		shortest, longest = min(shortest, short.host), min(longest, long.host)
		p := betweenHolds(short, long, shortest, longest)
		if p.timer <= 0 || p.events <= 0 || p.host <= 0 {
			continue // no stamp, or the host was held up
		}
		if found = p; math.Abs(p.events/p.host-1) <= hostOff {
			break
		}
	}
	t.scale(found)
	return nil
}

// betweenHolds returns what passed between a short and a long hold, by the shortest host times of
// either. If the host was late for each short one, too little is left and events seem to show too
// much. Unless the long ones show this too, the host's clock then counts for nothing.
func betweenHolds(short, long passed, shortest, longest float64) passed {
	p := passed{long.timer - short.timer, long.events - short.events, longest - shortest}
	if p.host > 0 && p.events > p.host && long.events <= longest*(1+hostOff) {
		p.host = p.events
	}
	return p
}

// scale applies the result of a calibration.
func (t *GPUTimer) scale(p passed) {
	if math.IsInf(p.host, 1) {
		return // without stamps there is no clock to scale
	}
	seconds := p.events
	if off := p.events / p.host; math.Abs(off-1) > hostOff {
		seconds = p.host
		t.doubt = "CUDA events show " + digits.Percent(off) + " of the host's time: times by events are doubtful"
	}
	t.TimerRate = p.timer / seconds
	if math.Abs(t.TimerRate-1) > TimerOff {
		t.clock.rate = t.TimerRate
	}
}

// hold keeps the device busy for d by its own timer.
func (t *GPUTimer) hold(d time.Duration) (passed, error) {
	const stream = 0
	begin := time.Now()
	if _, err := t.enqueue(stream, func() error {
		return t.holder.Launch(stream, gpu.Launch{}, uint64(d))
	}); err != nil {
		return passed{}, err
	}
	if err := t.device.Synchronize(stream); err != nil {
		return passed{}, err
	}
	host := time.Since(begin).Seconds()
	events, err := t.end.Since(t.start)
	return passed{t.clock.window().seconds, events, host}, err
}
