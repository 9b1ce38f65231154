package changepoint

import (
	"math"
	"slices"
)

// Before and After are the fewest values of a level before a change and behind it; two
// behind are enough where they are very far off.
const (
	Before = 10
	After  = 3
)

// What the detector is tuned by. The threshold is of false alarms, by simulation
// (results/history); the others were chosen there, too.
const (
	// threshold is the statistic, a logarithm, beyond which there is a change.
	threshold = 5.75
	// clip is how many standard deviations from the baseline's median a value counts
	// at most.
	clip = 3
	// priorSize is the standard deviation of sizes that are looked for, in those of
	// the noise.
	priorSize = 3
	// priorValues is how many values' worth the baseline's scatter has for those
	// behind it.
	priorValues = 3
	// few is what the evidence of a place loses by having few values before it: is
	// their noise as it seems? fewBehind is the same of values behind it: are they
	// outliers? Both by the number of values; many before a place tell enough.
	few, many, fewBehind = 60, 90, 3
	// apartBy is how many standard deviations off the baseline values are that count by
	// being there, and apartCosts what their evidence loses: a few in a row may be outliers.
	apartBy, apartCosts = 6, 3.0
	// enough values before two that are veryFarBy standard deviations off make those a
	// change. Nearer, or behind fewer, too many pairs of outliers would be changes.
	enough, veryFarBy = 60, 8.25
	// resembling is how likely it is beforehand that values resemble their neighbours.
	resembling = 0.1
	// farthest is how many values behind a place are looked at: an older change was
	// found, or is too small.
	farthest = 100
	// outlying is how many standard deviations from its level an outlier is.
	outlying = 5
	// surelyWithin is the evidence by which a place is not that of the change.
	surelyWithin = 3
	// stepsWorth is by how much each step has to explain the values better than a line
	// does, which is a drift otherwise.
	stepsWorth = 2
)

// Change is one of level, or a drift.
type Change struct {
	// At is the first value of the new level, of a drift the first that belongs to it.
	At int `json:"at"`
	// First and Last bound At: other places have much less evidence.
	First int `json:"first"`
	Last  int `json:"last"`
	// Found is the value that showed it.
	Found int `json:"found"`
	// Drift is set where a slope describes the values better than a step.
	Drift bool `json:"drift"`
	// Size is the difference of the levels, Low and High its 95 % interval; of a drift
	// it is from the first value to the last.
	Size float64 `json:"size"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Level is what the values from From to before To have in common.
type Level struct {
	From, To int
	// Mean is that of the values, outliers counting as nearer ones; Low and High are
	// its 95 % interval. Noise is their standard deviation.
	Mean, Low, High, Noise float64
	// Two are the means of two groups that the values are in, where they are.
	Two []float64
}

// Result is what a series shows.
type Result struct {
	Changes  []Change
	Levels   []Level // one more than Changes, unless there are no values
	Outliers []int
}

// Judged reports whether a change could have been found since the last one.
func (r Result) Judged() bool {
	if len(r.Changes) > 0 {
		return true
	}
	return len(r.Levels) > 0 && r.Levels[0].To >= Before+After
}

// Detect finds the changes in values, looking at each once it is there: what it finds
// in a series is found in every longer one, too, but for places and sizes, which later
// values show better, and for steps that turn out to be one drift.
func Detect(values []Value) (r Result) {
	last := -1
	var found []Change
	starts := []int{0}
	for start := 0; ; {
		at, n := firstChange(values[start:])
		if at == 0 {
			break
		}
		last = max(last, start+n)
		found = append(found, Change{At: start + at, Found: last})
		start += at
		starts = append(starts, start)
	}
	end := func(i int) int {
		if i+1 < len(found) {
			return found[i+1].At
		}
		return len(values)
	}
	for i := range found {
		if i > 0 {
			starts[i] = found[i-1].At
		}
		found[i].place(values[:end(i)], starts[i])
	}
	for i := range found {
		found[i].measure(values[:end(i)], starts[i])
	}
	for i := 0; i < len(found); {
		c, after := found[i], i+1
		steps := 0.0
		for j := i; j < len(found) && (found[j].Size > 0) == (c.Size > 0); j++ {
			from := found[j].At
			if j == i {
				from = starts[i]
			}
			steps += scatter(values, from, found[j].At, end(j))
			n := end(j) - starts[i]
			if slope, off := bent(values[starts[i]:end(j)], c.At-starts[i], j > i || end(j)-c.At >= bendable); float64(n)*math.Log(off/steps) < stepsWorth*float64(j+1-i) {
				c.Found, c.Last, after = found[j].Found, max(found[i].Last, found[j].Last), j+1
				c.drift(slope, n, found[j])
			}
		}
		r.Changes = append(r.Changes, c)
		i = after
	}
	from := 0
	for i := 0; i <= len(r.Changes) && len(values) > 0; i++ {
		to := len(values)
		if i < len(r.Changes) {
			to = r.Changes[i].At
		}
		level, far := levelOf(values, from, to)
		r.Levels, r.Outliers = append(r.Levels, level), append(r.Outliers, far...)
		from = to
	}
	return r
}

// drift makes a change one of a slope over n values; the interval is as wide as that of
// a step.
func (c *Change) drift(slope float64, n int, step Change) {
	half := (step.High - step.Low) / 2
	c.Drift, c.Size = true, slope*float64(n-1)
	c.Low, c.High = c.Size-half, c.Size+half
}

// firstChange is the place of the first change and the value that showed it; 0 for none.
func firstChange(values []Value) (at, found int) {
	var places []*place // with After values behind and more
	for n := Before + After - 1; n <= len(values); n++ {
		if len(places) > 0 {
			if at, e := strongest(values[:n], places); e > threshold {
				return at, n - 1
			}
		}
		b := baselineOf(values[:n-After+1])
		if b.veryFar(values[n-After+1 : n]) {
			return n - After + 1, n - 1
		}
		places = append(places, &place{baseline: b, sums: b.sums})
		places = places[max(0, len(places)-farthest):]
	}
	return 0, 0
}

// strongest is the place with the most evidence, and the logarithm of the sum of all.
func strongest(values []Value, places []*place) (at int, sum float64) {
	evidence := make([]float64, len(places))
	for i, p := range places {
		evidence[i] = p.evidence(values[int(p.n):])
	}
	sum = logSum(evidence)
	return int(places[slices.Index(evidence, slices.Max(evidence))].n), sum
}
