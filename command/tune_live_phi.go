package command

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"bench/tuning/recorded"
)

// quality is one version's of one search, in the form of Table II of
// "Performance Tuning for GPU-Embedded Systems".
type quality struct {
	Algorithm string `json:"algorithm"`
	Version   string `json:"version"`
	Strategy  string `json:"strategy"`
	Sizes     int    `json:"sizes"`
	// Performance is the mean over the sizes, in items per second.
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
	measured := map[string]*recorded.Space{}
	for _, path := range spaces {
		r, err := recorded.Open(path, nil)
		if err != nil {
			return usageError(err)
		}
		measured[r.Name] = r
	}
	var all []quality
	for _, dir := range dirs {
		report, err := readReport(dir)
		if err != nil {
			return usageError(err)
		}
		list, err := qualities(report, reference, measured, func(format string, args ...any) {
			fmt.Fprintf(a.err, dir+": "+format+"\n", args...)
		})
		if err != nil {
			return usageError(fmt.Errorf("%s: %w", dir, err))
		}
		all = append(all, list...)
	}
	if len(all) == 0 {
		return usageError(fmt.Errorf("--phi %s: no sweep point of the other folders is in it whole", l.phi))
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
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\t%.4f\t%d\t%d\n", q.Algorithm, q.Version, q.Strategy, q.Sizes, itemRate(q.Performance), q.Phi, q.Evaluations, q.Points)
	}
	return w.Flush()
}

// qualities are those of a report's versions, over the sweep points that the
// exhaustive search recorded whole.
func qualities(report, reference *tuneReport, recorded map[string]*recorded.Space, say func(string, ...any)) ([]quality, error) {
	var order []string
	byVersion := map[string]*quality{}
	inverse := map[string]float64{} // sum of 1/efficiency
	for _, t := range report.Tasks {
		r, items := referenceOf(t, reference, recorded)
		if r == nil {
			say("%s %s %s left out: %s", t.Algorithm, t.Version, t.sizes(report), whyNoReference(t, reference))
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

// whyNoReference says why the exhaustive search cannot judge a sweep point.
func whyNoReference(t taskReport, reference *tuneReport) string {
	for _, r := range reference.Tasks {
		if r.Algorithm == t.Algorithm && r.Version == t.Version {
			return "the exhaustive search did not measure all of its space"
		}
	}
	return "the exhaustive search is of " + reference.of()
}

// of names the versions that a report is of.
func (r *tuneReport) of() string {
	var names []string
	for _, t := range r.Tasks {
		if n := t.Algorithm + " " + t.Version; !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return strings.Join(names, ", ")
}

// itemRate is items per second with the prefix that suits it.
func itemRate(x float64) string {
	for _, p := range []struct {
		factor float64
		prefix string
	}{{1e9, "G "}, {1e6, "M "}, {1e3, "k "}} {
		if x >= p.factor {
			return fmt.Sprintf("%.4g %sitems/s", x/p.factor, p.prefix)
		}
	}
	return fmt.Sprintf("%.4g items/s", x)
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
func referenceOf(t taskReport, reference *tuneReport, recorded map[string]*recorded.Space) (*recorded.Space, int64) {
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
