package command

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"bench/framework/plan"
)

// progress counts steps: points of a run, evaluations of a search. On a terminal
// a live line has a bar, the steps under way, one for each device, with the phase of the
// longest, and the time to go.
type progress struct {
	liveLine
	total, done int
	toGo        int           // steps that will take time
	measured    int           // steps that took some,
	spent       time.Duration // together
	began       time.Time     // the first step since none was under way

	under []step // way, in the order begun
	note  string // stands behind the phase
}

// step is one under way.
type step struct {
	key, name, phase string
	began            time.Time
}

// begin starts the step of a point with that key.
func (p *progress) begin(key, name string) {
	p.Lock()
	defer p.Unlock()
	now := time.Now()
	if len(p.under) == 0 {
		p.began = now
	}
	p.under = append(p.under, step{key, name, "start", now})
	p.draw()
}

// end ends a step. The caller holds the mutex.
func (p *progress) end(key string) {
	p.under = slices.DeleteFunc(p.under, func(s step) bool { return s.key == key })
}

// Phase implements engine.Observer.
func (p *progress) Phase(pt plan.Point, phase string) {
	p.Lock()
	defer p.Unlock()
	key := pt.Key()
	for i := range p.under {
		if p.under[i].key == key {
			p.under[i].phase = phase
		}
	}
	p.draw()
}

// finish counts a step that has ended; took: it took its time. The caller holds the mutex.
func (p *progress) finish(took bool) {
	p.done++
	if took {
		now := time.Now()
		p.spent += now.Sub(p.began)
		p.began = now
		p.measured++
		p.toGo--
	}
}

// count is the done of all, for the start of a line.
func (p *progress) count() string {
	return fmt.Sprintf("[%*d/%d]", len(fmt.Sprint(p.total)), p.done, p.total)
}

// line is the steps under way.
func (p *progress) line() string {
	if len(p.under) == 0 {
		return ""
	}
	first := p.under[0]
	beside := ""
	if more := len(p.under) - 1; more > 0 {
		beside = fmt.Sprintf(" (and %d beside)", more)
	}
	return fmt.Sprintf("%s %d/%d  %s  %s %.0f s%s%s%s", bar(p.done, p.total), p.done, p.total, first.name, first.phase, time.Since(first.began).Seconds(), beside, p.note,
		p.eta(time.Since(p.began)))
}

// eta is the time to go by the mean time between steps so far, of which elapsed is
// over; empty where it is not known.
func (p *progress) eta(elapsed time.Duration) string {
	if p.measured == 0 || p.toGo == 0 {
		return ""
	}
	each := p.spent / time.Duration(p.measured)
	left := time.Duration(p.toGo)*each - min(elapsed, each)
	return "  ETA " + clock(left.Seconds())
}

// seconds prints a time in the unit people would use.
func seconds(s float64) string {
	switch {
	case s >= 1:
		return fmt.Sprintf("%.4g s", s)
	case s >= 1e-3:
		return fmt.Sprintf("%.4g ms", s*1e3)
	case s >= 1e-6:
		return fmt.Sprintf("%.4g µs", s*1e6)
	}
	return fmt.Sprintf("%.4g ns", s*1e9)
}

// barWidth is in characters.
const barWidth = 12

// bar shows how many of all are done.
func bar(done, all int) string {
	full := 0
	if all > 0 {
		full = barWidth * done / all
	}
	return "[" + strings.Repeat("#", full) + strings.Repeat(".", barWidth-full) + "]"
}

// clock writes seconds as minutes and seconds.
func clock(seconds float64) string {
	s := int(math.Round(seconds))
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
