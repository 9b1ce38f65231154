package bound

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"example.org/bench/analysis/ptx"
	"example.org/bench/analysis/trace"
	"example.org/bench/framework/record"
)

// Work is what one run of a point does when runs follow each other, so that caches hold what the run before
// has left there. The run's energy goes to this.
type Work struct {
	// Amounts are by quantity (docs/why.md#energy); an absent one is 0.
	Amounts map[string]float64 `json:"amounts"`
	// Active is the share of the multiprocessors that have work, over the run's time.
	Active float64 `json:"active"`
	// Issuing is the least time in seconds, at the model's clock, in which schedulers issue as many
	// instructions. A shorter run shows that the machine's code has fewer, since it joins some.
	Issuing float64 `json:"issuing_s"`
}

// Within returns the work of a run that takes so many seconds: no more instructions than schedulers issue in
// that time.
func (w Work) Within(seconds float64) Work {
	if !(seconds > 0) || w.Issuing <= seconds {
		return w
	}
	amounts := maps.Clone(w.Amounts)
	for _, k := range append(slices.Collect(maps.Keys(kinds)), Issue) {
		if x, ok := amounts[k]; ok && k != Accesses {
			amounts[k] = x * seconds / w.Issuing
		}
	}
	w.Amounts, w.Issuing = amounts, seconds
	return w
}

// The quantities of amounts: results of threads by kind of instruction, multiply-adds of tensor cores,
// instructions issued for warps, accesses of threads to any memory, passes of shared memory (both also for
// shuffles), bytes of sectors that the first-level cache, the L2 cache and memory give or take, lines
// requested from the L2 cache, atomic operations of threads, launches.
const (
	Float32   = "float32"
	Float64   = "float64"
	Float16   = "float16"
	IntegerOf = "integer"
	Multiply  = "integer multiply"
	Convert   = "conversion"
	Special   = "special function"
	TensorOf  = "tensor core"
	Issue     = "issue"
	Accesses  = "accesses"
	SharedOf  = "shared memory"
	L1Bytes   = "L1"
	L2Bytes   = "L2"
	L2Lines   = "L2 lines"
	DRAMBytes = "memory"
	AtomicsOf = "atomics"
	LaunchOf  = "launches"
)

// Quantities are the quantities of amounts.
var Quantities = []string{Float32, Float64, Float16, IntegerOf, Multiply, Convert, Special, TensorOf, Issue, Accesses, SharedOf, L1Bytes, L2Bytes, L2Lines, DRAMBytes, AtomicsOf, LaunchOf}

// kinds are the classes of instructions whose results are counted by threads.
var kinds = map[string]ptx.Class{Float32: ptx.FP32, Float64: ptx.FP64, Float16: ptx.FP16, IntegerOf: ptx.Integer, Multiply: ptx.Multiply, Convert: ptx.Convert, Special: ptx.SFU, Accesses: ptx.LoadStore}

// Changed is what a point would do with a change.
type Changed struct {
	Text string  `json:"text"` // the finding, with numbers, and what to do
	Gain float64 `json:"gain"` // the time divided by the time with the change; below 1: it takes longer
	Work Work    `json:"work"` // what it would do
	// Clock is the multiprocessors' clock divided by what it is.
	Clock float64 `json:"clock"`
}

// demand is what a launch of a group does, which a change may alter.
type demand struct {
	trace.Counts
	missed    float64 // share of the sectors that the first-level cache does not have
	memory    float64 // bytes from and to memory
	waits     float64 // seconds
	spread    float64 // share of the multiprocessors that have work
	launching float64 // launches
}

// work returns what the run does with a change of that name; empty: as it is.
func (e *estimate) work(change string, gain float64) Work {
	w := Work{Amounts: map[string]float64{}}
	var active, all float64
	for _, g := range e.groups {
		d := e.demand(g)
		if alter := alters[change]; alter != nil {
			alter(e, g, &d)
		}
		times := float64(g.times)
		for k, class := range kinds {
			w.Amounts[k] += times * d.Threads[class]
		}
		w.Amounts[TensorOf] += times * d.Instructions[ptx.Tensor] * ptx.MatrixUnit
		for class, n := range d.Instructions {
			if ptx.Class(class) != ptx.Free {
				w.Amounts[Issue] += times * n
			}
		}
		w.Amounts[Accesses] += times * d.Threads[ptx.LaneExchange]
		w.Amounts[SharedOf] += times * (d.SharedWaves + d.Instructions[ptx.LaneExchange])
		w.Amounts[L1Bytes] += times * (record.SectorBytes*d.GlobalSectors + 4*ptx.WarpSize*d.Local)
		w.Amounts[L2Bytes] += times * record.SectorBytes * d.GlobalSectors * d.missed
		w.Amounts[L2Lines] += times * d.GlobalLines * d.missed
		w.Amounts[DRAMBytes] += times * d.memory
		w.Amounts[AtomicsOf] += times * d.Atomics
		w.Amounts[LaunchOf] += times * d.launching
		busy := d.waits / max(1, gain)
		active += times * busy * d.spread
		all += times * (busy + max(min(e.in.Machine.Launch, drain), e.in.Machine.Launch-busy))
	}
	w.Issuing = w.Amounts[Issue] / (e.in.Machine.Issue * float64(max(1, e.in.Machine.Facts.Multiprocessors)) * e.in.Machine.Clock)
	for k, x := range w.Amounts {
		if !(x > 0) || math.IsInf(x, 0) || k == DRAMBytes && x < record.SectorBytes {
			delete(w.Amounts, k)
		}
	}
	if all > 0 {
		w.Active = min(1, active/all)
	}
	return w
}

func (e *estimate) demand(g *group) demand {
	l := g.launch
	return demand{g.counts, g.one.l2, e.steady(g), g.one.seconds, min(1, float64(l.Grid.Count())/float64(max(1, e.in.Machine.Facts.Multiprocessors))), 1}
}

// steady returns the bytes from and to memory of a launch when runs follow each other: of each buffer the
// share that the L2 cache has lost since the run before touched it. A cache of so many lines that replaces
// any of them has lost one with the probability 1-exp(-misses/lines).
func (e *estimate) steady(g *group) (bytes float64) {
	var all float64 // bytes that a run touches
	touches := map[uint64]float64{}
	for _, g := range e.groups {
		for _, b := range g.launch.Buffers {
			all += float64(g.times) * max(b.Read, b.Written)
			touches[b.First] += float64(g.times)
		}
	}
	holds := max(1, held(e.in.Machine))
	lost := 1.0
	for range 50 { // to a fixed point: misses are of lines that were lost
		lost = 1 - math.Exp(-lost*all/holds)
	}
	for _, b := range g.launch.Buffers {
		b.Warm = false
		one := *g.launch
		one.Buffers = []trace.Buffer{b}
		t := trafficOf(e.in.Machine, &one)
		share := 1 - math.Exp(-lost*all/max(1, touches[b.First])/holds)
		bytes += share * (t.read + max(t.written, b.Written)) // no written data stay for good
	}
	return bytes
}

// alters has the changes that alter what a launch does. The others alter only its time.
var alters = map[string]func(e *estimate, g *group, d *demand){
	"coalesce": func(_ *estimate, g *group, d *demand) {
		if d.GlobalSectors > 0 {
			f := min(1, d.GlobalBytes/record.SectorBytes/d.GlobalSectors)
			unique := 0.0
			for _, b := range g.launch.Blocks {
				unique += record.SectorBytes * float64(b.Read+b.Written)
			}
			d.GlobalSectors *= f
			d.memory *= max(f, min(1, g.launch.Total.GlobalBytes/max(unique, 1)*f))
		}
	},
	"bank-conflicts": func(_ *estimate, _ *group, d *demand) { d.SharedWaves = d.SharedLeast },
	"single-precision": func(_ *estimate, _ *group, d *demand) {
		d.Threads[ptx.FP32] += d.Threads[ptx.FP64]
		d.Threads[ptx.FP64] = 0
	},
	"divergence": func(_ *estimate, _ *group, d *demand) {
		for k := range d.Instructions {
			d.Instructions[k] = min(d.Instructions[k], d.Threads[k]/ptx.WarpSize)
		}
	},
	"divisions": func(_ *estimate, _ *group, d *demand) { d.fewer(ptx.Integer, 18*d.Divides) },
	"approximate": func(_ *estimate, _ *group, d *demand) {
		d.fewer(ptx.FP32, 7*d.Roots)
	},
	"reuse": func(_ *estimate, g *group, d *demand) {
		first := 0.0
		for _, b := range g.launch.Blocks {
			first += float64(b.Read + b.Written)
		}
		if n := g.launch.Total.GlobalSectors; n > first {
			d.SharedWaves += d.GlobalSectors * (1 - first/n) / 4 // as many bytes from there
			d.GlobalSectors *= first / n
		}
	},
	"fewer-atomics": func(_ *estimate, g *group, d *demand) { d.Atomics = min(d.Atomics, float64(g.launch.Grid.Count())) },
	"fuse-launches": func(e *estimate, _ *group, d *demand) { d.launching = 1 / float64(len(e.in.Launches)) },
	"larger-grid":   func(_ *estimate, _ *group, d *demand) { d.spread = 1 },
}

// fewer removes n instructions of warps, all lanes of each.
func (d *demand) fewer(class ptx.Class, n float64) {
	n = min(n, d.Instructions[class])
	if d.Instructions[class] > 0 {
		d.Threads[class] *= 1 - n/d.Instructions[class]
	}
	d.Instructions[class] -= n
}

// lowerClock is the change to a clock that is lowered to lowerBy of what it is.
const (
	lowerClock = "lower-clock"
	lowerBy    = 0.8
)

// after returns what the run does with each change that the numbers suggest. gains are those of the changes.
func (e *estimate) after(gains map[string]float64) map[string]Changed {
	all, c := map[string]Changed{}, e.counts()
	for _, p := range catalogue {
		if gain, ok := gains[p.name]; ok && (gain >= leastGain || alters[p.name] != nil) {
			all[p.name] = Changed{p.text(e, &c), gain, e.work(p.name, gain), 1}
		}
	}
	gain := e.slower()
	all[lowerClock] = Changed{fmt.Sprintf("at %.0f of %.0f MHz each operation takes less, by the voltage: lock or limit the clock", lowerBy*e.in.Machine.Clock/1e6, e.in.Machine.Clock/1e6), gain, e.work("", gain), lowerBy}
	return all
}

// slower returns the model's time divided by its time at the lower clock. Memory keeps its clock.
func (e *estimate) slower() float64 {
	in := e.in
	c := &in.Ceilings
	for _, rate := range []*float64{&c.FMA, &c.FMA64, &c.SFU, &c.L2, &c.L2Written, &c.L2Sectors, &c.L2SectorsWritten, &c.Shared, &c.Constants, &c.Blocks} {
		*rate *= lowerBy
	}
	for _, time := range []*float64{&c.AtomicInteger, &c.AtomicFloat, &c.SharedLatency, &c.L2Latency} {
		*time /= lowerBy
	}
	in.Machine = MachineOf(in.Facts, in.Ceilings, lowerBy*e.in.Machine.Clock)
	return e.base.total / newEstimate(in).base.total
}
