package pattern

import (
	"math"

	"example.org/bench/framework"
	"example.org/bench/internal/workers"
)

// groupKiB is the size of the templates that a worker takes at a time.
const groupKiB = 64

// parallel is version "parallel": every worker takes groups of patterns.
type parallel struct {
	p     *problem
	env   framework.Env
	group int // bytes of templates taken at a time
	pool  *workers.Pool
	k     *vectorKernel // nil means Go code

	pairs []float32 // w and -2·w·a of each element
	// Inputs, each followed by a vector of zeros.
	signal, weights, gains, templates []float32
	best                              []workerBest
	got                               match
}

// workerBest is a worker's best match, on cache lines of its own.
type workerBest struct {
	candidate
	sums []float32 // at each shift or with each gain, whole vectors
	_    [128]byte
}

// vectorKernel is the vector code for one instruction set. It writes sums as whole vectors and reads inputs
// as whole vectors: up to lanes-1 elements beyond the last, where weights must be zero and the other inputs
// finite.
type vectorKernel struct {
	name     string
	lanes    int
	together int // shifts that share an element of the signal
	// shift returns the lowest index of the least of the sums at the shifts of a
	// template of n+shifts-1 elements.
	shift func(sums, template, pairs *float32, n, shifts int) int
	// gain returns the lowest index of the least error that the parabola gives with count gains, and the
	// error with that gain. template begins at its best shift.
	gain func(sums, template, signal, weights, gains *float32, n, count int) (gain int, squared float32)
}

func (a *parallel) PreRun() error {
	name := "Go"
	if kernels := vectorKernels(); len(kernels) > 0 {
		a.k, name = kernels[0], kernels[0].name
	}
	a.env.Remark("parallel: %s code", name)
	a.prepare(max(1, a.env.Workers))
	return nil
}

// prepare is PreRun after the vector code is chosen.
func (a *parallel) prepare(threads int) {
	p := a.p
	a.pairs = make([]float32, 2*p.N)
	for _, x := range []struct {
		padded *[]float32
		input  []float32
	}{{&a.signal, p.signal}, {&a.weights, p.weights}, {&a.gains, p.gains}, {&a.templates, p.templates}} {
		*x.padded = append(make([]float32, 0, len(x.input)+maxLanes), x.input...)[:len(x.input)+maxLanes]
	}
	a.best = make([]workerBest, threads)
	for i := range a.best {
		a.best[i].sums = make([]float32, max(p.S, p.G)+maxLanes-1)
	}
	a.pool = workers.New(threads, a.work1)
}

// maxLanes is the largest number of elements in a vector.
const maxLanes = 16

func (a *parallel) Run() error {
	p := a.p
	for n, w := range p.weights {
		a.pairs[2*n], a.pairs[2*n+1] = w, -2*(w*p.signal[n])
	}
	a.pool.Run()
	var all candidate
	for _, b := range a.best {
		if b.found {
			all.offer(b.match)
		}
	}
	a.got = all.match
	return nil
}

// work1 does one worker's part.
func (a *parallel) work1(worker int) {
	b, p := &a.best[worker], a.p
	b.candidate = candidate{}
	per := max(1, a.group/(4*p.length()))
	a.pool.Each((p.K+per-1)/per, func(i int) {
		for k := i * per; k < min((i+1)*per, p.K); k++ {
			b.offer(a.pattern(k, b.sums))
		}
	})
}

// pattern returns the best shift and gain of pattern k.
func (a *parallel) pattern(k int, sums []float32) match {
	p := a.p
	t := a.templates[k*p.length():]
	if a.k != nil {
		shift := a.k.shift(&sums[0], &t[0], &a.pairs[0], p.N, p.S)
		gain, squared := a.k.gain(&sums[0], &t[shift], &a.signal[0], &a.weights[0], &a.gains[0], p.N, p.G)
		return match{int32(k), int32(shift), int32(gain), squared}
	}
	shift := a.bestShift(t)
	shifted := t[shift : shift+p.N]
	signal, weights := p.signal[:len(shifted)], p.weights[:len(shifted)]
	var e, b, c float32
	for n, x := range shifted {
		d := signal[n] - x
		wd := weights[n] * d
		e += wd * d
		b += wd * x
		c += weights[n] * x * x
	}
	b *= -2
	least, gain := float32(math.Inf(1)), 0
	for g, v := range p.gains {
		u := v - 1
		if y := u*(u*c+b) + e; y < least {
			least, gain = y, g
		}
	}
	v := p.gains[gain]
	var squared float32
	for n, x := range shifted {
		d := signal[n] - x*v
		squared += weights[n] * d * d
	}
	return match{int32(k), int32(shift), int32(gain), squared}
}

// bestShift takes four shifts at a time, each with a sum of its own.
func (a *parallel) bestShift(t []float32) int {
	p := a.p
	least, shift := float32(math.Inf(1)), 0
	take := func(j int, sum float32) {
		if sum < least {
			least, shift = sum, j
		}
	}
	j := 0
	for ; j+4 <= p.S; j += 4 {
		var s0, s1, s2, s3 float32
		x := t[j : j+p.N+3]
		t0, t1, t2 := x[0], x[1], x[2]
		for n, t3 := range x[3:] {
			w, b := a.pairs[2*n], a.pairs[2*n+1]
			s0 += t0 * (t0*w + b)
			s1 += t1 * (t1*w + b)
			s2 += t2 * (t2*w + b)
			s3 += t3 * (t3*w + b)
			t0, t1, t2 = t1, t2, t3
		}
		take(j, s0)
		take(j+1, s1)
		take(j+2, s2)
		take(j+3, s3)
	}
	for ; j < p.S; j++ {
		var s float32
		for n, x := range t[j : j+p.N] {
			s += x * (x*a.pairs[2*n] + a.pairs[2*n+1])
		}
		take(j, s)
	}
	return shift
}

func (a *parallel) Verify() ([]framework.Check, error) { return a.p.compare(a.got, expanded), nil }

func (a *parallel) PostRun() error {
	if a.pool != nil {
		a.pool.Close()
		a.pool = nil
	}
	a.signal, a.weights, a.gains, a.templates, a.best = nil, nil, nil, nil, nil
	return nil
}

// Workers returns how many threads Run may use.
func (a *parallel) Workers() int { return max(1, a.env.Workers) }

// Work counts whole vectors of shifts, elements and gains. Each element of a template is read once for every
// vector of shifts and element of the signal, and its pair once for the shifts taken together. Template,
// signal and weight at the best shift are then read twice, and the gains once. Sums are written and read
// twice.
func (a *parallel) Work() framework.Work {
	w, p := a.p.Nominal(), a.p
	k := int64(p.K)
	lanes, together := 1, 4 // shifts that share a pair, of the Go code
	if a.k != nil {
		lanes, together = a.k.lanes, a.k.together
	}
	whole := func(n int) int64 { return int64((n + lanes - 1) / lanes * lanes) }
	n, s, g := whole(p.N), whole(p.S), whole(p.G)
	pairs := int64((p.S + together - 1) / together)
	w.FLOPs = k*(4*int64(p.N)*s+14*n+5*g) + 2*int64(p.N)
	w.LoadBytes = 4 * k * (int64(p.N)*(s+2*pairs) + 6*n + g)
	w.StoreBytes = resultBytes
	if a.k != nil {
		w.LoadBytes += 4 * k * 2 * (s + g)
		w.StoreBytes += 4 * k * (s + g)
	}
	return w
}
