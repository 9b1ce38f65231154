package measure

import (
	"fmt"
	"time"
)

// judgedSeconds is the least time over which the SM clock is judged: the
// device's time may tick in steps of 1 us.
const judgedSeconds = 1e-3

// collector gathers the samples of one series: it judges the SM clock, drops
// what ran on a throttled device, and asks the stopping rule.
type collector struct {
	rule     Rule
	floor    float64 // Hz; samples below are dropped
	highest  float64
	leastRun time.Duration // wall time before the rule is asked
	timeout  time.Duration
	sleep    func(time.Duration)

	begin    time.Time
	series   Series
	pending  []float64 // samples whose clock is not judged yet
	window   window    // around pending
	accepted window    // around the samples kept
	low      int       // judgements in a row that were too low
	delay    time.Duration
	slept    time.Duration
	keep     bool // whatever the clock
	early    int  // samples in a row that were let go early
	latency  bool // some of those are among the samples
}

// Back-off after low clocks, as nvbench does it: 0.05 s, growing from the third
// in a row on to at most 0.5 s. Other than there the sum is bounded, after
// which the samples are kept: a device that never reaches the clock still gets
// its row.
const (
	firstDelay   = 50 * time.Millisecond
	longestDelay = 500 * time.Millisecond
	delayGrowth  = 1.5
	longestSleep = 3 * time.Second
)

func (t *GPUTimer) newCollector(rule Rule, batch int, leastRun float64) *collector {
	return &collector{
		rule: rule, highest: t.clock.highest, floor: t.m.ClockFraction * t.clock.highest,
		leastRun: time.Duration(leastRun * float64(time.Second)),
		timeout:  time.Duration(t.m.Timeout * float64(time.Second)),
		sleep:    t.sleep, begin: time.Now(), delay: firstDelay,
		series: Series{Batch: batch},
	}
}

// add takes a sample. stop ends the series; rest says that the device should
// be warmed up again before the next.
func (c *collector) add(x sample) (stop, rest bool) {
	const patience = 3
	late := time.Since(c.begin) >= c.timeout
	if x.early {
		if c.early++; c.early <= patience && !late {
			return false, false
		}
		c.latency = true
	} else {
		c.early = 0
	}
	c.pending = append(c.pending, x.seconds)
	c.window.cycles += x.window.cycles
	c.window.seconds += x.window.seconds
	if x.window.valid() && c.window.seconds < judgedSeconds && !late {
		return false, false
	}
	if hz := c.window.hertz(); hz > 0 && hz < c.floor && !c.keep && !late {
		return false, c.drop()
	}
	c.low, c.delay = 0, firstDelay
	c.accepted.cycles += c.window.cycles
	c.accepted.seconds += c.window.seconds
	for _, s := range c.pending {
		c.series.Samples = append(c.series.Samples, s)
		c.rule.Add(s)
	}
	c.pending, c.window = c.pending[:0], window{}
	if !late && time.Since(c.begin) < c.leastRun {
		return false, false
	}
	stop, c.series.Converged, c.series.Stop = c.rule.Done()
	if late && !stop {
		stop, c.series.Stop = true, fmt.Sprintf("timeout after %.3g s", c.timeout.Seconds())
	}
	return stop, false
}

// drop leaves out the pending samples and waits for the device to recover.
func (c *collector) drop() bool {
	c.series.Dropped += len(c.pending)
	c.pending, c.window = c.pending[:0], window{}
	if c.low++; c.low > 2 {
		c.delay = min(time.Duration(float64(c.delay)*delayGrowth), longestDelay)
	}
	c.sleep(c.delay)
	c.slept += c.delay
	c.keep = c.slept >= longestSleep
	return true
}

// end returns the series.
func (c *collector) end() *Series {
	c.series.ClockHz = c.accepted.hertz()
	if c.keep && c.series.ClockHz < c.floor {
		c.series.Stop += fmt.Sprintf("; kept at an SM clock of %.0f MHz, below %.0f MHz", c.series.ClockHz/1e6, c.floor/1e6)
	}
	return &c.series
}
