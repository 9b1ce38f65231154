package bound

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"example.org/bench/analysis/ptx"
	"example.org/bench/analysis/trace"
	"example.org/bench/internal/terminal"
)

// possible is a change that the numbers of a run may suggest.
type possible struct {
	name string
	// text describes the finding with numbers; empty: the numbers do not suggest the change.
	text func(e *estimate, c *trace.Counts) string
	gain func(e *estimate) float64
}

func by(ch change) func(*estimate) float64 {
	return func(e *estimate) float64 { return e.gain(ch) }
}

// counts returns the counts of the whole run.
func (e *estimate) counts() trace.Counts {
	var all trace.Counts
	for _, g := range e.groups {
		all.Add(g.counts, float64(g.times))
	}
	return all
}

// longest returns the group that takes most of the run.
func (e *estimate) longest() *group {
	return slices.MaxFunc(e.groups, func(a, b *group) int {
		return cmp.Compare(a.one.seconds*float64(a.times), b.one.seconds*float64(b.times))
	})
}

var catalogue = []possible{
	{"coalesce", func(_ *estimate, c *trace.Counts) string {
		if c.GlobalSectors < 1.1*c.GlobalBytes/32 || c.GlobalBytes == 0 {
			return ""
		}
		accesses := c.GlobalLoads + c.GlobalStores
		return fmt.Sprintf("a warp's access to global memory touches %.1f sectors of 32 bytes, and %.0f %% of their bytes are used: let lanes beside each other access words beside each other",
			c.GlobalSectors/accesses, 100*c.GlobalBytes/32/c.GlobalSectors)
	}, (*estimate).coalesced},
	{"bank-conflicts", func(_ *estimate, c *trace.Counts) string {
		if c.SharedWaves < 1.1*c.SharedLeast {
			return ""
		}
		return fmt.Sprintf("an access to shared memory takes %.1f passes where %.1f would do: pad rows, or exchange words, so that the lanes of a warp find theirs in different banks",
			c.SharedWaves/c.Shared, c.SharedLeast/c.Shared)
	}, by(conflictFree)},
	{"spills", func(e *estimate, _ *trace.Counts) string {
		l := e.longest().launch
		if n := l.Attributes.LocalBytes - l.Code.LocalBytes; n > 0 {
			return fmt.Sprintf("the compiler spills about %d bytes a thread of %s: allow more registers, or keep fewer values", n, terminal.Count(l.Attributes.Registers, "register"))
		}
		return ""
	}, by(noSpills)},
	{"occupancy", func(e *estimate, _ *trace.Counts) string {
		l := e.longest().launch
		if o := l.Occupancy; o.Blocks > 0 && o.Share < 0.7 && l.Grid.Count() > e.in.Machine.Facts.Multiprocessors*o.Blocks {
			return fmt.Sprintf("a multiprocessor holds %d of %s, by %s (%s, %d bytes of shared memory, %s a block): take less of it",
				o.Warps, terminal.Count(e.in.Machine.Facts.MaxThreadsPerSM/ptx.WarpSize, "warp"), o.Limit, terminal.Count(l.Attributes.Registers, "register"), l.SharedBytes, terminal.Count(l.Block.Count(), "thread"))
		}
		return ""
	}, by(moreWarps)},
	{"single-precision", func(_ *estimate, c *trace.Counts) string {
		if c.Instructions[ptx.FP64] == 0 {
			return ""
		}
		return fmt.Sprintf("%.3g instructions of warps compute in float64: where float32 is exact enough, they are as many of it", c.Instructions[ptx.FP64])
	}, by(single)},
	{"divergence", func(_ *estimate, c *trace.Counts) string {
		threads, all := 0.0, c.Lanes
		for k, n := range c.Threads {
			if ptx.Class(k) != ptx.Free {
				threads += n
			}
		}
		if c.Branches == 0 || all == 0 || threads > 0.9*all {
			return ""
		}
		return fmt.Sprintf("%.0f %% of the lanes take part in an instruction, because those of a warp take different ways: sort work so that warps agree, or choose values instead of ways",
			100*threads/all)
	}, by(together)},
	{"fill-waves", func(e *estimate, _ *trace.Counts) string {
		l := e.longest().launch
		waves := e.waves(l)
		if waves <= 1 {
			return ""
		}
		return fmt.Sprintf("%s in %.2f waves: choose blocks so that the last wave is full, or smaller ones", terminal.Count(l.Grid.Count(), "block"), waves)
	}, (*estimate).tail},
	{"larger-grid", func(e *estimate, _ *trace.Counts) string {
		l := e.longest().launch
		if e.waves(l) >= 1 {
			return ""
		}
		return fmt.Sprintf("%s on %s, each of which holds %d: divide the work into more blocks, or do more of it at once",
			terminal.Count(l.Grid.Count(), "block"), terminal.Count(e.in.Machine.Facts.Multiprocessors, "multiprocessor"), max(1, l.Occupancy.Blocks))
	}, (*estimate).grid},
	{"fewer-atomics", func(e *estimate, c *trace.Counts) string {
		hottest := 0.0
		for _, g := range e.groups {
			hottest = max(hottest, g.launch.Hottest.Threads)
		}
		if hottest < 1000 {
			return ""
		}
		return fmt.Sprintf("about %.3g atomic operations go to one address, one after the other: add within a block first, and once a block to memory", hottest)
	}, by(noAtomics)},
	{"fuse-launches", func(e *estimate, _ *trace.Counts) string {
		n := len(e.in.Launches)
		if n < 2 {
			return ""
		}
		return fmt.Sprintf("%s, each of which takes %.2g µs beside its work: do more in one, or in a graph", terminal.Count(n, "launch"), 1e6*e.base.launches/float64(n))
	}, (*estimate).fused},
	{"fewer-blocks", func(e *estimate, _ *trace.Counts) string {
		l := e.longest().launch
		if e.in.Machine.Blocks <= 0 || e.waves(l) < 2 {
			return ""
		}
		return fmt.Sprintf("%s begin, %.3g a second at most: do more in each", terminal.Count(l.Grid.Count(), "block"), e.in.Machine.Blocks)
	}, by(fewBlocks)},
	{"wider-accesses", func(_ *estimate, c *trace.Counts) string {
		accesses := c.GlobalLoads + c.GlobalStores
		bytes := c.GlobalBytes / max(1, accesses) / ptx.WarpSize
		if accesses == 0 || c.Narrow < 0.2*accesses && (bytes > 4.5 || c.GlobalSectors > 1.1*c.GlobalBytes/32) {
			return ""
		}
		return fmt.Sprintf("an access to global memory is of %.1f bytes a thread on average, %.0f %% are of less than 4: load up to 16 bytes at once", bytes, 100*c.Narrow/accesses)
	}, by(wider)},
	{"divisions", func(_ *estimate, c *trace.Counts) string {
		if c.Divides == 0 {
			return ""
		}
		return fmt.Sprintf("%.3g divisions of integers by warps, about 20 instructions each, 80 of 64 bits: divide by a power of two that the compiler knows, or multiply", c.Divides)
	}, by(shifts)},
	{"approximate", func(_ *estimate, c *trace.Counts) string {
		if c.Roots == 0 {
			return ""
		}
		return fmt.Sprintf("%.3g exact divisions and roots by warps, about 8 to 20 instructions each: __fdividef, rsqrtf and such where they are exact enough", c.Roots)
	}, by(approximate)},
	{"reuse", func(e *estimate, c *trace.Counts) string {
		g := e.longest()
		first := 0.0
		for _, b := range g.launch.Blocks {
			first += float64(b.Read)
		}
		if n := g.launch.Total.GlobalSectors; first == 0 || n < 1.5*first {
			return ""
		}
		return fmt.Sprintf("a block asks %.1f times for each sector of global memory that it reads: keep it in shared memory or registers", g.launch.Total.GlobalSectors/first)
	}, by(reused)},
	{"fewer-barriers", func(_ *estimate, c *trace.Counts) string {
		if c.Barriers == 0 {
			return ""
		}
		all := 0.0
		for _, n := range c.Instructions {
			all += n
		}
		return fmt.Sprintf("a barrier every %.0f instructions: synchronise warps alone, or work on more between barriers", all/c.Barriers)
	}, by(noBarriers)},
	{"shuffles", func(_ *estimate, c *trace.Counts) string {
		if c.Barriers == 0 || c.SharedStores == 0 || c.Instructions[ptx.LaneExchange] > 0 || c.Shared > 4*min(c.SharedStores, c.Barriers) {
			return ""
		}
		return fmt.Sprintf("threads exchange single words over shared memory, %.1f accesses for a barrier: sum and scan within a warp by shuffles", c.Shared/c.Barriers)
	}, by(exchanged)},
	{"registers", func(_ *estimate, c *trace.Counts) string {
		accesses := c.GlobalLoads + c.GlobalStores
		if c.Again < 0.2*accesses || accesses == 0 {
			return ""
		}
		return fmt.Sprintf("%.0f %% of the accesses to global memory are to what the same threads accessed just before: hold it in a register, and tell the compiler by __restrict__ that no other pointer leads there", 100*c.Again/accesses)
	}, by(kept)},
	{"half-precision", func(_ *estimate, c *trace.Counts) string {
		accesses := c.GlobalLoads + c.GlobalStores
		if c.Floats < 0.5*accesses || accesses == 0 {
			return ""
		}
		return fmt.Sprintf("%.0f %% of the accesses to global memory are of float32: where float16 is exact enough, they are half as many bytes", 100*c.Floats/accesses)
	}, (*estimate).halved},
	{"independent-work", func(e *estimate, _ *trace.Counts) string {
		return fmt.Sprintf("instructions wait for the results of those before them, and %s of a multiprocessor do not hide it: give a thread several independent sums or elements", terminal.Count(e.residentWarps(), "warp"))
	}, by(independent)},
	{"memory-parallelism", func(e *estimate, c *trace.Counts) string {
		if c.GlobalLoads == 0 {
			return ""
		}
		return fmt.Sprintf("warps wait for memory, and %d of a multiprocessor do not hide it: load several elements a thread before the first is used, or ahead by cp.async", e.residentWarps())
	}, by(anyLatency)},
	{"smaller-code", func(e *estimate, _ *trace.Counts) string {
		if n := e.longest().launch.CodeBytes; n > 0 {
			return fmt.Sprintf("%d bytes of code are fetched, each line for the first time: unroll less", n)
		}
		return ""
	}, by(warmCode)},
	{"constants", func(_ *estimate, c *trace.Counts) string {
		if c.ConstantWaves == 0 {
			return ""
		}
		return "lanes of a warp read different constants, which takes a turn for each: put what lanes index into shared or global memory"
	}, by(oneAddress)},
}

// coalesced includes memory traffic: sectors half used are twice the traffic.
func (e *estimate) coalesced() float64 {
	m := e.in.Machine
	t := e.sum(func(g *group) timed {
		c := &g.launch.Total
		less := g.traffic
		if c.GlobalSectors > 0 {
			f := min(1, c.GlobalBytes/32/c.GlobalSectors)
			unique := 0.0
			for _, b := range g.launch.Blocks {
				unique += 32 * float64(b.Read+b.Written)
			}
			// The bytes requested in all are at least the bytes requested once.
			f = max(f, min(1, c.GlobalBytes/max(unique, 1)))
			less.read, less.written = f*less.requests, f*less.written
			less.requests = less.read
			less.portion *= f
			less.readTime, less.writeTime = less.read, less.written // no sector is then alone in its line
		}
		return simulate(m, g.launch, less, coalesced)
	})
	return e.gainOf(t.total)
}

// waves returns how often a launch fills the GPU.
func (e *estimate) waves(l *trace.Launch) float64 {
	return float64(l.Grid.Count()) / float64(e.in.Machine.Facts.Multiprocessors*max(1, l.Occupancy.Blocks))
}

// residentWarps returns how many warps of the launch that takes longest a multiprocessor holds.
func (e *estimate) residentWarps() int {
	l := e.longest().launch
	blocks := (l.Grid.Count() + e.in.Machine.Facts.Multiprocessors - 1) / e.in.Machine.Facts.Multiprocessors
	return min(blocks, max(1, l.Occupancy.Blocks)) * l.Warps()
}

// changes returns the changes that promise most, if parts of the GPU have these uses, and the gain of each
// change that the numbers suggest.
func (e *estimate) changes(uses []Use) ([]Change, map[string]float64) {
	c := e.counts()
	list, gains := []Change{}, map[string]float64{}
	for _, p := range catalogue {
		text := p.text(e, &c)
		if text == "" {
			continue
		}
		gain := min(p.gain(e), e.most(p.name, uses))
		gains[p.name] = gain
		if gain >= leastGain {
			list = append(list, Change{p.name, text, gain})
		}
	}
	if e.in.Limited != "" {
		f := e.in.Machine.Facts
		if gain := min(float64(f.ClockHz)/e.in.Machine.Clock, e.most(fullClock, uses)); gain > leastGain {
			list = append(list, Change{fullClock, fmt.Sprintf("the clock is %.0f of %.0f MHz: %s", e.in.Machine.Clock/1e6, float64(f.ClockHz)/1e6, e.in.Limited), gain})
		}
	}
	// The model does not tell hundredths apart: of equal gains the one listed first is the more definite.
	slices.SortStableFunc(list, func(a, b Change) int { return cmp.Compare(math.Round(100*b.Gain), math.Round(100*a.Gain)) })
	return list[:min(len(list), mostChanges)], gains
}
