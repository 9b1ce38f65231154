package knn

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Evaluation is how well values are predicted of sizes left out at random.
type Evaluation struct {
	Test, Splits int
	// Accuracy and Null are means over the splits; the rest are of Accuracy.
	Accuracy, Null, Deviation, Least, Most float64
	// Covered counts the splits whose training part has every value that
	// occurs: in others no model can be right throughout.
	Covered int
}

// TestShare of the samples is left out, rounded up: the publication splits 3:1.
const TestShare = 0.25

// Evaluate leaves out test samples at random, as often as splits says.
func Evaluate(samples []Sample, test, splits int, o Options, rnd *rand.Rand) (Evaluation, error) {
	e := Evaluation{Test: test, Splits: splits}
	var accuracy, null []float64
	for range splits {
		train, tested := Split(samples, test, rnd)
		m, err := Train(train, o)
		if err != nil {
			return Evaluation{}, err
		}
		accuracy = append(accuracy, m.Accuracy(tested))
		null = append(null, NullAccuracy(tested))
		if Covers(train, tested) {
			e.Covered++
		}
	}
	e.Accuracy, e.Deviation = stat.PopMeanStdDev(accuracy, nil)
	e.Null = stat.Mean(null, nil)
	e.Least, e.Most = floats.Min(accuracy), floats.Max(accuracy)
	return e, nil
}
