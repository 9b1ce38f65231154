package command

import (
	"fmt"
	"math"
	"strings"
	"time"

	"bench/framework/plan"
)

// progress counts steps: points of a run, evaluations of a search. On a terminal
// a live line has a bar, the step under way, its phase and the time to go.
type progress struct {
	liveLine
	total, done int
	toGo        int           // steps that will take time
	measured    int           // steps that took some,
	spent       time.Duration // together

	under string // way; empty: none
	phase string
	began time.Time
	note  string // stands behind the phase
}

// begin starts a step.
func (p *progress) begin(step string) {
	p.Lock()
	defer p.Unlock()
	p.under, p.phase, p.began = step, "start", time.Now()
	p.draw()
}

// Phase implements engine.Observer.
func (p *progress) Phase(_ plan.Point, phase string) {
	p.Lock()
	defer p.Unlock()
	p.phase = phase
	p.draw()
}

// finish counts a step; took: it took its time. The caller holds the mutex.
func (p *progress) finish(took bool) {
	p.done++
	if took {
		p.spent += time.Since(p.began)
		p.measured++
		p.toGo--
	}
	p.under = ""
}

// count is the done of all, for the start of a line.
func (p *progress) count() string {
	return fmt.Sprintf("[%*d/%d]", len(fmt.Sprint(p.total)), p.done, p.total)
}

// line is the step under way.
func (p *progress) line() string {
	if p.under == "" {
		return ""
	}
	elapsed := time.Since(p.began)
	return fmt.Sprintf("%s %d/%d  %s  %s %.0f s%s%s", bar(p.done, p.total), p.done, p.total, p.under, p.phase, elapsed.Seconds(), p.note, p.eta(elapsed))
}

// eta is the time to go by the mean of the steps so far, of which elapsed is
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
