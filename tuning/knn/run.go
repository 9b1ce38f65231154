package knn

import (
	"cmp"
	"fmt"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/framework/record"
)

// Choice says what is learned from a run: the value of a tunable by a
// parameter, from the rows that have these other parameters.
type Choice struct {
	Tunable   string
	Parameter string
	// Versions: of rows of one size those of the last version named that has
	// any count, so that corrected values can stand before observed ones.
	Versions []string
	// Where are other parameters' values as written; nil: all rows.
	Where map[string]string
}

// FromRun takes from a run (of bench run, or a published table) the fastest
// value of each size; of rows without times, where a publication names only
// the best value, there may be one per size.
func FromRun(run *record.Run, c Choice) ([]Sample, error) {
	type best struct {
		version int
		value   int64
		seconds float64
		timed   bool
	}
	bests := map[int64]best{}
	fixed := framework.Values{} // what all rows must share
	for i, w := range run.Rows {
		rank := slices.Index(c.Versions, w.Version)
		if w.Status != record.OK || rank < 0 || !matches(w, c.Where) {
			continue
		}
		size, value := w.Params.Get(c.Parameter), w.Tunables.Get(c.Tunable)
		if !size.IsSet() || !value.IsSet() {
			return nil, fmt.Errorf("row %d of %s has no %s or no %s", i+1, run.Prefix, c.Parameter, c.Tunable)
		}
		for name, v := range w.Params.All() {
			if first, ok := fixed[name]; ok && first != v && name != c.Parameter {
				return nil, fmt.Errorf("rows of %s differ in %s, %s and %s: choose one", run.Prefix, name, first, v)
			}
			fixed[name] = v
		}
		now := best{rank, value.Int(), w.Time.Median.Float(), w.Time.Median.IsSet()}
		n := size.Int()
		old, ok := bests[n]
		switch {
		case !ok || rank > old.version:
			bests[n] = now
		case rank < old.version:
		case !now.timed || !old.timed:
			return nil, fmt.Errorf("%s %d has several rows of %s, not all with a time", c.Parameter, n, w.Version)
		case now.seconds < old.seconds:
			bests[n] = now
		}
	}
	if len(bests) == 0 {
		return nil, fmt.Errorf("%s: no row of %v has succeeded with %v", run.Prefix, c.Versions, c.Where)
	}
	var samples []Sample
	for n, b := range bests {
		samples = append(samples, Sample{n, b.value})
	}
	slices.SortFunc(samples, func(a, b Sample) int { return cmp.Compare(a.Size, b.Size) })
	return samples, nil
}

func matches(w record.Row, where map[string]string) bool {
	for name, text := range where {
		if w.Params.Get(name).String() != text {
			return false
		}
	}
	return true
}
