package bicubic

import (
	"unsafe"

	"example.org/bench/framework"
	"example.org/bench/internal/workers"
)

const (
	// stripeRows is the default number of input rows that a worker takes at once. Three more are interpolated
	// across for them.
	stripeRows = 32
	// blockColumns is how many output columns make a block: four interpolated rows of it stay in a
	// first-level cache.
	blockColumns = 2048
	// cachedBytes is the size of output that is assumed to stay in the last-level cache. Stores of larger
	// outputs bypass the caches.
	cachedBytes = 32 << 20
	lineBytes   = 64 // of a cache line
)

// striped is version "parallel".
type striped struct {
	p       *problem
	rows    int // of a stripe
	pool    *workers.Pool
	combine *combiner
	past    bool // stores bypass the caches
	scratch []lines
	across  [][4]float32 // weights by phase
	down    [][4]float32
	cells   int // input columns of a block
	blocks  int // along a row
	stripes int
	out     []float32
}

// lines is the memory of a worker.
type lines struct {
	rows   [4][]float32 // the last four rows interpolated across; row y at index y mod 4
	points []float32    // of an input row, with control points on both sides
	phase  []float32    // every column_factor-th element of a row interpolated across
}

// combiner computes weighted sums of four rows.
type combiner struct {
	name string
	// sum sets n elements of to; n is a multiple of lanes. sumPast bypasses the caches and needs to aligned
	// to a cache line.
	sum, sumPast func(to, a, b, c, d *float32, n int, weights *[4]float32)
	lanes        int
}

// newStriped divides the input into stripes of rows and blocks of output columns.
func newStriped(p *problem, env framework.Env, rows, columns int) *striped {
	s := &striped{
		p: p, rows: rows, past: p.outBytes() > cachedBytes,
		across: p.Basis.phases(p.ColumnFactor), down: p.Basis.phases(p.RowFactor),
		cells: max(1, columns/p.ColumnFactor), stripes: tiles(p.Rows, rows),
	}
	s.blocks = tiles(p.Cols, s.cells)
	name := "Go"
	if list := combiners(); len(list) > 0 {
		s.combine = list[0]
		name = list[0].name
	}
	env.Remark("parallel: %s code", name)
	threads := min(max(1, env.Workers), s.blocks*s.stripes)
	s.scratch = make([]lines, threads)
	for i := range s.scratch {
		for j := range s.scratch[i].rows {
			s.scratch[i].rows[j] = make([]float32, s.cells*p.ColumnFactor)
		}
		s.scratch[i].points = make([]float32, s.cells+3)
		s.scratch[i].phase = make([]float32, s.cells)
	}
	s.pool = workers.New(threads, func(worker int) {
		s.pool.Each(s.blocks*s.stripes, func(i int) { s.part(i/s.blocks, i%s.blocks, &s.scratch[worker]) })
	})
	return s
}

func (s *striped) run(out []float32) {
	s.out = out
	s.pool.Run()
	s.out = nil
}

// part computes the output of one stripe and block.
func (s *striped) part(stripe, block int, l *lines) {
	p := s.p
	first, last := stripe*s.rows, min((stripe+1)*s.rows, p.Rows)
	left, right := block*s.cells, min((block+1)*s.cells, p.Cols)
	n := (right - left) * p.ColumnFactor
	line := func(y int) []float32 { return l.rows[y&3][:n] }
	for y := first - 1; y < first+2; y++ {
		s.widen(line(y), p.row(y), left, right, l)
	}
	for y := first; y < last; y++ {
		s.widen(line(y+2), p.row(y+2), left, right, l)
		for phase := range s.down {
			at := (y*p.RowFactor+phase)*p.outCols() + left*p.ColumnFactor
			s.sum(s.out[at:at+n], line(y-1), line(y), line(y+1), line(y+2), &s.down[phase], s.past)
		}
	}
}

// widen interpolates input columns left … right-1 of a row.
func (s *striped) widen(to, row []float32, left, right int, l *lines) {
	n, factor := right-left, len(s.across)
	points := l.points[:n+3]
	last := len(row) - 1
	points[0] = row[max(left-1, 0)]
	copy(points[1:], row[left:min(right+2, last+1)])
	for x := last + 1; x < right+2; x++ {
		points[x-left+1] = row[last]
	}
	for i := range s.across {
		phase := l.phase[:n]
		s.sum(phase, points, points[1:], points[2:], points[3:], &s.across[i], false)
		for x, v := range phase {
			to[x*factor+i] = v
		}
	}
}

// sum sets to to the weighted sum of four rows, and bypasses the caches if past is set.
func (s *striped) sum(to, a, b, c, d []float32, w *[4]float32, past bool) {
	if k := s.combine; k != nil {
		sum, head := k.sum, 0
		if past {
			// Plain code computes the elements up to the start of a cache line.
			head = int(-uintptr(unsafe.Pointer(&to[0]))%lineBytes) / 4
			sum = k.sumPast
		}
		if head < len(to) {
			plainSum(to[:head], a, b, c, d, w)
			to, a, b, c, d = to[head:], a[head:], b[head:], c[head:], d[head:]
			if n := len(to) / k.lanes * k.lanes; n > 0 {
				sum(&to[0], &a[0], &b[0], &c[0], &d[0], n, w)
				to, a, b, c, d = to[n:], a[n:], b[n:], c[n:], d[n:]
			}
		}
	}
	plainSum(to, a, b, c, d, w)
}

func plainSum(to, a, b, c, d []float32, w *[4]float32) {
	a, b, c, d = a[:len(to)], b[:len(to)], c[:len(to)], d[:len(to)]
	w0, w1, w2, w3 := w[0], w[1], w[2], w[3]
	for i := range to {
		to[i] = w0*a[i] + w1*b[i] + w2*c[i] + w3*d[i]
	}
}

// rounding counts in each direction the weight, its product, and three sums.
func (s *striped) rounding() rounding { return rounding{steps: 10} }

// Work counts a row interpolated across as stored twice: by phase, and in its place.
func (s *striped) Work() framework.Work {
	p := s.p
	rows := int64(p.Rows + 3*s.stripes)
	points := rows * int64(p.Cols+3*s.blocks) // copied with their control points
	widened := rows * int64(p.outCols())
	return framework.Work{
		FLOPs:      7 * (widened + p.points()),
		LoadBytes:  4 * (points + 5*widened + 4*p.points()),
		StoreBytes: 4 * (points + 2*widened + p.points()),
	}
}

// Close ends the workers.
func (s *striped) Close() error {
	s.pool.Close()
	return nil
}
