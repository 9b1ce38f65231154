package stats

import (
	"cmp"
	"slices"
	"sync"
)

// Series is samples with what most statistics of them start from, so that they
// are sorted once.
type Series struct {
	Samples []float64 // in the order taken
	Sorted  []float64 // ascending
	ranks   []float64 // of Samples, counted from 1; equal samples share their mean rank
	// ties is the sum of t³-t over groups of t equal samples, by which the
	// variance of rank statistics is corrected.
	ties float64
	// blocks are BlockLogs once asked for.
	blocks func() []float64
}

// NewSeries sorts samples, which stay as they are and are kept.
func NewSeries(samples []float64) *Series {
	type placed struct {
		value float64
		at    int
	}
	order := make([]placed, len(samples))
	for i, x := range samples {
		order[i] = placed{x, i}
	}
	slices.SortFunc(order, func(a, b placed) int {
		switch {
		case a.value < b.value:
			return -1
		case a.value > b.value:
			return 1
		}
		return cmp.Compare(a.value, b.value) // equal, or no numbers
	})
	s := &Series{blocks: sync.OnceValue(func() []float64 { return blockLogs(samples) }), Samples: samples, Sorted: make([]float64, len(samples)), ranks: make([]float64, len(samples))}
	for i := 0; i < len(order); {
		j := i + 1
		for j < len(order) && order[j].value == order[i].value {
			j++
		}
		for k, p := range order[i:j] {
			s.Sorted[i+k] = p.value
			s.ranks[p.at] = float64(i+1+j) / 2
		}
		t := float64(j - i)
		s.ties += t*t*t - t
		i = j
	}
	return s
}

// Median is that of the samples, at least one.
func (s *Series) Median() float64 { return Quantile(s.Sorted, 0.5) }

// BlockLogs are the logarithms of BlockMedians; nil where these are. They are not to
// be changed.
func (s *Series) BlockLogs() []float64 { return s.blocks() }
