package terminal

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Progress counts steps: points of a run, evaluations of a search. On a terminal a live line shows a bar,
// the steps under way, one for each device, with the phase of the longest, and the remaining time. The
// line's mutex guards its fields.
type Progress struct {
	Line
	Total, Finished int
	ToGo            int    // steps that will take time
	Note            string // follows the phase

	measured int           // steps that took time,
	spent    time.Duration // together
	began    time.Time     // first step since none was under way
	under    []step        // way, in the order begun
}

// step is a step under way.
type step struct {
	key, name, phase string
	began            time.Time
}

// Begin starts a step. The key distinguishes it from other steps under way.
func (p *Progress) Begin(key, name string) {
	p.Lock()
	defer p.Unlock()
	now := time.Now()
	if len(p.under) == 0 {
		p.began = now
	}
	p.under = append(p.under, step{key, name, "start", now})
	p.Draw()
}

// End ends a step. The caller holds the mutex.
func (p *Progress) End(key string) {
	p.under = slices.DeleteFunc(p.under, func(s step) bool { return s.key == key })
}

// Phase sets the phase of a step under way.
func (p *Progress) Phase(key, phase string) {
	p.Lock()
	defer p.Unlock()
	for i := range p.under {
		if p.under[i].key == key {
			p.under[i].phase = phase
		}
	}
	p.Draw()
}

// Finish counts a step that has ended; took says that it took time. The caller holds the mutex.
func (p *Progress) Finish(took bool) {
	p.Finished++
	if took {
		now := time.Now()
		p.spent += now.Sub(p.began)
		p.began = now
		p.measured++
		p.ToGo--
	}
}

// Count returns the done and all steps, for the start of a line.
func (p *Progress) Count() string {
	return fmt.Sprintf("[%*d/%d]", len(fmt.Sprint(p.Total)), p.Finished, p.Total)
}

// Forget drops the steps under way and the note before others follow. The caller holds the mutex.
func (p *Progress) Forget() { p.under, p.Note = nil, "" }

// Text returns the steps under way, in the form that Start takes.
func (p *Progress) Text() string {
	if len(p.under) == 0 {
		return ""
	}
	first := p.under[0]
	beside := ""
	if more := len(p.under) - 1; more > 0 {
		beside = fmt.Sprintf(" (and %d beside)", more)
	}
	return fmt.Sprintf("%s %d/%d  %s  %s %.0f s%s%s%s", Bar(p.Finished, p.Total), p.Finished, p.Total, first.name, first.phase, time.Since(first.began).Seconds(), beside, p.Note,
		p.ETA(time.Since(p.began)))
}

// ETA returns the remaining time by the mean time between steps so far, of which elapsed is over; it is
// empty where it is not known.
func (p *Progress) ETA(elapsed time.Duration) string {
	if p.measured == 0 || p.ToGo == 0 {
		return ""
	}
	each := p.spent / time.Duration(p.measured)
	left := time.Duration(p.ToGo)*each - min(elapsed, each)
	return "  ETA " + Clock(left.Seconds())
}

// barWidth is the width of a bar in characters.
const barWidth = 12

// Bar returns a bar that shows how many of all are done.
func Bar(done, all int) string {
	full := 0
	if all > 0 {
		full = barWidth * done / all
	}
	return "[" + strings.Repeat("#", full) + strings.Repeat(".", barWidth-full) + "]"
}
