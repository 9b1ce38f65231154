package stats

import (
	"cmp"
	"slices"
	"sync"
)

// Series holds samples and what most of their statistics start from, so that
// they are sorted only once.
type Series struct {
	Samples []float64 // in the order taken
	Sorted  []float64 // ascending
	ranks   []float64 // of Samples, counted from 1; equal samples share their mean rank
	// ties is the sum of t³-t over groups of t equal samples, by which the
	// variance of rank statistics is corrected.
	ties float64
	// blocks returns BlockLogs, which it computes once.
	blocks func() []float64
	order  []placed // ascending
}

// placed is a sample and its index in the order taken.
type placed struct {
	value float64
	at    int
}

func (p placed) compare(other placed) int {
	switch {
	case p.value < other.value:
		return -1
	case p.value > other.value:
		return 1
	}
	return cmp.Compare(p.value, other.value) // equal, or NaN
}

// NewSeries returns the series of samples. It keeps the slice and does not
// change it.
func NewSeries(samples []float64) *Series { return (&Series{}).Extend(samples) }

// Extend returns the series of samples, which begin with those of s. It sorts only the others.
func (s *Series) Extend(samples []float64) *Series {
	more := make([]placed, len(samples)-len(s.Samples))
	for i := range more {
		more[i] = placed{samples[len(s.Samples)+i], len(s.Samples) + i}
	}
	slices.SortFunc(more, placed.compare)
	return newSeries(samples, merged(s.order, more))
}

// merged merges two ascending lists into one.
func merged(a, b []placed) []placed {
	if len(a) == 0 {
		return b
	}
	all := make([]placed, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if b[0].compare(a[0]) < 0 {
			all, b = append(all, b[0]), b[1:]
		} else {
			all, a = append(all, a[0]), a[1:]
		}
	}
	return append(append(all, a...), b...)
}

func newSeries(samples []float64, order []placed) *Series {
	s := &Series{order: order, blocks: sync.OnceValue(func() []float64 { return blockLogs(samples) }), Samples: samples, Sorted: make([]float64, len(samples)), ranks: make([]float64, len(samples))}
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

// Median returns the median of the samples, of which there is at least one.
func (s *Series) Median() float64 { return Quantile(s.Sorted, 0.5) }

// BlockLogs returns the logarithms of BlockMedians, nil if those are. The caller must
// not change them.
func (s *Series) BlockLogs() []float64 { return s.blocks() }
