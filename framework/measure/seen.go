package measure

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat"

	"example.org/bench/framework/stats"
)

// Time constants in seconds with which a board's power may follow its load; 0 is at once. All of it
// may follow within milliseconds (regulators, clocks), and a part more slowly (leakage, fans).
var (
	lags     = []float64{0, 0.005, 0.01, 0.02, 0.03, 0.05}
	slowLags = []float64{0.1, 0.3, 1}
)

const (
	// lessUnexplained is the factor by which a lag must reduce the unexplained variance to count. A
	// lag that is not there would blur the window.
	lessUnexplained = 0.8
	// alike is the correlation of share and lagging share beyond which the two cannot
	// be told apart.
	alike = 0.99
	// regularShare is the most by which regular updates vary, as the time between the quartiles in
	// relation to the period.
	regularShare = 0.25
	// earlyShare is the share of a period by which a value may be newer than it seems.
	earlyShare = 0.2
)

// fitSeen finds the window before an update, and its delay, whose share of load explains the
// readings best. It tries both coarsely and then around the best. The model includes a lag of power
// behind the load. An update is taken to have come between the last reading of the value before and
// the first of its own, or at regular moments, whichever explains more.
func fitSeen(s *series, on []span, period float64) (Seen, error) {
	at := s.changes()
	if len(at) < leastChanges {
		return Seen{}, fmt.Errorf("%d new values while the load changed, want %d", len(at), leastChanges)
	}
	f := fit{values: make([]float64, len(at))}
	between, seen := make([]float64, len(at)), make([]float64, len(at))
	for i, j := range at {
		seen[i], between[i], f.values[i] = s.times[j], (s.times[j-1]+s.times[j])/2, s.values[j]
	}
	moments := [][]float64{between}
	if times, each := regular(seen, period); times != nil {
		moments, period = append(moments, times), each
	}
	prompt := newLagging(on, 0)
	var models []model
	for _, lag := range lags {
		models = append(models, model{load: newLagging(on, lag)})
	}
	for _, lag := range slowLags {
		models = append(models, model{load: prompt, part: newLagging(on, lag)})
	}
	best := Seen{}
	for i, m := range models {
		for _, times := range moments {
			f.times = times
			x := f.best(m, period)
			if i == 0 && x.Explained > best.Explained || 1-x.Explained < lessUnexplained*(1-best.Explained) {
				best = x
			}
		}
	}
	if best.Explained < leastExplained {
		return best, fmt.Errorf("the readings do not follow the load (%.0f %% explained, want %.0f)", 100*best.Explained, 100*leastExplained)
	}
	best.Delay = max(0, best.Delay)
	return best, nil
}

// fit holds the readings to explain.
type fit struct {
	times, values []float64 // of the updates
	ends          map[end][]float64
}

// end is the end of the windows before the updates, which many windows share.
type end struct {
	load  *lagging
	delay float64
}

// model says how power follows the load. part, if not nil, follows more slowly than the rest.
type model struct{ load, part *lagging }

// best searches windows and delays.
func (f *fit) best(m model, period float64) Seen {
	best := Seen{Period: period}
	f.ends = map[end][]float64{}
	try := func(window, delay float64) {
		if x := f.explained(m, window, delay); x > best.Explained {
			best.Window, best.Delay, best.Explained = window, delay, x
		}
	}
	for w := 0.05; w < 12; w *= 1.15 {
		for d := -earlyShare; d < 1.5; d += 0.05 {
			try(w*period, d*period)
		}
	}
	for range 3 {
		about := best
		for _, w := range []float64{0.9, 0.94, 0.97, 1, 1.03, 1.06, 1.1} {
			for d := -0.04; d < 0.05; d += 0.01 {
				try(w*about.Window, about.Delay+d*period)
			}
		}
	}
	return best
}

// explained returns the share of the readings' variance that the model explains.
func (f *fit) explained(m model, window, delay float64) float64 {
	share := f.means(m.load, window, delay)
	r := stat.Correlation(share, f.values, nil)
	if !(r > 0) {
		return 0
	}
	if m.part == nil {
		return r * r
	}
	late := f.means(m.part, window, delay)
	q, both := stat.Correlation(late, f.values, nil), stat.Correlation(share, late, nil)
	if math.IsNaN(q) || math.Abs(both) > alike || r <= q*both { // the share itself must count
		return 0
	}
	return (r*r + q*q - 2*r*q*both) / (1 - both*both)
}

// means returns the means of a load over the window before each update.
func (f *fit) means(load *lagging, window, delay float64) []float64 {
	ends, ok := f.ends[end{load, delay}]
	if !ok {
		ends = f.until(load, delay)
		if f.ends != nil {
			f.ends[end{load, delay}] = ends
		}
	}
	x := f.until(load, delay+window)
	for i, from := range x {
		x[i] = (ends[i] - from) / window
	}
	return x
}

// until returns the integrals of a load until before seconds before each update.
func (f *fit) until(load *lagging, before float64) []float64 {
	x := make([]float64, len(f.times))
	for i, t := range f.times {
		x[i] = load.until(t - before)
	}
	return x
}

// regular returns the moments of updates that come each period, and makes the period exact, or nil
// if the updates seen are not that regular. No value was seen before these moments; one seen later
// was read late.
func regular(seen []float64, period float64) (times []float64, each float64) {
	n := make([]float64, len(seen))
	for i := 1; i < len(seen); i++ {
		n[i] = n[i-1] + math.Max(1, math.Round((seen[i]-seen[i-1])/period))
	}
	var first float64
	first, each = stat.LinearRegression(n, seen, nil, false)
	late := make([]float64, len(seen))
	for i := range seen {
		late[i] = seen[i] - first - each*n[i]
	}
	q := stats.Summarize(late)
	if q.Q3-q.Q1 > regularShare*period {
		return nil, period
	}
	slices.Sort(late)
	earliest := stats.Quantile(late, 0.05) // a single early one is no sign for the others
	times = make([]float64, len(seen))
	for i := range times {
		times[i] = first + each*n[i] + earliest
	}
	return times, each
}

// lagging is the integral of a load that is 1 while on and otherwise 0, behind a first-order lag.
type lagging struct {
	lag   float64
	times []float64 // when it changes
	after []float64 // 1 if the load is on from then on
	level []float64 // at these times
	sum   []float64 // integral until them
}

func newLagging(on []span, lag float64) *lagging {
	l := &lagging{lag: lag}
	level, sum, last, was := 0.0, 0.0, math.Inf(-1), 0.0
	add := func(t, to float64) {
		if !math.IsInf(last, -1) {
			var more float64
			level, more = l.step(level, was, t-last)
			sum += more
		}
		l.times, l.after = append(l.times, t), append(l.after, to)
		l.level, l.sum = append(l.level, level), append(l.sum, sum)
		last, was = t, to
	}
	for _, s := range on {
		add(s.from, 1)
		add(s.to, 0)
	}
	return l
}

// step returns the level after seconds towards a target, and the integral over them.
func (l *lagging) step(level, target, seconds float64) (after, integral float64) {
	if l.lag == 0 {
		return target, target * seconds
	}
	left := math.Exp(-seconds / l.lag)
	return target + (level-target)*left, target*seconds + (level-target)*l.lag*(1-left)
}

// until returns the integral from the beginning to t.
func (l *lagging) until(t float64) float64 {
	i := sort.SearchFloat64s(l.times, t) - 1
	if i < 0 {
		return 0
	}
	_, more := l.step(l.level[i], l.after[i], t-l.times[i])
	return l.sum[i] + more
}
