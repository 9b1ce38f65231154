package strategy

import (
	"math"

	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
)

// noise is the variance of a measurement as a share of the signal's; it also
// keeps the factor well conditioned.
const noise = 1e-3

// process is a Gaussian process on the logarithm of the cost. It is conditioned point by point: one more row
// of the Cholesky factor updates mean and variance of every candidate of a pool. The same factor carries a
// second target, 1 for an invalid point and 0 for a valid one, a third, how long the point took to compile,
// and in a search for a front the second cost.
//
// models.Process is another process: it fits kernels over several tasks, in double precision. This process
// has one task and is given its kernel, and keeps pools of thousands up to date in single precision.
type process struct {
	kernel *packed
	rates  []float64
	pool   []int      // candidates
	codes  [][]uint16 // theirs, a list a group
	points []int      // evaluated or expected
	// outcomes are those of points.
	outcomes []outcome

	factor         [][]float64 // rows of the lower triangle
	target, fault  []float64   // factor⁻¹ times the outcomes; 0 for an expected point, which tells nothing
	effort         []float64   // the same of efforts; 0 also for an unknown one
	second         []float64   // likewise; nil in a search for the least cost
	rows           [][]float32 // factor⁻¹ times the kernel of points and pool
	mean, variance []float32   // of the pool, in units of the signal's
	faulty         []float32   // mean of the second target
	dear           []float32   // mean of the third
	other          []float32   // mean of the second cost
	scratch        []float32
	offset, signal float64 // prior mean and variance of the target
	// otherOffset and otherSignal are offset and signal of the second cost.
	otherOffset, otherSignal float64
	taught                   *taught // nil without lessons
}

// outcome is what is known of a point, its target beyond the prior mean.
type outcome struct {
	known         bool
	target, fault float64
	effort        float64 // NaN: unknown
	second        float64 // target of the second cost
}

// newProcess returns a process without points. front says that there is a second cost.
func newProcess(kernel *packed, rates []float64, pool []int, front bool) *process {
	n := len(pool)
	p := &process{kernel: kernel, rates: rates, pool: pool, mean: make([]float32, n), variance: make([]float32, n),
		faulty: make([]float32, n), dear: make([]float32, n), scratch: make([]float32, n), signal: 1}
	for i := range p.variance {
		p.variance[i] = 1
	}
	if front {
		p.second, p.other, p.otherSignal = []float64{}, make([]float32, n), 1
	}
	for _, g := range kernel.groups {
		code := make([]uint16, n)
		for i, c := range pool {
			code[i] = g.code[c]
		}
		p.codes = append(p.codes, code)
	}
	return p
}

// condition takes in an evaluated point.
func (p *process) condition(point int, o outcome) {
	p.expect(point)
	p.learn(len(p.points)-1, o)
}

// expect takes in a point whose outcome is pending. The outcome is believed to be as predicted (the Kriging
// believer of "Kriging Is Well-Suited to Parallelize Optimization", Ginsbourger, Le Riche and Carraro), so
// that means stay and variances shrink.
func (p *process) expect(point int) {
	n := len(p.points)
	t := p.kernel.terms(p.rates, point)
	own := make([][]uint16, len(p.codes))
	for g := range own {
		own[g] = make([]uint16, n)
		for i, q := range p.points {
			own[g][i] = p.kernel.groups[g].code[q]
		}
	}
	k := make([]float32, n)
	t.fill(own, k, make([]float32, n))
	row := make([]float64, n+1)
	diagonal := 1 + noise
	for i := range n {
		row[i] = (float64(k[i]) - dot(row[:i], p.factor[i])) / p.factor[i][i]
		diagonal -= row[i] * row[i]
	}
	row[n] = math.Sqrt(max(diagonal, noise*1e-3))
	p.points = append(p.points, point)
	p.factor = append(p.factor, row)
	p.outcomes = append(p.outcomes, outcome{})
	p.target, p.fault, p.effort = append(p.target, 0), append(p.fault, 0), append(p.effort, 0)
	if p.second != nil {
		p.second = append(p.second, 0)
	}

	v := make([]float32, len(p.pool))
	t.fill(p.codes, v, p.scratch)
	for i, x := range row[:n] {
		axpy(-x, p.rows[i], v)
	}
	inverse := float32(1 / row[n])
	for i := range v {
		v[i] *= inverse
		p.variance[i] -= v[i] * v[i]
	}
	p.rows = append(p.rows, v)
}

// learn takes in the outcome of an expected point. It moves the means by what the point tells beyond its
// prediction, and then by what the known points tell now that were expected later.
func (p *process) learn(at int, o outcome) {
	o.known = true
	o.target -= p.offset + p.taught.at(p.points[at])
	o.second -= p.otherOffset
	p.outcomes[at] = o
	for i := at; i < len(p.outcomes); i++ {
		o, row, v := p.outcomes[i], p.factor[i], p.rows[i]
		if !o.known {
			continue
		}
		y := (o.target - dot(row[:i], p.target[:i])) / row[i]
		f := (o.fault - dot(row[:i], p.fault[:i])) / row[i]
		axpy(y-p.target[i], v, p.mean)
		axpy(f-p.fault[i], v, p.faulty)
		p.target[i], p.fault[i] = y, f
		if !math.IsNaN(o.effort) {
			e := (o.effort - dot(row[:i], p.effort[:i])) / row[i]
			axpy(e-p.effort[i], v, p.dear)
			p.effort[i] = e
		}
		if p.second != nil {
			w := (o.second - dot(row[:i], p.second[:i])) / row[i]
			axpy(w-p.second[i], v, p.other)
			p.second[i] = w
		}
	}
}

// profile sets the prior mean to its most likely value, and the prior variance to its most likely value with
// two more values of variance 1. It must be called before any point is expected.
func (p *process) profile() {
	if p.taught != nil {
		p.regress()
		return
	}
	n := len(p.points)
	ones := make([]float64, n)
	for i, row := range p.factor {
		ones[i] = (1 - dot(row[:i], ones)) / row[i]
	}
	shift, signal := p.centred(ones, p.target, p.mean)
	p.offset, p.signal = p.offset+shift, signal
	for i := range n {
		p.outcomes[i].target -= shift
	}
	if p.second == nil {
		return
	}
	shift, signal = p.centred(ones, p.second, p.other)
	p.otherOffset, p.otherSignal = p.otherOffset+shift, signal
	for i := range n {
		p.outcomes[i].second -= shift
	}
}

// centred subtracts the likeliest level from a cost's targets, and returns their new mean and signal. ones
// are the targets of a level.
func (p *process) centred(ones, targets []float64, mean []float32) (shift, signal float64) {
	shift = dot(ones, targets) / dot(ones, ones)
	clear(mean)
	for i := range targets {
		targets[i] -= shift * ones[i]
		axpy(targets[i], p.rows[i], mean)
	}
	return shift, (dot(targets, targets) + 2) / float64(len(targets)+2)
}

func dot(a, b []float64) float64 {
	return blas64.Dot(blas64.Vector{N: len(a), Inc: 1, Data: a}, blas64.Vector{N: len(a), Inc: 1, Data: b})
}

func axpy(a float64, x, y []float32) {
	blas32.Axpy(float32(a), blas32.Vector{N: len(x), Inc: 1, Data: x}, blas32.Vector{N: len(y), Inc: 1, Data: y})
}
