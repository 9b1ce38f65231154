package measure

import (
	"fmt"
	"math"
	"strings"
	"time"

	"example.org/bench/framework/config"
	"example.org/bench/framework/stats"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
)

// The rule's constants. Each was chosen by the false-stop rates that
// TestFalseStops prints.
const (
	// stopConfidence is the confidence of the interval that must become narrow. It is above
	// Summary's because the rule looks more than once.
	stopConfidence = 0.99
	// lookGrowth is the factor between the sample counts of two looks.
	lookGrowth = 1.2
	// settledGrowth is the growth in samples over which the interval, which narrows with the square
	// root of their number, should have halved. From settledRatio on it has not. settledSamples is
	// the least number of samples whose interval is worth comparing.
	settledGrowth  = 4
	settledRatio   = 0.85
	settledSamples = 40
	// warmupShare is the share of the samples at the start that may lie at another level, as long
	// as the median is not affected.
	warmupShare = 0.1
	// driftGrowth is how many times the samples of the first look must be
	// taken before a change of level ends the series.
	driftGrowth = 8
	// driftZ is added to changeZ for that. Every look adds a chance of a false alarm, and this one
	// is final.
	driftZ = 1.5
	// equalSamples is how many equal samples must be taken before they count as known, if the
	// clock's resolution is unknown.
	equalSamples = 30
)

// changeZ returns by how many standard deviations the ranks before and after some sample must
// differ to count as a change of level. It grows with the number of cuts that are tried.
func changeZ(n int) float64 { return 2.6 + 0.22*math.Log(max(1, float64(n)/40)) }

// NewRule returns the rule that ends a series as m says. It stops, converged,
// as soon as all of these hold:
//
//   - there are MinSamples samples, and their time (sample times batch) adds
//     up to MinTime;
//   - half the width of the 99 % interval of the median
//     (stats.MedianInterval), widened by half a step of the clock, is at most
//     Noise of the median;
//   - the level did not change: no cut splits the series into two parts whose
//     ranks differ significantly and whose medians differ by more than Noise
//     (Pettitt, "A Non-parametric Approach to the Change-point Problem", with
//     the statistic standardised so that it sees changes near the ends). A
//     start at another level is forgiven where the median does not feel it.
//
// It stops, not converged, when four times the samples have not narrowed the
// interval (what nvbench calls settled noise), when a change of level is still
// there after eight times the samples of the first look, or when Timeout
// seconds of wall time have passed since NewRule (Patience), at which it looks once more.
//
// The rule looks when MinSamples and MinTime are reached and then whenever
// there are 1.2 times as many samples as at the last look, so that Add costs
// constant time on average and looking often does not make luck likely.
func NewRule(m config.Measure) *Rule {
	start := time.Now()
	return newRule(m, func() float64 { return time.Since(start).Seconds() })
}

func newRule(m config.Measure, elapsed func() float64) *Rule {
	return &Rule{m: m, elapsed: elapsed, batch: 1}
}

// Rule decides when a series has enough samples to know its median.
type Rule struct {
	m          config.Measure
	elapsed    func() float64 // wall seconds since the start
	batch      int
	resolution float64 // of one sample: the clock's divided by the batch
	wall       bool    // set by CountWall
	patience   float64 // set by Patience; 0: none

	samples []float64
	time    float64 // run time of all samples
	invalid int     // samples that are not positive numbers

	next  int // sample count of the next look; 0 before the first
	first int // sample count of the first look
	looks []look

	bar bar

	stop, converged bool
	reason          string
	moved           float64       // the result of Moved
	series          *stats.Series // the samples at the last inspect
}

// look is what one look at the samples found.
type look struct {
	count int
	// half is half the width of the median's interval, relative to the median; +Inf if there are
	// too few samples. ranks is the same from order statistics alone.
	half, ranks float64
	step        float64 // of the clock, relative to the median
}

// Clock describes the samples from here on: each is the mean over batch runs, timed by a clock with
// that resolution in seconds (0 if unknown: the rule then infers it from repeated values). By
// default a sample is one run.
func (r *Rule) Clock(batch int, resolution float64) {
	r.batch = max(batch, 1)
	r.resolution = resolution / float64(r.batch)
}

// CountWall makes MinTime count as wall time since NewRule, for samples of which
// most is not the run.
func (r *Rule) CountWall() { r.wall = true }

// Patience ends a series that has MinSamples after so many seconds, if Timeout is later.
func (r *Rule) Patience(seconds float64) { r.patience = seconds }

// limit returns when a series ends that has as many samples as now.
func (r *Rule) limit() float64 {
	if r.patience > 0 && len(r.samples) >= r.m.MinSamples {
		return min(r.patience, r.m.Timeout)
	}
	return r.m.Timeout
}

// late reports whether the limit has passed.
func (r *Rule) late() bool { return r.elapsed() >= r.limit() }

// spent returns the time to compare with MinTime.
func (r *Rule) spent() float64 {
	if r.wall {
		return r.elapsed()
	}
	return r.time
}

// Add adds a sample, the seconds of one run.
func (r *Rule) Add(sample float64) {
	if !(sample > 0) || math.IsInf(sample, 0) {
		r.invalid++
		return
	}
	r.samples = append(r.samples, sample)
	r.time += sample * float64(r.batch)
	r.bar.add(sample)
}

// Done reports after an Add whether the series must stop. converged means that the median is known.
// reason says in words what ended the series, and is empty before.
func (r *Rule) Done() (stop, converged bool, reason string) {
	if r.stop {
		return true, r.converged, r.reason
	}
	if why, ok := r.bar.passed(len(r.samples)); ok {
		r.end(false, why)
		return r.stop, r.converged, r.reason
	}
	late := r.late()
	if n := len(r.samples); n >= r.m.MinSamples && r.spent() >= r.m.MinTime && n > 0 && (n >= r.next || late) {
		r.look()
	}
	if !r.stop && late {
		r.end(false, fmt.Sprintf("timeout after %.3g s: %s", r.limit(), r.unmet()))
	}
	return r.stop, r.converged, r.reason
}

func (r *Rule) end(converged bool, reason string) {
	r.stop, r.converged, r.reason = true, converged, reason
	if len(r.samples) > 0 {
		r.inspect()
		r.moved = r.change(0, true)
	}
	r.series = nil
}

// Moved returns the share of the earlier level by which the level changed while sampling, once the
// rule has stopped. It is 0 without a change beyond what samples that resemble each other show by
// chance.
func (r *Rule) Moved() float64 { return r.moved }

func (r *Rule) look() {
	n := len(r.samples)
	if r.first == 0 {
		r.first = n
	}
	r.next = int(math.Ceil(float64(n) * lookGrowth))
	l := r.inspect()
	r.looks = append(r.looks, l)
	switch {
	case l.half <= r.m.Noise && r.change(0, false) == 0:
		r.end(true, fmt.Sprintf("median known within %s after %s", digits.Percent(l.half), terminal.Count(n, "sample")))
	case l.half > r.m.Noise && r.settled(l):
		r.end(false, fmt.Sprintf("noise settled after %s: %s", terminal.Count(n, "sample"), r.unmet()))
	case n >= driftGrowth*r.first && r.change(driftZ, false) != 0:
		r.end(false, fmt.Sprintf("drift after %s: %s", terminal.Count(n, "sample"), r.unmet()))
	}
}

// settled compares with the latest look at a quarter of the samples or less.
func (r *Rule) settled(now look) bool {
	for i := len(r.looks) - 1; i >= 0; i-- {
		if then := r.looks[i]; then.count*settledGrowth <= now.count {
			return then.count >= settledSamples && now.ranks >= settledRatio*then.ranks
		}
	}
	return false
}

// unmet returns which conditions do not hold.
func (r *Rule) unmet() string {
	var parts []string
	if n := len(r.samples); n < r.m.MinSamples {
		parts = append(parts, fmt.Sprintf("%d of %s", n, terminal.Count(r.m.MinSamples, "sample")))
	}
	if spent := r.spent(); spent < r.m.MinTime {
		kind := "run time"
		if r.wall {
			kind = "wall time"
		}
		parts = append(parts, fmt.Sprintf("%.3g of %.3g s %s", spent, r.m.MinTime, kind))
	}
	if r.invalid > 0 {
		parts = append(parts, fmt.Sprintf("%s had no positive time", terminal.Count(r.invalid, "sample")))
	}
	if len(r.samples) > 0 {
		l := r.inspect()
		switch {
		case math.IsInf(l.half, 1):
			parts = append(parts, "too few samples to know the median's noise")
		case l.half > r.m.Noise:
			text := fmt.Sprintf("median known within %s, %s %% asked for", digits.Percent(l.half), digits.Stated(100*r.m.Noise, ""))
			if l.step > r.m.Noise {
				text += fmt.Sprintf(" (one step of the clock is %s)", digits.Percent(l.step))
			}
			parts = append(parts, text)
		}
		if change := r.change(0, false); change != 0 {
			sign := ""
			if change > 0 {
				sign = "+"
			}
			parts = append(parts, "the level changed by "+sign+digits.Percent(change)+" while sampling")
		}
	}
	return strings.Join(parts, "; ")
}

// inspect computes a look at the samples of now, of which there is at least one.
func (r *Rule) inspect() look {
	n := len(r.samples)
	switch {
	case r.series == nil:
		r.series = stats.NewSeries(r.samples)
	case len(r.series.Samples) != n:
		r.series = r.series.Extend(r.samples)
	}
	median, sorted := r.series.Median(), r.series.Sorted
	l := look{count: n, half: math.Inf(1), ranks: math.Inf(1)}
	low, high, ok := r.series.RankInterval(stopConfidence)
	if !ok {
		return l
	}
	step := r.resolution
	if step == 0 {
		if n < equalSamples && sorted[0] == sorted[n-1] {
			return l
		}
		step = clockStep(sorted)
	}
	l.step = step / median
	l.ranks = max(median-low, high-median)/median + l.step/2
	low, high = r.series.WiderByBlocks(low, high, stopConfidence)
	l.half = max(median-low, high-median)/median + l.step/2
	return l
}

// change returns the share of the earlier level by which the level changed in the samples, or 0 if
// no change stands out by more than changeZ + extra. With alike it accounts for samples that
// resemble each other within a level. It must follow inspect.
//
// The rule itself ignores this resemblance: a trend resembles itself, too, and a series that
// continues for a false alarm costs only time.
func (r *Rule) change(extra float64, alike bool) float64 {
	median, series := r.series.Median(), r.series
	for start := 0; ; series = stats.NewSeries(r.samples[start:]) {
		rest := series.Samples
		at, z, resemblance := series.ChangePoint()
		if alike {
			z *= math.Sqrt((1 - resemblance) / (1 + resemblance))
		}
		if z < changeZ(len(rest))+extra {
			return 0
		}
		before, after := stats.Median(rest[:at]), stats.Median(rest[at:])
		if math.Abs(after-before)/median <= r.m.Noise {
			return 0
		}
		start += at
		if float64(start) > warmupShare*float64(len(r.samples)) || math.Abs(after-median) > r.m.Noise/2*median {
			return after/before - 1
		}
	}
}

// clockStep infers the step of the clock from sorted samples: the smallest distance between two
// values, if at least half of the samples share their value with another. It is 0 if they do not,
// or if all are equal.
func clockStep(sorted []float64) float64 {
	step, distinct := math.Inf(1), 1
	for i := 1; i < len(sorted); i++ {
		// Rounding differences are not a step.
		if d := sorted[i] - sorted[i-1]; d > 1e-12*sorted[i] {
			distinct++
			step = min(step, d)
		}
	}
	if distinct == 1 || 2*distinct > len(sorted) {
		return 0
	}
	return step
}
