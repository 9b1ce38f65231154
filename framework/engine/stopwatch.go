package engine

import "time"

// stopwatch sums the seconds of a point's phases.
type stopwatch struct {
	phase string // empty if none
	began time.Time
	spent map[string]float64
}

// begin ends the current phase and begins another, or none.
func (s *stopwatch) begin(phase string) {
	if s.phase != "" {
		if s.spent == nil {
			s.spent = map[string]float64{}
		}
		s.spent[s.phase] += since(s.began)
	}
	s.phase, s.began = phase, now()
}
