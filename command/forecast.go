package command

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"bench/tuning/exchange"
	"bench/tuning/recorded"
)

// forecast says how much of the optimum the best of spaces keeps where nothing has run.
func (a *app) forecast(paths []string, f transferFlags) error {
	if err := recorded.Distinct(paths); err != nil {
		return usageError(err)
	}
	groups, err := exchange.Comparable(paths, f.manifest, a.note)
	if err != nil {
		return usageError(err)
	}
	var spaces []*recorded.Space
	var known []recorded.Pair
	var measured []recorded.Transfer
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		for _, kernel := range recorded.Kernels(groups[name]) {
			spaces = append(spaces, kernel...)
			if len(kernel) < 2 {
				continue
			}
			list, err := recorded.Transfers(kernel)
			if err != nil {
				return usageError(err)
			}
			measured, known = append(measured, list...), append(known, recorded.PairsOf(list)...)
		}
	}
	for _, path := range f.known {
		pairs, err := recorded.ReadPairs(path)
		if err != nil {
			return usageError(fmt.Errorf("--known: %w", err))
		}
		known = append(known, pairs...)
	}
	all, err := recorded.Forecasts(spaces, known)
	if err != nil {
		return usageError(fmt.Errorf("--forecast: %w", err))
	}
	if f.out != "" {
		if err := recorded.WriteTransfers(measured, f.out); err != nil {
			return &statusError{exitBad, err}
		}
	}
	if f.json {
		return printLines(a, all)
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
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
	return w.Flush()
}
