package history

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/changepoint"
)

// Series is a metric of one point of a config on one machine, run by run.
type Series struct {
	Metric  Metric
	Config  string
	Machine string // fingerprint
	// Name is the point in words, of what differs between the history's points.
	Name    string
	Entries []*Entry // those that have the metric, or failed; none where Undated has all
	Undated []*Undated
}

// point is what the series of one point on all machines share.
func (e *Entry) point() string {
	parts := []string{e.Config, e.Algorithm, e.Version, string(e.Processor), e.Device, e.PowerMode, settings(e.Params)}
	for _, name := range slices.Sorted(slices.Values(e.Swept)) {
		parts = append(parts, name+"="+e.Tunables[name].String())
	}
	return strings.Join(parts, "\n")
}

// key is the point on its machine.
func (e *Entry) key() string { return e.point() + "\n" + e.Machine }

func settings(values framework.Values) string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		words = append(words, name+"="+values[name].String())
	}
	return strings.Join(words, " ")
}

// around is a series' surroundings as a text; equal ones are judged together.
func (e *Entry) around() string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(e.Surroundings)) {
		words = append(words, name+": "+e.Surroundings[name])
	}
	return strings.Join(words, "\n")
}

// has reports whether the metric was measured.
func (e *Entry) has(metric string) bool {
	_, ok := e.Metrics[metric]
	return ok && e.Status == "ok"
}

// value is a metric as the detector takes it: ratios of times are differences of their
// logarithms. A result of a GPU that others used has none.
func (e *Entry) value(metric string) (v changepoint.Value, ok bool) {
	m := e.Metrics[metric]
	if !e.has(metric) || e.Shared != "" {
		return v, false
	}
	return changepoint.Value{X: math.Log(m.Value), Sigma: m.sigma()}, true
}

// AllSeries are those of a history, by config, point, machine and metric.
func (f *File) AllSeries() (list []*Series) {
	type group struct {
		entries []*Entry
		undated []*Undated
	}
	groups := map[string]group{}
	for i := range f.Entries {
		e := &f.Entries[i]
		g := groups[e.key()]
		groups[e.key()] = group{append(g.entries, e), g.undated}
	}
	for i := range f.Undated {
		e := &f.Undated[i]
		g := groups[e.key()]
		groups[e.key()] = group{g.entries, append(g.undated, e)}
	}
	names := f.names()
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		g := groups[key]
		all := slices.Clone(g.entries)
		for _, u := range g.undated {
			all = append(all, &u.Entry)
		}
		for _, m := range Metrics() {
			has := func(e *Entry) bool { return e.has(m.Name) }
			known := slices.ContainsFunc(all, has)
			if !known && (m.Name != "time" || hasAny(all)) {
				continue
			}
			// A failure counts in every series of its point.
			counts := func(e *Entry) bool { return has(e) || e.Status != "ok" }
			s := &Series{Metric: m, Config: all[0].Config, Machine: all[0].Machine, Name: names[all[0].point()]}
			for _, e := range g.entries {
				if counts(e) {
					s.Entries = append(s.Entries, e)
				}
			}
			for _, u := range g.undated {
				if counts(&u.Entry) {
					s.Undated = append(s.Undated, u)
				}
			}
			if len(s.Entries)+len(s.Undated) > 0 {
				list = append(list, s)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b *Series) int {
		return cmp.Or(cmp.Compare(a.Config, b.Config), cmp.Compare(a.Machine, b.Machine))
	})
	return list
}

// late are the undated results that may be among the series' last runs: fewer than
// recent dated ones are on later lines.
func (s *Series) late(recent int) (list []*Undated) {
	for _, u := range s.Undated {
		if u.Since < recent {
			list = append(list, u)
		}
	}
	return list
}

// hasAny reports whether any of the entries has any metric.
func hasAny(entries []*Entry) bool {
	return slices.ContainsFunc(entries, func(e *Entry) bool { return len(e.Metrics) > 0 })
}

// names are the points in words, with the parameters that differ between the points of
// their config.
func (f *File) names() map[string]string {
	var all []*Entry
	for i := range f.Entries {
		all = append(all, &f.Entries[i])
	}
	for i := range f.Undated {
		all = append(all, &f.Undated[i].Entry)
	}
	values := map[string]map[string]bool{} // by config and parameter
	for _, e := range all {
		for name, v := range e.Params {
			key := e.Config + "\n" + name
			if values[key] == nil {
				values[key] = map[string]bool{}
			}
			values[key][v.String()] = true
		}
	}
	names := map[string]string{}
	for _, e := range all {
		words := []string{e.Algorithm + "/" + e.Version}
		for _, name := range slices.Sorted(maps.Keys(e.Params)) {
			if len(values[e.Config+"\n"+name]) > 1 {
				words = append(words, name+"="+e.Params[name].String())
			}
		}
		for _, name := range e.Swept {
			words = append(words, name+"="+e.Tunables[name].String())
		}
		words = append(words, "on "+e.Device)
		if e.PowerMode != "" {
			words = append(words, fmt.Sprintf("(%s)", e.PowerMode))
		}
		names[e.point()] = strings.Join(words, " ")
	}
	return names
}

// differences are the surroundings in which two results are known to differ.
func differences(a, b *Entry) (list []string) {
	for _, name := range slices.Sorted(maps.Keys(b.Surroundings)) {
		if had, now := a.Surroundings[name], b.Surroundings[name]; had != "" && had != now {
			list = append(list, fmt.Sprintf("%s %s → %s", name, had, now))
		}
	}
	return list
}
