package replay

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"example.org/bench/internal/terminal"
	"example.org/bench/tuning/recorded"
)

// Heading returns the lines above results: what is searched, until when, and the columns. objective is empty
// for time.
func (r *Result) Heading(objective, budget string) string {
	clock := ""
	if r.Clocked {
		clock = fmt.Sprintf(" %11s %11s %11s", "standard 1", "standard 2", "mean time")
	}
	if objective != "" {
		objective = ", " + objective
	}
	return fmt.Sprintf("%s%s: budget %s, %s\n%-14s %8s %8s %8s %10s %10s %8s %12s%s\n", r.Space, objective, budget, terminal.Count(r.Repeats, "repeat"),
		"strategy", "median", "p05", "phi", "standard 1", "standard 2", "invalid", "own ms/eval", clock)
}

// Line returns the result in the columns of the heading.
func (r *Result) Line() string {
	clock := ""
	if r.Clocked {
		clock = fmt.Sprintf(" %11s %11s %11s", secondsText(r.SecondsMedian), secondsText(r.SecondsP05), secondsText(r.TotalSeconds))
	}
	median, p05 := r.Final()
	return fmt.Sprintf("%-14s %8.4f %8.4f %8.4f %10s %10s %8.1f %12.3f%s", r.Strategy, median, p05, r.Phi(),
		evaluationsText(r.EvaluationsMedian), evaluationsText(r.EvaluationsP05), r.Invalid, r.OwnSeconds*1e3, clock)
}

func secondsText(s float64) string {
	if s == 0 {
		return "-"
	}
	return fmt.Sprintf("%.4g s", s)
}

func evaluationsText(n int) string {
	if n == 0 {
		return "-"
	}
	return strconv.Itoa(n)
}

// ScoresText returns a row for each strategy, the best first, with its mean, the mean's interval over the
// spaces and its score on each space.
func ScoresText(all []Scored, spaces []*recorded.Space) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "strategy\tmean\t95 %\t")
	for _, s := range spaces {
		fmt.Fprintf(w, "%s\t", s.Name)
	}
	fmt.Fprintln(w)
	for _, t := range Totals(all) {
		interval := ""
		if t.Spaces > 1 {
			interval = fmt.Sprintf("%.2f to %.2f", t.Low, t.High)
		}
		fmt.Fprintf(w, "%s\t%.3f\t%s\t", t.Strategy, t.Score, interval)
		for _, s := range spaces {
			for _, x := range all {
				if x.Space == s.Name && x.Strategy == t.Strategy {
					fmt.Fprintf(w, "%.3f\t", x.Score)
				}
			}
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	return b.String()
}
