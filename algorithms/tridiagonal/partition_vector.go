package tridiagonal

import (
	"unsafe"

	"example.org/bench/framework"
	"example.org/bench/internal/workers"
)

// vectorPartitioned is partitioned with parts of one length side by side, in groups
// that a worker takes at once. The last part is what remains: at least minN rows,
// alone.
type vectorPartitioned[T real] struct {
	*partitioned[T]
	*columns[T]
	groups int
	own    []vectorPart[T] // of each group
}

// vectorPart is a group's memory.
type vectorPart[T real] struct {
	*vectorScratch[T]
	state []T
}

// stateRows are e, f and g of the row before and of the first row.
const stateRows = 6

func newVectorPartitioned[T real](p *problem, k *vectorKernels, workers, groupsPerWorker int) *vectorPartitioned[T] {
	groups := groupsPerWorker * workers
	vectors := min(max(1, p.N/(minPart*k.lanes*groups)), manyVectors)
	width := vectors * k.lanes
	rows := (p.N - minN) / (groups * width)
	s := &vectorPartitioned[T]{
		partitioned: newParts[T](p, workers, groups*width+1, p.N-groups*width*rows),
		columns:     newColumns[T](k, rows, width),
		groups:      groups,
	}
	for range groups {
		s.own = append(s.own, vectorPart[T]{s.columns.scratch(), make([]T, stateRows*width)})
	}
	return s
}

func (s *vectorPartitioned[T]) solve(x []T, in equations[T]) error {
	together := s.width * s.columns.rows
	alone, rest := s.parts-1, s.p.N-s.groups*together
	for system := range s.p.Batch {
		at := s.p.start(system)
		end := at + s.groups*together
		workers.Split(s.workers, s.groups+1, func(g int) {
			if g == s.groups {
				s.partitioned.reduce(alone, in, end, 1, 0, rest)
				return
			}
			s.reduceGroup(g, in, at+g*together)
		})
		sweep(s.solved, s.inner.a, s.inner.b, s.inner.c, s.inner.d, s.innerC)
		workers.Split(s.workers, s.groups+1, func(g int) {
			if g == s.groups {
				s.partitioned.substitute(alone, x, in, end, 1, 0, rest)
				return
			}
			s.substituteGroup(g, x, in, at+g*together)
		})
	}
	return nil
}

// reduceGroup is reduce for the parts of a group, which begins at row first. What
// begins as x_from = x_from becomes the first row's equation.
func (s *vectorPartitioned[T]) reduceGroup(g int, in equations[T], first int) {
	w, width, n := s.own[g], s.width, s.columns.rows
	clear(w.state)
	row := func(i int) []T { return w.state[i*width : (i+1)*width] }
	for j := range width {
		row(0)[j], row(4)[j] = -1, -1
	}
	s.packed(in, w.vectorScratch, first, width, 1, n-1, func(a, b, c, d unsafe.Pointer, _, count int) {
		s.k.reduce(at(w.state, 0), a, b, c, d, count, width)
	})
	for j := range width {
		top := first + j*n
		s.connect(g*width+j, in, top, top+n-1, [3]T{row(3)[j], row(4)[j], row(5)[j]}, [3]T{row(0)[j], row(1)[j], row(2)[j]})
	}
}

// substituteGroup solves the inner rows of a group's parts, between the two that are
// known.
func (s *vectorPartitioned[T]) substituteGroup(g int, x []T, in equations[T], first int) {
	w, width, n := s.own[g].vectorScratch, s.width, s.columns.rows
	for j := range width {
		k := g*width + j
		w.v[j], w.v[(n-1)*width+j] = s.solved[2*k], s.solved[2*k+1]
	}
	s.eliminate(in, w, first, width, 1, n-1)
	s.columns.substitute(x, w, first, width, n-2, 1)
}

// Work is partitioned's with Newton's reciprocals, and the operations of rows that lie
// side by side: reduce negates two factors and multiplies by one once more, and rows are
// laid side by side for it and for substitute, and their solutions apart.
func (s *vectorPartitioned[T]) Work() framework.Work {
	e := int64(s.p.elements())
	return framework.Work{FLOPs: (15 + 2 + thomasFLOPs + 2*(s.k.divisionFLOPs-1)) * e,
		LoadBytes: (4 + 4 + 4 + 9 + 1) * e * sizeOf[T](), StoreBytes: (4 + 4 + 3 + 1) * e * sizeOf[T]()}
}
