package knn

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// Text is how well each tunable is predicted, and below it the predictions for the sizes of
// the question. Where a run for m and one for R were asked, it has the sub-system sizes of
// the recursive steps too.
func (q Question) Text(all []Prediction) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "RUN\tTUNABLE\tSIZES\tK\tLEFT OUT\tACCURACY\tRANGE\tNULL ACCURACY")
	for _, p := range all {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%.2f ± %.2f\t%.2f–%.2f\t%.2f\n",
			p.Run, p.Tunable, p.Sizes, p.K, p.LeftOut, p.Accuracy, p.Deviation, p.Least, p.Most, p.Null)
	}
	w.Flush()
	fmt.Fprintf(&b, "Accuracy is the mean, its standard deviation and its range over %d random choices of what is left out.\n", Splits)
	if len(q.Sizes) == 0 {
		return b.String()
	}
	fmt.Fprintln(&b)
	header := []string{q.Choice.Parameter}
	var m, steps *Prediction
	for i := range all {
		p := &all[i]
		header = append(header, p.Tunable+" by "+p.Run)
		if p.Tunable == "m" && m == nil {
			m = p
		}
		if p.Tunable == "R" && steps == nil {
			steps = p
		}
	}
	if m != nil && steps != nil {
		header = append(header, "sizes m, m1, … for R steps")
	}
	fmt.Fprintln(w, strings.Join(header, "\t"))
	for i, n := range q.Sizes {
		row := []string{fmt.Sprint(n)}
		for _, p := range all {
			row = append(row, fmt.Sprint(p.Predicted[i]))
		}
		if m != nil && steps != nil {
			row = append(row, fmt.Sprint(RecursionSizes(n, int(steps.Predicted[i]), m.Predict)))
		}
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	w.Flush()
	return b.String()
}
