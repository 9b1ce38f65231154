package command

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"bench/framework/plan"
	"bench/framework/record"
	"bench/framework/stats"
)

// modeAxis stands for the power mode among the axes.
const modeAxis = "power_mode"

// progress shows a run: a line for each finished point and, on a terminal, a
// live line below with the running point, its phase and the time to go.
type progress struct {
	liveLine
	total int
	axes  []string // names that tell points apart

	done    int
	running *plan.Point
	phase   string
	began   time.Time
	// spent is the time of finished points; skipped ones take none.
	spent    time.Duration
	measured int
	toGo     int // points that will be measured
	said     sayings
	colours  palette
}

func newProgress(out io.Writer, points []plan.Point, finished map[string]bool, axes []string) *progress {
	p := &progress{total: len(points), axes: axes, said: sayings{}, colours: paletteOf(out)}
	for _, pt := range points {
		switch {
		case finished[pt.Key()]:
			p.done++
		case pt.Skip == "":
			p.toGo++
		}
	}
	p.start(out, p.line)
	return p
}

// Started, Phase and Done implement engine.Observer.
func (p *progress) Started(pt plan.Point) {
	p.Lock()
	defer p.Unlock()
	p.running, p.phase, p.began = &pt, "start", time.Now()
	p.draw()
}

func (p *progress) Phase(_ plan.Point, phase string) {
	p.Lock()
	defer p.Unlock()
	p.phase = phase
	p.draw()
}

func (p *progress) Done(r *record.Result) {
	p.Lock()
	defer p.Unlock()
	p.done++
	if r.Status != record.Skipped {
		p.spent += time.Since(p.began)
		p.measured++
		p.toGo--
	}
	p.running = nil
	p.print("[%*d/%d] %s  %s", len(fmt.Sprint(p.total)), p.done, p.total, p.name(r.Point), p.outcome(r))
	p.draw()
}

func (p *progress) name(pt plan.Point) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-10s %s", pt.Version, pt.Processor)
	for _, n := range p.axes {
		if n == modeAxis {
			fmt.Fprintf(&b, " %-8s", pt.PowerMode)
			continue
		}
		v, ok := pt.Params[n]
		if !ok {
			v, ok = pt.Tunables[n]
		}
		if ok {
			fmt.Fprintf(&b, " %s=%-8s", n, v)
		}
	}
	return b.String()
}

// outcome is a finished point in a few words. A long reason is said once.
func (p *progress) outcome(r *record.Result) string {
	if r.Status != record.OK {
		return p.colours.status(r.Status) + ": " + p.said.once(fmt.Sprintf("[%d/%d]", p.done, p.total), r.Reason)
	}
	series := r.Cold
	if series == nil {
		series = r.Hot
	}
	if series == nil || len(series.Samples) == 0 {
		return "verified"
	}
	s := stats.Summarize(series.Samples)
	text := seconds(s.Median)
	if interval := record.Interval(s); interval != "" {
		text += " ± " + interval
	}
	if r.Work.NominalFLOPs > 0 {
		text += fmt.Sprintf("  %.4g GFLOP/s", float64(r.Work.NominalFLOPs)/s.Median*1e-9)
	}
	if !series.Converged {
		text += "  (not converged)"
	}
	switch doubt, known := record.PowerDoubt(r.Energy); {
	case doubt != "" && known:
		text += "  (power in doubt: " + doubt + ")"
	case doubt != "":
		text += "  (no power: " + doubt + ")"
	}
	return text
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

// line is the running point.
func (p *progress) line() string {
	if p.running == nil {
		return ""
	}
	elapsed := time.Since(p.began)
	line := bar(p.done, p.total) + fmt.Sprintf(" %d/%d  %s  %s %.0f s", p.done, p.total, strings.TrimSpace(p.name(*p.running)), p.phase, elapsed.Seconds())
	if p.measured > 0 {
		each := p.spent / time.Duration(p.measured)
		left := time.Duration(p.toGo)*each - min(elapsed, each)
		line += "  ETA " + clock(left.Seconds())
	}
	return line
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
