package external

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// clock is the seconds since now.
func clock() func() float64 {
	start := time.Now()
	return func() float64 { return time.Since(start).Seconds() }
}

// tie joins a meter's clock to this computer's. A line comes after its reading, by a
// time that is never negative: the line that came fastest, by the difference of both
// clocks, shows best how they differ. What all lines take alike does not show.
type tie struct {
	now func() float64 // this computer's clock, in seconds

	mu            sync.Mutex
	watts, at     float64 // the last reading, and its time by the meter's clock
	arrived, step float64 // of the last line: when it came, and by how much its time was later
	lags          []float64
	next          int // of lags, where it is full
	refused       int
	first         error // of the lines refused
}

const (
	// keptLags is of how many lines the fastest is sought: few enough for clocks that drift
	// (50 millionths are 13 ms in as many seconds).
	keptLags = 256
	// suddenly is by how many seconds more than passed, and than the step before, a meter's
	// clock goes forward if it was set.
	suddenly = 1.0
)

// line takes a line, or refuses it: a fault names the line.
func (t *tie) line(n int, text string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	err := t.take(text)
	if err == nil {
		return nil
	}
	err = fmt.Errorf("line %d: %w", n, err)
	if t.refused++; t.first == nil {
		t.first = err
	}
	return err
}

func (t *tie) take(text string) error {
	fields := strings.Fields(text)
	if len(fields) < 2 {
		return fmt.Errorf("%.100q lacks a field; want the meter's seconds and the watts", text)
	}
	seconds, err := strconv.ParseFloat(fields[0], 64)
	if err != nil || math.IsNaN(seconds) || math.Abs(seconds) > 1e12 {
		return fmt.Errorf("%.100q is not a time in seconds", fields[0])
	}
	watts, err := parse(fields[1])
	if err != nil {
		return err
	}
	now := t.now()
	if len(t.lags) > 0 {
		step, passed := seconds-t.at, now-t.arrived
		switch {
		case step == 0:
			return fmt.Errorf("%v s is the time of the line before too", seconds)
		case step < 0:
			err = fmt.Errorf("%v s is %.3g s before the line before: the meter's clock went back", seconds, -step)
		case step > passed+t.step+suddenly:
			err = fmt.Errorf("%v s is %.3g s after the line before, and %.3g s passed: the meter's clock jumped", seconds, step, passed)
		}
		t.step = step
		if err != nil { // what follows is by another clock
			t.lags, t.next, t.step = t.lags[:0], 0, 0
		}
	}
	if len(t.lags) < keptLags {
		t.lags = append(t.lags, now-seconds)
	} else {
		t.lags[t.next] = now - seconds
		t.next = (t.next + 1) % keptLags
	}
	t.at, t.arrived = seconds, now
	if t.watts = watts; err != nil {
		t.watts = math.NaN()
	}
	return err
}

// reading is the last reading, NaN if its line was refused, and how old it is.
func (t *tie) reading() (watts, age float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.lags) == 0 {
		return math.NaN(), 0
	}
	return t.watts, max(0, t.now()-(t.at+slices.Min(t.lags)))
}

// errNoTime is of a sensor whose last line has no time that can be used.
var errNoTime = errors.New("the last line's time is not that of the meter's clock before")

// stamped is a Sensor whose lines have times.
type stamped struct {
	*Sensor
	age float64
}

// Sample is the program's latest reading.
func (s *stamped) Sample(dst []float64) error {
	if err := s.ended.Load(); err != nil {
		return *err
	}
	dst[0], s.age = s.tie.reading()
	return nil
}

// Age implements framework.Stamped.
func (s *stamped) Age() float64 { return s.age }

// Failure is why the last Sample had no reading.
func (s *stamped) Failure(int) error { return errNoTime }

// Tie is the median time by which lines came later than the fastest one, and the first
// line that was refused.
func (s *stamped) Tie() (within float64, wrong string) {
	s.tie.mu.Lock()
	defer s.tie.mu.Unlock()
	if len(s.tie.lags) > 0 {
		sorted := slices.Sorted(slices.Values(s.tie.lags))
		within = sorted[len(sorted)/2] - sorted[0]
	}
	if s.tie.refused > 0 {
		wrong = fmt.Sprintf("; %d of its lines refused, first %v", s.tie.refused, s.tie.first)
	}
	return within, wrong
}

// Notes says how the clocks are tied, and which line was refused.
func (s *stamped) Notes() []string {
	within, wrong := s.Tie()
	return append(slices.Clone(s.Sensor.Notes()), fmt.Sprintf("the meter's clock is tied to this computer's within %.2g s, by the lines that came fastest%s", within, wrong))
}
