package search

import (
	"fmt"
	"io"

	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/internal/terminal"
)

// Progress shows a search. If out is no terminal, it prints a line for each improvement and for every
// twentieth part of the budget.
type Progress struct {
	terminal.Progress
	objective Objective
	colours   terminal.Palette
}

// NewProgress returns the Progress of a search that has so many evaluations in its journal; it prints to out.
// It is the Observer of Run. The caller closes it.
func NewProgress(out io.Writer, s *Search, earlier int) *Progress {
	p := &Progress{objective: s.Objective, colours: terminal.PaletteOf(out)}
	p.Total = s.Evaluations()
	p.ToGo = max(0, p.Total-earlier)
	p.Start(out, p.Text)
	return p
}

// Started implements engine.Observer, as Phase and Done do.
func (p *Progress) Started(pt plan.Point) {
	p.Begin(pt.Key(), pt.Version+" "+chosen(pt.PowerMode, pt))
}

func (p *Progress) Phase(pt plan.Point, phase string) { p.Progress.Phase(pt.Key(), phase) }

func (p *Progress) Done(r *record.Result) {
	p.Lock()
	defer p.Unlock()
	p.End(r.Point.Key())
}

// Began implements Observer, as Tried, Ended and Confirmed do.
func (p *Progress) Began(v *Version) {
	p.Lock()
	defer p.Unlock()
	p.Note = ""
	sizes := terminal.Count(len(v.Tasks), "sweep point")
	p.Print("%s: %s, %s of the tunables; at most %s", v.Name, sizes, terminal.Count(v.Points(), "valid point"), terminal.Count(v.Budget, "evaluation"))
}

func (p *Progress) Tried(v *Version, t Trial, evaluations int) {
	p.Lock()
	defer p.Unlock()
	p.Finish(!t.Earlier)
	if t.Best {
		p.Note = fmt.Sprintf("; last best %s at %s", p.cost(t), t.Task.Name)
	}
	if !p.Live() && (t.Best || evaluations%max(1, v.Budget/20) == 0) {
		what := "no improvement"
		switch {
		case t.Best:
			what = "best " + p.cost(t) + "  " + chosen(t.Result.Point.PowerMode, t.Result.Point)
		case t.Result.NotEntered: // why was said
			what = t.Result.Status.Coloured(p.colours) + in(t.Result.Point.PowerMode)
		case !t.OK:
			what = t.Result.Status.Coloured(p.colours) + ": " + t.Result.Reason
		case t.Result.Point.PowerMode != "":
			what += in(t.Result.Point.PowerMode)
		}
		p.Print("%s %s %s  %s%s", p.Count(), v.Name, t.Task.Name, what, p.ETA(0))
	}
	p.Draw()
}

// cost returns the cost of a trial in words.
func (p *Progress) cost(t Trial) string {
	text := amount(t.Cost, p.objective.Cost())
	if p.objective == Front {
		text += ", " + amount(t.Second, Energy)
	}
	return text
}

func (p *Progress) Ended(v *Version) {
	p.Lock()
	defer p.Unlock()
	if o := v.Outcome; o != nil {
		p.Print("%s: %s, %d of them invalid; %s", v.Name, terminal.Count(len(o.Trials), "evaluation"), o.Invalid, o.Stopped)
		if shared := v.Shared(); shared != "" {
			p.Print("%s: %s", v.Name, shared)
		}
		if r := v.prior.report(v); r != nil {
			p.Print("%s: %s", v.Name, r.Text())
		}
		spared := v.Budget - len(o.Trials)
		p.Total -= spared
		p.ToGo = max(0, p.ToGo-spared)
	}
	p.Forget()
}

func (p *Progress) Confirmed(v *Version, t *Task) {
	p.Lock()
	defer p.Unlock()
	if p.objective == Front {
		p.Print("%s %s: %s", v.Name, t.Name, p.measuredAgain(t))
		return
	}
	if t.Final == nil {
		p.Print("%s %s: the best trials do not run any more", v.Name, t.Name)
		return
	}
	p.Print("%s %s: %s", v.Name, t.Name, finalText(t, p.objective))
}

// measuredAgain says how a front changed when it was measured again.
func (*Progress) measuredAgain(t *Task) string {
	if f := t.Front(); f != nil {
		return frontText(f)
	}
	return "the points of the front do not run any more"
}
