package engine

import (
	"fmt"
	"sync"
	"time"
)

const (
	// standstillLook is how often a process checks that it runs.
	standstillLook = time.Second
	// leastStandstill is how late a check must be to count as a standstill. On a busy machine
	// checks are late, too.
	leastStandstill = 5 * time.Second
	// mostRepeats is how often a point hit by a standstill is measured again.
	mostRepeats = 2
)

// standstill sums the time in which a process did not run, because it was stopped (Ctrl-Z) or
// frozen with its container (docker pause).
type standstill struct {
	mutex sync.Mutex
	last  time.Time // time of the last check; zero if there is none
	sum   time.Duration
}

// stood is the standstill of this process.
var stood standstill

// watch begins the checks, which continue until the process ends.
func (s *standstill) watch() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if !s.last.IsZero() {
		return
	}
	s.last = time.Now()
	go func() {
		for range time.Tick(standstillLook) {
			s.until(time.Now())
		}
	}()
}

// until returns for how long the process has not run so far.
func (s *standstill) until(now time.Time) time.Duration {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.last.IsZero() {
		return 0
	}
	if late := now.Sub(s.last) - standstillLook; late >= leastStandstill {
		s.sum += late
	}
	s.last = now
	return s.sum
}

// measuredAgain returns the note of a point that was measured again after a standstill.
func measuredAgain(seconds float64) string {
	return fmt.Sprintf("measured again: everything stood still for %.0f s meanwhile", seconds)
}
