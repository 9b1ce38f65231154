package experiment

import (
	"strings"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/gpu"
)

// The time that measuring takes beyond its settings, from the published runs of
// this repository: 16 of 17 took from half to 2.2 times as long as Duration
// says. One with problems of seconds took nine times as long.
const (
	settling = 4                      // a series takes this many times measure.min_time_s
	setUp    = 100 * time.Millisecond // inputs, compiling from the cache, checking
)

// A model of a board, for those that are not there: of what it takes beside Duration.
const (
	// An INA3221 averages over up to 0.43 s, and each conversion moves the reading (its
	// data sheet, section 8.4.1): Linux's driver, which boards with a compute capability
	// of 8 and more have, tells how long one takes. NVIDIA's does not where the device
	// tree lacks it; the slowest takes 49.5 ms.
	oldPeriod, oldAveraging = 0.0495, -1
	newPeriod, newAveraging = 0.01, 0.43
	// preparedPerSecond is the bytes of a point that a board's CPU makes and checks in
	// a second: a guess between a Cortex-A57 and an A78.
	preparedPerSecond = 250e6
)

// OnBoard models the time of measuring points, with power, on a board with these facts.
func OnBoard(s Subject, points []plan.Point, facts gpu.Facts) time.Duration {
	period, averaging := oldPeriod, float64(oldAveraging)
	if facts.ComputeMajor >= 8 {
		period, averaging = newPeriod, newAveraging
	}
	seconds := Duration(s.Config, points, false).Seconds()
	for _, p := range points {
		if p.Skip != "" || p.Device == "sim" {
			continue
		}
		need := s.Factory.Memory(s.Factory.VersionOn(p.Version, p.Processor), p.Params, p.Tunables, false)
		seconds += float64(need.Host)/preparedPerSecond + measure.PowerTime(s.Config.Measure.PowerWindow, period, averaging)
	}
	return time.Duration(seconds * float64(time.Second))
}

// Beside says what the session's Duration leaves out, in words that follow it; empty for nothing.
func (s *Session) Beside() string {
	var beside []string
	if s.Config.Measure.Stages {
		beside = append(beside, "the stages of each run")
	}
	if len(s.Config.Counters) > 0 {
		beside = append(beside, "counters")
	}
	if len(beside) == 0 {
		return ""
	}
	return ", and " + strings.Join(beside, " and ") + " beside"
}

// Duration estimates how long it takes to measure points with a config's settings, without cooling
// down. power adds the runs for power.
func Duration(c *config.Config, points []plan.Point, power bool) time.Duration {
	m := c.Measure
	series := time.Duration(min(settling*m.MinTime, m.Timeout) * float64(time.Second))
	var total time.Duration
	for _, p := range points {
		if p.Skip != "" || p.Device == "sim" {
			continue
		}
		total += setUp
		if rate, paced := measure.RateOf(p.Using()); paced {
			seconds := 2 * m.Timeout // to search, and a whole series
			if rate.Hz > 0 {
				seconds = float64(measure.Releases(m, rate.Hz)) / rate.Hz
			}
			total += time.Duration(seconds * float64(time.Second))
			if power && p.Instance == 0 {
				total += time.Duration(m.PowerWindow * float64(time.Second))
			}
			continue
		}
		total += series
		if p.Processor == framework.GPU || m.CPUCaches == config.Cold { // cold and hot
			total += series
		}
		if power && p.Instance == 0 {
			total += time.Duration(m.PowerWindow * float64(time.Second))
		}
	}
	return total
}
