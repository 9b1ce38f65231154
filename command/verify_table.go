package command

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"bench/algorithms/kernel"
	"bench/framework/engine"
	"bench/framework/experiment"
	"bench/framework/plan"
	"bench/framework/record"
)

// verifyProgress prints what is not good at once.
type verifyProgress struct {
	out  io.Writer
	said sayings
}

// Started, Phase and Done implement engine.Observer.
func (p verifyProgress) Started(plan.Point)       {}
func (p verifyProgress) Phase(plan.Point, string) {}
func (p verifyProgress) Done(r *record.Result) {
	if r.Status != record.OK && r.Status != record.Skipped {
		fmt.Fprintf(p.out, "%s: %s: %s\n", r.Point.Key(), paletteOf(p.out).status(r.Status), p.said.once(r.Point.Key(), r.Reason))
		for _, n := range engine.DumpNotes(r) {
			fmt.Fprintf(p.out, "  %s\n", n)
		}
	}
}

// printTally writes a table, and below it why points were skipped.
func printTally(out io.Writer, t *experiment.Tally) {
	var why footnotes
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
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
			words = append(words, paletteOf(out).status(record.Skipped)+why.mark(skipReason(v)))
		}
		fmt.Fprintln(w, strings.Join(words, "; "))
	}
	w.Flush()
	fmt.Fprint(out, why.text())
}

func skipReason(v *experiment.VersionTally) string {
	if n := len(v.Reasons); n > 1 {
		return fmt.Sprintf("%s (and %d more reasons)", v.Reasons[0], n-1)
	}
	return v.Reasons[0]
}

// remark says of how many points no answer was compared, and why.
func remark(v *experiment.VersionTally) string {
	points := "1 point has"
	if v.Unchecked > 1 {
		points = fmt.Sprintf("%d points have", v.Unchecked)
	}
	why := cmp.Or(strings.TrimPrefix(v.WhyUnchecked, kernel.NotVerified), "the version reports no error")
	return fmt.Sprintf("%s nothing to compare with: %s", points, why)
}
