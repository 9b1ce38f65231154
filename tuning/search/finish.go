package search

import (
	"cmp"
	"fmt"
	"strings"

	"example.org/bench/framework/record"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/terminal"
)

// Finished is what a search that has ended left behind.
type Finished struct {
	Report *Report
	Plots  int // that were drawn

	search *Search
	dir    *safefile.Folder
	kept   Kept
}

// Finish writes the report and the trials of a search to a folder and keeps what was found
// as wisdom.
func (s *Search) Finish(dir *safefile.Folder) (*Finished, error) {
	report, err := s.Write(dir)
	if err != nil {
		return nil, err
	}
	f := &Finished{Report: report, search: s, dir: dir}
	f.kept, err = s.KeepWisdom(report)
	return f, err
}

// Text returns the report for users, the files and wisdom entries of it, and the finding.
func (f *Finished) Text(colours terminal.Palette) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n%s\n", f.Report.Table(), f.Report.Insights())
	if open, trials := f.search.Unsettled(); open > 0 {
		fmt.Fprintf(&b, "not converged: %d of %s (column converged): a machine so uneven may mislead a search\n", open, terminal.Count(trials, "trial"))
	}
	if marked, first := f.search.SharedTrials(); marked > 0 {
		fmt.Fprintf(&b, "%s others used the GPU during %d of %s (column %s), whose times and energies are not theirs alone (at the first: %s)\n", record.SharedMark, marked,
			terminal.Count(len(f.search.Trials), "trial"), sharedColumn, first)
	}
	fmt.Fprintf(&b, "%s: %s, %s and %s", cmp.Or(f.dir.Now(), f.dir.String()), TrialsFile, ReportFile, terminal.Count(f.Plots, "plot"))
	if f.kept.Added+len(f.kept.Better) > 0 {
		fmt.Fprintf(&b, "; %s in %s, which bench run and bench ab use", terminal.Count(f.kept.Added, "entry"), f.search.Wisdom)
	}
	fmt.Fprintln(&b)
	for _, e := range f.kept.Defaults {
		fmt.Fprintf(&b, "%s %s: the defaults, measured in turns, are not slower than the best found: the entry is theirs\n", e.Version, e.Params)
	}
	for _, e := range f.kept.Better {
		fmt.Fprintf(&b, "%s %s: an earlier search's %s stays in %s\n", e.Version, e.Params, amount(e.Cost, f.search.Objective), f.search.Wisdom)
	}
	return b.String() + f.Report.Finding().Line(colours)
}
