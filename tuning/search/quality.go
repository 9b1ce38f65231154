package search

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"example.org/bench/internal/bounded"
	"example.org/bench/tuning/recorded"
)

// Quality is the quality of one search of one version, in the form of Table II of "Performance Tuning for
// GPU-Embedded Systems".
type Quality struct {
	Algorithm   string  `json:"algorithm"`   // its name
	Version     string  `json:"version"`     // its name
	Strategy    string  `json:"strategy"`    // of the search that is judged
	Sizes       int     `json:"sizes"`       // sweep points
	Performance float64 `json:"items_per_s"` // mean over the sizes
	// Phi is the harmonic mean over the sizes of the least time divided by the time at the tunables that the
	// search chose, both as the exhaustive search measured them.
	Phi         float64 `json:"phi"`
	Evaluations int     `json:"evaluations"` // of the search
	Points      int     `json:"points"`      // that the exhaustive search evaluates
}

// Reference is an exhaustive search by whose times others are judged.
type Reference struct {
	report   *Report
	measured map[string]*recorded.Space
}

// OpenReference reads the folder of an exhaustive search.
func OpenReference(dir string) (*Reference, error) {
	report, err := Read(dir)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, name := range bounded.Names(filepath.Join(dir, SpacesDir)) {
		if strings.Contains(filepath.Base(name), ".csv") {
			files = append(files, name)
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: no recorded spaces in %s", dir, SpacesDir)
	}
	r := &Reference{report, map[string]*recorded.Space{}}
	for _, file := range files {
		space, err := recorded.Open(file, nil)
		if err != nil {
			return nil, err
		}
		r.measured[space.Name] = space
	}
	return r, nil
}

// Judge judges the searches in folders by the times of the exhaustive search in the folder reference.
func Judge(reference string, dirs []string, note func(format string, args ...any)) (all []Quality, err error) {
	r, err := OpenReference(reference)
	if err != nil {
		return nil, fmt.Errorf("--reference: %w", err)
	}
	for _, dir := range dirs {
		report, err := Read(dir)
		if err != nil {
			return nil, err
		}
		list, err := r.Qualities(report, func(format string, args ...any) { note(dir+": "+format, args...) })
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		all = append(all, list...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("--reference %s: no sweep point of the other folders is in it whole", reference)
	}
	return all, nil
}

// Qualities returns the qualities of a report's versions, over the sweep points that the exhaustive search
// recorded whole.
func (r *Reference) Qualities(report *Report, note func(string, ...any)) ([]Quality, error) {
	var order []string
	byVersion := map[string]*Quality{}
	inverse := map[string]float64{} // sum of 1/efficiency
	for _, t := range report.Tasks {
		space, items := r.spaceOf(t)
		if space == nil {
			note("%s %s %s left out: %s", t.Algorithm, t.Version, t.sizes(report), r.whyNot(t))
			continue
		}
		optimum, ok := space.Optimum()
		if !ok {
			return nil, fmt.Errorf("%s: no point is valid", space.Name)
		}
		cost := math.Inf(1) // nothing found
		if p := t.in(space.Space); p >= 0 && !math.IsNaN(space.Costs[p]) {
			cost = space.Costs[p]
		}
		key := t.Version + string(t.Processor)
		q := byVersion[key]
		if q == nil {
			q = &Quality{Algorithm: t.Algorithm, Version: t.Version, Strategy: report.Strategy}
			byVersion[key] = q
			order = append(order, key)
		}
		q.Sizes++
		q.Performance += float64(items) / cost
		q.Evaluations += t.Evaluations
		q.Points += space.Space.Len()
		inverse[key] += cost / optimum
	}
	var list []Quality
	for _, key := range order {
		q := byVersion[key]
		q.Performance /= float64(q.Sizes)
		q.Phi = float64(q.Sizes) / inverse[key]
		list = append(list, *q)
	}
	return list, nil
}

// whyNot says why the exhaustive search cannot judge a sweep point.
func (r *Reference) whyNot(t TaskReport) string {
	for _, o := range r.report.Tasks {
		if o.Algorithm == t.Algorithm && o.Version == t.Version {
			return "the exhaustive search did not measure all of its space"
		}
	}
	return "the exhaustive search is of " + r.report.subjects()
}

// subjects names the versions of a report.
func (r *Report) subjects() string {
	var names []string
	for _, t := range r.Tasks {
		if n := t.Algorithm + " " + t.Version; !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return strings.Join(names, ", ")
}

// sizes names a sweep point by what differs in its report.
func (t TaskReport) sizes(r *Report) string {
	var words []string
	for _, n := range t.Varying(r) {
		words = append(words, n+" "+t.Params[n].String())
	}
	return strings.Join(words, " ")
}

// spaceOf returns the recorded space of a report's sweep point, nil if there is none, and the items of one
// run there.
func (r *Reference) spaceOf(t TaskReport) (*recorded.Space, int64) {
	for _, o := range r.report.Tasks {
		if o.Version != t.Version || o.Processor != t.Processor || !equalParams(o, t) {
			continue
		}
		if space := r.measured[o.Recorded]; space != nil {
			return space, o.Items
		}
	}
	return nil, 0
}

func equalParams(a, b TaskReport) bool {
	for name, v := range a.Params {
		if b.Params[name].String() != v.String() {
			return false
		}
	}
	return len(a.Params) == len(b.Params)
}

// QualitiesText returns a row for each search of a version.
func QualitiesText(all []Quality) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ALGORITHM\tVERSION\tSTRATEGY\tSIZES\tAVERAGE PERFORMANCE\tΦ\tEVALUATIONS\tOF")
	for _, q := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\t%.4f\t%d\t%d\n", q.Algorithm, q.Version, q.Strategy, q.Sizes, itemRate(q.Performance), q.Phi, q.Evaluations, q.Points)
	}
	w.Flush()
	return b.String()
}

// itemRate returns items per second with the prefix that suits it.
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
