package engine

import (
	"fmt"
	"sync"
	"time"
)

const (
	// standstillLook is how often a process looks whether it runs.
	standstillLook = time.Second
	// leastStandstill is how late it must be then to have stood still: on a busy machine
	// it is late, too.
	leastStandstill = 5 * time.Second
	// mostRepeats is how often a point that a standstill has hit is measured again.
	mostRepeats = 2
)

// standstill adds up for how long a process has not run: it was stopped (Ctrl-Z), or frozen
// with its container (docker pause).
type standstill struct {
	mutex sync.Mutex
	last  time.Time // it looked; zero: it never does
	sum   time.Duration
}

// stood is this process's.
var stood standstill

// watch begins to look, until the process ends.
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

// until is for how long the process has not run so far.
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

// measuredAgain is the note of a point that was measured again, after so many seconds of
// standstill.
func measuredAgain(seconds float64) string {
	return fmt.Sprintf("measured again: everything stood still for %.0f s meanwhile", seconds)
}
