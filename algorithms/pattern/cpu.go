package pattern

import (
	"math"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// cpuVersions lists the versions that run on the CPU.
func cpuVersions() []framework.Version {
	return []framework.Version{
		{
			Name:      "v0",
			Doc:       "one thread, one term after another",
			Source:    literature,
			Processor: framework.CPU,
			New: framework.Typed(func(_ framework.Env, p *problem, _ framework.Values) (*sequential, error) {
				return &sequential{p: p}, nil
			}),
		},
		{
			Name:      "parallel",
			Doc:       "all threads; neighbouring shifts in the lanes of vectors (AVX-512, AVX2, NEON) or Go; the square expanded",
			Source:    literature + ": the two steps; the expansion is this project's (algorithms/pattern/README.md)",
			Processor: framework.CPU,
			Tunables:  []framework.Tunable{{Name: "GROUP", Doc: "KiB of templates that a worker takes at a time", Values: framework.PowersOfTwo(4, 1024)}},
			Defaults: func(framework.Values, gpu.Facts) framework.Values {
				return framework.IntValues("GROUP", groupKiB)
			},
			New: framework.Typed(func(env framework.Env, p *problem, v framework.Values) (*parallel, error) {
				return &parallel{p: p, env: env, group: int(v.Int("GROUP")) << 10}, nil
			}),
		},
	}
}

// candidate is the best match so far.
type candidate struct {
	match
	found bool
}

// offer keeps m if it is better, or equally good with a lower pattern.
func (c *candidate) offer(m match) {
	if !c.found || m.squared < c.squared || m.squared == c.squared && m.pattern < c.pattern {
		c.match, c.found = m, true
	}
}

// sequential is version "v0".
type sequential struct {
	p   *problem
	got match
}

func (a *sequential) PreRun() error { return nil }

func (a *sequential) Run() error {
	p := a.p
	infinite := float32(math.Inf(1))
	a.got = match{-1, -1, -1, infinite}
	for k := range p.K {
		t := p.template(k)
		least, shift := infinite, 0
		for j := range p.S {
			var sum float32
			for n, x := range p.signal {
				d := x - t[n+j]
				sum += p.weights[n] * d * d
			}
			if sum < least {
				least, shift = sum, j
			}
		}
		least = infinite
		gain := 0
		for g, v := range p.gains {
			var sum float32
			for n, x := range p.signal {
				d := x - t[n+shift]*v
				sum += p.weights[n] * d * d
			}
			if sum < least {
				least, gain = sum, g
			}
		}
		if least < a.got.squared {
			a.got = match{int32(k), int32(shift), int32(gain), least}
		}
	}
	return nil
}

func (a *sequential) Verify() ([]framework.Check, error) { return a.p.compare(a.got, direct), nil }

func (a *sequential) PostRun() error { return nil }

// Workers returns 1.
func (a *sequential) Workers() int { return 1 }

func (a *sequential) Work() framework.Work {
	w, p := a.p.Nominal(), a.p
	terms := int64(p.K) * int64(p.N)
	w.FLOPs = terms * int64(4*p.S+5*p.G)         // each sum starts at zero
	w.LoadBytes = 4 * 3 * terms * int64(p.S+p.G) // signal, weight and template of each term
	w.LoadBytes += 4 * int64(p.K) * int64(p.G)   // gains
	w.StoreBytes = resultBytes
	return w
}
