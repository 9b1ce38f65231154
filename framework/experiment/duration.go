package experiment

import (
	"time"

	"bench/framework"
	"bench/framework/config"
	"bench/framework/plan"
)

// The time that measuring takes beyond its settings, from the published runs of
// this repository: 16 of 17 took from half to 2.2 times as long as Duration
// says. One with problems of seconds took nine times as long.
const (
	settling = 4                      // a series takes this many times measure.min_time_s
	setUp    = 100 * time.Millisecond // inputs, compiling from the cache, checking
)

// Duration estimates how long it takes to measure points with a config's
// settings, without cooling down; power adds the runs for power.
func Duration(c *config.Config, points []plan.Point, power bool) time.Duration {
	m := c.Measure
	series := time.Duration(min(settling*m.MinTime, m.Timeout) * float64(time.Second))
	var total time.Duration
	for _, p := range points {
		if p.Skip != "" || p.Device == "sim" {
			continue
		}
		total += setUp + series
		if p.Processor == framework.GPU || m.CPUCaches == config.Cold { // cold and hot
			total += series
		}
		if power && p.Instance == 0 {
			total += time.Duration(m.PowerWindow * float64(time.Second))
		}
	}
	return total
}
