package scan

import (
	"math"

	"example.org/bench/framework"
	"example.org/bench/internal/workers"
)

// Unit roundoffs of the two precisions.
const (
	roundoff32 = 1.0 / (1 << 24)
	roundoff64 = 1.0 / (1 << 53)
)

// tail is how many standard-deviation bounds an accumulated rounding error may reach. A prefix sum of random
// signs is at most some six times the root of the sum of squares over all of 2^32 elements, and a rounding
// error at most u times the sum.
const tail = 8

// deviation is the largest error of an answer, by the two measures of compare.
type deviation struct{ magnitudes, squares, wrong float64 }

// compare measures an answer. chain is the number of roundings on the longest way from an input to an output.
//
// Floating-point sums must keep two bounds at every element i. The first is the worst case, |error| ≤
// chain·u·Σ|x_j| over j ≤ i, where u is the unit roundoff (Higham, Accuracy and Stability of Numerical
// Algorithms, section 4.2). The second holds if rounding errors are random (Higham and Mary, A New Approach
// to Probabilistic Rounding Error Analysis, 2019) and the inputs' signs are too: |error| ≤
// 8·u·√(chain·Σx_j²).
//
// The second bound detects missing and repeated inputs: inputs are at least 0.5, so that each causes an error
// of that size. The error exceeds the bound as long as chain·N < 1.9e12 in float32: up to N = 2^28 for chains
// of up to 7000 roundings, and for N = 2^20 up to 1.8e6. In float64 it always does.
//
// The reference is a compensated sum (Knuth's two-sum) in double precision, whose error is less than u in
// float64 up to N = 2^28. Sums of int32 are compared bit by bit. A sum that is not finite must be the same
// NaN or infinity.
//
// Constant and sorted inputs have neither random signs nor random rounding errors: their sums grow with the
// length, and equal numbers are rounded alike. Only the first bound holds for them.
func (p *problem[T]) compare(got []T, chain float64) []framework.Check {
	if len(got) != p.elements() {
		return []framework.Check{{Metric: "length of the answer", Error: math.Abs(float64(len(got) - p.elements()))}}
	}
	all := p.deviation(got)
	u := roundoff64
	switch p.Type {
	case "i32":
		return []framework.Check{{Metric: "wrong elements", Error: all.wrong}}
	case "f32":
		u = roundoff32
	}
	checks := []framework.Check{{Metric: "error by the sum of magnitudes", Error: all.magnitudes, Bound: chain * u}}
	if p.Inputs.Even() {
		return checks
	}
	return append(checks, framework.Check{Metric: "error by the root of the sum of squares", Error: all.squares, Bound: tail * u * math.Sqrt(chain)})
}

// group is how many elements a worker takes at once.
const group = 1 << 16

// deviation returns the deviation of the whole answer. If sequences are longer than a group, the groups are
// added up first, so that all workers can compare.
func (p *problem[T]) deviation(got []T) (all deviation) {
	per := max(1, group/p.N)
	split := max(1, (p.N+group-1)/group)
	worst := make([]deviation, (p.Batch+per-1)/per*split)
	if split > 1 {
		before := make([]sums, len(worst))
		part := func(i int) (from, to int) {
			first := i / split * p.N
			return first + i%split*group, min(first+i%split*group+group, first+p.N)
		}
		workers.Split(workers.All(), len(before), func(i int) {
			from, to := part(i)
			before[i] = sumsOf(p.in[from:to])
		})
		for s := range p.Batch {
			var s0 sums
			for i := s * split; i < (s+1)*split; i++ {
				before[i], s0 = s0, s0.plus(before[i])
			}
		}
		workers.Split(workers.All(), len(worst), func(i int) {
			from, to := part(i)
			worst[i] = deviationOf(before[i], p.in[from:to], got[from:to], p.Exclusive)
		})
	} else {
		workers.Split(workers.All(), len(worst), func(g int) {
			from, to := g*per*p.N, min((g+1)*per, p.Batch)*p.N
			for i := from; i < to; i += p.N {
				worst[g].join(deviationOf(sums{}, p.in[i:i+p.N], got[i:i+p.N], p.Exclusive))
			}
		})
	}
	for _, w := range worst {
		all.join(w)
	}
	return all
}

// sums holds the sums of the elements so far: whole for int32; for floating-point numbers, whose sum is sum +
// rest, the others.
type sums struct {
	sum, rest, magnitudes, squares float64
	whole                          int32
}

// add adds an element by Knuth's two-sum.
func (s *sums) add(x float64) {
	next := s.sum + x
	if math.IsNaN(next - next) { // the rounding error is not finite either
		s.sum, s.rest = next, 0
		return
	}
	part := next - s.sum
	s.rest += (s.sum - (next - part)) + (x - part)
	s.sum = next
	s.magnitudes += math.Abs(x)
	s.squares += x * x
}

// plus returns the sums of s's elements followed by o's.
func (s sums) plus(o sums) sums {
	both := s
	both.add(o.sum)
	both.rest += o.rest
	both.magnitudes, both.squares = s.magnitudes+o.magnitudes, s.squares+o.squares
	both.whole += o.whole
	return both
}

func sumsOf[T element](in []T) (s sums) {
	if x, ok := any(in).([]int32); ok {
		for _, v := range x {
			s.whole += v
		}
		return s
	}
	for _, v := range in {
		s.add(float64(v))
	}
	return s
}

// join keeps the larger of each measure. NaN wins.
func (e *deviation) join(o deviation) {
	e.magnitudes = max(e.magnitudes, o.magnitudes)
	e.squares = max(e.squares, o.squares)
	e.wrong += o.wrong
}

// deviationOf compares the elements that follow those of s.
func deviationOf[T element](s sums, in, got []T, exclusive bool) deviation {
	if x, ok := any(in).([]int32); ok {
		return deviation{wrong: float64(wrongSums(s.whole, x, any(got).([]int32), exclusive))}
	}
	var e deviation
	for i, v := range in {
		if exclusive {
			e.at(float64(got[i]), &s)
		}
		s.add(float64(v))
		if !exclusive {
			e.at(float64(got[i]), &s)
		}
	}
	return e
}

// at includes one element's error. Most errors are smaller than an earlier one by either measure and need no
// division.
func (e *deviation) at(got float64, s *sums) {
	if math.IsNaN(s.sum - s.sum) {
		if got != s.sum && !(math.IsNaN(got) && math.IsNaN(s.sum)) {
			e.magnitudes, e.squares = math.Inf(1), math.Inf(1)
		}
		return
	}
	d := math.Abs((got - s.sum) - s.rest)
	if d == 0 || d <= e.magnitudes*s.magnitudes && d*d <= e.squares*e.squares*s.squares {
		return
	}
	e.magnitudes = max(e.magnitudes, d/s.magnitudes) // infinite at the first element of an exclusive scan
	e.squares = max(e.squares, d/math.Sqrt(s.squares))
}

func wrongSums(sum int32, in, got []int32, exclusive bool) (wrong int) {
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
