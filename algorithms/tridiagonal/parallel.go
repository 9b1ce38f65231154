package tridiagonal

import (
	"sync"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/internal/workers"
)

// lanes is how many systems parallel's inner loop solves at once: the latency
// of one system's divisions hides behind the other's.
const lanes = 4

func parallelVersion() framework.Version {
	return framework.Version{
		Name:      "parallel",
		Doc:       "the Thomas algorithm, four systems at once on every thread, or vectors of them (NEON); one system by the partition method",
		Source:    "Thomas (1949); Austin, Berndt and Moulton, A Memory Efficient Parallel Tridiagonal Solver (2004)",
		Processor: framework.CPU,
		Tunables: []framework.Tunable{{Name: "PARTS", Values: framework.PowersOfTwo(2, 64),
			Doc: "parts of a system for each thread, where threads share systems (half as many groups of parts in vectors)"}},
		Defaults: func(framework.Values, gpu.Facts) framework.Values {
			return framework.IntValues("PARTS", partsPerWorker)
		},
		New: framework.Typed(newCPU(prepareParallel[float32], prepareParallel[float64])),
	}
}

// parallelSolver is version "parallel". A worker has its own scratch memory.
type parallelSolver[T real] struct {
	unclosed
	p       *problem
	workers int
	scratch sync.Pool
}

func prepareParallel[T real](p *problem, env framework.Env, v framework.Values) (solver[T], error) {
	workers := max(1, env.Workers)
	parts := int(v.Int("PARTS"))
	k := kernelsFor[T]()
	partition := p.Batch < lanes && p.N >= 4*minPart*workers
	if k != nil && (partition && p.stride() == 1 || !partition && p.Batch >= k.lanes) {
		env.Remark("parallel: %s kernels", k.name)
		if partition {
			return newVectorPartitioned[T](p, k, workers, parts/2), nil
		}
		return newVectorSolver[T](p, k, workers), nil
	}
	if partition {
		return newPartitioned[T](p, workers, parts), nil
	}
	s := &parallelSolver[T]{p: p, workers: workers}
	size := lanes * p.N
	if p.Interleaved {
		size = tileSystems * p.N
	}
	s.scratch.New = func() any { v := make([]T, size); return &v }
	return s, nil
}

// Systems that a worker takes at once: a group of several lanes, or a tile of
// neighbours whose rows fill cache lines.
const (
	groupSystems = 4 * lanes
	tileSystems  = 64
)

func (s *parallelSolver[T]) solve(x []T, in equations[T]) error {
	p := s.p
	per := groupSystems
	if p.Interleaved {
		per = tileSystems
	}
	workers.Split(s.workers, (p.Batch+per-1)/per, func(g int) {
		work := s.scratch.Get().(*[]T)
		defer s.scratch.Put(work)
		from, to := g*per, min((g+1)*per, p.Batch)
		if p.Interleaved {
			solveTile(x, in, *work, p.N, p.Batch, from, to-from)
			return
		}
		for ; from+lanes <= to; from += lanes {
			solveLanes(x, in, *work, p.N, from*p.N)
		}
		for ; from < to; from++ {
			i, j := from*p.N, (from+1)*p.N
			sweep(x[i:j], in.a[i:j], in.b[i:j], in.c[i:j], in.d[i:j], (*work)[:p.N])
		}
	})
	return nil
}

// Work is the Thomas algorithm's, with scratch memory for c: it and x are
// written, read back, and x is written again.
func (s *parallelSolver[T]) Work() framework.Work {
	e := int64(s.p.elements())
	w := framework.Work{FLOPs: thomasFLOPs * e, LoadBytes: 6 * e * sizeOf[T](), StoreBytes: 3 * e * sizeOf[T]()}
	if s.p.Interleaved { // the rows before come from memory, not registers
		w.LoadBytes += 3 * e * sizeOf[T]()
	}
	return w
}

// sweep is the Thomas algorithm with one division a row.
func sweep[T real](x, a, b, c, d, work []T) {
	n := len(x)
	a, b, c, d, work = a[:n], b[:n], c[:n], d[:n], work[:n]
	var before, value T
	for i := range x {
		inverse := 1 / (b[i] - a[i]*before)
		before = c[i] * inverse
		value = (d[i] - a[i]*value) * inverse
		work[i], x[i] = before, value
	}
	for i := n - 2; i >= 0; i-- {
		value = x[i] - work[i]*value
		x[i] = value
	}
}

// solveLanes solves four contiguous systems of n rows that begin at row at.
// Work is their four c, interleaved.
func solveLanes[T real](x []T, in equations[T], work []T, n, at int) {
	part := func(v []T, lane int) []T { return v[at+lane*n : at+(lane+1)*n : at+(lane+1)*n] }
	a0, a1, a2, a3 := part(in.a, 0), part(in.a, 1), part(in.a, 2), part(in.a, 3)
	b0, b1, b2, b3 := part(in.b, 0), part(in.b, 1), part(in.b, 2), part(in.b, 3)
	c0, c1, c2, c3 := part(in.c, 0), part(in.c, 1), part(in.c, 2), part(in.c, 3)
	d0, d1, d2, d3 := part(in.d, 0), part(in.d, 1), part(in.d, 2), part(in.d, 3)
	x0, x1, x2, x3 := part(x, 0), part(x, 1), part(x, 2), part(x, 3)
	var e0, e1, e2, e3, v0, v1, v2, v3 T
	for i := range x0 {
		r0, r1 := 1/(b0[i]-a0[i]*e0), 1/(b1[i]-a1[i]*e1)
		r2, r3 := 1/(b2[i]-a2[i]*e2), 1/(b3[i]-a3[i]*e3)
		e0, e1, e2, e3 = c0[i]*r0, c1[i]*r1, c2[i]*r2, c3[i]*r3
		v0, v1 = (d0[i]-a0[i]*v0)*r0, (d1[i]-a1[i]*v1)*r1
		v2, v3 = (d2[i]-a2[i]*v2)*r2, (d3[i]-a3[i]*v3)*r3
		w := (*[lanes]T)(work[lanes*i:])
		w[0], w[1], w[2], w[3] = e0, e1, e2, e3
		x0[i], x1[i], x2[i], x3[i] = v0, v1, v2, v3
	}
	v0, v1, v2, v3 = 0, 0, 0, 0
	for i := n - 1; i >= 0; i-- {
		w := (*[lanes]T)(work[lanes*i:])
		v0, v1, v2, v3 = x0[i]-w[0]*v0, x1[i]-w[1]*v1, x2[i]-w[2]*v2, x3[i]-w[3]*v3
		x0[i], x1[i], x2[i], x3[i] = v0, v1, v2, v3
	}
}

// solveTile solves width interleaved systems of n rows, from system first on,
// row by row. work is their c.
func solveTile[T real](x []T, in equations[T], work []T, n, stride, first, width int) {
	row := func(v []T, i int) []T { return v[i*stride+first : i*stride+first+width] }
	for i := range n {
		a, b, c, d, y := row(in.a, i), row(in.b, i), row(in.c, i), row(in.d, i), row(x, i)
		w := work[i*width : (i+1)*width]
		if i == 0 {
			for s := range y {
				inverse := 1 / b[s]
				w[s], y[s] = c[s]*inverse, d[s]*inverse
			}
			continue
		}
		before, value := work[(i-1)*width:i*width], row(x, i-1)
		a, b, c, d, w = a[:len(y)], b[:len(y)], c[:len(y)], d[:len(y)], w[:len(y)]
		before, value = before[:len(y)], value[:len(y)]
		for s := range y {
			inverse := 1 / (b[s] - a[s]*before[s])
			w[s] = c[s] * inverse
			y[s] = (d[s] - a[s]*value[s]) * inverse
		}
	}
	for i := n - 2; i >= 0; i-- {
		y, next, w := row(x, i), row(x, i+1), work[i*width:(i+1)*width]
		next, w = next[:len(y)], w[:len(y)]
		for s := range y {
			y[s] -= w[s] * next[s]
		}
	}
}
