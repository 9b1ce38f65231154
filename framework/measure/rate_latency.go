package measure

import (
	"math"
	"slices"
	"sort"

	"github.com/HdrHistogram/hdrhistogram-go"

	"example.org/bench/framework/stats"
)

const (
	// latencyBlocks is the number of consecutive blocks of a series, which show whether latencies
	// resemble earlier ones.
	latencyBlocks = 20
	// latencyDigits and longestLatency are the histograms' parameters. A value has an error of a
	// thousandth, in the same memory whatever the number of releases (HdrHistogram).
	latencyDigits  = 3
	longestLatency = 1000 * nano
)

// latencies counts durations, in nanoseconds, in consecutive blocks. Counting allocates nothing.
type latencies struct {
	blocks []*hdrhistogram.Histogram
	total  int64 // that the blocks are made for
	n      int64
	sum    float64
	worst  int64
	known  struct { // bars, of the first n
		n    int64
		bars [][]hdrhistogram.Bar
	}
}

func newLatencies(total int64) *latencies {
	l := &latencies{total: max(total, 1)}
	for range min(latencyBlocks, l.total) {
		l.blocks = append(l.blocks, hdrhistogram.New(1, longestLatency, latencyDigits))
	}
	return l
}

func (l *latencies) add(x int64) {
	x = min(max(x, 0), longestLatency)
	at := min(l.n*int64(len(l.blocks))/l.total, int64(len(l.blocks))-1)
	l.blocks[at].RecordValue(x) //nolint:errcheck // x is in its range
	l.n++
	l.sum += float64(x)
	l.worst = max(l.worst, x)
}

// bins returns all durations, in seconds.
func (l *latencies) bins() (all []Bin) {
	merged := hdrhistogram.New(1, longestLatency, latencyDigits)
	for _, b := range l.blocks {
		merged.Merge(b)
	}
	for _, bar := range merged.Distribution() {
		if bar.Count > 0 {
			all = append(all, Bin{float64(min(bar.To, l.worst)) / nano, bar.Count})
		}
	}
	return all
}

// bars returns the counts of each block that are not 0.
func (l *latencies) bars() [][]hdrhistogram.Bar {
	if l.known.n != l.n || l.known.bars == nil {
		l.known.n, l.known.bars = l.n, make([][]hdrhistogram.Bar, len(l.blocks))
		for i, b := range l.blocks {
			l.known.bars[i] = slices.DeleteFunc(b.Distribution(), func(bar hdrhistogram.Bar) bool { return bar.Count == 0 })
		}
	}
	return l.known.bars
}

// percentiles returns the Percentiles of bins, which are l's; nil without a sample.
func (l *latencies) percentiles(bins []Bin) []Percentile {
	if l.n == 0 {
		return nil
	}
	upTo := make([]int64, len(bins))
	count := int64(0)
	for i, b := range bins {
		count += b.Count
		upTo[i] = count
	}
	value := func(rank int64) float64 {
		return bins[sort.Search(len(bins)-1, func(i int) bool { return upTo[i] >= rank })].Value
	}
	var all []Percentile
	for _, share := range Percentiles {
		x := Percentile{Share: share, Value: value(int64(math.Ceil(share * float64(l.n))))}
		low, high := stats.QuantileRanks(l.n, share, stats.Confidence, l.inflation(int64(math.Round(x.Value*nano))))
		if low > 0 {
			x.Low = value(low)
		}
		if high <= l.n {
			h := value(high)
			x.High = &h
		}
		all = append(all, x)
	}
	return all
}

// inflation returns how much more the number of durations above a limit varies from block to block
// than that of independent ones.
func (l *latencies) inflation(limit int64) float64 {
	hits, sizes := make([]int64, len(l.blocks)), make([]int64, len(l.blocks))
	for i, bars := range l.bars() {
		for _, bar := range bars {
			sizes[i] += bar.Count
			if bar.From > limit {
				hits[i] += bar.Count
			}
		}
	}
	return stats.Inflation(hits, sizes)
}
