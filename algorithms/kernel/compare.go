package kernel

import (
	"bytes"
	"math"
	"slices"

	"example.org/bench/framework"
)

// Ways to compare an answer with the right one.
const (
	byElement = "elements"
	bySum     = "sum"
	bySorted  = "sorted"
	byNorm    = "norm"
	byNothing = "none"
)

// compare measures an answer's error: the largest deviation relative to the largest magnitude of the right
// answer, or to least if that is larger. The error is NaN if either has a NaN that the other lacks. Whole
// numbers with tolerance 0 are compared bit by bit.
func compare(name string, got, want vector, tolerance, least float64) framework.Check {
	if !got.isFloat() && tolerance == 0 {
		return framework.Check{Metric: name + ": share of elements that differ", Error: differing(got, want)}
	}
	deviation, scale := got.farthest(want)
	c := framework.Check{Metric: name + ": largest error by largest value", Error: deviation, Bound: tolerance}
	if scale = max(scale, least); scale > 0 {
		c.Error /= scale
	}
	return c
}

// farthest returns the largest deviation from the elements of want, and the largest magnitude of want's
// elements.
func (v vector) farthest(want vector) (deviation, scale float64) {
	v.eachDeviation(want, func(_ int, d, m float64) {
		if math.IsNaN(d) || math.IsNaN(deviation) {
			deviation = math.NaN()
		}
		deviation = max(deviation, d)
		if m > scale && !math.IsInf(m, 0) {
			scale = m
		}
	})
	return deviation, scale
}

// comparedAtOnce is how many elements are converted to doubles at a time. All at once would take more memory
// than the vectors.
const comparedAtOnce = 1 << 14

// eachDeviation calls f with each element's deviation from that of want, and the magnitude of want's element.
func (v vector) eachDeviation(want vector, f func(i int, d, m float64)) {
	lanes := int(v.lanes)
	g, w := make([]float64, comparedAtOnce*lanes), make([]float64, comparedAtOnce*lanes)
	for from := 0; from < int(v.size); from += comparedAtOnce {
		n := min(comparedAtOnce, int(v.size)-from)
		v.typed().into(g[:n*lanes], from*lanes)
		want.typed().into(w[:n*lanes], from*lanes)
		for i := range n {
			d, m := v.deviation(g, w, i)
			f(from+i, d, m)
		}
	}
}

// deviation returns the deviation of element i between two vectors' numbers, and the magnitude in the second.
func (v vector) deviation(g, w []float64, i int) (d, m float64) {
	first := i * int(v.lanes)
	for j := first; j < first+int(v.lanes); j++ {
		e := distance(g[j], w[j])
		switch {
		case v.complex:
			d, m = math.Hypot(d, e), math.Hypot(m, w[j])
		case math.IsNaN(d) || math.IsNaN(e):
			d = math.NaN()
		default:
			d, m = max(d, e), max(m, math.Abs(w[j]))
		}
	}
	return d, m
}

// differing returns the share of elements whose bits differ.
func differing(got, want vector) float64 {
	wrong := 0
	for i := int64(0); i < got.size; i++ {
		if at := i * got.bytes; !bytes.Equal(got.data[at:at+got.bytes], want.data[at:at+got.bytes]) {
			wrong++
		}
	}
	return float64(wrong) / float64(got.size)
}

// distance returns |a − b|. It is 0 for two equal infinities and for two NaNs.
func distance(a, b float64) float64 {
	if a == b || math.IsNaN(a) && math.IsNaN(b) {
		return 0
	}
	return math.Abs(a - b)
}

// reduced returns what is compared of a vector, as a vector of doubles or of 64-bit whole numbers. Sums of
// whole numbers are modulo 2^64.
func reduced(v vector, how string) vector {
	if how == "" || how == byElement {
		return v
	}
	if !v.isFloat() && how != byNorm {
		return wholeReduced(v, how)
	}
	list := v.numbers()
	switch how {
	case bySorted:
		slices.Sort(list) // NaN first
	case bySum:
		// Kahan's summation: the order of an answer's parts must not matter.
		sum, lost := 0.0, 0.0
		for _, x := range list {
			y := x - lost
			next := sum + y
			lost = next - sum - y
			sum = next
		}
		list = []float64{sum}
	case byNorm:
		norm := 0.0
		for _, x := range list {
			norm = math.Hypot(norm, x)
		}
		list = []float64{norm}
	}
	e, _ := elementNamed("f64")
	w := newVector(e, int64(len(list)))
	copy(view[float64](w), list)
	return w
}

// wholeReduced is reduced for whole numbers.
func wholeReduced(v vector, how string) vector {
	name := "i64"
	if v.part[0] == 'u' {
		name = "u64"
	}
	e, _ := elementNamed(name)
	wide := newVector(e, v.parts())
	list := view[uint64](wide)
	width := v.bytes / v.lanes
	for i := range list {
		var word [8]byte
		copy(word[:], v.data[int64(i)*width:int64(i+1)*width])
		if name == "i64" && word[width-1] >= 0x80 {
			for j := width; j < 8; j++ {
				word[j] = 0xff
			}
		}
		for j := 7; j >= 0; j-- {
			list[i] = list[i]<<8 | uint64(word[j])
		}
	}
	if how == bySorted {
		if name == "i64" {
			slices.Sort(view[int64](wide))
		} else {
			slices.Sort(list)
		}
		return wide
	}
	one := newVector(e, 1)
	for _, x := range list {
		view[uint64](one)[0] += x
	}
	return one
}
