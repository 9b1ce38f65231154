package measure

import (
	"fmt"
	"math"
)

// traceShare is the largest relative difference of two integrals over the same readings.
const traceShare = 1e-6

// Retrace integrates the readings again. The error names the first channel whose energy or idle power is not
// that of its readings. wrapsAt returns the value at which a counter begins anew. A counter's energy may be
// off by its growth in two updates: e does not tell which reading was the last under load.
func (e *Energy) Retrace(wrapsAt func(sensor, channel string) float64) error {
	window := span{0, e.Window}
	for _, c := range e.Channels {
		if math.IsNaN(c.Energy) {
			continue
		}
		name := c.Sensor + " " + c.Channel
		s := &series{}
		for _, x := range e.Samples {
			if x.Sensor != c.Sensor || x.Channel != c.Channel {
				continue
			}
			if n := len(s.times); n > 0 && x.Time < s.times[n-1] {
				return fmt.Errorf("the readings of %s are not in the order of their times", name)
			}
			s.times, s.values = append(s.times, x.Time), append(s.values, x.Value)
		}
		if len(s.times) == 0 {
			return fmt.Errorf("%s has an energy of %.4g J and no reading", name, c.Energy)
		}
		integral, off := s.integral(window), traceShare*math.Abs(c.Energy)
		if c.Counter {
			if !s.unwrap(wrapsAt(c.Sensor, c.Channel)) {
				continue
			}
			integral, off = s.difference(window), off+2*c.Period*math.Abs(c.Power)
		}
		if math.Abs(integral-c.Energy) > off {
			return fmt.Errorf("the readings of %s make %.6g J, not %.6g J", name, integral, c.Energy)
		}
		if e.Window > 0 && math.Abs(c.Power*e.Window-c.Energy) > traceShare*math.Abs(c.Energy) {
			return fmt.Errorf("%s took %.6g J in %.6g s, which is not %.6g W", name, c.Energy, e.Window, c.Power)
		}
		if low, high, ok := s.before(0); ok && !c.Counter && !math.IsNaN(c.Idle) && (c.Idle < low || c.Idle > high) {
			return fmt.Errorf("%s took %.6g W to %.6g W before the window, not %.6g W", name, low, high, c.Idle)
		}
	}
	return nil
}

// before returns the lowest and the highest reading before t, widened by rounding.
func (s *series) before(t float64) (low, high float64, ok bool) {
	low, high = math.Inf(1), math.Inf(-1)
	for i, at := range s.times {
		if at < t {
			low, high, ok = min(low, s.values[i]), max(high, s.values[i]), true
		}
	}
	return low - traceShare*math.Abs(low), high + traceShare*math.Abs(high), ok
}
