package bound

import (
	"slices"

	"example.org/bench/analysis/ptx"
	"example.org/bench/analysis/trace"
)

// estimate holds the model's results for the launches of a run.
type estimate struct {
	in      Input
	groups  []*group
	base    total
	already map[change]total
}

// group is a launch that is repeated so often. Each repeat is like the first, except that its buffers are in
// the caches.
type group struct {
	launch  *trace.Launch
	times   int
	traffic traffic
	counts  trace.Counts // of one launch
	one     timed        // as it is
	first   bool         // its code was not executed before and comes from memory
}

// total is the model's time of a run.
type total struct {
	total    float64
	launches float64 // the part of it that launching takes
	kernels  float64
	full     float64 // kernels, with the last wave full
}

func newEstimate(in Input) *estimate {
	e := &estimate{in: in, already: map[change]total{}}
	type key struct {
		blocks *trace.Block
		warm   bool
	}
	known, code := map[key]*group{}, map[*ptx.Kernel]bool{}
	for _, l := range in.Launches {
		k := key{l.Blocks[0], len(l.Buffers) > 0 && l.Buffers[0].Warm}
		if g := known[k]; g != nil {
			g.times++
			continue
		}
		g := &group{launch: l, times: 1, traffic: trafficOf(in.Machine, l), counts: l.PerLaunch(), first: !code[l.Code]}
		code[l.Code] = true
		g.one = simulate(in.Machine, l, g.traffic, 0)
		known[k] = g
		e.groups = append(e.groups, g)
	}
	e.base = e.sum(func(g *group) timed { return g.one })
	return e
}

// drain is about the time from the end of a kernel to the beginning of the next one in a queue.
const drain = 0.8e-6

// sum returns the time of a run whose launches take the times of f.
func (e *estimate) sum(f func(g *group) timed) total {
	m := e.in.Machine
	t := total{total: m.Empty, launches: m.Empty}
	n, cold := 0, 0.0
	for _, g := range e.groups {
		x := f(g)
		t.kernels += x.seconds * float64(g.times)
		t.full += x.full * float64(g.times)
		gap := max(min(m.Launch, drain), m.Launch-x.seconds)
		t.launches += gap * float64(g.times)
		cold += m.L2Latency * float64(g.times) // its parameters are in no constant cache
		if g.first {
			cold += m.DRAMLatency
		}
		n += g.times
	}
	t.launches -= m.Launch // the first one's is that of the empty launch
	t.launches = max(t.launches, m.Empty) + cold/m.Clock
	t.total = t.kernels + t.launches
	return t
}

// with returns the time of a run with a change.
func (e *estimate) with(ch change) total {
	if t, ok := e.already[ch]; ok {
		return t
	}
	t := e.sum(func(g *group) timed { return simulate(e.in.Machine, g.launch, g.traffic, ch) })
	e.already[ch] = t
	return t
}

// gain returns the model's time divided by the model's time with a change. The part of the measured time that
// the model does not explain is assumed to shrink alike.
func (e *estimate) gain(ch change) float64 { return e.gainOf(e.with(ch).total) }

func (e *estimate) gainOf(changed float64) float64 {
	if changed >= e.base.total || changed <= 0 {
		return 1
	}
	return e.base.total / changed
}

// tail returns the gain of full last waves.
func (e *estimate) tail() float64 {
	return e.gainOf(e.base.total - e.base.kernels + e.base.full)
}

// grid returns the gain of as many blocks as the GPU holds: the same work in smaller pieces, within what its
// units and memory give.
func (e *estimate) grid() float64 {
	m, sum := e.in.Machine, 0.0
	for _, g := range e.groups {
		least := max(2*m.DRAMLatency/m.Clock, e.busiest(g))
		sum += float64(g.times) * min(g.one.seconds, max(g.one.seconds*min(1, e.waves(g.launch)), least))
	}
	return e.gainOf(e.base.launches + sum)
}

// busiest returns the time of the part of the GPU that a launch needs longest.
func (e *estimate) busiest(g *group) float64 {
	most := 0.0
	for _, u := range e.needs(g) {
		most = max(most, u.Share)
	}
	return most
}

// Parts of the GPU with which counts are compared.
const (
	memoryUse = "memory"
	atomicUse = "atomic operations"
	issued    = "instruction issue"
)

// needs returns the seconds for which a launch needs each part of the GPU.
func (e *estimate) needs(g *group) []Use {
	m := e.in.Machine
	perSecond := float64(m.Facts.Multiprocessors) * m.Clock
	c, issue := &g.counts, 0.0
	level := SharedMem
	if c.L1Cycles+c.Local > c.SharedWaves {
		level = L1
	}
	list := []Use{
		{memoryUse, (g.traffic.readTime + g.traffic.writeTime) / m.DRAM, Memory},
		{"L2 cache", c.GlobalSectors * g.one.l2Bytes / m.L2, L2},
		{"shared memory and L1", (c.SharedWaves + c.L1Cycles + c.Local + c.Requests) / (perSecond * m.SharedWaves), level},
		{"constant cache", c.ConstantWaves * m.ConstantTurn / perSecond, Constants},
		{atomicUse, m.atomics(g.launch, 0), Atomics},
	}
	if m.Blocks > 0 {
		list = append(list, Use{"beginning blocks", float64(g.launch.Grid.Count()) / m.Blocks, Launch})
	}
	for k, n := range c.Instructions {
		class := ptx.Class(k)
		if class == ptx.Free {
			continue
		}
		issue += n / m.Issue / perSecond
		if class != ptx.LoadStore && class != ptx.Barrier && class != ptx.Control {
			list = append(list, Use{class.String(), n / m.Rates[k] / perSecond, Compute})
		}
	}
	return append(list, Use{issued, issue, Compute})
}

// uses returns the shares of the measured time in which parts of the GPU are busy.
func (e *estimate) uses() []Use {
	var w Why
	var most []float64 // of a launch's groups, which has the class
	for _, g := range e.groups {
		for i, u := range e.needs(g) {
			if i == len(w.Uses) {
				w.Uses, most = append(w.Uses, Use{What: u.What}), append(most, -1)
			}
			share := float64(g.times) * u.Share / e.in.Time
			if w.Uses[i].Share += share; share > most[i] {
				w.Uses[i].Class, most[i] = u.Class, share
			}
		}
	}
	w.Uses = slices.DeleteFunc(w.Uses, func(u Use) bool { return !(u.Share > 0) })
	w.rank()
	return w.Uses
}
