package qr

import (
	"math"
	"math/rand/v2"

	"example.org/bench/framework"
	"example.org/bench/internal/workers"
)

// Q and R are checked by products with random vectors instead of products of matrices
// (Freivalds, Probabilistic Machines Can Use Less Running Time, 1977): A·g by
// Q·(R·g), and h by Qᵀ·(Q·h). The numbers are normal, so that the norm of an error
// times g, E·g, has the mean square |E|² (Frobenius). It is furthest from it for an
// E of rank one: then |E·g| is |E| times the magnitude of a normal number. So
//
//   - an error E escapes one vector with a probability of at most
//     √(2/π)·slack·b/|E|, where b is the bound of compare, and k vectors with the
//     k-th power of that;
//   - an error within its bound is refused by a vector with a probability of less
//     than 2·10^-15.
const slack = 8

// escapes bounds the probability that an element of Q passes although it is wrong
// by the root mean square of Q's elements.
const escapes = 1e-5

// mostVectors bounds the work where the bounds are so wide, as those of
// Gram-Schmidt of ill-conditioned matrices, that no number suffices.
const mostVectors = 8

// vectors returns the number of random vectors that check each matrix.
func (s shape) vectors(by method) int {
	bound, _ := s.bounds(by)
	// One element that is wrong by e changes QᵀQ by √2·e at least.
	one := math.Sqrt(2/math.Pi) * slack * bound * math.Sqrt(float64(s.M)/2)
	if one >= 1 {
		return mostVectors
	}
	return max(1, min(mostVectors, int(math.Ceil(math.Log(escapes)/math.Log(one)))))
}

// hasFastCheck reports whether products with vectors cost less than half of those
// of matrices.
func (s shape) hasFastCheck(by method) bool {
	n, c, k := s.N, s.cols(), s.vectors(by)
	return 2*k*(3*c+n) < (c*(c+1)+n*n)/2
}

// products are those of one matrix with each of the vectors.
type products struct {
	difference []float64 // |A·g - Q·R·g|²
	back       [][]float64
	size       float64 // |A|²
}

// verifyFast is verify by compareFast, where that fits.
func (p *problem) verifyFast(by method, get func() (q, r elements, err error)) ([]framework.Check, error) {
	if !p.hasFastCheck(by) {
		return nil, framework.ErrNoFastCheck
	}
	q, r, err := get()
	switch {
	case err != nil:
		return nil, err
	case p.Double:
		return compareFast(p, q.double, r.double, by), nil
	}
	return compareFast(p, q.single, r.single, by), nil
}

// compareFast is compare by products with random vectors.
func compareFast[T real](p *problem, q, r []T, by method) []framework.Check {
	count := p.vectors(by)
	random := rand.New(rand.NewPCG(p.seed, uint64(p.cols())))
	draw := func(n int) (list [][]float64) {
		for range count {
			x := make([]float64, n)
			for i := range x {
				x[i] = random.NormFloat64()
			}
			list = append(list, x)
		}
		return list
	}
	g, h := draw(p.N), draw(p.cols())
	orthogonal, difference, below := make([]float64, p.Batch), make([]float64, p.Batch), make([]float64, p.Batch)
	within := 1
	if p.Batch < workers.All() {
		within = workers.All()
	}
	workers.Split(workers.All()/within, p.Batch, func(b int) {
		at := q[b*p.sizeQ() : (b+1)*p.sizeQ()]
		var turned [][]float64
		turned, below[b] = timesR(p, r[b*p.sizeR():(b+1)*p.sizeR()], g)
		x := multiply(p, b, at, g, turned, h, within)
		for k := range count {
			sum := 0.0
			for i, v := range h[k] {
				d := x.back[k][i] - v
				sum += d * d
			}
			orthogonal[b] = worse(orthogonal[b], math.Sqrt(sum))
			difference[b] = worse(difference[b], math.Sqrt(x.difference[k]/x.size))
		}
	})
	var o, d, t float64
	for b := range p.Batch {
		o, d, t = worse(o, orthogonal[b]), worse(d, difference[b]), worse(t, below[b])
	}
	mostO, mostD := p.bounds(by)
	return []framework.Check{
		{Metric: orthogonality + " by random vectors", Error: o, Bound: slack * mostO},
		{Metric: residual + " by random vectors", Error: d, Bound: slack * mostD},
		{Metric: triangle, Error: t, Bound: 0},
	}
}

// timesR is R times each vector, and the largest magnitude below R's diagonal.
func timesR[T real](p *problem, r []T, g [][]float64) (turned [][]float64, below float64) {
	cols := p.cols()
	for range g {
		turned = append(turned, make([]float64, cols))
	}
	for j := range p.N {
		column := r[j*cols : (j+1)*cols]
		above := min(j+1, cols)
		for k := range g {
			axpy(turned[k][:above], g[k][j], column[:above])
		}
		for _, x := range column[above:] {
			if x != 0 {
				below = worse(below, math.Abs(float64(x)))
			}
		}
	}
	return turned, below
}

// rowsAtOnce of a matrix are multiplied by all vectors while they are in the cache.
const rowsAtOnce = 512

// multiply multiplies matrix b of the batch and its Q by the vectors.
func multiply[T real](p *problem, b int, q []T, g, turned, h [][]float64, threads int) products {
	a := matrix[T](p, b)
	parts := make([]products, (p.M+rowsAtOnce-1)/rowsAtOnce)
	workers.Split(threads, len(parts), func(part int) {
		from, to := part*rowsAtOnce, min((part+1)*rowsAtOnce, p.M)
		x := &parts[part]
		x.difference = make([]float64, len(g))
		rows := make([]float64, 2*len(g)*(to-from))
		next := func() []float64 {
			list := rows[: to-from : to-from]
			rows = rows[to-from:]
			return list
		}
		var left, on [][]float64 // A·g - Q·R·g and Q·h
		for range g {
			left, on = append(left, next()), append(on, next())
		}
		for j := range p.N {
			column := a[j*p.M+from : j*p.M+to]
			for _, v := range column {
				x.size += float64(v) * float64(v)
			}
			for k := range g {
				axpy(left[k], g[k][j], column)
			}
		}
		for i := range p.cols() {
			column := q[i*p.M+from : i*p.M+to]
			for k := range g {
				axpy(left[k], -turned[k][i], column)
				axpy(on[k], h[k][i], column)
			}
		}
		for k := range g {
			x.difference[k] = dot(left[k], left[k])
			back := make([]float64, p.cols())
			for i := range back {
				back[i] = dot(on[k], q[i*p.M+from:i*p.M+to])
			}
			x.back = append(x.back, back)
		}
	})
	all := parts[0]
	for _, x := range parts[1:] {
		all.size += x.size
		for k := range g {
			all.difference[k] += x.difference[k]
			for i, v := range x.back[k] {
				all.back[k][i] += v
			}
		}
	}
	return all
}
