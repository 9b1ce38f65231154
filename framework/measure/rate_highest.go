package measure

import (
	"errors"
	"fmt"
	"math"

	"example.org/bench/framework/config"
)

const (
	// rateStep is the ratio of the rates at which the search ends.
	rateStep = 1.02
	// trialShare is a trial's share of a series' releases and time.
	trialShare = 0.1
	// searchTimes is how many times measure.timeout_s a search may take.
	searchTimes = 2
	// firstDescent is the factor by which the search goes below a rate that did not hold in a whole
	// series. It is squared each time, up to mostDescent.
	firstDescent = 1.1
	mostDescent  = 2.0
	// highestRate is the highest rate that is tried.
	highestRate = 1e6
)

// errNoRate is the error if no rate was found that meets its deadlines.
var errNoRate = errors.New("no rate was found that meets its deadlines")

// search searches the highest rate at which at most a given share of the releases misses its
// deadline.
type search struct {
	pacer pacer
	job   Job
	rate  Rate
	m     config.Measure
	until int64 // nanoseconds
	found Highest
}

// highest searches by bisection of the logarithm, and measures the rate that it finds. A
// trial has a tenth of a series' releases. The rate must then hold in a whole series.
func highest(p pacer, job Job, r Rate, m config.Measure) (*Released, error) {
	s := &search{pacer: p, job: job, rate: r, m: m, until: p.now() + int64(searchTimes*m.Timeout*nano)}
	s.found.High = math.Inf(1)
	capacity, err := capacityOf(p, job)
	if err != nil {
		return nil, err
	}
	if err := s.bracket(min(capacity, highestRate)); err != nil {
		return nil, err
	}
	for s.found.High/s.found.Low > rateStep && !math.IsInf(s.found.High, 1) {
		if err := s.try(math.Sqrt(s.found.High * s.found.Low)); err != nil {
			return nil, err
		}
	}
	best, err := s.whole()
	if err != nil {
		return nil, err
	}
	best.Highest = &s.found
	if math.IsInf(s.found.High, 1) {
		s.found.High = 0
	}
	return best, nil
}

// whole finds a rate that holds in a whole series: the one found by trials, or else a lower one,
// from which the bisection continues while there is time.
func (s *search) whole() (best *Released, err error) {
	for hz, descent := s.found.Low, firstDescent; ; {
		x, held, err := s.series(hz, 1)
		switch {
		case best != nil && errors.Is(err, errNoRate): // the time is up
			return best, nil
		case err != nil:
			return nil, err
		case held:
			best, s.found.Low = x, hz
		default:
			s.found.High = hz
		}
		switch {
		case best == nil:
			hz /= descent
			descent = min(descent*descent, mostDescent)
		case s.found.High/s.found.Low <= rateStep || math.IsInf(s.found.High, 1):
			return best, nil
		default:
			hz = math.Sqrt(s.found.High * s.found.Low)
		}
	}
}

// series runs a part of a series at a rate and reports whether it met its deadlines. A series that
// does not ends early.
func (s *search) series(hz, share float64) (x *Released, held bool, err error) {
	if s.pacer.now() > s.until {
		return nil, false, fmt.Errorf("%w in %g s: at %.4g Hz too many were missed; measure.miss_share allows some, measure.timeout_s gives the search more time",
			errNoRate, searchTimes*s.m.Timeout, s.found.High)
	}
	s.found.Trials++
	n := max(int64(math.Ceil(share*float64(Releases(s.m, hz)))), int64(s.m.MinSamples))
	allowed := int64(s.m.MissShare * float64(n))
	x, err = releases(s.pacer, s.job, s.rate, hz, leadOf(hz), n, func(misses int64) bool { return misses > allowed })
	// A growing backlog still meets long deadlines for a while.
	return x, err == nil && x.Misses <= allowed && x.Utilisation <= 1, err
}

// try moves an end of the bracket to a rate.
func (s *search) try(hz float64) error {
	_, held, err := s.series(hz, trialShare)
	if held {
		s.found.Low = hz
	} else {
		s.found.High = hz
	}
	return err
}

// bracket finds a rate that holds and one that does not. capacity is the rate of runs back to back.
func (s *search) bracket(capacity float64) error {
	for hz := capacity; s.found.Low == 0; hz /= 2 {
		if err := s.try(hz); err != nil {
			return err
		}
	}
	for math.IsInf(s.found.High, 1) && s.found.Low < highestRate {
		if err := s.try(min(s.found.Low*1.25, highestRate)); err != nil {
			return err
		}
	}
	return nil
}

// capacityOf returns the rate of runs back to back.
func capacityOf(p pacer, job Job) (float64, error) {
	const least, most = 5, 1000 // runs
	const enough = 0.2 * nano
	begin, busy := p.now(), int64(0)
	for n := int64(1); ; n++ {
		before := p.now()
		if err := job.Run(); err != nil {
			return 0, err
		}
		after := p.now()
		busy += after - before
		if job.Rest != nil {
			if err := job.Rest(); err != nil {
				return 0, err
			}
		}
		if n >= most || n >= least && after-begin >= enough {
			return nano * float64(n) / float64(max(busy, 1)), nil
		}
	}
}
