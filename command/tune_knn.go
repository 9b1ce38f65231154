package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"bench/framework"
	"bench/framework/record"
	"bench/tuning"
	"bench/tuning/knn"
	"bench/tuning/strategy"
)

// trainFlags are those of learning from finished runs.
type trainFlags struct {
	train    []string
	tunables []string
	versions []string
	where    []string
	axis     string
	predict  []int64
	log      bool
}

func (t *trainFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVar(&t.train, "train", nil, "folders of finished runs to learn from, with --strategy knn; without a config: how well the best tunables are predicted of sizes left out")
	flags.StringSliceVar(&t.tunables, "tunable", []string{"m", "R"}, "train without a config: tunables to predict")
	flags.StringSliceVar(&t.versions, "versions", nil, "train: versions to learn from; of one size the rows of the last named count")
	flags.StringSliceVar(&t.where, "where", nil, "train: NAME=VALUE of parameters that the rows must have")
	flags.StringVar(&t.axis, "axis", "N", "train without a config: the parameter to predict by")
	flags.Int64SliceVar(&t.predict, "predict", nil, "train without a config: sizes to predict for")
	flags.BoolVar(&t.log, "log", false, "train without a config: measure distance between logarithms of sizes")
}

// conditions is --where by name.
func (t *trainFlags) conditions() (map[string]string, error) {
	where := map[string]string{}
	for _, w := range t.where {
		name, value, ok := strings.Cut(w, "=")
		if !ok {
			return nil, usageError(fmt.Errorf("--where %q is not NAME=VALUE", w))
		}
		where[name] = value
	}
	return where, nil
}

// checkTrain is for a search: faults of the flags end it before it begins.
func (t *trainFlags) checkTrain(strategy tuning.Info) error {
	if len(t.train) == 0 {
		return nil
	}
	if strategy.Name != "knn" {
		return usageError(fmt.Errorf("--train: only --strategy knn learns from runs, not %s", strategy.Name))
	}
	for _, dir := range t.train {
		if _, err := record.Read(dir); err != nil {
			return usageError(fmt.Errorf("--train: %w", err))
		}
	}
	_, err := t.conditions()
	return err
}

// prediction is what one run teaches of one tunable.
type prediction struct {
	Run        string  `json:"run"`
	Tunable    string  `json:"tunable"`
	Sizes      int     `json:"sizes"`
	K          int     `json:"k"`
	LeftOut    int     `json:"left_out"`
	Splits     int     `json:"splits"`
	Accuracy   float64 `json:"accuracy"`
	Deviation  float64 `json:"accuracy_deviation"`
	Least      float64 `json:"least"`
	Most       float64 `json:"most"`
	Null       float64 `json:"null_accuracy"`
	Covered    int     `json:"covered_splits"`
	Predicted  []int64 `json:"predicted,omitempty"` // for the sizes asked for
	prediction func(int64) int64
}

// trainSplits is how many times sizes are left out.
const trainSplits = 500

// learn reports what runs teach: how well a tunable is predicted, and the
// predictions asked for.
func (a *app) learn(f tuneFlags, t trainFlags) error {
	where, err := t.conditions()
	if err != nil {
		return err
	}
	if t.axis == "" || len(t.tunables) == 0 {
		return usageError(errors.New("--axis and --tunable may not be empty"))
	}
	for _, n := range t.predict {
		if n < 1 {
			return usageError(fmt.Errorf("--predict %d: want at least 1", n))
		}
	}
	var all []prediction
	for _, dir := range t.train {
		run, err := record.Read(dir)
		if err != nil {
			return usageError(err)
		}
		found := false
		for _, tunable := range t.tunables {
			versions := having(run, tunable, t.versions)
			if len(versions) == 0 {
				continue
			}
			found = true
			if len(t.versions) == 0 && len(versions) > 1 {
				return usageError(fmt.Errorf("%s: %s is a tunable of %s: choose by --versions", dir, tunable, strings.Join(versions, ", ")))
			}
			samples, err := knn.FromRun(run, knn.Choice{Tunable: tunable, Parameter: t.axis, Versions: versions, Where: where})
			if err != nil {
				return usageError(fmt.Errorf("%s: %w; --where NAME=VALUE chooses rows", dir, err))
			}
			p, err := predictionOf(samples, t, rand.New(rand.NewPCG(f.seed, 0)))
			if err != nil {
				return usageError(fmt.Errorf("%s: %w", dir, err))
			}
			p.Run, p.Tunable = dir, tunable
			all = append(all, p)
		}
		if !found {
			return usageError(fmt.Errorf("%s: no row of the versions asked for has a tunable %s", dir, strings.Join(t.tunables, " or ")))
		}
	}
	if f.json {
		e := json.NewEncoder(a.out)
		for _, p := range all {
			if err := e.Encode(p); err != nil {
				return &statusError{exitBad, err}
			}
		}
		return nil
	}
	return a.printLearned(all, t)
}

// having are the run's versions with the tunable: of those asked for, in
// their order; all, where none is.
func having(run *record.Run, tunable string, asked []string) []string {
	var versions []string
	for _, w := range run.Rows {
		if w.Tunables[tunable].IsSet() && !slices.Contains(versions, w.Version) {
			versions = append(versions, w.Version)
		}
	}
	if len(asked) == 0 {
		return versions
	}
	return slices.DeleteFunc(slices.Clone(asked), func(v string) bool { return !slices.Contains(versions, v) })
}

func predictionOf(samples []knn.Sample, t trainFlags, rnd *rand.Rand) (prediction, error) {
	o := knn.Options{Log: t.log}
	m, err := knn.Train(samples, o)
	if err != nil {
		return prediction{}, err
	}
	p := prediction{Sizes: len(samples), K: m.K, prediction: m.Predict}
	for _, n := range t.predict {
		p.Predicted = append(p.Predicted, m.Predict(n))
	}
	test := int(math.Ceil(knn.TestShare * float64(len(samples))))
	if len(samples)-test < 1 {
		return p, nil
	}
	e, err := knn.Evaluate(samples, test, trainSplits, o, rnd)
	if err != nil {
		return prediction{}, err
	}
	p.LeftOut, p.Splits, p.Covered = e.Test, e.Splits, e.Covered
	p.Accuracy, p.Deviation, p.Least, p.Most, p.Null = e.Accuracy, e.Deviation, e.Least, e.Most, e.Null
	return p, nil
}

func (a *app) printLearned(all []prediction, t trainFlags) error {
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "RUN\tTUNABLE\tSIZES\tK\tLEFT OUT\tACCURACY\tRANGE\tNULL ACCURACY")
	for _, p := range all {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%.2f ± %.2f\t%.2f–%.2f\t%.2f\n",
			p.Run, p.Tunable, p.Sizes, p.K, p.LeftOut, p.Accuracy, p.Deviation, p.Least, p.Most, p.Null)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(a.out, "Accuracy is the mean, its standard deviation and its range over %d random choices of what is left out.\n", trainSplits)
	if len(t.predict) == 0 {
		return nil
	}
	fmt.Fprintln(a.out)
	header := []string{t.axis}
	var m, steps *prediction
	for i := range all {
		p := &all[i]
		header = append(header, p.Tunable+" by "+p.Run)
		if p.Tunable == "m" && m == nil {
			m = p
		}
		if p.Tunable == "R" && steps == nil {
			steps = p
		}
	}
	if m != nil && steps != nil {
		header = append(header, "sizes m, m1, … for R steps")
	}
	fmt.Fprintln(w, strings.Join(header, "\t"))
	for i, n := range t.predict {
		row := []string{fmt.Sprint(n)}
		for _, p := range all {
			row = append(row, fmt.Sprint(p.Predicted[i]))
		}
		if m != nil && steps != nil {
			row = append(row, fmt.Sprint(knn.RecursionSizes(n, int(steps.Predicted[i]), m.prediction)))
		}
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return w.Flush()
}

// trained is the strategy of a search with what runs teach of it, and its
// sizes: logarithms of the numbers that differ between the tasks and the runs.
func (l *live) trained(s *search) (tuning.Info, [][]float64, error) {
	sizes := make([][]float64, len(s.tasks))
	if len(l.train) == 0 {
		for i := range s.tasks {
			sizes[i] = sizeOf(s.tasks, i)
		}
		return l.strategy, sizes, nil
	}
	where, err := l.conditions()
	if err != nil {
		return tuning.Info{}, nil, err
	}
	versions := l.versions
	if len(versions) == 0 {
		versions = []string{s.version.Name}
	}
	var rows []record.Row
	for _, dir := range l.train {
		run, err := record.Read(dir)
		if err != nil {
			return tuning.Info{}, nil, usageError(err)
		}
		rows = append(rows, bestRows(run.Rows, l.factory.Name, versions, where)...)
	}
	if len(rows) == 0 {
		return tuning.Info{}, nil, usageError(fmt.Errorf("--train: no row of %s %s has succeeded", l.factory.Name, strings.Join(versions, ", ")))
	}
	params := make([]framework.Values, 0, len(s.tasks)+len(rows))
	for _, t := range s.tasks {
		params = append(params, t.base.Params)
	}
	for _, w := range rows {
		params = append(params, w.Params)
	}
	places := placesOf(s.tasks[0].base.ParamOrder, params)
	copy(sizes, places)
	var examples []strategy.Example
	for i, w := range rows {
		e := strategy.Example{Size: places[len(s.tasks)+i], Values: map[string]float64{}}
		for name, v := range w.Tunables {
			e.Values[name] = v.Float()
		}
		examples = append(examples, e)
	}
	return strategy.TrainedKNN(examples), sizes, nil
}

// bestRows are the fastest rows for each set of parameters; of versions the last
// named counts. Rows without times, of a publication, count where they are alone.
func bestRows(rows []record.Row, algorithm string, versions []string, where map[string]string) []record.Row {
	at := map[string]int{}
	var kept []record.Row
	for _, w := range rows {
		rank := slices.Index(versions, w.Version)
		if w.Algorithm != algorithm || w.Status != record.OK || rank < 0 || len(w.Tunables) == 0 {
			continue
		}
		if slices.ContainsFunc(keysOf(where), func(name string) bool { return w.Params[name].String() != where[name] }) {
			continue
		}
		key := fmt.Sprint(w.Params)
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

func keysOf(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	return keys
}

// placesOf are the logarithms of the numbers that differ.
func placesOf(order []string, params []framework.Values) [][]float64 {
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
