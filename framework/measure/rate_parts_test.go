package measure

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
)

// ticks is a pacer of whole nanoseconds.
type ticks struct {
	t     int64
	rests []int64 // until when
}

func (p *ticks) now() int64     { return p.t }
func (p *ticks) until(at int64) { p.t = max(p.t, at) }
func (p *ticks) rest(at int64)  { p.rests = append(p.rests, at) }

// TestGrid of releases each 100 ns from 1000 on, of runs that take 30: which release is the
// next whatever ends it.
func TestGrid(t *testing.T) {
	fault := errors.New("no")
	for _, c := range []struct {
		name                     string
		end                      int64
		last, failing, restFails int // run after which seen has enough, and which fails
		next                     int64
		rests                    []int64
		err                      error
	}{
		{"all", math.MaxInt64, 9, 9, 9, 3, []int64{1100, 1200, 1300}, nil},
		{"ends at a release", 1200, 9, 9, 9, 2, []int64{1100, 1200}, nil},
		{"ends just after it", 1201, 9, 9, 9, 3, []int64{1100, 1200, 1300}, nil},
		{"enough", math.MaxInt64, 1, 9, 9, 2, []int64{1100}, nil},
		{"fails", math.MaxInt64, 9, 1, 9, 1, []int64{1100}, fault},
		{"cannot be restored", math.MaxInt64, 9, 9, 1, 2, []int64{1100}, fault},
	} {
		p := &ticks{t: 500}
		runs, rests := -1, -1
		job := Job{Run: func() error {
			if runs++; runs == c.failing {
				return fault
			}
			p.t += 30
			return nil
		}, Rest: func() error {
			if rests++; rests == c.restFails {
				return fault
			}
			return nil
		}}
		next, err := grid{1000, 100}.run(p, job, 0, 3, c.end, func(r released) bool {
			want := released{r.index, 1000 + 100*r.index, 1000 + 100*r.index, 1030 + 100*r.index, true}
			if r != want {
				t.Errorf("%s: %+v, want %+v", c.name, r, want)
			}
			return r.index < int64(c.last)
		})
		if next != c.next || err != c.err || !slices.Equal(p.rests, c.rests) {
			t.Errorf("%s: next %d, %v, rests until %v", c.name, next, err, p.rests)
		}
	}
}

// TestUnservedReleases: of four each millisecond, runs of 2 ms serve three by a millisecond
// after the last of them. They take 2, 3 and 4 ms, and 3 ms is how long the fourth has waited.
func TestUnservedReleases(t *testing.T) {
	c := &virtualClock{t: 7}
	x, err := releases(&virtualPacer{c: c}, took(c, always(2e-3)), Rate{}, 1000, 0, 4, nil)
	if err != nil {
		t.Fatal(err)
	}
	if x.Releases != 4 || x.Unserved != 1 || x.Misses != 4 || x.Waited != 1 || x.WorstWakeup != 0 ||
		!same(x.Mean, 3e-3) || !same(x.Worst, 4e-3) || !same(x.Utilisation, 2) || !same(x.Throughput, 500) {
		t.Errorf("%+v", x)
	}
	// A run that ends at its deadline meets it.
	for seconds, misses := range map[float64]int64{1e-3: 0, 1.001e-3: 1} {
		x, err := releases(&virtualPacer{c: c}, took(c, always(seconds)), Rate{}, 1000, 0, 1, nil)
		if err != nil || x.Misses != misses || x.Unserved != 0 || x.Waited != 1 {
			t.Errorf("runs of %v s: %+v, %v", seconds, x, err)
		}
	}
	// No time passes.
	x, err = releases(&virtualPacer{c: c}, took(c, always(0)), Rate{}, 1000, 0, 5, func(int64) bool { return true })
	if err != nil || x.Releases != 1 || x.Unserved != 0 || x.Throughput != 0 {
		t.Errorf("stopped at once: %+v, %v", x, err)
	}
}

// TestSustainAt 2 Hz with runs of 0.3 s, of which the second takes 0.8: it is asked at the
// next release, or where an overrun run ends.
func TestSustainAt(t *testing.T) {
	for _, restores := range []bool{false, true} {
		c := &virtualClock{t: 3}
		job, rests := took(c, func(n int) float64 { return 0.3 + 0.5*float64(n%2) }), 0
		if restores {
			job.Rest = func() error { rests++; return nil }
		}
		var asked []string
		runs, seconds, err := sustainAt(&virtualPacer{c: c}, job, 2, func(elapsed float64, runs int64) bool {
			asked = append(asked, fmt.Sprintf("%.3f:%d", elapsed, runs))
			return runs == 3
		})
		if err != nil || runs != 4 || !same(seconds, 2.4) || !slices.Equal(asked, []string{"0.000:0", "0.500:1", "1.300:2", "1.600:3"}) || restores && rests != 4 {
			t.Errorf("%d runs in %v s, asked %v, %d rests, %v", runs, seconds, asked, rests, err)
		}
	}
}

func TestLeadOf(t *testing.T) {
	for hz, want := range map[float64]int64{1: 10, 100: 10, 101: 11, 1000: 100} {
		if got := leadOf(hz); got != want {
			t.Errorf("at %v Hz: %d releases, want %d", hz, got, want)
		}
	}
}

// TestLatencyBlocks: each of twenty blocks takes as many in turn, and the last what is more.
func TestLatencyBlocks(t *testing.T) {
	l := newLatencies(40)
	for i := range 42 {
		l.add(int64(100 + i))
	}
	for i, b := range l.blocks {
		want, least := int64(2), int64(100+2*i)
		if i == 19 {
			want = 4
		}
		if b.TotalCount() != want || b.Min() != least {
			t.Errorf("block %d: %d from %d on", i, b.TotalCount(), b.Min())
		}
	}
	if l.n != 42 || l.worst != 141 || l.sum != 42*120.5 || len(newLatencies(7).blocks) != 7 || len(newLatencies(0).blocks) != 1 {
		t.Errorf("%d, worst %d, sum %v", l.n, l.worst, l.sum)
	}
	l = newLatencies(3)
	for _, x := range []int64{9, -4, 9} {
		l.add(x)
	}
	if bins := l.bins(); !slices.Equal(bins, []Bin{{0, 1}, {9e-9, 2}}) || l.sum != 18 {
		t.Errorf("bins %v, sum %v", bins, l.sum)
	}
	// Above 5 there are 0 of 2 and 2 of 2, 2 of the variance that independent ones have.
	l = newLatencies(2)
	l.total = 4
	for _, x := range []int64{5, 5, 7, 6} {
		l.add(x)
	}
	if got, all := l.inflation(5), l.inflation(4); got != 4 || all != 1 {
		t.Errorf("inflation %v, and %v where all are above", got, all)
	}
}

// TestPercentileBounds: of 400 that rise, a block of which resembles itself, the median is
// known as that of 19 would be: between their 5th and 15th, of 21 each.
func TestPercentileBounds(t *testing.T) {
	of := func(n int64, value func(i int64) int64) []Percentile {
		l := newLatencies(n)
		for i := range n {
			l.add(value(i))
		}
		return l.percentiles(l.bins())
	}
	isAt := func(p Percentile, value, low, high float64) bool {
		return same(p.Value*nano, value) && same(p.Low*nano, low) && (p.High == nil) == (high == 0) && (p.High == nil || same(*p.High*nano, high))
	}
	if p := of(400, func(i int64) int64 { return 1000 + i })[0]; !isAt(p, 1199, 1104, 1315) || p.Share != 0.5 {
		t.Errorf("%+v", p)
	}
	// Of 40 without an order the 32nd and the last bound the 90th percentile, and nothing bounds the 99th.
	all := of(40, func(i int64) int64 { return 100 + 7*i%40 })
	if !isAt(all[1], 135, 131, 139) || all[2].High != nil || all[2].Low == 0 {
		t.Errorf("%+v", all)
	}
	if p := of(5, func(i int64) int64 { return 100 + i })[0]; !isAt(p, 102, 0, 0) {
		t.Errorf("%+v", p)
	}
	if newLatencies(3).percentiles(nil) != nil {
		t.Error("percentiles of nothing")
	}
}

// TestCapacity is by the runs alone: five at least, a thousand at most, and else 0.2 s.
func TestCapacity(t *testing.T) {
	for _, c := range []struct {
		run, rest float64
		runs      int
		want      float64
	}{{0, 0, 1000, 1e12}, {0.3, 0, 5, 1 / 0.3}, {0.125, 0, 5, 8}, {1e-3, 0, 200, 1000}, {1e-3, 1e-3, 101, 1000}, {0.05, 0, 5, 20}, {0.04, 0, 5, 25}} {
		clock := &virtualClock{t: 7}
		runs := 0
		job := Job{Run: func() error { runs++; clock.sleep(c.run); return nil }, Rest: func() error { clock.sleep(c.rest); return nil }}
		if hz, err := capacityOf(&virtualPacer{c: clock}, job); err != nil || math.Abs(hz/c.want-1) > 1e-6 || runs != c.runs {
			t.Errorf("%+v: %v Hz after %d runs, %v", c, hz, runs, err)
		}
	}
	fault := errors.New("no")
	for _, job := range []Job{{Run: func() error { return fault }}, {Run: func() error { return nil }, Rest: func() error { return fault }}} {
		if _, err := capacityOf(&ticks{}, job); err != fault {
			t.Error(err)
		}
	}
}

// TestHighestOfAll: what takes no time holds the highest rate that is tried.
func TestHighestOfAll(t *testing.T) {
	m := rateDefaults
	m.Releases, m.MinTime = 100, 0
	x, err := highest(&virtualPacer{c: &virtualClock{}}, Job{Run: func() error { return nil }}, Rate{}, m)
	if err != nil || x.Rate != highestRate || *x.Highest != (Highest{Low: highestRate, Trials: 2}) || x.Releases != 100 {
		t.Errorf("%+v, %v", x, err)
	}
}

// TestBracket: from a rate that holds the search goes up by a quarter until one does not, and
// from one that does not down by halves; a failing run ends either.
func TestBracket(t *testing.T) {
	fault := errors.New("no")
	for _, c := range []struct {
		capacity, low, high float64
		trials, failing     int
	}{{1000, 1000, 1250, 2, 9}, {640, 1000, 1250, 4, 9}, {4000, 1000, 2000, 3, 9}, {4000, 0, 0, 1, 1}, {640, 0, 0, 2, 2}} {
		clock := &virtualClock{}
		s := &search{pacer: &virtualPacer{c: clock}, m: rateDefaults, until: math.MaxInt64, found: Highest{High: math.Inf(1)}}
		s.job.Run = func() error {
			if s.found.Trials == c.failing {
				return fault
			}
			clock.sleep(1e-3) // all of the period at 1 kHz, which holds
			return nil
		}
		err := s.bracket(c.capacity)
		if (err == fault) != (c.high == 0) || s.found.Trials != c.trials || err == nil && (s.found.Low != c.low || s.found.High != c.high) {
			t.Errorf("%+v: %+v, %v", c, s.found, err)
		}
	}
}
