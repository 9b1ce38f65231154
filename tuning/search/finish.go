package search

import (
	"cmp"
	"fmt"
	"strings"

	"bench/framework/safefile"
	"bench/tuning/wisdom"
)

// Finished is what a search that has ended left behind.
type Finished struct {
	Report *Report

	search *Search
	dir    *safefile.Folder
	plots  int
	added  int            // to the wisdom
	better []wisdom.Entry // that the wisdom had, and keeps
}

// Finish writes the report and the trials of a search to a folder, draws its plots there if
// draw is set, and keeps what was found as wisdom.
func (s *Search) Finish(dir *safefile.Folder, draw bool) (*Finished, error) {
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
	f.added, f.better, err = s.KeepWisdom(report)
	return f, err
}

// Text is the report for people, and which files and entries there are of it.
func (f *Finished) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n%s\n", f.Report.Table(), f.Report.Insights())
	if open, trials := f.search.Unsettled(); open > 0 {
		fmt.Fprintf(&b, "not converged: %d of %d trials (column converged): a machine so uneven may mislead a search\n", open, trials)
	}
	fmt.Fprintf(&b, "%s: %s, %s and %d plots", cmp.Or(f.dir.Now(), f.dir.String()), TrialsFile, ReportFile, f.plots)
	if f.added+len(f.better) > 0 {
		fmt.Fprintf(&b, "; %d entries in %s, which bench run uses", f.added, f.search.Wisdom)
	}
	fmt.Fprintln(&b)
	for _, e := range f.better {
		fmt.Fprintf(&b, "%s %s: an earlier search's %s stays in %s\n", e.Version, e.Params, amount(e.Cost, f.search.Objective), f.search.Wisdom)
	}
	return b.String()
}
