package command

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"bench/framework/measure"
	"bench/framework/plan"
	"bench/framework/record"
)

// modeAxis stands for the power mode among the axes.
const modeAxis = "power_mode"

// progress shows a run: a line for each finished point and, on a terminal, a
// live line below with the running point, its phase and the time to go.
type progress struct {
	out   io.Writer
	width int // of the terminal; 0 is no terminal
	total int
	axes  []string // names that tell points apart

	mu      sync.Mutex
	done    int
	running *plan.Point
	phase   string
	began   time.Time
	// spent is the time of finished points; skipped ones take none.
	spent    time.Duration
	measured int
	toGo     int // points that will be measured
	stop     chan struct{}
}

func newProgress(out io.Writer, points []plan.Point, finished map[string]bool, axes []string) *progress {
	p := &progress{out: out, total: len(points), axes: axes, stop: make(chan struct{})}
	for _, pt := range points {
		switch {
		case finished[pt.Key()]:
			p.done++
		case pt.Skip == "":
			p.toGo++
		}
	}
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 20 {
			p.width = w
			go p.refresh()
		}
	}
	return p
}

// refresh redraws the live line so that times go on during long points.
func (p *progress) refresh() {
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-tick.C:
			p.mu.Lock()
			p.draw()
			p.mu.Unlock()
		}
	}
}

// Close removes the live line.
func (p *progress) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.stop)
	p.clear()
	p.width = 0
}

// Started, Phase and Done implement engine.Observer.
func (p *progress) Started(pt plan.Point) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running, p.phase, p.began = &pt, "start", time.Now()
	p.draw()
}

func (p *progress) Phase(_ plan.Point, phase string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.phase = phase
	p.draw()
}

func (p *progress) Done(r *record.Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	if r.Status != record.Skipped {
		p.spent += time.Since(p.began)
		p.measured++
		p.toGo--
	}
	p.running = nil
	p.clear()
	fmt.Fprintf(p.out, "[%*d/%d] %s  %s\n", len(fmt.Sprint(p.total)), p.done, p.total, p.name(r.Point), outcome(r))
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

// outcome is a finished point in a few words.
func outcome(r *record.Result) string {
	if r.Status != record.OK {
		return string(r.Status) + ": " + r.Reason
	}
	series := r.Cold
	if series == nil {
		series = r.Hot
	}
	if series == nil || len(series.Samples) == 0 {
		return "verified"
	}
	s := measure.Summarize(series.Samples)
	text := fmt.Sprintf("%s ±%.1f%%", seconds(s.Median), 50*(s.High-s.Low)/s.Median)
	if r.Work.NominalFLOPs > 0 {
		text += fmt.Sprintf("  %.4g GFLOP/s", float64(r.Work.NominalFLOPs)/s.Median*1e-9)
	}
	if !series.Converged {
		text += "  (not converged)"
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

func (p *progress) clear() {
	if p.width > 0 {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}

func (p *progress) draw() {
	if p.width == 0 || p.running == nil {
		return
	}
	elapsed := time.Since(p.began)
	line := fmt.Sprintf("%d/%d  %s  %s %.0f s", p.done, p.total, strings.TrimSpace(p.name(*p.running)), p.phase, elapsed.Seconds())
	if p.measured > 0 {
		each := p.spent / time.Duration(p.measured)
		left := time.Duration(p.toGo)*each - min(elapsed, each)
		line += fmt.Sprintf("  ETA %d:%02d", int(left.Minutes()), int(left.Seconds())%60)
	}
	if r := []rune(line); len(r) >= p.width {
		line = string(r[:p.width-1])
	}
	p.clear()
	fmt.Fprint(p.out, line)
}
