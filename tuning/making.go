package tuning

import "time"

// A prior that costs processors is made only where points are modelled sooner than trials end.
const (
	// leastModelled is how many points one process has modelled before their pace and that of trials are compared,
	// leastTrials how many trials have ended before others join it, and enoughTrials before it ends: the first come in
	// swarms.
	leastModelled, leastTrials, enoughTrials = 2, 2, 8
	// worth is how many points are modelled in the time of a trial where a prior is worth its processors: below, ten
	// kernels on an H200 needed 0.74 of the evaluations and 1.35 times the seconds.
	worth = 4
	// leastNews is how many points a strategy is told of at first; later the number doubles, as it begins anew with
	// each.
	leastNews = 16
)

// Making says how many processes make a prior beside a search. Live and recorded searches follow it alike.
type Making struct {
	Most int // processes that there are
	Told int // points that the strategy was told of

	// Tried is how many points the model was asked about, and Known for how many it has a time.
	Tried, Known int

	seconds float64 // of a process, for those tried
	first   int     // trials that had ended when it began; 0: it has not
	began   time.Duration
	makers  int
	over    bool
}

// Made takes in what modelling a point took, and whether it has a time.
func (m *Making) Made(known bool, seconds float64) {
	m.Tried++
	m.seconds += seconds
	if known {
		m.Known++
	}
}

// Makers is how many processes may make it when so many trials have ended: none before the first, then one, and all
// once they model worth points while a trial takes. Where they do not it is over.
func (m *Making) Makers(ended int, now time.Duration) (makers int, over bool) {
	if m.first == 0 && ended > 0 {
		m.first, m.began, m.makers = ended, now, 1
	}
	trials := ended - m.first
	if m.over || m.first == 0 || m.Tried < leastModelled || m.Known == 0 || trials < leastTrials {
		return m.makers, m.over
	}
	slow := worth*m.seconds/float64(m.Tried)/float64(m.Most) > (now-m.began).Seconds()/float64(trials)
	switch {
	case !slow:
		m.makers = m.Most
	case trials >= enoughTrials:
		m.makers, m.over = 0, true
	}
	return m.makers, m.over
}

// Tells reports whether a strategy is to be told of so many new points; all: no others come. Of a few, left when it is
// over, a strategy would learn chance alone.
func (m *Making) Tells(points int, all bool) bool {
	if points == 0 || (!all || m.over) && points < max(leastNews, m.Told) {
		return false
	}
	m.Told += points
	return true
}
