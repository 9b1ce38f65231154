package tuning

import (
	"testing"
	"time"
)

// TestMakingBeginsAfterATrial by one process; all make it where points are modelled several times sooner than trials
// end, and else it is over, as far as both paces are known.
func TestMakingBeginsAfterATrial(t *testing.T) {
	for _, c := range []struct {
		tried         int
		seconds       float64 // of a process, for all
		spreads, ends bool
	}{
		{leastModelled - 1, 70, false, false},
		{leastModelled, 20, false, true},
		{leastModelled, 0.4, false, true},
		{leastModelled, 0.1, true, false},
		{leastModelled, 0.2, true, true}, // 0.25 s for each of the first trials, 0.125 s for each of all
	} {
		m := &Making{Most: 2}
		check := func(when string, trials int, at time.Duration, makers int, over bool) {
			t.Helper()
			if n, o := m.Makers(trials, at); n != makers || o != over {
				t.Errorf("%d points in %g s, %s: %d processes, over %t; want %d, %t", c.tried, c.seconds, when, n, o, makers, over)
			}
		}
		check("no trial", 0, 0, 0, false)
		check("the first trial", 1, time.Second, 1, false)
		for range c.tried {
			m.Made(true, c.seconds/float64(c.tried))
		}
		check("too few trials", leastTrials, time.Second+250*time.Millisecond, 1, false)
		few := 1
		if c.spreads {
			few = 2
		}
		check("few trials", 1+leastTrials, time.Second+500*time.Millisecond, few, false)
		if c.ends {
			few = 0
		}
		check("enough trials", 1+enoughTrials, 2*time.Second, few, c.ends)
	}
	m := Making{Most: 1}
	for _, x := range []struct {
		points int
		all    bool
		want   bool
	}{{leastNews - 1, false, false}, {leastNews, false, true}, {leastNews - 1, false, false}, {leastNews, false, true}, {leastNews, false, false}, {3, true, true}, {0, true, false}} {
		if got := m.Tells(x.points, x.all); got != x.want {
			t.Errorf("%d new points: told %t", x.points, got)
		}
	}
	if m := (Making{over: true}); m.Tells(leastNews-1, true) || !m.Tells(leastNews, true) {
		t.Error("want a strategy told of no few points that are left when it is over")
	}
}
