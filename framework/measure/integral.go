package measure

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// span is a stretch of time in seconds.
type span struct{ from, to float64 }

func (s span) length() float64         { return s.to - s.from }
func (s span) contains(t float64) bool { return s.from <= t && t <= s.to }

// series is the readings of one channel that gave a value, ascending in time.
type series struct{ times, values []float64 }

// series picks channel i out of the rows.
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

// count returns how many readings of channel i fell into w, and how many of
// them gave no value.
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

// changes are the indices of readings that differ from the one before.
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

// at interpolates linearly; before the first and after the last reading the
// nearest one holds.
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

// integral is that of the readings over exactly w, by trapezoids between
// readings and interpolated values at the edges.
func (s *series) integral(w span) float64 {
	t, v := w.from, s.at(w.from)
	sum := 0.0
	for i := sort.SearchFloat64s(s.times, w.from); i < len(s.times) && s.times[i] < w.to; i++ {
		sum += (s.times[i] - t) * (v + s.values[i]) / 2
		t, v = s.times[i], s.values[i]
	}
	return sum + (w.to-t)*(v+s.at(w.to))/2
}

// unwrap makes a counter that starts again at zero when it reaches wrapsAt
// grow for ever. It is not ok where a counter that does not wrap steps back.
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

// difference is how much a counter grew over w. Its value between two updates
// is interpolated from where it was first seen changed; beyond the outermost
// changes it is taken to grow as between the nearest two. NaN where the
// changes enclose too little of w to tell.
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

// powerUncertainty is half the 95 % interval of the integral over w, whose
// mean is mean. It adds, as squares, the standard error of the fresh readings
// (no more of them independent than averaging times fit into w), half a step
// of the sensor where readings hardly leave one step, and, for each edge, what
// one update period at the edge's power instead of the mean makes.
func (s *series) powerUncertainty(w span, mean, period, averaging float64) float64 {
	var fresh []float64
	step := math.Inf(1)
	for _, i := range s.changes() {
		step = min(step, math.Abs(s.values[i]-s.values[i-1]))
		if w.contains(s.times[i]) {
			fresh = append(fresh, s.values[i])
		}
	}
	if math.IsInf(step, 1) {
		return 0
	}
	scatter, quantum := 0.0, step/2
	if n := float64(len(fresh)); n >= 2 {
		stdev := stat.StdDev(fresh, nil)
		if averaging > 0 {
			n = max(2, min(n, w.length()/averaging))
		}
		scatter = distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975) * stdev / math.Sqrt(n)
		if stdev > step/2 {
			quantum = 0 // the scatter moves readings over the steps and counts them
		}
	}
	edges := period * math.Hypot(s.at(w.from)-mean, s.at(w.to)-mean)
	return math.Hypot(w.length()*math.Hypot(scatter, quantum), edges)
}

// counterUncertainty is half the 95 % interval of a counter's difference: each
// edge is known within one polling interval, evenly spread.
func (s *series) counterUncertainty(mean, interval float64) float64 {
	if len(s.changes()) == 0 {
		return 0
	}
	return 1.96 * math.Abs(mean) * interval / math.Sqrt(6)
}
