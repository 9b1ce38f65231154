package recorded

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// TransfersText returns transfers of the same parameters in the form of the published portability tables.
func TransfersText(all []Transfer) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "BEST OF\tON\t%s\tPERFORMANCE\n", strings.Join(all[0].Parameters, "\t"))
	for _, t := range all {
		fmt.Fprintf(w, "%s\t%s", t.From, t.To)
		for i := range t.Settings {
			fmt.Fprintf(w, "\t%s", t.Setting(i))
		}
		fmt.Fprintf(w, "\t%s\n", t.Text())
	}
	w.Flush()
	return b.String()
}

// ForecastsText returns a row for each forecast, with the pairs that it is from and how often such forecasts
// were right.
func ForecastsText(all []Forecast) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "BEST OF\tKEEPS\t80 % OF CASES\tKNOWN PAIRS\tTESTED\tSETTINGS")
	for _, x := range all {
		pairs := fmt.Sprintf("%d of this kernel", x.Pairs)
		if x.Others {
			pairs = fmt.Sprintf("%d, of other kernels too", x.Pairs)
		}
		tested := "not"
		if x.Checked > 0 {
			tested = fmt.Sprintf("%.0f %% of %d", 100*x.Covered, x.Checked)
		}
		var settings []string
		for i, n := range x.Parameters {
			settings = append(settings, n+"="+x.Setting(i))
		}
		fmt.Fprintf(w, "%s\t%.2f\t%.2f to %.2f\t%s\t%s\t%s\n", x.From, x.Median, x.Low, x.High, pairs, tested, strings.Join(settings, " "))
	}
	w.Flush()
	return b.String()
}
