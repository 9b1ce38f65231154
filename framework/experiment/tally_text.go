package experiment

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"example.org/bench/framework"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/internal/terminal"
)

// BadPoints is an engine.Observer that prints what is neither ok nor skipped at once, and the
// warnings of points.
type BadPoints struct {
	Out  io.Writer
	Said terminal.Sayings // reasons that need not be said again
}

// Started implements engine.Observer, as Phase and Done do.
func (BadPoints) Started(plan.Point)       {}
func (BadPoints) Phase(plan.Point, string) {}
func (p BadPoints) Done(r *record.Result) {
	if r.Status != record.OK && r.Status != record.Skipped {
		fmt.Fprintf(p.Out, "%s: %s: %s\n", r.Point.Key(), r.Status.Coloured(terminal.PaletteOf(p.Out)), p.Said.Once(r.Point.Key(), r.Reason))
		for _, n := range engine.DumpNotes(r) {
			fmt.Fprintf(p.Out, "  %s\n", n)
		}
	}
	for _, n := range r.Notes {
		if warning, ok := strings.CutPrefix(n, engine.Warned); ok {
			fmt.Fprintf(p.Out, "%s: %s%s\n", r.Point.Key(), engine.Warned, p.Said.Once(r.Point.Key(), warning))
		}
	}
}

// Text returns a table of the versions, and below it the reasons of skipped points.
func (t *Tally) Text(colours terminal.Palette) string {
	var b strings.Builder
	var why terminal.Footnotes
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s on %s\tOK\tBAD\tSKIPPED\tLARGEST ERROR BY BOUND\n", t.Algorithm, t.Device)
	for _, v := range t.Versions {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t", v.Version, v.OK, v.Bad, v.Skipped)
		var words []string
		if v.Worst != nil {
			words = append(words, fmt.Sprintf("%.2g of %.2g (%s)", v.Worst.Error, v.Worst.Bound, v.Worst.Metric))
		}
		if v.Unchecked > 0 {
			words = append(words, remark(v))
		}
		if v.Skipped > 0 {
			words = append(words, record.Skipped.Coloured(colours)+why.Mark(skipReason(v)))
		}
		fmt.Fprintln(w, strings.Join(words, "; "))
	}
	w.Flush()
	return b.String() + why.Text()
}

func skipReason(v *VersionTally) string {
	if n := len(v.Reasons); n > 1 {
		return fmt.Sprintf("%s (and %s)", v.Reasons[0], terminal.Count(n-1, "more reason"))
	}
	return v.Reasons[0]
}

// remark says of how many points no answer was compared, and why.
func remark(v *VersionTally) string {
	points := "1 point has"
	if v.Unchecked > 1 {
		points = fmt.Sprintf("%s have", terminal.Count(v.Unchecked, "point"))
	}
	why := cmp.Or(strings.TrimPrefix(v.WhyUnchecked, framework.NotVerified), "the version reports no error")
	return fmt.Sprintf("%s nothing to compare with: %s", points, why)
}
