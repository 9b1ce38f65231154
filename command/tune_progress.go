package command

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"bench/framework/plan"
	"bench/framework/record"
	"bench/tuning/search"
)

// tuneProgress shows a search: on a terminal a live line with the best so far,
// evaluations and the time to go; elsewhere a line for each improvement and
// for every twentieth part of the budget.
type tuneProgress struct {
	liveLine
	objective search.Objective

	version *search.Version // under way; nil: none
	began   time.Time
	count   int
	bad     int
	phase   string
	best    string
}

func newTuneProgress(out io.Writer, objective search.Objective) *tuneProgress {
	p := &tuneProgress{objective: objective}
	p.start(out, p.line)
	return p
}

// Started, Phase and Done implement engine.Observer.
func (p *tuneProgress) Started(plan.Point)  {}
func (p *tuneProgress) Done(*record.Result) {}

// Phase keeps what the worker does.
func (p *tuneProgress) Phase(_ plan.Point, phase string) {
	p.Lock()
	defer p.Unlock()
	p.phase = phase
}

// Began, Tried, Ended and Confirmed implement search.Observer.
func (p *tuneProgress) Began(v *search.Version) {
	p.Lock()
	defer p.Unlock()
	p.version, p.began, p.count, p.bad, p.best = v, time.Now(), 0, 0, "none yet"
	p.print("%s: %d sweep points, %d valid points of the tunables; at most %d evaluations", v.Name, len(v.Tasks), v.Points(), v.Budget)
}

func (p *tuneProgress) Tried(v *search.Version, t search.Trial, evaluations int) {
	p.Lock()
	defer p.Unlock()
	p.count = evaluations
	if !t.OK {
		p.bad++
	}
	if t.Best {
		p.best = fmt.Sprintf("%s at %s", amount(t.Cost, p.objective), t.Task.Name)
	}
	step := max(1, v.Budget/20)
	if p.width == 0 && (t.Best || p.count%step == 0) {
		what := "no improvement"
		switch {
		case t.Best:
			what = "best " + amount(t.Cost, p.objective) + "  " + settingsText(t.Result.Point)
		case !t.OK:
			what = string(t.Result.Status) + ": " + t.Result.Reason
		}
		p.print("[%*d/%d] %s %s  %s%s", len(fmt.Sprint(v.Budget)), p.count, v.Budget, v.Name, t.Task.Name, what, p.eta())
	}
	p.draw()
}

// eta is the time to go, by the mean time of the evaluations so far.
func (p *tuneProgress) eta() string {
	if p.count == 0 || p.version == nil {
		return ""
	}
	left := time.Since(p.began) / time.Duration(p.count) * time.Duration(p.version.Budget-p.count)
	return fmt.Sprintf("  ETA %d:%02d", int(left.Minutes()), int(left.Seconds())%60)
}

func (p *tuneProgress) Ended(v *search.Version) {
	p.Lock()
	defer p.Unlock()
	if o := v.Outcome; o != nil {
		p.print("%s: %d evaluations, %d of them invalid; %s", v.Name, len(o.Trials), o.Invalid, o.Stopped)
	}
	p.version = nil
}

func (p *tuneProgress) Confirmed(v *search.Version, t *search.Task) {
	p.Lock()
	defer p.Unlock()
	if t.Final == nil {
		p.print("%s %s: the best trials do not run any more", v.Name, t.Name)
		return
	}
	p.print("%s %s: %s", v.Name, t.Name, finalText(t, p.objective))
}

// finalText compares the best with the defaults.
func finalText(t *search.Task, objective search.Objective) string {
	f := t.Final
	s := "best " + estimateText(f.Best, objective)
	switch {
	case f.Point == t.Defaults:
		return s + ", the defaults"
	case f.Default == nil:
		return s + "; defaults: " + cmp.Or(f.Reason, "not measured")
	}
	compared := "times as much"
	if objective == search.Time {
		compared = "times as long"
	}
	return fmt.Sprintf("%s; the defaults take %s, %.3f %s", s, estimateText(*f.Default, objective), f.Default.Value/f.Best.Value, compared)
}

func estimateText(e search.Estimate, objective search.Objective) string {
	s := amount(e.Value, objective)
	if e.High > 0 {
		s += fmt.Sprintf(" (95 %% %s to %s)", amount(e.Low, objective), amount(e.High, objective))
	}
	return s
}

// amount is a cost in the unit people would use.
func amount(x float64, objective search.Objective) string {
	switch objective {
	case search.Energy:
		return record.Scaled(record.Measured(x), "J")
	case search.EDP:
		return record.Scaled(record.Measured(x), "Js")
	}
	return seconds(x)
}

func settingsText(p plan.Point) string {
	s := ""
	for i, n := range p.TunableOrder {
		if i > 0 {
			s += " "
		}
		s += n + "=" + p.Tunables[n].String()
	}
	return s
}

// line is the search so far.
func (p *tuneProgress) line() string {
	if p.version == nil {
		return ""
	}
	return fmt.Sprintf("%s %d/%d, %d invalid; last best %s; %s%s", p.version.Name, p.count, p.version.Budget, p.bad, p.best, p.phase, p.eta())
}

// tuneTable is the report for people.
func tuneTable(r *search.Report) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "VERSION\tAT\tPOINTS\tEVALUATIONS\tINVALID\tBEST\tDEFAULTS\tGAIN\tTUNABLES\n")
	for _, t := range r.Tasks {
		best, defaults, gain := "none", "", ""
		if t.Tunables != nil {
			best = amount(t.Cost, r.Objective)
		}
		if f := t.Final; f != nil {
			best = amount(f.Best.Value, r.Objective)
			if f.Default != nil {
				defaults = amount(f.Default.Value, r.Objective)
				gain = fmt.Sprintf("%.3f", f.Default.Value/f.Best.Value)
			}
		}
		settings := "no valid point"
		if t.Tunables != nil {
			p := t.Task.Base
			p.Tunables = t.Tunables
			settings = settingsText(p)
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%s\t%s\t%s\t%s\n", t.Version, t.Task.Name, t.Points, t.Evaluations, t.Invalid, best, defaults, gain, settings)
	}
	w.Flush()
	return b.String()
}
