package command

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	"bench/framework/plan"
	"bench/framework/record"
	"bench/tuning"
)

// tuneProgress shows a search: on a terminal a live line with the best so far,
// evaluations and the time to go; elsewhere a line for each improvement and
// for every twentieth part of the budget.
type tuneProgress struct {
	liveLine
	objective string

	search *search
	began  time.Time
	count  int
	bad    int
	phase  string
	best   string
}

func newTuneProgress(out io.Writer, objective string) *tuneProgress {
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

func (p *tuneProgress) begin(s *search) {
	p.Lock()
	defer p.Unlock()
	p.search, p.began, p.count, p.bad, p.best = s, time.Now(), 0, 0, "none yet"
	points := 0
	for _, t := range s.tasks {
		points += t.space.Len()
	}
	p.print("%s: %d sweep points, %d valid points of the tunables; at most %d evaluations", s.version.Name, len(s.tasks), points, s.budget)
}

// done shows one trial.
func (p *tuneProgress) done(s *search, r trialResult, progress tuning.Progress) {
	p.Lock()
	defer p.Unlock()
	p.count = progress.Evaluations
	if !r.trial.OK {
		p.bad++
	}
	if progress.Improved {
		p.best = fmt.Sprintf("%s at %s", amount(r.trial.Cost, p.objective), r.task.name)
	}
	step := max(1, s.budget/20)
	if p.width == 0 && (progress.Improved || p.count%step == 0) {
		what := "no improvement"
		switch {
		case progress.Improved:
			what = "best " + amount(r.trial.Cost, p.objective) + "  " + settingsText(r.result.Point)
		case !r.trial.OK:
			what = string(r.result.Status) + ": " + r.result.Reason
		}
		p.print("[%*d/%d] %s %s  %s%s", len(fmt.Sprint(s.budget)), p.count, s.budget, s.version.Name, r.task.name, what, p.eta())
	}
	p.draw()
}

// eta is the time to go, by the mean time of the evaluations so far.
func (p *tuneProgress) eta() string {
	if p.count == 0 || p.search == nil {
		return ""
	}
	left := time.Since(p.began) / time.Duration(p.count) * time.Duration(p.search.budget-p.count)
	return fmt.Sprintf("  ETA %d:%02d", int(left.Minutes()), int(left.Seconds())%60)
}

func (p *tuneProgress) end(s *search) {
	p.Lock()
	defer p.Unlock()
	if s.report != nil {
		p.print("%s: %d evaluations, %d of them invalid; %s", s.version.Name, len(s.report.Trials), s.report.Invalid, s.report.Stopped)
	}
	p.search = nil
}

// final shows what measuring again says.
func (p *tuneProgress) final(s *search, t *task) {
	p.Lock()
	defer p.Unlock()
	if t.final == nil {
		p.print("%s %s: the best trials do not run any more", s.version.Name, t.name)
		return
	}
	p.print("%s %s: %s", s.version.Name, t.name, t.final.text(t, p.objective))
}

// text compares the best with the defaults.
func (f *final) text(t *task, objective string) string {
	s := "best " + f.Best.text(objective)
	switch {
	case f.Point == t.defaults:
		return s + ", the defaults"
	case f.Default == nil:
		return s + "; defaults: " + cmp.Or(f.Reason, "not measured")
	}
	compared := "times as much"
	if objective == "time" {
		compared = "times as long"
	}
	return fmt.Sprintf("%s; the defaults take %s, %.3f %s", s, f.Default.text(objective), f.Default.Value/f.Best.Value, compared)
}

func (e estimate) text(objective string) string {
	s := amount(e.Value, objective)
	if e.High > 0 {
		s += fmt.Sprintf(" (95 %% %s to %s)", amount(e.Low, objective), amount(e.High, objective))
	}
	return s
}

// amount is a cost in the unit people would use.
func amount(x float64, objective string) string {
	switch objective {
	case "energy":
		return record.Scaled(record.Measured(x), "J")
	case "edp":
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

func sortByCost(list []trialResult) {
	slices.SortStableFunc(list, func(a, b trialResult) int { return cmp.Compare(a.trial.Cost, b.trial.Cost) })
}

// line is the search so far.
func (p *tuneProgress) line() string {
	if p.search == nil {
		return ""
	}
	return fmt.Sprintf("%s %d/%d, %d invalid; last best %s; %s%s", p.search.version.Name, p.count, p.search.budget, p.bad, p.best, p.phase, p.eta())
}
