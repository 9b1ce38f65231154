package why

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"example.org/bench/analysis/bound"
	"example.org/bench/framework/compare"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/internal/terminal"
)

// GPUsText says on which GPUs a run's points ran, a line each after the run's name, and which of their
// ceilings the run did not measure.
func GPUsText(name string, run *record.Run) string {
	var b strings.Builder
	for _, d := range run.Info.Devices {
		if d.Facts == nil {
			continue
		}
		fmt.Fprintf(&b, "%s: %s, %s\n", name, d.ID, d.Facts.Name)
		if d.Facts.OpenCL != nil {
			continue
		}
		if m := bound.MachineOf(*d.Facts, d.Ceilings, 0); len(m.Estimated) > 0 {
			fmt.Fprintf(&b, "  not measured by this run, so from tables: %s\n", strings.Join(m.Estimated, ", "))
		}
	}
	return b.String()
}

// ExplainText is Explain as text: the GPUs of a run of that name, its points, and a finding on all.
func ExplainText(ctx context.Context, s experiment.Subject, run *record.Run, opt Options, name string, out io.Writer, colours terminal.Palette) error {
	fmt.Fprint(out, GPUsText(name, run))
	shown, alike := distinct(run)
	fmt.Fprintln(out, "  all points: "+alike)
	f, uncalibrated := tally{shown: shown}, ""
	err := Explain(ctx, s, run, opt, func(e Explained) {
		f.add(e)
		if e.Energy != nil && !e.Energy.Known() {
			uncalibrated = e.Energy.Missing
		}
		fmt.Fprint(out, e.Text(shown))
	})
	if uncalibrated != "" && err == nil {
		fmt.Fprintf(out, "\nwhat energy goes to is not known: %s\n", uncalibrated)
	}
	if line := f.finding().Line(colours); line != "" && err == nil {
		fmt.Fprint(out, "\n"+line)
	}
	return err
}

// distinct returns the parameters and tunables that tell a run's points apart or are not the defaults, and a
// text of what all points have in common.
func distinct(run *record.Run) (shown map[string]bool, alike string) {
	shown = map[string]bool{}
	if len(run.Rows) == 0 {
		return shown, "none"
	}
	params, tunables, constant := run.Varying()
	for _, c := range append(params, tunables...) {
		shown[c.Name] = true
	}
	words := []string{run.Rows[0].Algorithm}
	for _, c := range constant {
		words = append(words, c.Name+"="+run.Rows[0].Params.Get(c.Name).String())
	}
	for i := range run.Rows {
		for _, name := range run.Rows[i].Changed {
			shown[name] = true
		}
	}
	return shown, strings.Join(words, " ")
}

// named returns a point's version and its settings of these names.
func named(p plan.Point, shown map[string]bool) string {
	hidden := func(name string) bool { return !shown[name] }
	p.ParamOrder = slices.DeleteFunc(slices.Clone(p.ParamOrder), hidden)
	p.TunableOrder = slices.DeleteFunc(slices.Clone(p.TunableOrder), hidden)
	return strings.TrimSpace(p.Version + " " + p.Settings())
}

// tally counts points by what bounds them, and keeps the point at which a first change gains most.
type tally struct {
	shown          map[string]bool // names of the settings that are shown
	points, unsure int
	titles         []string // in the order seen
	of             map[string]int
	most           Explained
}

func (f *tally) add(e Explained) {
	if f.of == nil {
		f.of = map[string]int{}
	}
	f.points++
	if !e.Why.Sure {
		f.unsure++
	}
	title := e.Why.Title()
	if f.of[title]++; f.of[title] == 1 {
		f.titles = append(f.titles, title)
	}
	if gainOf(e.Why) > gainOf(f.most.Why) {
		f.most = e
	}
}

// gainOf returns the gain of the first change; 0: there is none.
func gainOf(w bound.Why) float64 {
	if len(w.Changes) == 0 {
		return 0
	}
	return w.Changes[0].Gain
}

// namedTitles is how many titles a finding names.
const namedTitles = 3

// finding says what bounds most of the points, and where most is to gain.
func (f *tally) finding() compare.Finding {
	if f.points == 0 {
		return compare.Finding{}
	}
	slices.SortStableFunc(f.titles, func(a, b string) int { return cmp.Compare(f.of[b], f.of[a]) })
	var parts []string
	for _, t := range f.titles[:min(namedTitles, len(f.titles))] {
		how := "bound by "
		if t == string(bound.Unknown) {
			how = ""
		}
		parts = append(parts, fmt.Sprintf("%s%s at %d of %s", how, t, f.of[t], terminal.Count(f.points, "point")))
	}
	text := strings.Join(parts, ", ")
	if f.unsure > 0 {
		text += fmt.Sprintf("; not sure of %d", f.unsure)
	}
	if gain := gainOf(f.most.Why); gain > 0 {
		text += fmt.Sprintf("; most to gain: about %.2f× by %s, %s", gain, f.most.Why.Changes[0].Name, named(f.most.Point, f.shown))
	} else {
		text += "; no change that is known gains"
	}
	return compare.Finding{Text: strings.TrimSpace(text), Told: f.unsure < f.points}
}

// Text says what bounds the point, by what, and which changes would gain: the class and the first change, then the point's
// version and settings, of which it names only those shown.
func (e Explained) Text(shown map[string]bool) string {
	var b strings.Builder
	head := e.Why.Title()
	if gain := gainOf(e.Why); gain > 0 {
		head += fmt.Sprintf(", about %.2f× to gain by %s", gain, e.Why.Changes[0].Name)
	}
	fmt.Fprintf(&b, "\n%s: %s\n  %s\n", head, named(e.Point, shown), e.Why.Verdict())
	if e.Why.Missing != "" {
		fmt.Fprintf(&b, "  missing: %s\n", e.Why.Missing)
	}
	var busy []string
	for _, u := range e.Why.Uses[:min(4, len(e.Why.Uses))] {
		busy = append(busy, fmt.Sprintf("%s %.0f %%", u.What, 100*u.Share))
	}
	if len(busy) > 0 {
		fmt.Fprintf(&b, "  busy: %s\n", strings.Join(busy, ", "))
	}
	if c := e.Counted; c != nil {
		var texts []string
		for _, u := range c.Uses {
			texts = append(texts, fmt.Sprintf("%s %.0f %%", u.What, 100*u.Share))
		}
		for _, x := range c.Counters {
			texts = append(texts, x.Text())
		}
		fmt.Fprintf(&b, "  counted: %s\n", strings.Join(texts, ", "))
	}
	for _, k := range e.Why.Kernels[:min(4, len(e.Why.Kernels))] {
		fmt.Fprintf(&b, "  %s ×%d: %s of %s, %s, %s, occupancy %.0f %% by %s, %.2f waves\n", k.Name, k.Launches,
			terminal.Count(k.Grid[0]*k.Grid[1]*k.Grid[2], "block"), terminal.Count(k.Block[0]*k.Block[1]*k.Block[2], "thread"), terminal.Count(k.Registers, "register"), spilled(k.SpillBytes), 100*k.Occupancy, k.Limit, k.Waves)
	}
	if n := len(e.Why.Kernels); n > 4 {
		fmt.Fprintf(&b, "  and %d more (--json has all)\n", n-4)
	}
	for i, c := range e.Why.Changes {
		fmt.Fprintf(&b, "  %d. %s: about %.2f×\n", i+1, c.Text, c.Gain)
	}
	if y := e.Energy; y != nil && y.Known() {
		b.WriteString(y.Text())
	}
	if x := e.Against; x != nil {
		fmt.Fprintf(&b, "  from %s %s:\n", x.Point.Version, x.Point.TunablesText())
		for _, d := range x.Differences {
			fmt.Fprintf(&b, "    %s\n", d)
		}
	}
	return b.String()
}

func spilled(n int) string {
	if n == 0 {
		return "no spills"
	}
	return fmt.Sprintf("%d bytes spilled a thread", n)
}
