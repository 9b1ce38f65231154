package search

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"text/tabwriter"

	"example.org/bench/framework/plan"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
	"example.org/bench/tuning"
)

// Table returns a row for each sweep point, and below it the fronts.
func (r *Report) Table() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "VERSION\tAT\tPOINTS\tEVALUATIONS\tINVALID\tBEST\tDEFAULTS\tGAIN\tTUNABLES\n")
	for _, t := range r.Tasks {
		best, defaults, gain := "none", "", ""
		if t.Tunables != nil {
			best = amount(t.Cost, r.Objective.Cost())
		}
		if f := t.Front; f != nil {
			best = f.Points[0].Time.known(Time)
			if f.Defaults != nil {
				defaults = f.Defaults.Time.known(Time)
			}
		}
		if f := t.Final; f != nil {
			best = f.Best.known(r.Objective)
			if f.Default != nil {
				defaults = f.Default.known(r.Objective)
			}
		}
		if x := t.Gain(); x != nil {
			gain = x.Text()
		}
		settings := "no valid point"
		if t.Tunables != nil {
			p := t.Task.Base
			p.Tunables = t.Tunables
			settings = chosen(t.PowerMode, p)
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%s\t%s\t%s\t%s\n", t.Version, t.Task.Name, t.Points, t.Evaluations, t.Invalid, best, defaults, gain, settings)
	}
	w.Flush()
	for _, t := range r.Tasks {
		if t.Front != nil {
			fmt.Fprintf(&b, "\n%s: %s\n%s", strings.TrimSpace(t.Version+" "+t.Task.Name), frontText(t.Front), frontTable(t))
		}
	}
	return b.String()
}

// frontText sums up a front.
func frontText(f *FrontReport) string {
	measured := "as the trials have it"
	if f.Again {
		measured = "measured again"
	}
	points := terminal.Count(len(f.Points), "point")
	return fmt.Sprintf("front of time and energy, %s, %s; hypervolume %s, against %s and %s", points, measured,
		amount(f.Hypervolume, EDP), amount(f.ReferenceTime, Time), amount(f.ReferenceEnergy, Energy))
}

// frontTable lists a front and the defaults.
func frontTable(t TaskReport) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "  TIME\tENERGY\tTUNABLES\n")
	row := func(p FrontPoint, what string) {
		at := t.Task.Base
		at.Tunables = p.Tunables
		fmt.Fprintf(w, "  %s\t%s\t%s%s\n", estimateText(p.Time, Time), estimateText(p.Energy, Energy), chosen(p.PowerMode, at), what)
	}
	for _, p := range t.Front.Points {
		row(p, "")
	}
	if d := t.Front.Defaults; d != nil {
		row(*d, " (the defaults)")
	}
	w.Flush()
	return b.String()
}

// finalText returns the best beside the defaults. The table has their difference.
func finalText(t *Task, objective Objective) string {
	f := t.Final
	s := "best " + estimateText(f.Best, objective)
	switch {
	case f.Point == t.Defaults:
		return s + ", the defaults"
	case f.Default == nil:
		return s + "; defaults: " + cmp.Or(f.Reason, "not measured")
	}
	return fmt.Sprintf("%s%s; the defaults%s take %s", s, in(t.BestMode()), in(t.Base.PowerMode), estimateText(*f.Default, objective))
}

// chosen returns a point's power mode, if it is searched, and its tunables.
func chosen(mode string, p plan.Point) string {
	if mode == "" {
		return p.TunablesText()
	}
	return tuning.PowerMode + "=" + mode + " " + p.TunablesText()
}

// in a power mode, or in the one that is on.
func in(mode string) string {
	if mode == "" {
		return ""
	}
	return " in power mode " + mode
}

func estimateText(e Estimate, objective Objective) string {
	if e.High > 0 {
		return e.known(objective) + " (95 % " + digits.Ends(e.Value, e.Low, e.High, objective.unit()) + ")"
	}
	return amount(e.Value, objective)
}

// known returns the value, to the place to which it is known.
func (e Estimate) known(objective Objective) string {
	half := math.NaN()
	if e.High > 0 {
		half = digits.Half(e.Value, e.Low, e.High)
	}
	return digits.Known(e.Value, half, objective.unit())
}

// amount returns a cost of unknown uncertainty.
func amount(x float64, objective Objective) string { return digits.Scaled(x, objective.unit()) }

func (o Objective) unit() string {
	switch o {
	case Energy:
		return "J"
	case EDP:
		return "Js"
	}
	return "s"
}
