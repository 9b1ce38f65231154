package qr

import (
	"example.org/bench/framework"
	"example.org/bench/internal/workers"
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
	// compact is, for vector code that applies a panel to pairs of columns, T and
	// its transpose of each panel's product of reflections, I - VTVᵀ.
	compact [][2][panelWidth][panelWidth]float32
}

func newPanels(s shape) *panels {
	n := (s.N + panelWidth - 1) / panelWidth
	p := &panels{shape: s, v: make([]float32, s.M*n*panelWidth), tau: make([]float32, n*panelWidth), gram: make([][panelWidth][panelWidth]float32, n)}
	if applyPair != nil {
		p.compact = make([][2][panelWidth][panelWidth]float32, n)
	}
	return p
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
			subtractOne(p.column(j)[k:], v[k:], tau*w[j-first])
		}
	}
	if p.compact != nil {
		p.makeCompact(panel)
	}
}

// makeCompact sets T of a panel: its column k is -τ times T's columns before k
// times the products of the reflections before k with number k (Schreiber and Van
// Loan, A Storage-Efficient WY Representation for Products of Householder
// Transformations, 1989).
func (p *panels) makeCompact(panel int) {
	gram, tau := &p.gram[panel], p.tau[panel*panelWidth:]
	t, transposed := &p.compact[panel][0], &p.compact[panel][1]
	for k := range panelWidth {
		for i := range k {
			var sum float32
			for j := i; j < k; j++ {
				sum += t[i][j] * gram[j][k]
			}
			t[i][k] = -tau[k] * sum
			transposed[k][i] = t[i][k]
		}
		t[k][k], transposed[k][k] = tau[k], tau[k]
	}
}

// applyAll is apply for columns first … last-1 of a matrix with M rows.
func (p *panels) applyAll(panel int, matrix []float32, first, last int, forward bool) {
	column := func(j int) []float32 { return matrix[j*p.M : (j+1)*p.M] }
	if applyPair == nil {
		for j := first; j < last; j++ {
			p.apply(panel, column(j), forward)
		}
		return
	}
	row := panel * panelWidth
	t := &p.compact[panel][1]
	if forward {
		t = &p.compact[panel][0]
	}
	for j := first; j < last; j += 2 {
		// The second of an odd column's pair is that column itself.
		applyPair(column(j)[row:], column(min(j+1, last-1))[row:], p.v[row*p.M+row:], p.M, t)
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

// dots are the products of c with 8 columns of v, stride elements apart.
func dots(c, v []float32, stride int) (w [panelWidth]float32) {
	n := vectorDots(c, v, stride, &w)
	for k := range w {
		w[k] += dot32(c[n:], v[k*stride+n:])
	}
	return w
}

// subtract takes w times 8 columns of v from c.
func subtract(c, v []float32, stride int, w *[panelWidth]float32) {
	n := vectorSubtract(c, v, stride, w)
	for k, f := range w {
		column := v[k*stride:]
		for i := n; i < len(c); i++ {
			c[i] -= f * column[i]
		}
	}
}

// plainSubtract takes w times v from c.
func plainSubtract(c, v []float32, w float32) {
	v = v[:len(c)]
	for i, x := range v {
		c[i] -= w * x
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

// columnsTogether are formed at once: as many as the vector code takes.
const columnsTogether = 2

// formColumns makes columns first … last-1 of Q from the unit matrix.
func (p *panels) formColumns(first, last int, q []float32) {
	clear(q[first*p.M : last*p.M])
	for j := first; j < last; j++ {
		q[j*p.M+j] = 1
	}
	for panel := min(last-1, p.N-1) / panelWidth; panel >= 0; panel-- {
		p.applyAll(panel, q, first, last, false)
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

func (x *parallel) run(answerQ, answerR, input elements) error {
	q, r, a := answerQ.single, answerR.single, input.single
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
		p.applyAll(panel, p.v, (panel+1)*panelWidth, p.N, true)
	}
	for j := 0; j < p.cols(); j += columnsTogether {
		p.formColumns(j, min(j+columnsTogether, p.cols()), q)
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
				p.applyAll(panel, p.v, first, min(first+panelWidth, p.N), true)
				if item == 0 {
					p.factor(panel+1, r)
				}
			})
		}
		x.pool.Run()
	}
	x.stage = func(int) {
		x.pool.Each((p.cols()+columnsTogether-1)/columnsTogether, func(i int) {
			p.formColumns(i*columnsTogether, min((i+1)*columnsTogether, p.cols()), q)
		})
	}
	x.pool.Run()
}

// Work counts, for every panel, each column's products with 8 reflections and
// its update, and the panel's own columns one by one; the substitutions are left
// out, and T in their place. Vector code that takes two columns reads the
// reflections once for both.
func (x *parallel) Work() framework.Work {
	const p = panelWidth
	var w framework.Work
	m, n := int64(x.M), int64(x.N)
	for first := int64(0); first < n; first += p {
		width := min(p, n-first)
		length, columns := m-first, max(0, n-first-p)+x.cols64()-first
		w.FLOPs += columns * 4 * p * length
		reflections := columns
		if applyPair != nil {
			reflections = (columns + 1) / 2
		}
		w.LoadBytes += 4 * 2 * (columns + p*reflections) * length
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
