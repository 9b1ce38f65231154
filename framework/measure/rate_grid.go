package measure

import "math"

// pacer is the time of releases, in nanoseconds of one monotonic clock; tests have
// their own.
type pacer interface {
	now() int64
	// until returns at that time or later.
	until(at int64)
	// rest is told that nothing is to be done until then.
	rest(at int64)
}

// grid is releases at equal distances. An overrun run moves none of them: what is
// released meanwhile begins late, and its latency says so. Latencies that are counted
// from when the loop gets around to a release instead leave out what waited
// (coordinated omission: Tene, "How NOT to Measure Latency").
type grid struct {
	first  int64   // release 0, in nanoseconds
	period float64 // nanoseconds
}

func (g grid) release(i int64) int64 { return g.first + int64(math.Round(float64(i)*g.period)) }

// released is one run.
type released struct {
	index             int64
	due, began, ended int64
	waited            bool // for the release: it was still to come
}

// run does the job at each release from one to before another, until seen returns
// false or what is due begins after end. It returns the first release that was not
// served.
func (g grid) run(p pacer, job Job, from, to, end int64, seen func(r released) (more bool)) (next int64, err error) {
	var r released
	for r.index = from; r.index < to; r.index++ {
		r.due = g.release(r.index)
		if r.waited = p.now() < r.due; r.waited {
			p.until(r.due)
		}
		if r.began = p.now(); r.began >= end {
			return r.index, nil
		}
		if err := job.Run(); err != nil {
			return r.index, err
		}
		r.ended = p.now()
		if !seen(r) {
			return r.index + 1, nil
		}
		if job.Rest != nil {
			if err := job.Rest(); err != nil {
				return r.index + 1, err
			}
		}
		p.rest(g.release(r.index + 1))
	}
	return to, nil
}
