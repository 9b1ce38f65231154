package command

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"bench/tuning"
)

// quality is one version's of one search, in the form of Table II of
// "Performance Tuning for GPU-Embedded Systems".
type quality struct {
	Algorithm string `json:"algorithm"`
	Version   string `json:"version"`
	Strategy  string `json:"strategy"`
	Sizes     int    `json:"sizes"`
	// Performance is the mean over the sizes, in items a second.
	Performance float64 `json:"items_per_s"`
	// Phi is the harmonic mean over the sizes of the least time by the time at
	// the tunables that the search chose, both as the exhaustive search measured.
	Phi         float64 `json:"phi"`
	Evaluations int     `json:"evaluations"`
	Points      int     `json:"points"` // that exhaustive search evaluates
}

// phi compares searches with an exhaustive one of the same config.
func (a *app) phi(dirs []string, f tuneFlags, l liveFlags) error {
	reference, err := readReport(l.phi)
	if err != nil {
		return usageError(fmt.Errorf("--phi: %w", err))
	}
	spaces, err := filepath.Glob(filepath.Join(l.phi, spacesDir, "*.csv*"))
	if err != nil || len(spaces) == 0 {
		return usageError(fmt.Errorf("--phi %s: no recorded spaces in %s", l.phi, spacesDir))
	}
	recorded := map[string]*tuning.Recorded{}
	for _, path := range spaces {
		r, err := tuning.OpenRecorded(path, nil)
		if err != nil {
			return usageError(err)
		}
		recorded[r.Name] = r
	}
	var all []quality
	for _, dir := range dirs {
		report, err := readReport(dir)
		if err != nil {
			return usageError(err)
		}
		list, err := qualities(report, reference, recorded, func(format string, args ...any) {
			fmt.Fprintf(a.err, dir+": "+format+"\n", args...)
		})
		if err != nil {
			return usageError(fmt.Errorf("%s: %w", dir, err))
		}
		all = append(all, list...)
	}
	if f.json {
		e := json.NewEncoder(a.out)
		for _, q := range all {
			if err := e.Encode(q); err != nil {
				return &statusError{exitBad, err}
			}
		}
		return nil
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ALGORITHM\tVERSION\tSTRATEGY\tSIZES\tAVERAGE PERFORMANCE\tΦ\tEVALUATIONS\tOF")
	for _, q := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%.4g G items/s\t%.4f\t%d\t%d\n", q.Algorithm, q.Version, q.Strategy, q.Sizes, q.Performance*1e-9, q.Phi, q.Evaluations, q.Points)
	}
	return w.Flush()
}

// qualities are those of a report's versions, over the sweep points that the
// exhaustive search recorded whole.
func qualities(report, reference *tuneReport, recorded map[string]*tuning.Recorded, say func(string, ...any)) ([]quality, error) {
	var order []string
	byVersion := map[string]*quality{}
	inverse := map[string]float64{} // sum of 1/efficiency
	for _, t := range report.Tasks {
		r, items := referenceOf(t, reference, recorded)
		if r == nil {
			say("%s %s left out: the exhaustive search did not measure all of its space", t.Version, t.sizes(report))
			continue
		}
		optimum, ok := r.Optimum()
		if !ok {
			return nil, fmt.Errorf("%s: no point is valid", r.Name)
		}
		cost := math.Inf(1) // nothing found
		if p := r.Space.FindTunables(t.Tunables); p >= 0 && !math.IsNaN(r.Costs[p]) {
			cost = r.Costs[p]
		}
		key := t.Version + string(t.Processor)
		q := byVersion[key]
		if q == nil {
			q = &quality{Algorithm: t.Algorithm, Version: t.Version, Strategy: report.Strategy}
			byVersion[key] = q
			order = append(order, key)
		}
		q.Sizes++
		q.Performance += float64(items) / cost
		q.Evaluations += t.Evaluations
		q.Points += r.Space.Len()
		inverse[key] += cost / optimum
	}
	var list []quality
	for _, key := range order {
		q := byVersion[key]
		q.Performance /= float64(q.Sizes)
		q.Phi = float64(q.Sizes) / inverse[key]
		list = append(list, *q)
	}
	return list, nil
}

// sizes names a sweep point by what differs in its report.
func (t taskReport) sizes(r *tuneReport) string {
	var words []string
	for _, n := range t.varying(r) {
		words = append(words, n+" "+t.Params[n].String())
	}
	return strings.Join(words, " ")
}

// referenceOf is the recorded space of a report's sweep point, nil where there
// is none, and the items of one run there.
func referenceOf(t taskReport, reference *tuneReport, recorded map[string]*tuning.Recorded) (*tuning.Recorded, int64) {
	for _, o := range reference.Tasks {
		if o.Version != t.Version || o.Processor != t.Processor || !equalParams(o, t) {
			continue
		}
		if r := recorded[o.Recorded]; r != nil {
			return r, o.Items
		}
	}
	return nil, 0
}

func equalParams(a, b taskReport) bool {
	for name, v := range a.Params {
		if b.Params[name].String() != v.String() {
			return false
		}
	}
	return len(a.Params) == len(b.Params)
}
