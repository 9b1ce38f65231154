package changepoint

import (
	"math"
	"slices"
)

// resemblances are the first autocorrelations that noise may have. How likely each is
// is learned from the values, from resembling for all but 0 together.
var resemblances = [...]float64{0, 0.2, 0.4, 0.6, 0.8}

// sums are those of the products of a level (l), a step (s) and the values (y), each less
// what it has of the one before, which leaves independent noise.
type sums struct {
	n, ll, ly, yy, ls, ss, sy float64
	l, s, y                   float64 // the last ones
}

// add adds one value; r is the autocorrelation.
func (s *sums) add(r, level, step, y float64) {
	a, b, c := level-r*s.l, step-r*s.s, y-r*s.y
	if s.n == 0 {
		f := math.Sqrt(1 - r*r)
		a, b, c = f*a, f*b, f*c
	}
	s.n++
	s.l, s.s, s.y = level, step, y
	s.ll += a * a
	s.ls += a * b
	s.ss += b * b
	s.ly += a * c
	s.sy += b * c
	s.yy += c * c
}

// squares are what one level leaves of those of the values.
func (s *sums) squares() float64 { return max(0, s.yy-s.ly*s.ly/s.ll) }

// likelihood is the logarithm of that of one level, with the i-th of the resemblances.
func (s *sums) likelihood(i int) float64 {
	r, prior := resemblances[i], 1-resembling
	if i > 0 {
		prior = resembling / float64(len(resemblances)-1)
	}
	return math.Log(prior*math.Sqrt((1-r*r)/s.ll)) - (s.n-1)/2*math.Log(s.squares())
}

// fewerOf is how many values count as one in a mean.
func fewerOf(all *[len(resemblances)]sums) float64 {
	var likely [len(resemblances)]float64
	for i := range all {
		likely[i] = all[i].likelihood(i)
	}
	sum, counts := logSum(likely[:]), 0.0
	if math.IsInf(sum, 0) { // all values are equal
		return 1
	}
	for i, r := range resemblances {
		counts += math.Exp(likely[i]-sum) * (1 - r) / (1 + r)
	}
	return 1 / counts
}

// place is one in the series, with the baseline before it and what is known behind it.
type place struct {
	*baseline
	sums  [len(resemblances)]sums // of all values
	added int                     // values behind that they have
}

// evidence is the logarithm of the Bayes factor of another level behind the baseline
// against none. behind are the values that the last call had, and more.
func (p *place) evidence(behind []Value) float64 {
	for ; p.added < len(behind); p.added++ {
		v := behind[p.added]
		w, x := math.Sqrt(p.weightOf(v)), p.clipped(v)
		for i, r := range resemblances {
			p.sums[i].add(r, w, w, w*(x-p.centre))
		}
	}
	n := float64(len(behind))
	var none, step [len(resemblances)]float64
	for i, r := range resemblances {
		s := &p.sums[i]
		all, before := s.squares(), p.baseline.sums[i].squares()
		if all == 0 {
			return math.Inf(-1)
		}
		size, product := s.ss-s.ls*s.ls/s.ll, s.sy-s.ls*s.ly/s.ll
		explained := product * product / size
		variance := max(before/(p.n-1), p.own*(1-r*r))
		variance = max(variance, (priorValues*variance+all-explained-before)/(priorValues+n-1))
		t2 := largestT2
		if explained < largestT2*variance {
			t2 = explained / variance
		}
		none[i] = s.likelihood(i)
		step[i] = none[i] + logBayes(t2, size/(1-r*r), p.n+n-2)
	}
	return max(logSum(step[:])-logSum(none[:])-few/min(p.n, many)-fewBehind/n, p.apart(behind))
}

// logSum is the logarithm of the sum of what x are the logarithms of.
func logSum(x []float64) float64 {
	largest, sum := slices.Max(x), 0.0
	if math.IsInf(largest, 0) {
		return largest
	}
	for _, v := range x {
		sum += math.Exp(v - largest)
	}
	return largest + math.Log(sum)
}

// apart is the evidence of values behind the baseline that all lie far off it, on one
// side: by how much less likely it is, of exchangeable values, that so many in a row lie
// where so few of the baseline's do (Laplace's rule of succession). Where the baseline's
// do is beyond half of the way to the nearest of them. Unlike that of the means it
// grows with the values alone and not with their distance, and asks nothing of the noise.
func (b *baseline) apart(behind []Value) float64 {
	side, nearest := 1.0, math.Inf(1)
	if behind[0].X < b.centre {
		side = -1
	}
	for _, v := range behind {
		off := side * (v.X - b.centre)
		if !(off > apartBy*math.Sqrt((b.between+v.Sigma*v.Sigma)*b.fewer)) {
			return math.Inf(-1)
		}
		nearest = min(nearest, off)
	}
	there := 0.0
	for _, v := range b.values {
		if side*(v.X-b.centre) > nearest/2 {
			there++
		}
	}
	e := -apartCosts
	for i := range behind {
		e += math.Log((b.n + 2 + float64(i)) / (there + 1 + float64(i)))
	}
	return e
}

// veryFar reports whether all values behind the baseline lie very far off it, on one
// side, and none of the many before lies half as far off on either.
func (b *baseline) veryFar(behind []Value) bool {
	if b.n < enough || b.variance == 0 {
		return false
	}
	side, nearest := 1.0, math.Inf(1)
	if behind[0].X < b.centre {
		side = -1
	}
	off := func(v Value) float64 { return side * (v.X - b.centre) * math.Sqrt(b.weightOf(v)) }
	for _, v := range behind {
		nearest = min(nearest, off(v))
	}
	return nearest > veryFarBy*math.Sqrt(b.variance) &&
		!slices.ContainsFunc(b.values, func(v Value) bool { return math.Abs(off(v)) > nearest/2 })
}

// logBayes is the logarithm of the Bayes factor of a two-sample t test with square t2,
// effective size and degrees of freedom: size in standard deviations is normal around 0
// with standard deviation priorSize.
func logBayes(t2, size, freedom float64) float64 {
	wider := 1 + size*priorSize*priorSize
	return (freedom+1)/2*(math.Log1p(t2/freedom)-math.Log1p(t2/(freedom*wider))) - math.Log(wider)/2
}
