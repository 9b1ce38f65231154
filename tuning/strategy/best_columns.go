package strategy

import (
	"math"
	"math/bits"
	"slices"

	"example.org/bench/tuning"
)

// column is one coordinate of the surrogate's kernel: a parameter, a quantity derived from parameters, or the
// task. A point has one of a few levels of it.
type column struct {
	level  []uint16 // of each candidate
	levels int
	// distance2 is the squared distance of each two levels, at most 1.
	distance2 []float32 // levels×levels
	// rate is the prior median of the inverse squared length scale.
	rate float64
}

// Prior medians of the rates. They are round numbers near what maximum
// likelihood gives on random points of recorded spaces of four kernels.
const (
	rateOrdinal      = 1.0
	rateSwitch       = 0.25 // a parameter of two values
	rateDivisibility = 0.5
	rateCoupled      = 1.5 // shared by all coupled columns
	rateTask         = 0.25
)

// distinctShare is the least share of the greatest squared distance between two different values, so that
// neighbours are never quite alike.
const distinctShare = 0.05

// warpSize is where divisibility by powers of two begins to matter to a GPU. Parameters whose values are all
// smaller hardly show it.
const warpSize = 32

// maxLevels bounds the levels of a derived column; more are rounded.
const maxLevels = 48

// axis is one parameter's values over all candidates.
type axis struct {
	distinct []float64 // that occur, ascending
	level    []uint16  // of each candidate: which of them
	labels   bool
}

// columnsOf makes the columns of the candidates, which are all tasks' points
// one after another.
func columnsOf(tasks []tuning.Task) []column {
	axes := axesOf(tasks)
	var all []column
	for _, a := range axes {
		if len(a.distinct) < 2 {
			continue
		}
		c := column{level: a.level, levels: len(a.distinct)}
		last := float64(len(a.distinct) - 1)
		c.rate = rateOrdinal
		if last == 1 {
			c.rate = rateSwitch
		}
		c.fill(func(i, j int) float64 {
			r := float64(i-j) / last
			return (1-distinctShare)*r*r + distinctShare
		})
		all = append(all, c)
		if scale := a.divisibility(); scale != nil {
			d := column{level: c.level, levels: c.levels, rate: rateDivisibility}
			d.fill(func(i, j int) float64 { return math.Pow(scale[i]-scale[j], 2) })
			all = append(all, d)
		}
	}
	tied := coupled(axes)
	for i := range tied {
		tied[i].rate = rateCoupled / float64(len(tied))
	}
	all = append(all, tied...)
	if len(tasks) > 1 {
		all = append(all, taskColumn(tasks))
	}
	return all
}

// axesOf takes the first task's parameters and finds those of the others by name. A parameter that another
// task lacks is 0 there.
func axesOf(tasks []tuning.Task) []axis {
	axes := make([]axis, len(tasks[0].Space.Parameters))
	for d, p := range tasks[0].Space.Parameters {
		a := &axes[d]
		a.labels = p.Labels != nil
		at := make([]int, len(tasks))
		for i, t := range tasks {
			at[i] = slices.IndexFunc(t.Space.Parameters, func(q tuning.Parameter) bool { return q.Name == p.Name })
			if at[i] >= 0 {
				a.distinct = append(a.distinct, t.Space.Occurring(at[i])...)
			} else if t.Space.Len() > 0 { // whose points have none, placed at 0
				a.distinct = append(a.distinct, 0)
			}
		}
		slices.Sort(a.distinct)
		a.distinct = slices.Compact(a.distinct)
		for i, t := range tasks {
			a.place(t.Space, at[i])
		}
	}
	return axes
}

// place appends the levels of a space's points; a parameter of -1 counts as 0.
func (a *axis) place(s *tuning.Space, parameter int) {
	levelOf := func(v float64) uint16 {
		l, _ := slices.BinarySearch(a.distinct, v)
		return uint16(l)
	}
	from, n := len(a.level), s.Len()
	a.level = slices.Grow(a.level, n)[:from+n]
	placed := a.level[from:]
	if parameter < 0 {
		for i := range placed {
			placed[i] = levelOf(0)
		}
		return
	}
	var level []uint16 // of each value
	for _, v := range s.Parameters[parameter].Values {
		level = append(level, levelOf(v))
	}
	for i := range placed {
		placed[i] = level[s.Indexes(i)[parameter]]
	}
}

func (c *column) fill(distance2 func(i, j int) float64) {
	c.distance2 = make([]float32, c.levels*c.levels)
	for i := range c.levels {
		for j := range c.levels {
			if i != j {
				c.distance2[i*c.levels+j] = float32(distance2(i, j))
			}
		}
	}
}

// divisibility maps the distinct values to how often 2 divides them, scaled to 0 to 1. A power of two counts
// one more. The result is nil if it tells nothing beyond the order of the values.
func (a axis) divisibility() []float64 {
	if a.labels || len(a.distinct) < 4 || a.distinct[len(a.distinct)-1] < warpSize {
		return nil
	}
	const most = 6 // two warps
	var scale []float64
	powers := true
	for _, v := range a.distinct {
		if v < 1 || v != math.Trunc(v) || v > 1<<52 {
			return nil
		}
		n := uint64(v)
		e := float64(min(bits.TrailingZeros64(n), most))
		if n&(n-1) == 0 {
			e++
		} else {
			powers = false
		}
		scale = append(scale, e)
	}
	low, high := slices.Min(scale), slices.Max(scale)
	if powers || low == high {
		return nil
	}
	for i := range scale {
		scale[i] = (scale[i] - low) / (high - low)
	}
	return scale
}

// coupled makes a column for each two parameters that constraints tie together, so that not every pair of
// their values occurs. The column is of their product if large values of one exclude large ones of the other
// (threads of a block), else of their ratio (tile and vector width).
func coupled(axes []axis) []column {
	var sizes []*axis
	for i := range axes {
		const widest = 4 // the least ratio of the extreme values of a size
		a := &axes[i]
		n := len(a.distinct)
		if !a.labels && n >= 3 && a.distinct[0] > 0 && a.distinct[n-1] >= widest*a.distinct[0] {
			sizes = append(sizes, a)
		}
	}
	var all []column
	for i, a := range sizes {
		for _, b := range sizes[:i] {
			p := pairsOf(a, b)
			if p == nil {
				continue
			}
			sign := 1.0
			if p.covariance() > 1e-9 { // not 0 with rounding errors
				sign = -1
			}
			if c, ok := p.sums(sign); ok {
				all = append(all, c)
			}
		}
	}
	return all
}

// pairs counts how often each two values of two axes occur together.
type pairs struct {
	a, b   *axis
	counts []int // levels of a × levels of b
}

// pairsOf returns the pairs of two axes; nil if every two values occur together.
func pairsOf(a, b *axis) *pairs {
	n := len(b.distinct)
	p := &pairs{a: a, b: b, counts: make([]int, len(a.distinct)*n)}
	left := len(p.counts)
	other := b.level[:len(a.level)]
	for k, l := range a.level {
		at := int(l)*n + int(other[k])
		p.counts[at]++
		if p.counts[at] == 1 {
			left--
			if left == 0 {
				return nil
			}
		}
	}
	return p
}

// logs returns the logarithms of the two values that are counted at a place.
func (p *pairs) logs(at int) (x, y float64) {
	n := len(p.b.distinct)
	return math.Log2(p.a.distinct[at/n]), math.Log2(p.b.distinct[at%n])
}

// covariance returns the covariance of the logarithms.
func (p *pairs) covariance() float64 {
	var n, sx, sy, sxy float64
	for at, count := range p.counts {
		x, y := p.logs(at)
		c := float64(count)
		n += c
		sx += c * x
		sy += c * y
		sxy += c * x * y
	}
	return sxy/n - sx/n*(sy/n)
}

// sums makes a column of the first logarithm plus sign times the second, with
// at most maxLevels levels.
func (p *pairs) sums(sign float64) (column, bool) {
	sum := make([]float64, len(p.counts))
	low, high := math.Inf(1), math.Inf(-1)
	for at, count := range p.counts {
		if count > 0 {
			x, y := p.logs(at)
			sum[at] = x + sign*y
			low, high = min(low, sum[at]), max(high, sum[at])
		}
	}
	if high-low < 1e-9 {
		return column{}, false
	}
	rounded := make([]float64, len(sum))
	var distinct []float64
	round := func(steps float64) {
		distinct = distinct[:0]
		for at, count := range p.counts {
			if count > 0 {
				rounded[at] = math.Round((sum[at]-low)/(high-low)*steps) / steps
				distinct = append(distinct, rounded[at])
			}
		}
		slices.Sort(distinct)
		distinct = slices.Compact(distinct)
	}
	round(1 << 20) // sums that differ by rounding errors are one
	if len(distinct) > maxLevels {
		round(maxLevels - 1)
	}
	level := make([]uint16, len(sum))
	for at, v := range rounded {
		l, _ := slices.BinarySearch(distinct, v)
		level[at] = uint16(l)
	}
	c := column{levels: len(distinct), level: make([]uint16, len(p.a.level))}
	for k, l := range p.a.level {
		c.level[k] = level[int(l)*len(p.b.distinct)+int(p.b.level[k])]
	}
	c.fill(func(i, j int) float64 { return math.Pow(distinct[i]-distinct[j], 2) })
	return c, true
}

// taskColumn places the tasks by their sizes, or in order if they have none.
func taskColumn(tasks []tuning.Task) column {
	c := column{levels: len(tasks), rate: rateTask}
	for t, task := range tasks {
		for range task.Space.Len() {
			c.level = append(c.level, uint16(t))
		}
	}
	position := func(t int) []float64 {
		if len(tasks[t].Size) > 0 && len(tasks[t].Size) == len(tasks[0].Size) {
			return tasks[t].Size
		}
		return []float64{float64(t)}
	}
	between := func(i, j int) float64 {
		s, a, b := 0.0, position(i), position(j)
		if len(a) != len(b) {
			return 1
		}
		for k := range a {
			s += (a[k] - b[k]) * (a[k] - b[k])
		}
		return s
	}
	widest := 0.0
	for i := range tasks {
		for j := range i {
			widest = max(widest, between(i, j))
		}
	}
	c.fill(func(i, j int) float64 {
		if widest == 0 {
			return 1
		}
		return (1-distinctShare)*between(i, j)/widest + distinctShare
	})
	return c
}
