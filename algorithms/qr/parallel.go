package qr

import (
	"unsafe"

	"bench/framework"
	"bench/framework/workers"
)

// panelWidth is the reflections that are applied together: as many sums as
// registers hold.
const panelWidth = 8

// panels is one matrix as reflections.
type panels struct {
	shape
	v   []float32 // the reflections, zero above the diagonal
	tau []float32
	// gram is VᵀV of each panel above its diagonal.
	gram [][panelWidth][panelWidth]float32
}

func newPanels(s shape) *panels {
	n := (s.N + panelWidth - 1) / panelWidth
	return &panels{s, make([]float32, s.M*n*panelWidth), make([]float32, n*panelWidth), make([][panelWidth][panelWidth]float32, n)}
}

func (p *panels) column(j int) []float32 { return p.v[j*p.M : (j+1)*p.M] }

// width is the columns of a panel.
func (p *panels) width(panel int) int { return min(panelWidth, p.N-panel*panelWidth) }

// factor turns the columns of a panel into reflections and writes their part
// of R.
func (p *panels) factor(panel int, r []float32) {
	first, width := panel*panelWidth, p.width(panel)
	rows := p.cols()
	for k := first; k < first+width; k++ {
		v := p.column(k)
		beta, tau := reflect(v[k:])
		p.tau[k] = tau
		column := r[k*rows : (k+1)*rows]
		copy(column[:k], v[:k])
		column[k] = beta
		clear(column[k+1:])
		clear(v[:k])
		// The panel's columns before k are reflections, those after it wait.
		w := dots(v[k:], p.v[first*p.M+k:], p.M)
		for i := first; i < k; i++ {
			p.gram[panel][i-first][k-first] = w[i-first]
		}
		for j := k + 1; j < first+width; j++ {
			c, f := p.column(j)[k:], tau*w[j-first]
			for i, x := range v[k:] {
				c[i] -= f * x
			}
		}
	}
}

// apply multiplies a column from row first on by a panel's reflections: first
// to last (forward) or last to first.
func (p *panels) apply(panel int, c []float32, forward bool) {
	first := panel * panelWidth
	c = c[first:]
	v := p.v[first*p.M+first:] // the columns past N are zero
	w := dots(c, v, p.M)
	gram, tau := &p.gram[panel], p.tau[first:first+panelWidth]
	if forward {
		for k := range w {
			w[k] *= tau[k]
			for i := k + 1; i < panelWidth; i++ {
				w[i] -= gram[k][i] * w[k]
			}
		}
	} else {
		for k := panelWidth - 1; k >= 0; k-- {
			w[k] *= tau[k]
			for i := range k {
				w[i] -= gram[i][k] * w[k]
			}
		}
	}
	subtract(c, v, p.M, &w)
}

// vectored is how many of n rows the vector code takes.
func vectored(n int) int {
	if vectorRows == 0 {
		return 0
	}
	return n &^ (vectorRows - 1)
}

// dots are the products of c with 8 columns of v, stride elements apart.
func dots(c, v []float32, stride int) (w [panelWidth]float32) {
	n := vectored(len(c))
	if n > 0 {
		var sums [8 * panelWidth]float32
		dotsAVX2(unsafe.Pointer(&c[0]), unsafe.Pointer(&v[0]), 4*stride, n/vectorRows, &sums)
		for k := range w {
			s := sums[8*k : 8*k+8]
			w[k] = ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]))
		}
	}
	for k := range w {
		w[k] += dot32(c[n:], v[k*stride+n:])
	}
	return w
}

// subtract takes w times 8 columns of v from c.
func subtract(c, v []float32, stride int, w *[panelWidth]float32) {
	n := vectored(len(c))
	if n > 0 {
		subtractAVX2(unsafe.Pointer(&c[0]), unsafe.Pointer(&v[0]), 4*stride, n/vectorRows, w)
	}
	for k, f := range w {
		column := v[k*stride:]
		for i := n; i < len(c); i++ {
			c[i] -= f * column[i]
		}
	}
}

func dot32(x, y []float32) float32 {
	y = y[:len(x)]
	var s0, s1, s2, s3 float32
	i := 0
	for ; i+4 <= len(x); i += 4 {
		s0 += x[i] * y[i]
		s1 += x[i+1] * y[i+1]
		s2 += x[i+2] * y[i+2]
		s3 += x[i+3] * y[i+3]
	}
	for ; i < len(x); i++ {
		s0 += x[i] * y[i]
	}
	return s0 + s1 + (s2 + s3)
}

// formColumn makes column j of Q from the unit matrix.
func (p *panels) formColumn(j int, c []float32) {
	clear(c)
	c[j] = 1
	for panel := min(j, p.N-1) / panelWidth; panel >= 0; panel-- {
		p.apply(panel, c, false)
	}
}

// parallel is version "parallel".
type parallel struct {
	shape
	pool    *workers.Pool
	stage   func(worker int)
	scratch []*panels // one for each worker, or for all
}

func prepareParallel(p *problem, env framework.Env) (factoriser, error) {
	x := &parallel{shape: p.shape}
	n := max(1, env.Workers)
	x.pool = workers.New(n, func(worker int) { x.stage(worker) })
	if !x.whole() {
		n = 1
	}
	for range n {
		x.scratch = append(x.scratch, newPanels(p.shape))
	}
	return x, nil
}

// whole reports whether workers share out matrices instead of columns.
func (x *parallel) whole() bool { return x.Batch >= 2*x.pool.Workers() }

// Close ends the workers.
func (x *parallel) Close() error {
	x.pool.Close()
	return nil
}

func (x *parallel) run(q, r, a []float32) error {
	of := func(b int, all []float32, size int) []float32 { return all[b*size : (b+1)*size] }
	if x.whole() {
		x.stage = func(worker int) {
			p := x.scratch[worker]
			x.pool.Each(x.Batch, func(b int) { p.all(of(b, q, x.sizeQ()), of(b, r, x.sizeR()), of(b, a, x.sizeA())) })
		}
		x.pool.Run()
		return nil
	}
	for b := range x.Batch {
		x.together(of(b, q, x.sizeQ()), of(b, r, x.sizeR()), of(b, a, x.sizeA()))
	}
	return nil
}

// all factors one matrix on one thread.
func (p *panels) all(q, r, a []float32) {
	copy(p.v, a)
	for panel := range p.gram {
		p.factor(panel, r)
		for j := (panel + 1) * panelWidth; j < p.N; j++ {
			p.apply(panel, p.column(j), true)
		}
	}
	for j := range p.cols() {
		p.formColumn(j, q[j*p.M:(j+1)*p.M])
	}
}

// together factors one matrix on all workers, which share out the columns. The
// first columns after a panel are updated and factored by one worker while the
// others update the rest.
func (x *parallel) together(q, r, a []float32) {
	p := x.scratch[0]
	copy(p.v, a)
	p.factor(0, r)
	for panel := range len(p.gram) - 1 {
		next := (panel + 1) * panelWidth
		after := min(next+panelWidth, p.N)
		// Item 0 is the next panel, the others are groups of columns.
		groups := (p.N - after + panelWidth - 1) / panelWidth
		x.stage = func(int) {
			x.pool.Each(1+groups, func(item int) {
				first := next + item*panelWidth
				for j := first; j < min(first+panelWidth, p.N); j++ {
					p.apply(panel, p.column(j), true)
				}
				if item == 0 {
					p.factor(panel+1, r)
				}
			})
		}
		x.pool.Run()
	}
	x.stage = func(int) {
		x.pool.Each(p.cols(), func(j int) { p.formColumn(j, q[j*p.M:(j+1)*p.M]) })
	}
	x.pool.Run()
}

// Work counts, for every panel, each column's products with 8 reflections and
// its update, and the panel's own columns one by one; the substitutions are left
// out.
func (x *parallel) Work() framework.Work {
	const p = panelWidth
	var w framework.Work
	m, n := int64(x.M), int64(x.N)
	for first := int64(0); first < n; first += p {
		width := min(p, n-first)
		length, columns := m-first, max(0, n-first-p)+x.cols64()-first
		w.FLOPs += columns * 4 * p * length
		w.LoadBytes += 4 * columns * 2 * (p + 1) * length
		w.StoreBytes += 4 * columns * length
		for k := range width {
			rows, later := m-first-k, width-1-k
			w.FLOPs += rows * (3 + 2*p + 2*later)
			w.LoadBytes += 4 * rows * (2 + p + 1 + 2*later)
			w.StoreBytes += 4 * rows * (1 + later)
		}
	}
	return times(int64(x.Batch), w)
}
