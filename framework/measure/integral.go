package measure

import (
	"math"
	"slices"
	"sort"

	"example.org/bench/framework/stats"
)

// span is a stretch of time in seconds.
type span struct{ from, to float64 }

func (s span) length() float64         { return s.to - s.from }
func (s span) contains(t float64) bool { return s.from <= t && t <= s.to }

// series is the valid readings of one channel, ascending in time.
type series struct{ times, values []float64 }

// series returns the valid readings of channel i.
func (p *polled) series(i int) *series {
	s := &series{}
	for j := range p.n {
		if v := p.row(j)[i]; !math.IsNaN(v) && !math.IsInf(v, 0) {
			s.times = append(s.times, p.times[j])
			s.values = append(s.values, v)
		}
	}
	return s
}

// count returns how many readings of channel i are in w, and how many of them have no value.
func (p *polled) count(i int, w span) (readings, missing int) {
	for j := range p.n {
		if w.contains(p.times[j]) {
			readings++
			if v := p.row(j)[i]; math.IsNaN(v) || math.IsInf(v, 0) {
				missing++
			}
		}
	}
	return readings, missing
}

// changes returns the indices of readings that differ from the one before.
func (s *series) changes() []int {
	var at []int
	for i := 1; i < len(s.values); i++ {
		if s.values[i] != s.values[i-1] {
			at = append(at, i)
		}
	}
	return at
}

func (s *series) changeIntervals() []float64 {
	var d []float64
	at := s.changes()
	for i := 1; i < len(at); i++ {
		d = append(d, s.times[at[i]]-s.times[at[i-1]])
	}
	return d
}

func (s *series) fresh(w span) int {
	n := 0
	for _, i := range s.changes() {
		if w.contains(s.times[i]) {
			n++
		}
	}
	return n
}

// covers reports whether w neither begins nor ends with a stretch without readings that is longer
// than a twentieth of w and three polling intervals.
func (s *series) covers(w span, interval float64) bool {
	n, most := len(s.times), max(edgeShare*w.length(), 3*interval)
	return n > 0 && s.times[0]-w.from <= most && w.to-s.times[n-1] <= most
}

// at interpolates linearly. Before the first and after the last reading it returns the nearest one.
func (s *series) at(t float64) float64 {
	i := sort.SearchFloat64s(s.times, t)
	switch {
	case len(s.times) == 0:
		return math.NaN()
	case i == 0:
		return s.values[0]
	case i == len(s.times):
		return s.values[i-1]
	}
	t0, t1 := s.times[i-1], s.times[i]
	return s.values[i-1] + (s.values[i]-s.values[i-1])*(t-t0)/(t1-t0)
}

// integral returns the integral of the readings over exactly w, by trapezoids between readings and
// interpolated values at the edges.
func (s *series) integral(w span) float64 {
	t, v := w.from, s.at(w.from)
	sum := 0.0
	for i := sort.SearchFloat64s(s.times, w.from); i < len(s.times) && s.times[i] < w.to; i++ {
		sum += (s.times[i] - t) * (v + s.values[i]) / 2
		t, v = s.times[i], s.values[i]
	}
	return sum + (w.to-t)*(v+s.at(w.to))/2
}

// unwrap makes a counter that restarts at zero at wrapsAt grow for ever. It returns false if a
// counter that does not wrap steps back.
func (s *series) unwrap(wrapsAt float64) (ok bool) {
	offset := 0.0
	for i := 1; i < len(s.values); i++ {
		if s.values[i]+offset < s.values[i-1] {
			if wrapsAt <= 0 {
				return false
			}
			offset += wrapsAt
		}
		s.values[i] += offset
	}
	return true
}

// difference returns how much a counter grew over w. Between two updates its value is interpolated
// from where a change was first seen. Beyond the outermost changes it is assumed to grow as between
// the nearest two. The result is NaN if the changes enclose too little of w.
func (s *series) difference(w span) float64 {
	at := s.changes()
	if len(at) == 0 && len(s.values) > 1 {
		return 0
	}
	if len(at) < 2 || s.times[at[0]]-w.from > w.length()/2 || w.to-s.times[at[len(at)-1]] > w.length()/2 {
		return math.NaN()
	}
	value := func(t float64) float64 {
		i := sort.Search(len(at), func(i int) bool { return s.times[at[i]] >= t })
		i = min(max(i, 1), len(at)-1)
		a, b := at[i-1], at[i]
		return s.values[a] + (s.values[b]-s.values[a])*(t-s.times[a])/(s.times[b]-s.times[a])
	}
	return value(w.to) - value(w.from)
}

// enclosed returns the part of w between a counter's first and last change. What is after the last
// change is unknown while readings continue. It returns w if there are no two changes.
func (s *series) enclosed(w span) span {
	at := s.changes()
	if len(at) < 2 {
		return w
	}
	return span{max(w.from, s.times[at[0]]), min(w.to, s.times[at[len(at)-1]])}
}

// until returns the series without readings after t.
func (s *series) until(t float64) *series {
	n := sort.Search(len(s.times), func(i int) bool { return s.times[i] > t })
	return &series{s.times[:n], s.values[:n]}
}

// highest returns the largest reading.
func (s *series) highest() float64 { return slices.Max(s.values) }

// updates refines about, the shortest interval between changes, to the update period in w: the mean
// of the intervals, each divided by its number of periods. It returns about if w has no changes.
// inexact is the share by which the period may be off.
func (s *series) updates(w span, about float64) (period, inexact float64) {
	const least = 0.005
	var intervals []float64
	at := slices.DeleteFunc(s.changes(), func(i int) bool { return !w.contains(s.times[i]) })
	for i := 1; i < len(at); i++ {
		intervals = append(intervals, s.times[at[i]]-s.times[at[i-1]])
	}
	if len(intervals) == 0 {
		return about, least
	}
	one, q := about, stats.Summarize(intervals)
	if q.Median < 1.5*about { // a late update makes the next interval too short
		one = q.Median
	}
	sum, periods := 0.0, 0.0
	for _, d := range intervals {
		if n := math.Round(d / one); n >= 1 && n < 4 {
			sum, periods = sum+d, periods+n
		}
	}
	if periods == 0 {
		return about, least
	}
	return sum / periods, least + (q.Q3-q.Q1)/sum
}
