// Package knn chooses a tunable by the sizes at which its best value is
// known: k-nearest-neighbour classification, as for the sub-system size m and
// the number of recursive steps R of the tridiagonal partition method (Veneva,
// "ML-Based Optimum Sub-system Size for the GPU Implementation of the
// Tridiagonal Partition Method", 2.5 and 3).
package knn

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Sample is a size and the value that was best there.
type Sample struct {
	Size  int64
	Value int64
}

// Options of training.
type Options struct {
	// K is the number of neighbours that vote; 0: the best of 1 to the number
	// of different values, by cross-validation over the training samples.
	K int
	// Log measures distance between logarithms of sizes; the publication
	// measures it between sizes.
	Log bool
}

// Model predicts the value for a size.
type Model struct {
	K       int
	log     bool
	samples []Sample // by size
}

// folds of the cross-validation, fewer where there are fewer samples.
const folds = 5

// Train learns from samples; of one size there may be only one.
func Train(samples []Sample, o Options) (*Model, error) {
	if len(samples) == 0 {
		return nil, errors.New("knn: no samples")
	}
	sorted := slices.Clone(samples)
	slices.SortFunc(sorted, func(a, b Sample) int { return cmp.Compare(a.Size, b.Size) })
	for i, s := range sorted {
		if s.Size < 1 {
			return nil, fmt.Errorf("knn: size %d is not positive", s.Size)
		}
		if i > 0 && s.Size == sorted[i-1].Size {
			return nil, fmt.Errorf("knn: two samples of size %d", s.Size)
		}
	}
	if o.K < 0 || o.K > len(samples) {
		return nil, fmt.Errorf("knn: k is %d, with %d samples", o.K, len(samples))
	}
	m := &Model{K: o.K, log: o.Log, samples: sorted}
	if m.K == 0 {
		m.K = bestK(sorted, o.Log)
	}
	return m, nil
}

// bestK is the k of the greatest accuracy over the folds, the least of
// equals. Samples are dealt to the folds in the order of their values, so that every
// fold has its part of each value.
func bestK(samples []Sample, log bool) int {
	byValue := slices.Clone(samples)
	slices.SortStableFunc(byValue, func(a, b Sample) int { return cmp.Compare(a.Value, b.Value) })
	n := min(folds, len(samples))
	best, k := 0, 1
	for try := 1; try <= distinct(samples); try++ {
		right := 0
		for fold := range n {
			m := Model{K: try, log: log}
			var test []Sample
			for i, s := range byValue {
				if i%n == fold {
					test = append(test, s)
				} else {
					m.samples = append(m.samples, s)
				}
			}
			if len(m.samples) < try {
				continue
			}
			slices.SortFunc(m.samples, func(a, b Sample) int { return cmp.Compare(a.Size, b.Size) })
			for _, s := range test {
				if m.Predict(s.Size) == s.Value {
					right++
				}
			}
		}
		if right > best {
			best, k = right, try
		}
	}
	return k
}

// Predict is the value that most of the K nearest samples have, the least of
// equals. Of samples equally far the smaller counts first.
func (m *Model) Predict(size int64) int64 {
	at := m.place(size)
	near := slices.Clone(m.samples)
	slices.SortStableFunc(near, func(a, b Sample) int {
		return cmp.Compare(math.Abs(m.place(a.Size)-at), math.Abs(m.place(b.Size)-at))
	})
	value, _ := mostFrequent(near[:min(m.K, len(near))])
	return value
}

func (m *Model) place(size int64) float64 {
	if m.log {
		return math.Log(float64(size))
	}
	return float64(size)
}

// Accuracy is the share of samples whose value is predicted.
func (m *Model) Accuracy(samples []Sample) float64 {
	right := 0
	for _, s := range samples {
		if m.Predict(s.Size) == s.Value {
			right++
		}
	}
	return float64(right) / float64(len(samples))
}

// NullAccuracy is what always predicting the samples' most frequent value
// would reach.
func NullAccuracy(samples []Sample) float64 {
	_, count := mostFrequent(samples)
	return float64(count) / float64(len(samples))
}

// Split divides samples at random; the training part is the first.
func Split(samples []Sample, test int, rnd *rand.Rand) (train, tested []Sample) {
	order := rnd.Perm(len(samples))
	for i, at := range order {
		if i < test {
			tested = append(tested, samples[at])
		} else {
			train = append(train, samples[at])
		}
	}
	return train, tested
}

// Covers says whether every value of the others occurs in the samples: a
// model can predict no other.
func Covers(samples, others []Sample) bool {
	known := map[int64]bool{}
	for _, s := range samples {
		known[s.Value] = true
	}
	return !slices.ContainsFunc(others, func(s Sample) bool { return !known[s.Value] })
}

func mostFrequent(samples []Sample) (value int64, count int) {
	counts := map[int64]int{}
	for _, s := range samples {
		counts[s.Value]++
	}
	for v, n := range counts {
		if n > count || n == count && v < value {
			value, count = v, n
		}
	}
	return value, count
}

func distinct(samples []Sample) int {
	known := map[int64]bool{}
	for _, s := range samples {
		known[s.Value] = true
	}
	return len(known)
}
