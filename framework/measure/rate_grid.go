package measure

import "math"

// pacer is the clock of releases, in nanoseconds of one monotonic clock. Tests have their own.
type pacer interface {
	now() int64
	// until returns at the time at or later.
	until(at int64)
	// rest may yield, because there is nothing to do until at.
	rest(at int64)
}

// grid is releases at equal distances. A run that overruns moves none of them: later releases begin
// late, and their latency shows it. Latencies counted from when the loop reaches a release would
// leave out the wait (coordinated omission: Tene, "How NOT to Measure Latency").
type grid struct {
	first  int64   // release 0, in nanoseconds
	period float64 // nanoseconds
}

func (g grid) release(i int64) int64 { return g.first + int64(math.Round(float64(i)*g.period)) }

// released is one run.
type released struct {
	index             int64
	due, began, ended int64
	waited            bool // for a release that was still to come
}

// run runs the job at each release in [from, to), until seen returns false or a release would begin
// after end. It returns the first release that was not served.
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
