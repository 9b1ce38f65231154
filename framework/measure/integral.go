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

// covers is false if w begins or ends with a stretch without readings that
// is longer than a twentieth of w and three polling intervals.
func (s *series) covers(w span, interval float64) bool {
	n, most := len(s.times), max(edgeShare*w.length(), 3*interval)
	return n > 0 && s.times[0]-w.from <= most && w.to-s.times[n-1] <= most
}

// at interpolates linearly; before the first and after the last reading it
// takes the nearest one.
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

// unwrap makes a counter that restarts at zero when it reaches wrapsAt grow
// forever. It is not ok if a counter that does not wrap steps back.
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
// mean is mean. period is how often the sensor takes a new value, or over how
// long it averages where it says so; interval is that of polling. It adds, as
// squares:
//
//   - the standard error of the readings, one a period: their scatter is that
//     of successive differences (J. von Neumann, "Distribution of the Ratio of
//     the Mean Square Successive Difference to the Variance", 1941), which a
//     power that changes over the window does not enlarge;
//   - the delay of up to a period with which a reading shows the power, at the
//     edges' power instead of the mean. Both edges may err to the same side;
//   - gaps between readings, over which the power may be as far from the line
//     between them as readings scatter; twice as far where the nearest reading
//     holds up to an edge;
//
// and, as it is, the sensor's step: whether it rounds or cuts off is not known.
// Where the scatter moves readings over the steps half a step remains, else a
// whole.
func (s *series) powerUncertainty(w span, mean, period, interval float64) float64 {
	step := math.Inf(1)
	for _, i := range s.changes() {
		step = min(step, math.Abs(s.values[i]-s.values[i-1]))
	}
	if math.IsInf(step, 1) {
		return 0
	}
	var differences, readings []float64
	gaps := 0.0 // sum of squares
	for _, held := range []float64{s.times[0] - w.from, w.to - s.times[len(s.times)-1]} {
		gaps += 4 * max(held, 0) * max(held, 0)
	}
	last, since := math.NaN(), math.Inf(-1)
	for i, t := range s.times {
		if !w.contains(t) {
			continue
		}
		if readings = append(readings, s.values[i]); i > 0 && t-s.times[i-1] > 3*interval {
			gaps += (t - s.times[i-1]) * (t - s.times[i-1])
		}
		// A little less than a period, as polling is not exact.
		if t-since < 0.9*max(period, interval) {
			continue
		}
		if !math.IsNaN(last) {
			differences = append(differences, s.values[i]-last)
		}
		last, since = s.values[i], t
	}
	scatter, quantum := 0.0, step
	if n := float64(len(differences)); n >= 2 {
		sum := 0.0
		for _, d := range differences {
			sum += d * d
		}
		stdev := math.Sqrt(sum / (2 * n))
		scatter = distuv.StudentsT{Sigma: 1, Nu: n}.Quantile(0.975) * stdev / math.Sqrt(n+1)
		if stdev > step/2 {
			quantum = step / 2
		}
	}
	edges := (period + interval) * (math.Abs(s.at(w.from)-mean) + math.Abs(s.at(w.to)-mean))
	missing := 0.0
	if gaps > 0 {
		missing = 1.96 * stat.StdDev(readings, nil) * math.Sqrt(gaps) / 2
	}
	return w.length()*quantum + math.Hypot(w.length()*scatter, math.Hypot(edges, missing))
}

// counterUncertainty is half the 95 % interval of a counter's difference over
// w, whose mean power is mean. Each edge is known within one polling interval,
// evenly spread, and between two updates the power is not known: it may differ
// from their mean as much as the means of the window's updates scatter.
func (s *series) counterUncertainty(w span, mean, interval float64) float64 {
	at := s.changes()
	if len(at) == 0 {
		return 0
	}
	var powers []float64
	period := 0.0
	for i := 1; i < len(at); i++ {
		a, b := at[i-1], at[i]
		if !w.contains(s.times[a]) && !w.contains(s.times[b]) {
			continue
		}
		dt := s.times[b] - s.times[a]
		period = max(period, dt)
		powers = append(powers, (s.values[b]-s.values[a])/dt)
	}
	polling := 1.96 * math.Abs(mean) * interval / math.Sqrt(6)
	if len(powers) < 2 {
		return polling
	}
	// The error of an edge in the middle of two updates: half of their time.
	within := 1.96 * math.Sqrt2 * stat.StdDev(powers, nil) * period / 2
	return math.Hypot(polling, within)
}
