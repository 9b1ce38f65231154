package search

import (
	"fmt"
	"strings"
)

// Finished is what a search that has ended left behind.
type Finished struct {
	Report *Report

	search *Search
	dir    string
	plots  int
	kept   Kept
}

// Finish writes the report and the trials of a search to a folder, draws its plots there if
// draw is set, and keeps what was found as wisdom.
func (s *Search) Finish(dir string, draw bool) (*Finished, error) {
	report, err := s.Write(dir)
	if err != nil {
		return nil, err
	}
	f := &Finished{Report: report, search: s, dir: dir}
	if draw {
		if f.plots, err = s.Plot(dir); err != nil {
			return nil, fmt.Errorf("plots: %w", err)
		}
	}
	f.kept, err = s.KeepWisdom(report)
	return f, err
}

// Text is the report for people, and which files and entries there are of it.
func (f *Finished) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n%s\n", f.Report.Table(), f.Report.Insights())
	if open, trials := f.search.Unsettled(); open > 0 {
		fmt.Fprintf(&b, "not converged: %d of %d trials (column converged): a machine so uneven may mislead a search\n", open, trials)
	}
	fmt.Fprintf(&b, "%s: %s, %s and %d plots", f.dir, TrialsFile, ReportFile, f.plots)
	if f.kept.Added+len(f.kept.Better) > 0 {
		fmt.Fprintf(&b, "; %d entries in %s, which bench run and bench ab use", f.kept.Added, f.search.Wisdom)
	}
	fmt.Fprintln(&b)
	for _, e := range f.kept.Defaults {
		fmt.Fprintf(&b, "%s %s: the defaults, measured in turns, are not slower than the best found: the entry is theirs\n", e.Version, e.Params)
	}
	for _, e := range f.kept.Better {
		fmt.Fprintf(&b, "%s %s: an earlier search's %s stays in %s\n", e.Version, e.Params, amount(e.Cost, f.search.Objective), f.search.Wisdom)
	}
	return b.String()
}
