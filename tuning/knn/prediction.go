package knn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"example.org/bench/framework/record"
)

// Prediction is what one run teaches of one tunable.
type Prediction struct {
	Run       string  `json:"run"`                 // its name
	Tunable   string  `json:"tunable"`             // its name
	Sizes     int     `json:"sizes"`               // that are known
	K         int     `json:"k"`                   // neighbours
	LeftOut   int     `json:"left_out"`            // sizes in each split
	Splits    int     `json:"splits"`              // random choices of what is left out
	Accuracy  float64 `json:"accuracy"`            // mean share of sizes predicted exactly
	Deviation float64 `json:"accuracy_deviation"`  // its standard deviation
	Least     float64 `json:"least"`               // accuracy of the worst split
	Most      float64 `json:"most"`                // of the best
	Null      float64 `json:"null_accuracy"`       // of always saying the most frequent value
	Covered   int     `json:"covered_splits"`      // splits that leave every value of the tunable in what is learned from
	Predicted []int64 `json:"predicted,omitempty"` // for --sizes, in their order
	// Predict is the model itself.
	Predict func(int64) int64 `json:"-"`
}

// Splits is how many times sizes are left out.
const Splits = 500

// Having are the run's versions with the tunable: of those asked for, in
// their order; all, where none is.
func Having(run *record.Run, tunable string, asked []string) []string {
	var versions []string
	for _, w := range run.Rows {
		if w.Tunables.Get(tunable).IsSet() && !slices.Contains(versions, w.Version) {
			versions = append(versions, w.Version)
		}
	}
	if len(asked) == 0 {
		return versions
	}
	return slices.DeleteFunc(slices.Clone(asked), func(v string) bool { return !slices.Contains(versions, v) })
}

// Learn is what samples teach: the values predicted for some sizes, and how well
// those of sizes left out at random are predicted.
func Learn(samples []Sample, o Options, sizes []int64, rnd *rand.Rand) (Prediction, error) {
	m, err := Train(samples, o)
	if err != nil {
		return Prediction{}, err
	}
	p := Prediction{Sizes: len(samples), K: m.K, Predict: m.Predict}
	for _, n := range sizes {
		p.Predicted = append(p.Predicted, m.Predict(n))
	}
	test := int(math.Ceil(TestShare * float64(len(samples))))
	if len(samples)-test < 1 {
		return p, nil
	}
	e, err := Evaluate(samples, test, Splits, o, rnd)
	if err != nil {
		return Prediction{}, err
	}
	p.LeftOut, p.Splits, p.Covered = e.Test, e.Splits, e.Covered
	p.Accuracy, p.Deviation, p.Least, p.Most, p.Null = e.Accuracy, e.Deviation, e.Least, e.Most, e.Null
	return p, nil
}

// Question is what runs are asked.
type Question struct {
	Tunables []string // those of them that a run has
	Choice            // but for Tunable
	Options
	Sizes []int64 // to predict for
	Seed  uint64  // which sizes are left out
}

// Ask is what the run of a folder teaches of each tunable that it has.
func (q Question) Ask(dir string, run *record.Run) ([]Prediction, error) {
	var all []Prediction
	for _, tunable := range q.Tunables {
		c := q.Choice
		if c.Versions = Having(run, tunable, q.Versions); len(c.Versions) == 0 {
			continue
		}
		if len(q.Versions) == 0 && len(c.Versions) > 1 {
			return nil, fmt.Errorf("%s: %s is a tunable of %s: choose by --versions", dir, tunable, strings.Join(c.Versions, ", "))
		}
		c.Tunable = tunable
		samples, err := FromRun(run, c)
		if err != nil {
			return nil, fmt.Errorf("%s: %w; --where NAME=VALUE chooses rows", dir, err)
		}
		p, err := Learn(samples, q.Options, q.Sizes, rand.New(rand.NewPCG(q.Seed, 0)))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		p.Run, p.Tunable = dir, tunable
		all = append(all, p)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no row of the versions asked for has a tunable %s", dir, strings.Join(q.Tunables, " or "))
	}
	return all, nil
}
