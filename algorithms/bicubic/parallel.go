package bicubic

import (
	"unsafe"

	"bench/framework"
	"bench/framework/workers"
)

const (
	// stripeRows input rows are a worker's at once; three more are interpolated
	// across for their sake.
	stripeRows = 32
	// blockColumns of the output, so that four interpolated rows stay in a
	// first-level cache.
	blockColumns = 2048
	// cachedBytes of output are assumed to stay in the last level of caches;
	// beyond, stores go past them.
	cachedBytes = 32 << 20
	lineBytes   = 64 // of a cache line
)

// striped is version "parallel".
type striped struct {
	p       *problem
	pool    *workers.Pool
	combine *combiner
	past    bool // stores go past the caches
	scratch []lines
	across  [][4]float32 // weights by phase
	down    [][4]float32
	cells   int // input columns of a block
	blocks  int // across
	stripes int
	out     []float32
}

// lines are the last four rows interpolated across, row y of them in number y mod 4.
type lines [4][]float32

// combiner sums four rows by weights.
type combiner struct {
	name string
	// sum sets n elements, a multiple of lanes, of to. sumPast goes past the
	// caches; to is then aligned to a cache line.
	sum, sumPast func(to, a, b, c, d *float32, n int, weights *[4]float32)
	lanes        int
}

func newStriped(p *problem, threads int, note func(string, ...any)) *striped {
	s := &striped{
		p: p, past: p.outBytes() > cachedBytes,
		across: p.Basis.phases(p.ColumnFactor), down: p.Basis.phases(p.RowFactor),
		cells: max(1, blockColumns/p.ColumnFactor), stripes: tiles(p.Rows, stripeRows),
	}
	s.blocks = tiles(p.Cols, s.cells)
	name := "Go"
	if list := combiners(); len(list) > 0 {
		s.combine = list[0]
		name = list[0].name
	}
	if note != nil {
		note("parallel: %s code", name)
	}
	threads = min(threads, s.blocks*s.stripes)
	s.scratch = make([]lines, threads)
	for i := range s.scratch {
		for j := range s.scratch[i] {
			s.scratch[i][j] = make([]float32, s.cells*p.ColumnFactor)
		}
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

// part makes the output of one stripe and block.
func (s *striped) part(stripe, block int, l *lines) {
	p := s.p
	first, last := stripe*stripeRows, min((stripe+1)*stripeRows, p.Rows)
	left, right := block*s.cells, min((block+1)*s.cells, p.Cols)
	n := (right - left) * p.ColumnFactor
	for y := first - 1; y < first+2; y++ {
		s.widen(l[y&3][:n], p.row(y), left, right)
	}
	for y := first; y < last; y++ {
		s.widen(l[(y+2)&3][:n], p.row(y+2), left, right)
		for phase := range s.down {
			at := (y*p.RowFactor+phase)*p.outCols() + left*p.ColumnFactor
			s.sum(s.out[at:at+n], l[(y-1)&3][:n], l[y&3][:n], l[(y+1)&3][:n], l[(y+2)&3][:n], &s.down[phase])
		}
	}
}

// widen interpolates input columns left … right-1 of a row.
func (s *striped) widen(to, row []float32, left, right int) {
	last := len(row) - 1
	a, b, c := row[max(left-1, 0)], row[left], row[min(left+1, last)]
	if s.p.ColumnFactor == 2 { // without the loop over phases
		u, v := s.across[0], s.across[1]
		for x := left; x < right; x++ {
			d := row[min(x+2, last)]
			pair := to[:2]
			pair[0] = u[0]*a + u[1]*b + u[2]*c + u[3]*d
			pair[1] = v[0]*a + v[1]*b + v[2]*c + v[3]*d
			to = to[2:]
			a, b, c = b, c, d
		}
		return
	}
	for x := left; x < right; x++ {
		d := row[min(x+2, last)]
		cell := to[:len(s.across)]
		for i := range cell {
			w := &s.across[i]
			cell[i] = w[0]*a + w[1]*b + w[2]*c + w[3]*d
		}
		to = to[len(cell):]
		a, b, c = b, c, d
	}
}

// sum makes an output row from four interpolated ones.
func (s *striped) sum(to, a, b, c, d []float32, w *[4]float32) {
	if k := s.combine; k != nil {
		sum, head := k.sum, 0
		if s.past {
			// Elements up to a cache line's start are left to the plain code.
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

// rounding: in each direction the weight, its product, and three sums.
func (s *striped) rounding() rounding { return rounding{steps: 10} }

func (s *striped) work() framework.Work {
	p := s.p
	widened := int64(p.Rows+3*s.stripes) * int64(p.outCols())
	return framework.Work{
		FLOPs:      7 * (widened + p.points()),
		LoadBytes:  4 * (int64(p.Rows+3*s.stripes)*int64(p.Cols+3*s.blocks) + 4*p.points()),
		StoreBytes: 4*widened + p.outBytes(),
	}
}

func (s *striped) close() { s.pool.Close() }
