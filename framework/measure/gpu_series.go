package measure

import (
	"fmt"
	"slices"

	"example.org/bench/framework/stats"
)

// leastRange is the least difference of clocks that is reported.
const leastRange = 1e-3

// collector gathers the samples of one series. It judges the SM clock, drops samples of a throttled
// device, and asks the stopping rule.
type collector struct {
	rule     *Rule
	series   Series
	clock    *clockJudge[clocked]
	hertz    []float64 // clocks around samples, if known
	launches []float64 // by sample, without those released early
	early    int       // samples in a row that were released early
	latency  bool      // some of those are among the samples
}

// clocked is the seconds of a sample and the clock around it, in Hz.
type clocked struct{ seconds, hertz float64 }

func (t *GPUTimer) newCollector(rule *Rule, batch int) *collector {
	return &collector{rule: rule, series: Series{Batch: batch}, clock: newClockJudge[clocked](t)}
}

// add adds a sample. stop ends the series; rest means that the device should be warmed up again
// first.
func (c *collector) add(x sample) (stop, rest bool) {
	const patience = 3
	late := c.rule.late()
	if x.early {
		if c.early++; c.early <= patience && !late {
			return false, false
		}
		c.latency = true
	} else {
		c.early = 0
		c.launches = append(c.launches, x.launch)
	}
	good, low := c.clock.judge(clocked{x.seconds, x.window.hertz()}, x.window, late)
	if len(good) == 0 {
		return false, low
	}
	for _, s := range good {
		c.series.Samples = append(c.series.Samples, s.seconds)
		if s.hertz > 0 {
			c.hertz = append(c.hertz, s.hertz)
		}
		c.rule.Add(s.seconds)
	}
	stop, c.series.Converged, c.series.Stop = c.rule.Done()
	return stop, false
}

// end returns the series.
func (c *collector) end() *Series {
	c.series.Moved, c.series.Beaten = c.rule.Moved(), c.rule.Beaten()
	c.series.Dropped, c.series.ClockHz = c.clock.dropped, c.clock.accepted.hertz()
	if len(c.hertz) > 0 {
		slices.Sort(c.hertz)
		if share := stats.Quantile(c.hertz, 39./40)/stats.Quantile(c.hertz, 1./40) - 1; share >= leastRange {
			c.series.ClockRange = share
		}
	}
	if c.clock.exhausted() && c.series.ClockHz < c.clock.floor {
		c.series.Stop += fmt.Sprintf("; kept at an SM clock of %.0f MHz, below %.0f MHz", c.series.ClockHz/1e6, c.clock.floor/1e6)
	}
	return &c.series
}
