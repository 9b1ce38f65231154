package experiment

import (
	"fmt"
	"io"
	"strings"

	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/framework/stats"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
)

// modeAxis and deviceAxis are names for power mode and device among the axes.
const (
	modeAxis   = "power_mode"
	deviceAxis = "device"
)

// Progress shows a run: a line for each finished point, and the running one. It is the observer of a Session.
// The caller closes it.
type Progress struct {
	terminal.Progress
	axes    []string // names that tell points apart
	said    terminal.Sayings
	colours terminal.Palette
}

// Progress returns the Progress of what the session measures from now on; it prints to out.
func (s *Session) Progress(out io.Writer) *Progress {
	var axes []string
	for _, x := range s.Plan.Axes {
		axes = append(axes, x.Name)
	}
	if len(s.Crew) > 1 {
		axes = append(axes, deviceAxis)
	}
	if s.modes {
		axes = append(axes, modeAxis)
	}
	return newProgress(out, s.Plan.Points, s.Done, axes)
}

func newProgress(out io.Writer, points []plan.Point, finished func(plan.Point) bool, axes []string) *Progress {
	p := &Progress{axes: axes, said: terminal.Sayings{}, colours: terminal.PaletteOf(out)}
	p.Total = len(points)
	for _, pt := range points {
		switch {
		case finished(pt):
			p.Finished++
		case pt.Skip == "":
			p.ToGo++
		}
	}
	p.Start(out, p.Text)
	return p
}

// Started implements engine.Observer, as Phase and Done do.
func (p *Progress) Started(pt plan.Point) { p.Begin(pt.Key(), strings.TrimSpace(p.name(pt))) }

func (p *Progress) Phase(pt plan.Point, phase string) { p.Progress.Phase(pt.Key(), phase) }
func (p *Progress) Done(r *record.Result) {
	p.Lock()
	defer p.Unlock()
	p.End(r.Point.Key())
	p.Finish(r.Status != record.Skipped)
	p.Print("%s %s  %s", p.Count(), p.name(r.Point), p.outcome(r))
	p.Draw()
}

func (p *Progress) name(pt plan.Point) string {
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

// outcome describes a finished point in a few words. It says a long reason once.
func (p *Progress) outcome(r *record.Result) string {
	if r.Status != record.OK {
		return r.Status.Coloured(p.colours) + ": " + p.said.Once(fmt.Sprintf("[%d/%d]", p.Finished, p.Total), r.Reason)
	}
	series := r.Cold
	if series == nil {
		series = r.Hot
	}
	if series == nil || len(series.Samples) == 0 {
		return "verified"
	}
	s := stats.Summarize(series.Samples)
	text := digits.Known(s.Median, s.Median*s.Interval(), "s")
	if interval := record.Interval(s); interval != "" {
		text += " ± " + interval
		if record.SummaryDoubtful(s, series.Moved) {
			text = record.Doubted + text
		}
	}
	if r.Work.NominalFLOPs > 0 {
		rate := float64(r.Work.NominalFLOPs) / s.Median * 1e-9
		text += "  " + digits.Known(rate, rate*s.Interval(), "") + " GFLOP/s"
	}
	switch doubt, known := record.PowerDoubt(r.Energy); {
	case doubt != "" && known:
		text += "  (power in doubt: " + doubt + ")"
	case doubt != "":
		text += "  (no power: " + doubt + ")"
	}
	return text
}
