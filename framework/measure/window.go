package measure

import (
	"math"
	"sort"

	"example.org/bench/framework"
)

// mark is a moment between runs, and how many were finished by then.
type mark struct {
	time float64
	runs int64
}

// load is the whole runs in a window.
type load struct {
	window span
	runs   int64
	// ended is when the load ended, at or after the window's end.
	ended float64
}

// run returns how long one run took, in seconds.
func (l load) run() float64 { return l.window.length() / float64(l.runs) }

// watch finds the window in which a load is measured, while the load runs.
type watch struct {
	meter      *Meter
	base       float64 // when the load began
	marks      []mark
	start, end int  // of the window, in marks; negative until found
	swings     bool // power was not level in the end
}

// stop is the function for a Sustain. It ends the load when the window is full and the sensors have
// seen a little more.
func (w *watch) stop(elapsed float64, runs int64) bool {
	m := w.meter
	if math.IsNaN(w.base) {
		w.base = m.clock.now() - elapsed
	}
	now := w.base + elapsed
	if n := len(w.marks); n > 0 && w.marks[n-1].runs == runs {
		return false // nothing was finished since
	}
	w.marks = append(w.marks, mark{now, runs})
	last := len(w.marks) - 1
	if w.start < 0 {
		if elapsed >= m.lead {
			w.start = last
		}
		return false
	}
	if w.end >= 0 {
		return now-w.marks[w.end].time >= m.tail
	}
	window := span{w.marks[w.start].time, now}
	if window.length() < m.window {
		return false
	}
	if !m.level(window, runs-w.marks[w.start].runs) {
		if elapsed < m.lead+2*m.window {
			w.start = w.after(window.from + m.window/4)
			return false
		}
		w.swings = true
	}
	w.end = last
	m.step() // takes readings that a busy machine kept the poller from taking
	// One more run after a long one would cost much and tell little.
	return window.length()/float64(runs-w.marks[w.start].runs) > 10*m.tail
}

// after returns the first mark from t on.
func (w *watch) after(t float64) int {
	i := sort.Search(len(w.marks), func(i int) bool { return w.marks[i].time >= t })
	return min(i, len(w.marks)-1)
}

// load returns what the window holds after the load has ended. runs and seconds are what the
// Sustain returned. A load that ended by itself is measured as a whole.
func (w *watch) load(runs int64, seconds, ended float64) load {
	if w.end < 0 {
		return load{span{ended - seconds, ended}, runs, ended}
	}
	a, b := w.marks[w.start], w.marks[w.end]
	return load{span{a.time, b.time}, b.runs - a.runs, max(ended, b.time)}
}

const (
	// levelBlocks is the number of blocks of a span that show whether power is level. There are
	// fewer if the sensor does not have a new value for each.
	levelBlocks = 16
	fewestBlock = 6
	// levelShare is the change of power that matters.
	levelShare = 0.02
)

// level reports whether the power of each total channel stayed the same within the span, by the
// means of its blocks (changed). A block lasts at least as long as a run, because power may vary
// within a run. A channel with too few readings is ignored.
func (m *Meter) level(s span, runs int64) bool {
	m.reading.Lock()
	defer m.reading.Unlock()
	for _, p := range m.sensors {
		for i, ch := range p.channels {
			if measuresEnergy(ch) && ch.Role == framework.Total && changed(p.blocks(i, s, runs)) {
				return false
			}
		}
	}
	return true
}

// blocks returns the mean powers of a channel in blocks of a span; nil for too few new values.
func (p *polled) blocks(channel int, w span, runs int64) []float64 {
	period := max(p.periods[channel], p.interval)
	n := int(min(levelBlocks, w.length()/period, float64(runs)))
	if n < fewestBlock {
		return nil
	}
	s := p.series(channel)
	integral := s.integral
	if ch := p.channels[channel]; ch.Counter {
		if !s.unwrap(ch.WrapsAt) {
			return nil
		}
		integral, w = s.difference, s.enclosed(w)
		if n = int(min(float64(n), w.length()/period)); n < fewestBlock {
			return nil
		}
	}
	means := make([]float64, n)
	h := w.length() / float64(n)
	for i := range means {
		b := span{w.from + float64(i)*h, w.from + float64(i+1)*h}
		if means[i] = integral(b) / h; math.IsNaN(means[i]) {
			return nil
		}
	}
	return means
}

// changed reports whether the level of x changed somewhere. Two things must hold: the largest
// cumulative sum of deviations from the mean, relative to the scatter of successive differences,
// exceeds what 5 % of level series of independent values exceed (E. S. Page, "Continuous Inspection
// Schemes", 1954); and the means before and after differ by more than 2 %. critical is from
// simulation (TestLevelErrors).
func changed(x []float64) bool {
	n := len(x)
	if n < fewestBlock {
		return false
	}
	mean, squares := 0.0, 0.0
	for i, v := range x {
		mean += v / float64(n)
		if i > 0 {
			squares += (v - x[i-1]) * (v - x[i-1])
		}
	}
	at, largest, sum := 0, 0.0, 0.0
	for i, v := range x[:n-1] {
		if sum += v - mean; math.Abs(sum) > math.Abs(largest) {
			at, largest = i+1, sum
		}
	}
	before, after := mean+largest/float64(at), mean-largest/float64(n-at)
	if at == 0 || math.Abs(after-before) <= levelShare*math.Abs(mean) {
		return false
	}
	const critical = 1.41
	return math.Abs(largest) > critical*math.Sqrt(squares/2/float64(n-1)*float64(n))
}
