package knn

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/record"
	"example.org/bench/tuning"
	"example.org/bench/tuning/strategy"
)

// Training is which finished runs a search learns from.
type Training struct {
	Runs []string // folders
	// Versions: of one size the rows of the last named count; none: the version
	// that is searched.
	Versions []string
	// Where are parameters' values as written, which the rows must have.
	Where map[string]string

	read []*record.Run // of Runs
}

// NewTraining is that of runs, whose folders are read by read, and of parameters' values
// given as NAME=VALUE.
func NewTraining(read func(dir string) (*record.Run, error), runs, versions, where []string) (t Training, err error) {
	t = Training{Runs: runs, Versions: versions}
	if t.Where, err = ParseWhere(where); err != nil {
		return t, err
	}
	for _, dir := range runs {
		run, err := read(dir)
		if err != nil {
			return t, fmt.Errorf("--train: %w", err)
		}
		t.read = append(t.read, run)
	}
	return t, nil
}

// ParseWhere are parameters' values by name, given as NAME=VALUE.
func ParseWhere(list []string) (map[string]string, error) {
	where := map[string]string{}
	for _, w := range list {
		name, value, ok := strings.Cut(w, "=")
		if !ok {
			return nil, fmt.Errorf("--where %q is not NAME=VALUE", w)
		}
		where[name] = value
	}
	return where, nil
}

// Strategy is the strategy knn with what the runs teach of a version, and the
// sizes of the problems that it is asked for.
func (t Training) Strategy(algorithm, version string, order []string, problems []framework.Values) (tuning.Info, [][]float64, error) {
	versions := t.Versions
	if len(versions) == 0 {
		versions = []string{version}
	}
	var rows []record.Row
	for _, run := range t.read {
		rows = append(rows, bestRows(run.Rows, algorithm, versions, t.Where)...)
	}
	if len(rows) == 0 {
		return tuning.Info{}, nil, fmt.Errorf("--train: no row of %s %s has succeeded", algorithm, strings.Join(versions, ", "))
	}
	all := slices.Clone(problems)
	for _, w := range rows {
		all = append(all, w.Params.Values())
	}
	sizes := Sizes(order, all)
	var examples []strategy.Example
	for i, w := range rows {
		e := strategy.Example{Size: sizes[len(problems)+i], Values: map[string]float64{}}
		for name, v := range w.Tunables.All() {
			e.Values[name] = v.Float()
		}
		examples = append(examples, e)
	}
	return strategy.TrainedKNN(examples), sizes[:len(problems)], nil
}

// bestRows are the fastest rows for each set of parameters; of versions the last
// named counts. Rows without times, of a publication, count where they are alone.
func bestRows(rows []record.Row, algorithm string, versions []string, where map[string]string) []record.Row {
	at := map[string]int{}
	var kept []record.Row
	for _, w := range rows {
		rank := slices.Index(versions, w.Version)
		if w.Algorithm != algorithm || w.Status != record.OK || rank < 0 || w.Tunables.None() || !matches(w, where) {
			continue
		}
		key := fmt.Sprint(w.Params.Values())
		i, ok := at[key]
		if !ok {
			at[key] = len(kept)
			kept = append(kept, w)
			continue
		}
		old := slices.Index(versions, kept[i].Version)
		if rank > old || rank == old && w.Time.Median.IsSet() && w.Time.Median.Float() < kept[i].Time.Median.Float() {
			kept[i] = w
		}
	}
	return kept
}

// Sizes place problems: the logarithms to base 2 of the numbers in which they
// differ, in this order of the parameters.
func Sizes(order []string, params []framework.Values) [][]float64 {
	places := make([][]float64, len(params))
	for _, name := range order {
		first := params[0][name]
		if first.Kind() == framework.Text || !slices.ContainsFunc(params, func(v framework.Values) bool {
			return v[name].IsSet() && v[name] != first
		}) {
			continue
		}
		for i, v := range params {
			x := v[name]
			if !x.IsSet() {
				x = first // what a run does not say
			}
			places[i] = append(places[i], log2(x.Float()))
		}
	}
	return places
}

func log2(x float64) float64 {
	if x <= 0 {
		return x
	}
	return math.Log2(x)
}
