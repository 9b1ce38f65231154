package measure

import (
	"example.org/bench/framework/stats"
)

// releases measures a job at a rate on a grid that begins soon: the lead-in, then n releases that
// count, or fewer once enough returns true for so many misses. Releases not served one deadline
// after the last one remain unserved.
func releases(p pacer, job Job, r Rate, hz float64, lead, n int64, enough func(misses int64) bool) (*Released, error) {
	deadline := r.deadline(hz)
	latency, wakeup := newLatencies(n), newLatencies(n)
	var misses, busy, last int64
	g := grid{period: nano / hz}
	seen := func(x released) bool {
		if x.index < 0 {
			return true
		}
		took := x.ended - x.due
		latency.add(took)
		busy += x.ended - x.began
		last = x.ended
		if took > deadline {
			misses++
		}
		if x.waited {
			wakeup.add(x.began - x.due)
		}
		return enough == nil || !enough(misses)
	}
	if job.Rest != nil {
		if err := job.Rest(); err != nil {
			return nil, err
		}
	}
	const soon = 1e6 // nanoseconds
	g.first = p.now() + soon
	g.first = g.release(lead)
	end := g.release(n) + deadline
	next, err := g.run(p, job, -lead, n, end, seen)
	if err != nil {
		return nil, err
	}
	out := &Released{Rate: hz, Deadline: float64(deadline) / nano}
	stopped := enough != nil && enough(misses)
	if next = max(next, 0); !stopped {
		// Releases that were due but never begun have waited until now.
		ended := max(p.now(), end)
		for ; next < n; next++ {
			latency.add(ended - g.release(next)) // beyond the deadline: for the last release that is end
			out.Unserved++
			misses++
		}
		last = max(last, g.release(n))
	}
	out.Releases, out.Misses = latency.n, misses
	if latency.n == 0 {
		return out, nil
	}
	out.MissLow, out.MissHigh = stats.ShareInterval(misses, latency.n, stats.Confidence, latency.inflation(deadline))
	out.Histogram = latency.bins()
	out.Latency = latency.percentiles(out.Histogram)
	out.Worst, out.Mean = float64(latency.worst)/nano, latency.sum/float64(latency.n)/nano
	out.Wakeup, out.WorstWakeup, out.Waited = wakeup.percentiles(wakeup.bins()), float64(wakeup.worst)/nano, wakeup.n
	out.Utilisation = float64(busy) / float64(max(1, latency.n-out.Unserved)) / g.period
	if seconds := float64(last-g.first) / nano; seconds > 0 {
		out.Throughput = float64(out.Releases-out.Unserved) / seconds
	}
	return out, nil
}
