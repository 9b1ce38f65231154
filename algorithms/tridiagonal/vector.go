package tridiagonal

import (
	"sync"
	"unsafe"

	"example.org/bench/framework"
	"example.org/bench/internal/workers"
)

// vectorKernels are the inner loops of version "parallel" for one instruction set
// and precision. They work on rows of systems side by side, one to a lane; rows
// are of any width. Strides and distances are in bytes, widths in systems.
type vectorKernels struct {
	name  string
	lanes int
	// eliminate goes down rows rows, stride bytes apart but for those of e, which
	// are packed: e_i = c_i/p_i and v_i = (d_i - a_i·v_{i-1})/p_i with p_i = b_i -
	// a_i·e_{i-1}. vBefore and eBefore are the row before the first.
	eliminate func(v, e, a, b, c, d, vBefore, eBefore unsafe.Pointer, rows, width, stride int)
	// substitute goes up rows rows from v and e on: v_i -= e_i·v_{i+1}.
	substitute func(v, e unsafe.Pointer, rows, width, stride int)
	// reduce goes down rows packed rows of parts, whose state is the e, f and g of
	// partitioned's reduce for the row before and for the first row.
	reduce func(state, a, b, c, d unsafe.Pointer, rows, width int)
	// interleave writes rows, width bytes apart, of as many systems as there are
	// lanes, distance bytes apart, four rows at a time; separate reads them.
	interleave, separate func(dst, src unsafe.Pointer, distance, width, fours int)
	// divisionFLOPs is what a reciprocal takes, without its estimate.
	divisionFLOPs int64
}

// What a worker takes at once of contiguous systems. A row waits for the row before:
// eight vectors side by side hide that, two hide some of it. Between, e and v of all
// of them stay within groupBytes, half of a common second-level cache.
const (
	groupBytes  = 512 << 10
	fewVectors  = 2
	manyVectors = 8
	// packedBytes is for rows of a, b, c and d side by side: half of a common
	// first-level cache.
	packedBytes  = 16 << 10
	packedArrays = 4
)

// columns is width systems, or parts of one, of rows rows each: whole vectors of them.
// They lie one after another, and are laid side by side in pieces that a first-level
// cache holds.
type columns[T real] struct {
	k           *vectorKernels
	rows, width int
	zeros       []T // before the first row
}

func newColumns[T real](k *vectorKernels, rows, width int) *columns[T] {
	return &columns[T]{k: k, rows: rows, width: width, zeros: make([]T, width)}
}

// vectorScratch is memory for e and, of columns, v of all rows side by side, and some
// rows of their equations.
type vectorScratch[T real] struct {
	e, v   []T
	packed [packedArrays][]T
}

func (c *columns[T]) scratch() *vectorScratch[T] {
	w := &vectorScratch[T]{e: make([]T, c.width*c.rows), v: make([]T, c.width*c.rows)}
	for i := range w.packed {
		w.packed[i] = make([]T, c.width*c.packedRows())
	}
	return w
}

// packedRows is how many rows are laid side by side at once: a multiple of four.
func (c *columns[T]) packedRows() int {
	return max(4, packedBytes/packedArrays/(c.width*int(sizeOf[T]()))&^3)
}

// at is the address of element i.
func at[T real](v []T, i int) unsafe.Pointer { return unsafe.Pointer(&v[i]) }

// packed lays rows from … to-1 of width columns side by side, some at a time, for f:
// rows count from row from on. The columns begin at row first of all.
func (c *columns[T]) packed(in equations[T], w *vectorScratch[T], first, width, from, to int, f func(a, b, c, d unsafe.Pointer, from, count int)) {
	for ; from < to; from += c.packedRows() {
		count := min(c.packedRows(), to-from)
		for i, array := range [packedArrays][]T{in.a, in.b, in.c, in.d} {
			c.pack(w.packed[i], array[first+from:], width, count)
		}
		f(at(w.packed[0], 0), at(w.packed[1], 0), at(w.packed[2], 0), at(w.packed[3], 0), from, count)
	}
}

// eliminate goes down rows from … to-1 of width columns. The row before from is in v,
// and before row 0 there is nothing.
func (c *columns[T]) eliminate(in equations[T], w *vectorScratch[T], first, width, from, to int) {
	v, e := at(c.zeros, 0), at(c.zeros, 0)
	if from > 0 {
		v = at(w.v, (from-1)*width)
	}
	stride := width * int(sizeOf[T]())
	c.packed(in, w, first, width, from, to, func(pa, pb, pc, pd unsafe.Pointer, from, count int) {
		c.k.eliminate(at(w.v, from*width), at(w.e, from*width), pa, pb, pc, pd, v, e, count, width, stride)
		v, e = at(w.v, (from+count-1)*width), at(w.e, (from+count-1)*width)
	})
}

// substitute goes up from row last to row least and lays all rows' solutions where
// they belong; the rows around them are solved.
func (c *columns[T]) substitute(x []T, w *vectorScratch[T], first, width, last, least int) {
	stride := width * int(sizeOf[T]())
	for to := c.rows; to > 0; to -= c.packedRows() {
		from := max(0, to-c.packedRows())
		if count := last - max(from, least) + 1; count > 0 {
			c.k.substitute(at(w.v, last*width), at(w.e, last*width), count, width, stride)
			last -= count
		}
		c.unpack(x[first+from:], w.v[from*width:], width, to-from)
	}
}

// pack lays rows of width columns side by side, unpack lays them one after another.
func (c *columns[T]) pack(dst, src []T, width, rows int) {
	n, lanes, size := c.rows, c.k.lanes, int(sizeOf[T]())
	fours := rows / 4
	for q := 0; q < width; q += lanes {
		if fours > 0 {
			c.k.interleave(at(dst, q), at(src, q*n), n*size, width*size, fours)
		}
		for i := 4 * fours; i < rows; i++ {
			for k := q; k < q+lanes; k++ {
				dst[i*width+k] = src[k*n+i]
			}
		}
	}
}

func (c *columns[T]) unpack(dst, src []T, width, rows int) {
	n, lanes, size := c.rows, c.k.lanes, int(sizeOf[T]())
	fours := rows / 4
	for q := 0; q < width; q += lanes {
		if fours > 0 {
			c.k.separate(at(dst, q*n), at(src, q), n*size, width*size, fours)
		}
		for i := 4 * fours; i < rows; i++ {
			for k := q; k < q+lanes; k++ {
				dst[k*n+i] = src[i*width+k]
			}
		}
	}
}

// vectorSolver is version "parallel" with vector code.
type vectorSolver[T real] struct {
	unclosed
	*columns[T]
	p       *problem
	workers int
	free    sync.Pool // of *vectorScratch[T]
}

func newVectorSolver[T real](p *problem, k *vectorKernels, workers int) *vectorSolver[T] {
	width := tileSystems
	if !p.Interleaved {
		vectors := groupBytes / (2 * p.N * k.lanes * int(sizeOf[T]()))
		share := (p.Batch + k.lanes*workers - 1) / (k.lanes * workers)
		width = min(max(fewVectors, vectors), manyVectors, share) * k.lanes
	}
	s := &vectorSolver[T]{columns: newColumns[T](k, p.N, width), p: p, workers: workers}
	s.free.New = func() any {
		if p.Interleaved {
			return &vectorScratch[T]{e: make([]T, width*p.N)}
		}
		return s.scratch()
	}
	return s
}

func (s *vectorSolver[T]) solve(x []T, in equations[T]) error {
	p, n := s.p, s.p.N
	workers.Split(s.workers, (p.Batch+s.width-1)/s.width, func(g int) {
		w := s.free.Get().(*vectorScratch[T])
		defer s.free.Put(w)
		first, last := g*s.width, min((g+1)*s.width, p.Batch)
		if p.Interleaved {
			s.tile(x, in, w.e, first, last-first)
			return
		}
		width := (last - first) / s.k.lanes * s.k.lanes
		if width > 0 {
			s.eliminate(in, w, first*n, width, 0, n)
			s.substitute(x, w, first*n, width, n-2, 0)
		}
		for first += width; first < last; first++ {
			i, j := first*n, (first+1)*n
			sweep(x[i:j], in.a[i:j], in.b[i:j], in.c[i:j], in.d[i:j], w.e[:n])
		}
	})
	return nil
}

// tile solves width interleaved systems from first on.
func (s *vectorSolver[T]) tile(x []T, in equations[T], e []T, first, width int) {
	n, zeros := s.p.N, at(s.zeros, 0)
	stride := s.p.Batch * int(sizeOf[T]())
	s.k.eliminate(at(x, first), at(e, 0), at(in.a, first), at(in.b, first), at(in.c, first), at(in.d, first), zeros, zeros, n, width, stride)
	last := n - 2 // the last row's v is its solution
	s.k.substitute(at(x, first+last*s.p.Batch), at(e, last*width), n-1, width, stride)
}

// Work is the Thomas algorithm's with Newton's reciprocal. A row reads its four
// values and e and v of the row before, and writes its own; on the way back it
// reads e, v and v of the row behind, and writes v. Contiguous systems are also read
// and written once more to lie side by side, and their answers to lie apart.
func (s *vectorSolver[T]) Work() framework.Work {
	e := int64(s.p.elements())
	w := framework.Work{FLOPs: (thomasFLOPs - 1 + s.k.divisionFLOPs) * e, LoadBytes: 9 * e * sizeOf[T](), StoreBytes: 3 * e * sizeOf[T]()}
	if !s.p.Interleaved {
		w.LoadBytes += 5 * e * sizeOf[T]()
		w.StoreBytes += 5 * e * sizeOf[T]()
	}
	return w
}
