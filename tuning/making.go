package tuning

import "time"

// A prior that costs processors is made only where points are modelled sooner than trials end.
const (
	// leastModelled is how many points one process has modelled before its pace is compared with that of
	// trials. leastTrials is how many trials have ended before other processes join, and enoughTrials before
	// the making may end: the first trials end in swarms.
	leastModelled, leastTrials, enoughTrials = 2, 2, 8
	// worth is how many points must be modelled in the time of a trial for a prior to be worth its
	// processors. With fewer, ten kernels on an H200 needed 0.74 of the evaluations and 1.35 times the
	// seconds.
	worth = 4
	// leastNews is how many points a strategy is told of at first. The number doubles each time, since the
	// strategy begins anew with new points.
	leastNews = 16
)

// Making decides how many processes make a prior beside a search. Live and recorded searches use it alike.
type Making struct {
	Most int // processes that there are
	Told int // points that the strategy was told of

	// Tried is the number of points that the model was asked about, and Known of those for which it has a
	// time.
	Tried, Known int

	seconds float64 // of a process, for those tried
	first   int     // trials that had ended when it began; 0: it has not
	began   time.Duration
	makers  int
	over    bool
}

// Made takes in how long modelling a point took, and whether the model has a time for it.
func (m *Making) Made(known bool, seconds float64) {
	m.Tried++
	m.seconds += seconds
	if known {
		m.Known++
	}
}

// Makers returns how many processes may make the prior when so many trials have ended: none before the first,
// then one, and all once they model worth points in the time of a trial. If they do not, over is set.
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

// Tells reports whether the strategy is to be told of so many new points; all: no others come. From a few
// points that are left at the end a strategy would learn only chance.
func (m *Making) Tells(points int, all bool) bool {
	if points == 0 || (!all || m.over) && points < max(leastNews, m.Told) {
		return false
	}
	m.Told += points
	return true
}
