package command

import (
	"fmt"
	"io"
	"strings"

	"bench/framework/plan"
	"bench/framework/record"
	"bench/framework/stats"
)

// modeAxis and deviceAxis stand for power mode and device among the axes.
const (
	modeAxis   = "power_mode"
	deviceAxis = "device"
)

// runProgress shows a run: a line for each finished point, and the running one.
type runProgress struct {
	progress
	axes    []string // names that tell points apart
	said    sayings
	colours palette
}

func newRunProgress(out io.Writer, points []plan.Point, finished func(plan.Point) bool, axes []string) *runProgress {
	p := &runProgress{axes: axes, said: sayings{}, colours: paletteOf(out)}
	p.total = len(points)
	for _, pt := range points {
		switch {
		case finished(pt):
			p.done++
		case pt.Skip == "":
			p.toGo++
		}
	}
	p.start(out, p.line)
	return p
}

// Started and Done implement engine.Observer.
func (p *runProgress) Started(pt plan.Point) { p.begin(pt.Key(), strings.TrimSpace(p.name(pt))) }

func (p *runProgress) Done(r *record.Result) {
	p.Lock()
	defer p.Unlock()
	p.end(r.Point.Key())
	p.finish(r.Status != record.Skipped)
	p.print("%s %s  %s", p.count(), p.name(r.Point), p.outcome(r))
	p.draw()
}

func (p *runProgress) name(pt plan.Point) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-10s %s", pt.Version, pt.Processor)
	for _, n := range p.axes {
		if n == modeAxis {
			fmt.Fprintf(&b, " %-8s", pt.PowerMode)
			continue
		}
		if n == deviceAxis {
			fmt.Fprintf(&b, " on %-7s", pt.Device)
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
	if pt.Instance > 0 {
		fmt.Fprintf(&b, " instance %d", pt.Instance+1)
	}
	return b.String()
}

// outcome is a finished point in a few words. A long reason is said once.
func (p *runProgress) outcome(r *record.Result) string {
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
		if record.SummaryDoubtful(s, series.Moved) {
			text = record.Doubted + text
		}
	}
	if r.Work.NominalFLOPs > 0 {
		text += fmt.Sprintf("  %.4g GFLOP/s", float64(r.Work.NominalFLOPs)/s.Median*1e-9)
	}
	switch doubt, known := record.PowerDoubt(r.Energy); {
	case doubt != "" && known:
		text += "  (power in doubt: " + doubt + ")"
	case doubt != "":
		text += "  (no power: " + doubt + ")"
	}
	return text
}
