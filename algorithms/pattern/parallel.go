package pattern

import (
	"math"

	"bench/framework"
	"bench/framework/workers"
)

// groupBytes of templates are taken by a worker at a time.
const groupBytes = 64 << 10

// parallel is version "parallel": every worker takes groups of patterns.
type parallel struct {
	p    *problem
	env  framework.Env
	pool *workers.Pool
	k    *vectorKernel // nil: Go code

	pairs     []float32 // w and -2·w·a of each element
	templates []float32 // with a vector more at the end
	best      []workerBest
	got       match
}

// workerBest is a worker's best match, apart from other workers'.
type workerBest struct {
	candidate
	sums []float32 // at each shift, whole vectors
	_    [128]byte
}

// vectorKernel is the vector code for one instruction set.
type vectorKernel struct {
	name  string
	lanes int
	// best returns the lowest index of the least of the sums at the shifts of a
	// template of n+shifts-1 elements, which may be read up to lanes-1 elements
	// beyond its end, and writes the sums, as whole vectors.
	best func(sums, template, pairs *float32, n, shifts int) int
}

func (a *parallel) PreRun() error {
	if kernels := vectorKernels(); len(kernels) > 0 {
		a.k = kernels[0]
	}
	name := "Go"
	if a.k != nil {
		name = a.k.name
	}
	if a.env.Note != nil {
		a.env.Note("parallel: %s code", name)
	}
	a.prepare(max(1, a.env.Workers))
	return nil
}

// prepare is PreRun with the vector code chosen.
func (a *parallel) prepare(threads int) {
	p := a.p
	a.pairs = make([]float32, 2*p.N)
	a.templates = p.templates
	if a.k != nil {
		a.templates = append(make([]float32, 0, len(p.templates)+maxLanes), p.templates...)[:len(p.templates)+maxLanes]
	}
	a.best = make([]workerBest, threads)
	for i := range a.best {
		a.best[i].sums = make([]float32, (p.S+maxLanes-1)/maxLanes*maxLanes)
	}
	a.pool = workers.New(threads, a.work1)
}

// maxLanes is the most elements of a vector.
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

// work1 is one worker's part.
func (a *parallel) work1(worker int) {
	b, p := &a.best[worker], a.p
	b.candidate = candidate{}
	per := max(1, groupBytes/(4*p.length()))
	a.pool.Each((p.K+per-1)/per, func(i int) {
		for k := i * per; k < min((i+1)*per, p.K); k++ {
			b.offer(a.pattern(k, b.sums))
		}
	})
}

// pattern is the best shift and gain of pattern k.
func (a *parallel) pattern(k int, sums []float32) match {
	p := a.p
	t := a.templates[k*p.length():]
	var shift int
	if a.k != nil {
		shift = a.k.best(&sums[0], &t[0], &a.pairs[0], p.N, p.S)
	} else {
		shift = a.bestShift(t)
	}
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

func (a *parallel) answer() (match, error) { return a.got, nil }

func (a *parallel) Verify() ([]framework.Check, error) { return a.p.compare(a.got, expanded), nil }

func (a *parallel) PostRun() error {
	if a.pool != nil {
		a.pool.Close()
		a.pool = nil
	}
	a.templates, a.best = nil, nil
	return nil
}

// Workers is how many threads Run may use.
func (a *parallel) Workers() int { return max(1, a.env.Workers) }

// Work counts whole vectors of shifts; each element of a template is read once
// for every vector of shifts and element of the signal, as its pair is.
func (a *parallel) Work() framework.Work {
	w, p := a.p.nominal(), a.p
	k, n, g := int64(p.K), int64(p.N), int64(p.G)
	shifts, lanes := int64(p.S), int64(1)
	if a.k != nil {
		lanes = int64(a.k.lanes)
		shifts = (shifts + lanes - 1) / lanes * lanes
	}
	w.FLOPs = k*(4*n*shifts+9*n+1+5*g+5*n) + 2*n
	w.LoadBytes = k * 4 * (n*shifts + 5*n + g + 1)
	w.StoreBytes = resultBytes
	if a.k != nil {
		w.StoreBytes += 4 * k * shifts
	} else {
		w.LoadBytes += 0
	}
	return w
}
