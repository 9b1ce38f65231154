package strategy

import (
	"math"
	"testing"

	"example.org/bench/tuning"
)

// space is of named parameters and the rows of values that are valid.
func space(t *testing.T, names []string, values [][]float64, valid func(v []float64) bool) *tuning.Space {
	t.Helper()
	var parameters []tuning.Parameter
	rows := [][]uint16{{}}
	for d, name := range names {
		parameters = append(parameters, tuning.Parameter{Name: name, Values: values[d]})
		var longer [][]uint16
		for _, row := range rows {
			for i := range values[d] {
				longer = append(longer, append(append([]uint16{}, row...), uint16(i)))
			}
		}
		rows = longer
	}
	var kept [][]uint16
	for _, row := range rows {
		v := make([]float64, len(row))
		for d, i := range row {
			v[d] = values[d][i]
		}
		if valid == nil || valid(v) {
			kept = append(kept, row)
		}
	}
	s, err := tuning.NewSpace(parameters, kept)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestColumnsInNumbers: the distances and rates of a parameter of three values, of a switch,
// of divisibility and of the tasks.
func TestColumnsInNumbers(t *testing.T) {
	s := space(t, []string{"three", "two", "size", "one"}, [][]float64{{5, 1, 3}, {0, 1}, {16, 32, 48, 64, 256}, {4}}, nil)
	c := columnsOf([]tuning.Task{{Space: s, Size: []float64{1, 0}}, {Space: s, Size: []float64{2, 1}}, {Space: s, Size: []float64{4, 3}}})
	const third = 1. / 3
	want := []struct {
		rate float64
		from []float64 // the first level to each
	}{
		{1, []float64{0, 0.05 + 0.95/4, 1}},
		{0.25, []float64{0, 1}},
		{1, []float64{0, 0.05 + 0.95/16, 0.05 + 0.95/4, 0.05 + 0.95*9/16, 1}},
		{0.5, []float64{0, third * third, third * third, 4 * third * third, 4 * third * third}},
		{0.25, []float64{0, 0.05 + 0.95*2/18, 1}},
	}
	if len(c) != len(want) {
		t.Fatalf("%d columns, want %d", len(c), len(want))
	}
	for i, w := range want {
		if c[i].rate != w.rate || c[i].levels != len(w.from) {
			t.Errorf("column %d: rate %v and %d levels, want %v and %d", i, c[i].rate, c[i].levels, w.rate, len(w.from))
			continue
		}
		for l, d := range w.from {
			near(t, "distance", float64(c[i].distance2[l]), d, 1e-6)
			near(t, "distance back", float64(c[i].distance2[l*c[i].levels]), d, 1e-6)
		}
	}
	for p, l := range c[4].level {
		if int(l) != p/s.Len() {
			t.Fatalf("candidate %d is of task %d", p, l)
		}
	}
}

// TestTaskColumn places tasks by their sizes where all have as many numbers.
func TestTaskColumn(t *testing.T) {
	s := grid(t, 2)
	for _, c := range []struct {
		sizes  [][]float64
		second []float64 // from the second task to each
	}{
		{[][]float64{nil, nil, nil}, []float64{0.05 + 0.95/4, 0, 0.05 + 0.95/4}},
		{[][]float64{{7}, {7}}, []float64{1, 0}},
		{[][]float64{{1, 2}, {4, 6}, {1, 3}}, []float64{1, 0, 0.05 + 0.95*18/25}},
		{[][]float64{{1, 2}, {8}, {1, 3}}, []float64{1, 0, 1}},
		{[][]float64{{}, {9}, {5}}, []float64{0.05 + 0.95/4, 0, 0.05 + 0.95/4}},
	} {
		var tasks []tuning.Task
		for _, size := range c.sizes {
			tasks = append(tasks, tuning.Task{Space: s, Size: size})
		}
		column := taskColumn(tasks)
		for l, d := range c.second {
			near(t, "distance", float64(column.distance2[column.levels+l]), d, 1e-6)
		}
	}
}

// TestDivisibility is told of whole numbers from 1 that reach a warp, where it says what their
// order does not.
func TestDivisibility(t *testing.T) {
	for _, c := range []struct {
		axis axis
		want []float64
	}{
		{axis{distinct: []float64{16, 32, 48, 64, 256}}, []float64{1. / 3, 2. / 3, 0, 1, 1}},
		{axis{distinct: []float64{1, 3, 5, 32}}, []float64{1. / 6, 0, 0, 1}},
		{axis{distinct: []float64{3, 5, 192, 1 << 52}}, []float64{0, 0, 6. / 7, 1}},
		{axis{distinct: []float64{3, 5, 7, 1<<52 + 2}}, nil},
		{axis{distinct: []float64{16, 32, 48, 64}, labels: true}, nil},
		{axis{distinct: []float64{16, 32, 48}}, nil},
		{axis{distinct: []float64{1, 3, 4, 31}}, nil},
		{axis{distinct: []float64{0.5, 3, 4, 32}}, nil},
		{axis{distinct: []float64{0, 3, 4, 32}}, nil},
		{axis{distinct: []float64{1, 3.5, 4, 32}}, nil},
		{axis{distinct: []float64{8, 16, 32, 64}}, nil},
		{axis{distinct: []float64{33, 35, 37, 39}}, nil},
	} {
		got := c.axis.divisibility()
		if len(got) != len(c.want) {
			t.Errorf("%v: %v, want %v", c.axis.distinct, got, c.want)
			continue
		}
		for i, w := range c.want {
			near(t, "scale", got[i], w, 1e-12)
		}
	}
}

// TestCoupled wants a column of the product or the ratio of two sizes that are tied, and none
// of other parameters.
func TestCoupled(t *testing.T) {
	small, large := []float64{1, 2, 4}, []float64{2, 4, 8, 16}
	for name, c := range map[string]struct {
		a, b   []float64
		labels bool
		valid  func(a, b float64) bool
		column func(a, b float64) float64 // nil: there is none
	}{
		"product":     {small, large, false, func(a, b float64) bool { return a*b <= 16 }, func(a, b float64) float64 { return (math.Log2(a*b) - 1) / 3 }},
		"ratio":       {small, large, false, func(a, b float64) bool { return a <= b }, func(a, b float64) float64 { return math.Log2(b/a) / 4 }},
		"free":        {small, large, false, func(a, b float64) bool { return true }, nil},
		"labels":      {small, large, true, func(a, b float64) bool { return a*b <= 16 }, nil},
		"two values":  {[]float64{1, 4}, large, false, func(a, b float64) bool { return a*b <= 16 }, nil},
		"alike":       {[]float64{4, 8, 15}, large, false, func(a, b float64) bool { return a*b <= 64 }, nil},
		"from 0":      {[]float64{0, 2, 4}, large, false, func(a, b float64) bool { return a*b <= 16 }, nil},
		"one product": {[]float64{1, 2, 4}, []float64{4, 2, 1}, false, func(a, b float64) bool { return a*b == 4 }, nil},
		"many products": {[]float64{3, 7, 13, 29, 41, 67, 97, 131, 211}, []float64{5, 11, 19, 31, 53, 71, 101, 151, 223}, false, func(a, b float64) bool { return a*b < 20_000 },
			func(a, b float64) float64 {
				return math.Round(math.Log2(a*b/15)/math.Log2(151*131/15.)*47) / 47
			}},
	} {
		s := space(t, []string{"a", "b"}, [][]float64{c.a, c.b}, func(v []float64) bool { return c.valid(v[0], v[1]) })
		axes := axesOf([]tuning.Task{{Space: s}})
		axes[0].labels = c.labels
		got := coupled(axes)
		if c.column == nil {
			if len(got) != 0 {
				t.Errorf("%s: %d columns", name, len(got))
			}
			continue
		}
		distinct := map[float64]bool{}
		for p := range s.Len() {
			distinct[math.Round(1e9*c.column(s.Value(p, 0), s.Value(p, 1)))] = true
		}
		if len(got) != 1 || got[0].levels != len(distinct) {
			t.Errorf("%s: %d columns, the first of %d levels, want %d", name, len(got), got[0].levels, len(distinct))
			continue
		}
		for p := range s.Len() {
			for q := range s.Len() {
				want := c.column(s.Value(p, 0), s.Value(p, 1)) - c.column(s.Value(q, 0), s.Value(q, 1))
				if d := got[0].distance2[int(got[0].level[p])*got[0].levels+int(got[0].level[q])]; math.Abs(float64(d)-want*want) > 1e-5 {
					t.Fatalf("%s: points %d and %d: %v, want %v", name, p, q, d, want*want)
				}
			}
		}
	}
	// The rate is shared.
	three := space(t, []string{"a", "b", "c"}, [][]float64{small, large, small}, func(v []float64) bool { return v[0]*v[1] <= 16 && v[1]*v[2] <= 16 })
	if c := columnsOf([]tuning.Task{{Space: three}}); len(c) != 5 || c[3].rate != 0.75 || c[4].rate != 0.75 {
		t.Errorf("%d columns, want 3 and two coupled of rate 0.75", len(c))
	}
}

// TestCovariance is of the logarithms, by how often values occur together.
func TestCovariance(t *testing.T) {
	a, b := &axis{distinct: []float64{1, 2, 8}}, &axis{distinct: []float64{4, 16}}
	p := &pairs{a: a, b: b, counts: []int{2, 0, 1, 1, 0, 4}}
	// (0, 2) twice, (1, 2), (1, 4) and (3, 4) four times: means 14/8 and 26/8.
	near(t, "covariance", p.covariance(), (2.+4+12*4)/8-14./8*26/8, 1e-12)
}
