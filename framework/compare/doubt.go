package compare

import (
	"math"

	"example.org/bench/framework/record"
	"example.org/bench/framework/stats"
)

// crowded is the factor by which two times may differ because others used the machine or its GPU:
// the largest change that was seen (a copy at 38 GB/s and, on a loaded machine, at 3).
const crowded = 13

// levelShare is the share of the samples at either end that may be chance. Those between show which
// levels a series had.
const levelShare = 0.05

// levelsOf returns the lowest and the highest level of a doubtful median's series. The median is on
// one of the levels, and on which may be chance.
func levelsOf(t record.Statistics, sorted []float64) *[2]float64 {
	low, high := stats.Quantile(sorted, levelShare), stats.Quantile(sorted, 1-levelShare)
	include := func(x float64) {
		if !math.IsNaN(x) {
			low, high = min(low, x), max(high, x)
		}
	}
	include(t.Low.Float())
	include(t.High.Float())
	moved := 1 + math.Abs(t.Moved.Float())
	if t.Moved.Float() < 0 && t.Moved.Float() > -1 { // to a lower level: the factor is the inverse
		moved = 1 / (1 + t.Moved.Float())
	}
	include(t.Median.Float() / moved)
	include(t.Median.Float() * moved)
	return &[2]float64{low, high}
}

// reach returns the range in which the value may be: its levels, or its interval.
func (e Estimate) reach() (low, high float64) {
	if e.levels != nil {
		return e.levels[0], e.levels[1]
	}
	return *e.Low, *e.High
}

// widen extends the interval by what the tests do not know: the levels of a series that has
// several, and the effect of others that used the machine.
func (r *Ratio) widen() {
	if r.Low == nil || !r.doubtful() {
		return
	}
	low, high := *r.Low, *r.High
	if r.uncertain {
		baseLow, baseHigh := r.sides.base.reach()
		levelLow, levelHigh := r.sides.level.reach()
		low, high = min(low, levelLow/baseHigh), max(high, levelHigh/baseLow)
	}
	if r.disturbance != "" || r.shared != "" {
		low, high = min(low, r.Value/crowded), max(high, r.Value*crowded)
	}
	r.Low, r.High = &low, &high
}

// doubtful reports whether a side is too uncertain for a test to decide: its level moved, or others
// used the machine.
func (r *Ratio) doubtful() bool {
	return r.uncertain || r.disturbance != "" || r.shared != ""
}

// open reports whether the ratio may be on the other side of x, given the doubt.
func (r *Ratio) open(x float64) bool {
	return r.doubtful() && (r.Low == nil || *r.Low <= x && *r.High >= x)
}
