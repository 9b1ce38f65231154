package record

import (
	"fmt"
	"iter"
	"slices"
	"sort"
)

// Samples are a run's timed samples by point: the times of all in one slice, and where each
// series is in it. Nil has none.
type Samples struct {
	times  []float64
	series []placedSeries // by point, those of a point in the order of the file
}

// placedSeries are consecutive samples of one series, or a part of it.
type placedSeries struct {
	point, from int
	version     string
	instance    int
	count       int32
	first       int32 // its first sample's number
	hot         bool
}

// SampleSeries are consecutive samples of one series.
type SampleSeries struct {
	Instance      int
	Version, Mode string
	First         int // number of the first in the series
	Times         []float64
}

// SamplesOf returns the samples of a list.
func SamplesOf(list []Sample) *Samples {
	s := &Samples{}
	for _, x := range list {
		s.add(x)
	}
	s.sort()
	return s
}

// add appends a sample; sort comes after the last.
func (s *Samples) add(x Sample) {
	if n := len(s.series) - 1; n < 0 || !s.series[n].continues(x) {
		s.series = append(s.series, placedSeries{point: x.Point, from: len(s.times), version: x.Version, instance: x.Instance, first: int32(x.Index), hot: x.Mode == hotMode})
	}
	s.series[len(s.series)-1].count++
	s.times = append(s.times, x.Time)
}

const hotMode, coldMode = "hot", "cold"

func (p placedSeries) continues(x Sample) bool {
	return p.point == x.Point && p.instance == x.Instance && p.hot == (x.Mode == hotMode) && p.version == x.Version && int(p.first+p.count) == x.Index
}

func (s *Samples) sort() {
	slices.SortStableFunc(s.series, func(a, b placedSeries) int { return a.point - b.point })
}

// Of returns the series of a point in the order taken.
func (s *Samples) Of(point int) iter.Seq[SampleSeries] {
	return func(yield func(SampleSeries) bool) {
		if s == nil {
			return
		}
		at := sort.Search(len(s.series), func(i int) bool { return s.series[i].point >= point })
		for ; at < len(s.series) && s.series[at].point == point; at++ {
			if !yield(s.at(at)) {
				return
			}
		}
	}
}

func (s *Samples) at(i int) SampleSeries {
	p := s.series[i]
	mode := coldMode
	if p.hot {
		mode = hotMode
	}
	to := p.from + int(p.count)
	return SampleSeries{p.instance, p.version, mode, int(p.first), s.times[p.from:to:to]}
}

// List returns all samples by point.
func (s *Samples) List() (list []Sample) {
	if s == nil {
		return nil
	}
	for i := range s.series {
		list = s.at(i).list(s.series[i].point, list)
	}
	return list
}

// list appends the samples, as those of a point.
func (x SampleSeries) list(point int, list []Sample) []Sample {
	for i, t := range x.Times {
		list = append(list, Sample{point, x.Instance, x.Version, x.Mode, x.First + i, t})
	}
	return list
}

// numbering refuses samples that are not numbered in the order taken: what is so cannot be
// the same row again and again, which compresses to nearly nothing.
type numbering struct {
	next  map[seriesKey]int // of the last point; of all, once a point came again
	last  int               // point
	again bool
}

type seriesKey struct {
	point, instance int
	mode            string
}

// check refuses a sample; those before it are in s.
func (n *numbering) check(x *Sample, s *Samples) error {
	if x.Mode != coldMode && x.Mode != hotMode {
		return fmt.Errorf("mode is %q, want cold or hot", x.Mode)
	}
	switch {
	case n.next == nil:
		n.next = map[seriesKey]int{}
	case n.again:
	case x.Point > n.last:
		clear(n.next)
	case x.Point < n.last: // points ascend, unless somebody wrote them
		n.again = true
		for i, p := range s.series {
			n.next[seriesKey{p.point, p.instance, s.at(i).Mode}] = int(p.first + p.count)
		}
	}
	n.last = x.Point
	key := seriesKey{x.Point, x.Instance, x.Mode}
	if have := n.next[key]; x.Index != have {
		return fmt.Errorf("sample %d of point %d, %s, want sample %d", x.Index, x.Point, x.Mode, have)
	}
	n.next[key]++
	return nil
}
