package tuning

import (
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// column is one coordinate of the surrogate's kernel: a parameter, a quantity
// derived from parameters, or the task. A point has one of a few levels in it.
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

// distinctShare is how much of the greatest squared distance any two different
// values have: neighbours are never quite alike.
const distinctShare = 0.05

// warpSize is where divisibility by powers of two begins to matter to a GPU:
// parameters whose values are all smaller hardly show it.
const warpSize = 32

// maxLevels bounds the levels of a derived column; more are rounded.
const maxLevels = 48

// axis is one parameter's values over all candidates.
type axis struct {
	values   []float64 // of each candidate
	distinct []float64 // ascending
	labels   bool
}

// columnsOf makes the columns of the candidates, which are all tasks' points
// one after another.
func columnsOf(tasks []Task) []column {
	axes := axesOf(tasks)
	var all []column
	for _, a := range axes {
		if len(a.distinct) < 2 {
			continue
		}
		c := a.column()
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

// axesOf takes the first task's parameters; the others' are found by name.
func axesOf(tasks []Task) []axis {
	axes := make([]axis, len(tasks[0].Space.Parameters))
	for d, p := range tasks[0].Space.Parameters {
		a := axis{labels: p.Labels != nil}
		for _, t := range tasks {
			at := slices.IndexFunc(t.Space.Parameters, func(q Parameter) bool { return q.Name == p.Name })
			for i := range t.Space.Len() {
				v := 0.0
				if at >= 0 {
					v = t.Space.Value(i, at)
				}
				a.values = append(a.values, v)
			}
		}
		a.distinct = distinctOf(a.values)
		axes[d] = a
	}
	return axes
}

// distinctOf expects few distinct values: a search is then faster than a map.
func distinctOf(values []float64) []float64 {
	var d []float64
	for _, v := range values {
		if at, found := slices.BinarySearch(d, v); !found {
			d = slices.Insert(d, at, v)
		}
	}
	return d
}

// column has the axis's values as levels, without distances.
func (a axis) column() column {
	c := column{levels: len(a.distinct), level: make([]uint16, len(a.values))}
	for i, v := range a.values {
		at, _ := slices.BinarySearch(a.distinct, v)
		c.level[i] = uint16(at)
	}
	return c
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

// divisibility maps the distinct values to how often 2 divides them, scaled to
// 0 to 1; a power of two counts one more. It is nil where that tells nothing that
// the order of the values does not.
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

// coupled makes a column for each two parameters that the constraints tie
// together, so that not every pair of their values occurs: of their product where
// large values of one exclude large ones of the other (threads of a block), else of
// their ratio (tile and vector width).
func coupled(axes []axis) []column {
	var sizes []column
	var logs [][]float64
	for _, a := range axes {
		const widest = 4 // the least ratio of the extreme values of a size
		n := len(a.distinct)
		if a.labels || n < 3 || a.distinct[0] <= 0 || a.distinct[n-1] < widest*a.distinct[0] {
			continue
		}
		l := make([]float64, len(a.values))
		for i, v := range a.values {
			l[i] = math.Log2(v)
		}
		sizes, logs = append(sizes, a.column()), append(logs, l)
	}
	var all []column
	for i := range sizes {
		for j := range i {
			if everyPair(&sizes[i], &sizes[j]) {
				continue
			}
			sign := 1.0
			if stat.Correlation(logs[i], logs[j], nil) > 0 {
				sign = -1
			}
			sum := make([]float64, len(logs[i]))
			for k := range sum {
				sum[k] = logs[i][k] + sign*logs[j][k]
			}
			if c, ok := linear(sum); ok {
				all = append(all, c)
			}
		}
	}
	return all
}

// everyPair reports whether all levels of one column occur with all of the
// other.
func everyPair(a, b *column) bool {
	seen := make([]bool, a.levels*b.levels)
	left := len(seen)
	for k, l := range a.level {
		if at := int(l)*b.levels + int(b.level[k]); !seen[at] {
			seen[at] = true
			left--
		}
	}
	return left == 0
}

// linear makes a column of real values with at most maxLevels levels.
func linear(values []float64) (column, bool) {
	low, high := slices.Min(values), slices.Max(values)
	if high-low < 1e-9 {
		return column{}, false
	}
	round := func(steps float64) axis {
		a := axis{values: make([]float64, len(values))}
		for i, v := range values {
			a.values[i] = math.Round((v-low)/(high-low)*steps) / steps
		}
		a.distinct = distinctOf(a.values)
		return a
	}
	a := round(1 << 20) // sums that differ by rounding errors are one
	if len(a.distinct) > maxLevels {
		a = round(maxLevels - 1)
	}
	c := a.column()
	c.fill(func(i, j int) float64 { return math.Pow(a.distinct[i]-a.distinct[j], 2) })
	return c, true
}

// taskColumn places the tasks by their sizes, or in order where they have
// none.
func taskColumn(tasks []Task) column {
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
