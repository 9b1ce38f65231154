package tridiagonal

import (
	"example.org/bench/framework"
	"example.org/bench/internal/workers"
)

const (
	// minPart is the fewest rows of a part that are worth a thread.
	minPart = 256
	// partsPerWorker balance the load.
	partsPerWorker = 4
)

// partitioned solves one or a few systems by the partition method, in parts
// that threads share out. The first and the last row of a part are its
// interface.
type partitioned[T real] struct {
	unclosed
	p       *problem
	workers int
	parts   int
	scratch []T
	inner   equations[T] // of the interface: 2·parts rows
	solved  []T
	innerC  []T
}

func newPartitioned[T real](p *problem, workers, partsPerWorker int) *partitioned[T] {
	return newParts[T](p, workers, min(partsPerWorker*workers, p.N/minPart), p.N)
}

// newParts is with a number of parts, and scratch memory for some rows.
func newParts[T real](p *problem, workers, parts, rows int) *partitioned[T] {
	make2 := func() []T { return make([]T, 2*parts) }
	return &partitioned[T]{
		p: p, workers: workers, parts: parts, scratch: make([]T, rows),
		inner: equations[T]{make2(), make2(), make2(), make2()}, solved: make2(), innerC: make2(),
	}
}

func (s *partitioned[T]) solve(x []T, in equations[T]) error {
	n, stride := s.p.N, s.p.stride()
	for system := range s.p.Batch {
		at := s.p.start(system)
		workers.Split(s.workers, s.parts, func(k int) {
			s.reduce(k, in, at, stride, k*n/s.parts, (k+1)*n/s.parts)
		})
		sweep(s.solved, s.inner.a, s.inner.b, s.inner.c, s.inner.d, s.innerC)
		workers.Split(s.workers, s.parts, func(k int) {
			s.substitute(k, x, in, at, stride, k*n/s.parts, (k+1)*n/s.parts)
		})
	}
	return nil
}

// reduce makes the two interface equations of the part of rows from … to-1.
// Elimination downwards from row from+1 gives x_i + e·x_from + f·x_{i+1} = g;
// first keeps x_{from+1} in terms of x_from and x_{i+1}.
func (s *partitioned[T]) reduce(k int, in equations[T], at, stride, from, to int) {
	row := func(i int) (a, b, c, d T) {
		j := at + i*stride
		return in.a[j], in.b[j], in.c[j], in.d[j]
	}
	a, b, c, d := row(from + 1)
	r := 1 / b
	e, f, g := a*r, c*r, d*r
	first := [3]T{e, f, g}
	for i := from + 2; i < to-1; i++ {
		a, b, c, d = row(i)
		r = 1 / (b - a*f)
		e, f, g = -a*e*r, c*r, (d-a*g)*r
		first = [3]T{first[0] - first[1]*e, -first[1] * f, first[2] - first[1]*g}
	}
	s.connect(k, in, at+from*stride, at+(to-1)*stride, first, [3]T{e, f, g})
}

// connect makes the interface equations of part k from those of its first and last
// row and what reduce found for the rows beside them.
func (s *partitioned[T]) connect(k int, in equations[T], top, bottom int, first, last [3]T) {
	q := &s.inner
	a, b, c, d := in.a[top], in.b[top], in.c[top], in.d[top]
	q.a[2*k], q.b[2*k], q.c[2*k], q.d[2*k] = a, b-c*first[0], -c*first[1], d-c*first[2]
	a, b, c, d = in.a[bottom], in.b[bottom], in.c[bottom], in.d[bottom]
	q.a[2*k+1], q.b[2*k+1], q.c[2*k+1], q.d[2*k+1] = -a*last[0], b-a*last[1], c, d-a*last[2]
}

// substitute solves the part's inner rows, whose neighbours are known.
func (s *partitioned[T]) substitute(k int, x []T, in equations[T], at, stride, from, to int) {
	var before T
	value := s.solved[2*k]
	x[at+from*stride] = value
	for i := from + 1; i < to-1; i++ {
		j := at + i*stride
		r := 1 / (in.b[j] - in.a[j]*before)
		before, value = in.c[j]*r, (in.d[j]-in.a[j]*value)*r
		s.scratch[i], x[j] = before, value
	}
	value = s.solved[2*k+1]
	x[at+(to-1)*stride] = value
	for i := to - 2; i > from; i-- {
		j := at + i*stride
		value = x[j] - s.scratch[i]*value
		x[j] = value
	}
}

// Work counts reduce (2 for the pivot, a division, 1 for f, 3 for g, 2 for e,
// 6 for first) and substitute, without the interface system.
func (s *partitioned[T]) Work() framework.Work {
	e := int64(s.p.elements())
	return framework.Work{FLOPs: (15 + thomasFLOPs) * e, LoadBytes: 10 * e * sizeOf[T](), StoreBytes: 3 * e * sizeOf[T]()}
}
