package kernel

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// alternates reports whether a problem with this kind of inputs has other inputs: whether any are random
// numbers that are not all zero, and the right answer can be computed.
func (a *algorithm) alternates(kind framework.Inputs) bool {
	if v := &a.def.Verify; v.C == nil && v.Kernels == nil && v.Program == nil {
		return false
	}
	random := func(o *operand) bool {
		return o.Fill != nil && o.Fill.Random != nil && (kind != framework.ZeroInputs || o.Fill.Keep)
	}
	for i := range a.arguments {
		if random(&a.arguments[i]) {
			return true
		}
	}
	return slices.ContainsFunc(a.everyConstant(), func(list []global) bool {
		return slices.ContainsFunc(list, func(g global) bool { return random(&g.operand) })
	})
}

// alternate returns the problem with other inputs, or nil if there are none. It is made on the first call and
// closed with p.
func (p *problem) alternate(env framework.Env) (*problem, error) {
	kind := p.a.kind(p.params)
	if p.second != nil {
		return p.second, nil
	}
	if !p.a.alternates(kind) {
		if kind == framework.ZeroInputs {
			env.Remark("timed runs have one set of inputs: others would be zeros too")
		}
		return nil, nil
	}
	second, err := p.other(env, 1)
	if errors.Is(err, errAlike) {
		env.Remark("timed runs have one set of inputs: others were drawn alike")
		return nil, nil
	}
	p.second = second
	return second, err
}

// other makes another set of inputs. Set 1 is the one of alternate; each later set is asked for once.
func (p *problem) other(env framework.Env, set int) (*problem, error) {
	env.Set = set
	return p.unlike(env, rand.New(rand.NewPCG(p.seed, 1+uint64(set))))
}

// Alternate implements framework.Alternator.
func (g *gpuRun) Alternate() (bool, error) {
	if g.sets[1] != nil {
		return true, nil
	}
	second, err := g.p.alternate(g.Env)
	if second == nil || err != nil {
		return false, err
	}
	for i, at := range g.vectors {
		if at != 0 && g.p.a.arguments[i].isFilled() {
			if _, err := second.upload(g.Device, i); err != nil {
				return false, err
			}
		}
	}
	for i := range g.globals {
		if g.globals[i].from[1], _, err = g.uploadConstant(second, i); err != nil {
			return false, err
		}
	}
	g.sets[1] = second
	return true, nil
}

// uploadConstant copies to the device what constant i of the version holds in a problem.
func (g *gpuRun) uploadConstant(p *problem, i int) (at gpu.Pointer, content vector, err error) {
	c := &g.v.globals[i]
	if c.object {
		var x any
		if x, err = g.passed(c.from, settings(g.Device.Facts(), g.p.params, g.tunables)); err == nil {
			content = vector{imageElement, 1, bytesOf(x)}
		}
	} else {
		content, err = p.content(c, i)
	}
	if err == nil {
		at, err = framework.AllocCopy(&g.GPURun, content.data)
	}
	if err != nil {
		return 0, content, fmt.Errorf("constant %s: %w", c.Name, err)
	}
	return at, content, nil
}

// ready returns how many sets of inputs there are.
func ready(sets [2]*problem) int {
	if sets[1] == nil {
		return 1
	}
	return 2
}

// Sets implements framework.Alternator.
func (g *gpuRun) Sets() int { return ready(g.sets) }

// Sets implements framework.Alternator.
func (r *cpuRun) Sets() int { return ready(r.sets) }

// set returns which set of inputs is in place.
func (g *gpuRun) set() int {
	if g.p == g.sets[1] {
		return 1
	}
	return 0
}

// Use implements framework.Alternator.
func (g *gpuRun) Use(set int) error {
	g.p = g.sets[set]
	for i, at := range g.vectors {
		if at == 0 || !g.p.a.arguments[i].isFilled() {
			continue
		}
		if err := g.Device.CopyAsync(at, g.p.uploaded[i], g.bytes[i], g.Env.Stream); err != nil {
			return err
		}
	}
	for i := range g.globals {
		c := &g.globals[i]
		if err := g.Device.CopyAsync(c.at, c.from[set], c.bytes, g.Env.Stream); err != nil {
			return err
		}
	}
	return g.show()
}

// Alternate implements framework.Alternator.
func (r *cpuRun) Alternate() (_ bool, err error) {
	if r.sets[1] == nil {
		r.sets[1], err = r.p.alternate(r.env)
	}
	return r.sets[1] != nil, err
}

// Use implements framework.Alternator.
func (r *cpuRun) Use(set int) error {
	r.forget()
	r.p = r.sets[set]
	return r.c.refill(r.p)
}

// mostFresh is the largest size of inputs, in bytes, for which Fresh draws new ones.
const mostFresh = 256 << 20

// fresh makes the problem with inputs that it had in no set drawn before. It returns nil if they
// would take too much memory, or are too few to be drawn differently.
func (p *problem) fresh(env framework.Env, drawn int) (*problem, error) {
	var bytes int64
	for _, v := range p.inputs {
		bytes += int64(len(v.data))
	}
	if bytes > mostFresh {
		return nil, nil
	}
	other, err := p.other(env, 1+drawn)
	if errors.Is(err, errAlike) {
		return nil, nil
	}
	return other, err
}

// Fresh implements framework.Refresher.
func (r *cpuRun) Fresh() error {
	r.forget()
	if r.drawn++; r.drawn == 1 {
		r.drawn += rand.IntN(mostDrawn)
	}
	fresh, err := r.sets[0].fresh(r.env, r.drawn)
	if fresh == nil || err != nil {
		return err
	}
	r.fresh = fresh
	return r.c.refill(fresh)
}

// mostDrawn bounds the number of the first set that a C function draws. It is drawn by chance, as another function in the
// process, whose memory it can read, must not have had its inputs.
const mostDrawn = 1 << 40

// forget closes the set drawn last.
func (r *cpuRun) forget() {
	if r.fresh == nil {
		return
	}
	r.fresh.Close()
	if r.fresh = nil; r.c != nil {
		r.c.p = r.p
	}
}

// VerifyFresh implements framework.FreshVerifier.
func (r *cpuRun) VerifyFresh() ([]framework.Check, error) {
	if r.fresh == nil {
		return r.Recheck()
	}
	return r.fresh.verify(r.env, r)
}

// Fresh implements framework.Refresher.
func (g *gpuRun) Fresh() error {
	g.drawn++
	fresh, err := g.sets[0].fresh(g.Env, g.drawn)
	if fresh == nil || err != nil {
		return err
	}
	defer fresh.Close()
	for i, at := range g.vectors {
		if at == 0 || !g.p.a.arguments[i].isFilled() {
			continue
		}
		if err := gpu.Upload(g.Device, at, fresh.inputs[i].data); err != nil {
			return err
		}
	}
	for i := range g.globals {
		if g.v.globals[i].object {
			continue
		}
		content, err := fresh.content(&g.v.globals[i], i)
		if err != nil {
			return err
		}
		if err := gpu.Upload(g.Device, g.globals[i].at, content.data); err != nil {
			return err
		}
	}
	return g.show()
}
