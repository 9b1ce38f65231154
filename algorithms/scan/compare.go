package scan

import (
	"math"

	"bench/framework"
	"bench/framework/workers"
)

// Unit roundoffs of the two precisions.
const (
	roundoff32 = 1.0 / (1 << 24)
	roundoff64 = 1.0 / (1 << 53)
)

// tail is how many times its standard deviation's bound an accumulated
// rounding error may be. A prefix sum of random signs is at most some six
// times the root of the sum of squares over all of 2^32 elements, and a
// rounding error at most u times the sum.
const tail = 8

// deviation is the largest error of an answer, by the two measures of compare.
type deviation struct{ magnitudes, squares, wrong float64 }

// compare measures an answer; chain is the number of roundings on the longest
// way from an input to an output.
//
// Floating-point sums are held to two bounds at every element i. The first is
// the worst case, |error| ≤ chain·u·Σ|x_j| over j ≤ i, u being the unit
// roundoff (Higham, Accuracy and Stability of Numerical Algorithms, section
// 4.2). The second is what is left of it when rounding errors are random
// (Higham and Mary, A New Approach to Probabilistic Rounding Error Analysis,
// 2019) and the inputs' signs too: |error| ≤ 8·u·√(chain·Σx_j²).
//
// What the second refuses: inputs are at least 0.5, and a missing or doubled
// one is an error of that size. It is beyond the bound as long as
// chain·N < 1.9e12 in float32: up to N = 2^28 for chains of up to 7000
// roundings, and for N = 2^20 up to 1.8e6. In float64 it always is.
//
// The reference is a compensated sum (Knuth's two-sum) in double precision,
// which errs by less than u in float64 up to N = 2^28. Sums of int32 are
// compared bit by bit.
func (p *problem[T]) compare(got []T, chain float64) []framework.Check {
	if len(got) != p.elements() {
		return []framework.Check{{Metric: "length of the answer", Error: math.Abs(float64(len(got) - p.elements()))}}
	}
	const group = 1 << 16 // elements a worker takes at once
	per := max(1, group/p.N)
	groups := (p.Batch + per - 1) / per
	worst := make([]deviation, groups)
	workers.Split(workers.All(), groups, func(g int) {
		from, to := g*per*p.N, min((g+1)*per, p.Batch)*p.N
		for i := from; i < to; i += p.N {
			worst[g].join(deviationOf(p.in[i:i+p.N], got[i:i+p.N], p.Exclusive))
		}
	})
	var all deviation
	for _, w := range worst {
		all.join(w)
	}
	u := roundoff64
	switch p.Type {
	case "i32":
		return []framework.Check{{Metric: "wrong elements", Error: all.wrong}}
	case "f32":
		u = roundoff32
	}
	return []framework.Check{
		{Metric: "error by the sum of magnitudes", Error: all.magnitudes, Bound: chain * u},
		{Metric: "error by the root of the sum of squares", Error: all.squares, Bound: tail * u * math.Sqrt(chain)},
	}
}

// join keeps the larger of each; NaN wins.
func (e *deviation) join(o deviation) {
	e.magnitudes = max(e.magnitudes, o.magnitudes)
	e.squares = max(e.squares, o.squares)
	e.wrong += o.wrong
}

func deviationOf[T element](in, got []T, exclusive bool) deviation {
	if x, ok := any(in).([]int32); ok {
		return deviation{wrong: float64(wrongSums(x, any(got).([]int32), exclusive))}
	}
	var e deviation
	var sum, rest, magnitudes, squares float64
	for i, v := range in {
		if exclusive {
			e.at(float64(got[i]), sum, rest, magnitudes, squares)
		}
		x := float64(v)
		next := sum + x
		part := next - sum
		rest += (sum - (next - part)) + (x - part)
		sum = next
		magnitudes += math.Abs(x)
		squares += x * x
		if !exclusive {
			e.at(float64(got[i]), sum, rest, magnitudes, squares)
		}
	}
	return e
}

// at takes one element's error in; the right answer is sum + rest.
func (e *deviation) at(got, sum, rest, magnitudes, squares float64) {
	d := math.Abs((got - sum) - rest)
	if d == 0 {
		return
	}
	e.magnitudes = max(e.magnitudes, d/magnitudes) // infinite at the first of an exclusive scan
	e.squares = max(e.squares, d/math.Sqrt(squares))
}

func wrongSums(in, got []int32, exclusive bool) (wrong int) {
	var sum int32
	for i, x := range in {
		want := sum
		sum += x
		if !exclusive {
			want = sum
		}
		if got[i] != want {
			wrong++
		}
	}
	return wrong
}
