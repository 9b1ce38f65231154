package bound

import (
	"container/heap"
	"math"
	"slices"

	"example.org/bench/analysis/ptx"
	"example.org/bench/analysis/trace"
)

// change is a set of changes that the model assumes.
type change uint32

const (
	coalesced change = 1 << iota // accesses touch no more sectors than their bytes need
	conflictFree
	noSpills
	moreWarps // as many as a multiprocessor holds
	single    // float64 as float32
	together  // all lanes of a warp take the same way
	warmCode
	wider      // narrow accesses of global memory, four words at a time
	oneAddress // of constants
	shifts     // in place of divisions of integers
	approximate
	reused // what a block loads again comes from its shared memory
	noBarriers
	independent // arithmetic waits for no result
	noAtomics   // that wait for others on the same address
	fewBlocks   // that take no time to begin
	anyLatency  // memory answers at once
	exchanged   // shuffles in place of shared memory and its barriers
	kept        // in registers, what a thread accesses again
	halved      // float32 in memory as float16, two of which a thread accesses at once
)

// Constants of the simulation of a multiprocessor.
const (
	mostSteps     = 500_000 // that are simulated
	barrierCost   = 12      // cycles
	bytesPerLoad  = 64      // a cycle from the L2 cache, at most
	codeLine      = 128     // bytes
	codePerCycle  = 4.7     // bytes of code in a row that are fetched ahead: what a row of 64 KiB takes on an H100
	waysOfL1      = 4
	sectorsOfLine = 4
	schedulers    = 4
	wide          = 16 // bytes of the widest access of a thread
	// turnaround is the cycles in which no block replaces one that has ended. On an H200 it was 400 to 650
	// for six kernels, by achieved occupancy, including the time for which the first warp to end waits for
	// the last.
	turnaround = 300
)

// timed is the result of the simulation of a launch.
type timed struct {
	seconds float64
	// full is the seconds that all blocks would take if the last wave were full.
	full float64
	// l2 is the share of the requested sectors that the first-level cache does not have, and l2Bytes the
	// bytes that the L2 cache could read in the time of each.
	l2, l2Bytes float64
}

// simulate returns the time of one launch on the multiprocessor that has most of it to do.
func simulate(m Machine, l *trace.Launch, traffic traffic, ch change) timed {
	s := &multiprocessor{m: m, l: l, ch: ch, t: traffic}
	return s.run()
}

// multiprocessor executes the blocks of a launch that fall to it, as they were recorded: warps take turns,
// and an instruction begins once its operands, a scheduler and its unit are free.
type multiprocessor struct {
	m  Machine
	l  *trace.Launch
	ch change
	t  traffic

	scheduler              [schedulers]float64
	unit                   [schedulers][ptx.Classes]float64 // of each scheduler
	one                    [1]ptx.Part
	lsu, l2, dram          float64 // when they are free
	constants              float64
	l2Cycle, dramCycle     float64 // bytes per cycle
	perScheduler           float64
	tags                   []tag
	sets                   int
	lines                  []float64 // of code: when each is there, infinite until it is asked for
	perInstruction         float64
	spill                  float64 // accesses of spilled registers a step
	asked, missed, l2Bytes float64
	portion, writes        float64 // accumulated shares of DRAM
	queue                  warps
	cap                    int
	widen                  float64   // how many threads' work a thread does
	ofData                 []bool    // instructions that a thread does for each of these
	divisors               []bool    // roots that are part of a quotient
	spread                 float64   // sectors divided by those of the access as it is
	ended                  []float64 // blocks
	begins                 float64   // when the multiprocessor can begin a further block
}

// tag is a line in the first-level cache, which has a place for all its sectors, and the cycle from which on
// each requested sector is there. A line of 0 is none.
type tag struct {
	line uint64 // and 1
	has  uint8  // which sectors
	from [sectorsOfLine]float64
}

type warp struct {
	trace *trace.Warp
	block *resident
	ready []float64 // of registers
	at    int
	time  float64
	slot  int
	turn  int // how often its block was executed before
}

type resident struct {
	left    int
	latest  float64
	stopped []*warp
}

type warps []*warp

func (w warps) Len() int           { return len(w) }
func (w warps) Less(i, j int) bool { return w[i].time < w[j].time }
func (w warps) Swap(i, j int)      { w[i], w[j] = w[j], w[i] }
func (w *warps) Push(x any)        { *w = append(*w, x.(*warp)) }
func (w *warps) Pop() any {
	last := len(*w) - 1
	x := (*w)[last]
	*w = (*w)[:last]
	return x
}

func (s *multiprocessor) run() timed {
	l, sms := s.l, max(1, s.m.Facts.Multiprocessors)
	blocks := l.Grid.Count()
	s.widen = 1
	if s.ch&wider != 0 { // a thread does the work of several
		s.widen = wide / max(1, l.Total.GlobalBytes/max(1, l.Total.GlobalLoads+l.Total.GlobalStores)/ptx.WarpSize)
		s.widen, s.ofData = max(1, s.widen), ofData(l)
		blocks = int(math.Ceil(float64(blocks) / s.widen))
	}
	if s.ch&halved != 0 {
		s.widen, s.ofData = 2, ofData(l)
		blocks = (blocks + 1) / 2
	}
	if s.ch&approximate != 0 {
		s.divisors = divisors(l)
	}
	if s.ch&together != 0 {
		s.spread = spread(l)
	}
	share := (blocks + sms - 1) / sms // of this multiprocessor
	occupancy := s.resident()
	active := float64(min(sms, blocks))
	s.l2Cycle = min(bytesPerLoad, s.m.L2/active/s.m.Clock)
	s.dramCycle = min(bytesPerLoad, s.m.DRAM/active/s.m.Clock)
	s.perScheduler = float64(len(s.scheduler)) / s.m.Issue
	s.prepare(min(occupancy, share))
	steps := 0
	for _, b := range l.Blocks {
		for i := range b.Warps {
			steps = max(steps, len(b.Warps[i].Steps))
		}
	}
	held := min(occupancy, share)
	s.cap = max(500, mostSteps/max(1, held*l.Warps()))
	simulated := min(share, held)
	if rounds := mostSteps / max(1, held*l.Warps()*min(s.cap, max(1, steps))); rounds > 1 {
		simulated = min(share, held*min(rounds, 4))
	}
	end := s.execute(simulated, held)
	cycles := end * s.scale()
	one := s.nth(held) * s.scale() // until as many blocks have ended as are held at once
	rest := one / float64(held)
	switch {
	case simulated >= 3*held: // while the multiprocessor was full
		rest = (s.nth(simulated-held)*s.scale() - one) / float64(simulated-2*held)
	case simulated > held:
		rest = (cycles - one) / float64(simulated-held)
	}
	full := cycles
	if share > simulated {
		cycles += float64(share-simulated) * rest
	}
	if exact := float64(blocks) / float64(sms); share > held && exact < float64(share) {
		full = one + max(0, exact-float64(held))*rest
	} else {
		full = cycles
	}
	if share <= held {
		worst := s.l.Uneven(share, sms)
		cycles, full = cycles*worst, full*worst
	}
	out := timed{seconds: cycles / s.m.Clock, full: full / s.m.Clock, l2: 1}
	if s.asked > 0 {
		out.l2, out.l2Bytes = s.missed/s.asked, s.l2Bytes/s.asked
	}
	least := s.m.atomics(l, s.ch)
	if s.m.Blocks > 0 && s.ch&fewBlocks == 0 {
		least = max(least, float64(blocks)/s.m.Blocks)
	}
	out.seconds, out.full = max(out.seconds, least), max(out.full, least)
	return out
}

// prepare sets up caches and the cost of spilled registers.
func (s *multiprocessor) prepare(held int) {
	l := s.l
	bytes := s.m.L1Bytes
	if s.m.Facts.ComputeMajor >= 7 {
		bytes = max(16<<10, bytes-float64(held*l.SharedBytes))
	}
	s.tags = make([]tag, max(waysOfL1, int(bytes)/codeLine/waysOfL1*waysOfL1))
	s.sets = len(s.tags) / waysOfL1
	if l.CodeBytes > 0 && s.ch&warmCode == 0 {
		s.perInstruction = float64(l.CodeBytes) / float64(max(1, l.Code.Size()))
		s.lines = slices.Repeat([]float64{math.Inf(1)}, l.CodeBytes/codeLine+1)
	}
	spilled := max(0, l.Attributes.LocalBytes-l.Code.LocalBytes)
	if spilled > 0 && s.ch&noSpills == 0 && len(l.Blocks) > 0 {
		w := &l.Blocks[0].Warps[0]
		times, most := map[int32]int{}, 1
		for _, x := range w.Steps {
			times[x.At]++
			most = max(most, times[x.At])
		}
		// Each word is stored and loaded once each time round.
		s.spill = 2 * float64(spilled) / 4 * float64(most) / float64(max(1, len(w.Steps)))
	}
}

// scale corrects for the instructions of warps that are not simulated, and for blocks that do more or less
// than those that represent them.
func (s *multiprocessor) scale() float64 {
	var all, done float64
	for _, b := range s.l.Blocks {
		for i := range b.Warps {
			w := &b.Warps[i]
			if len(w.Steps) > 0 {
				all += float64(w.Total)
				done += float64(min(len(w.Steps), s.cap))
			}
		}
	}
	if done == 0 {
		return 1
	}
	return all / done * s.l.Mean()
}

// execute runs so many blocks, held of them at once, and returns the cycle of the end.
func (s *multiprocessor) execute(blocks, held int) float64 {
	kept := 0
	for _, b := range s.l.Blocks {
		if b.Kept() {
			kept++
		}
	}
	if kept == 0 {
		return 0
	}
	slot := 0
	begin := func(n int, at float64) {
		if n >= held && s.m.Blocks > 0 && s.ch&fewBlocks == 0 { // its place is empty until then
			at = max(at+turnaround, s.begins+float64(s.m.Facts.Multiprocessors)/s.m.Blocks*s.m.Clock)
			s.begins = at
		}
		b := s.l.Blocks[n%kept]
		at = s.filled(b, at)
		r := &resident{left: len(b.Warps)}
		for i := range b.Warps {
			w := &warp{trace: &b.Warps[i], block: r, ready: make([]float64, s.l.Code.Registers()), time: at, slot: slot, turn: n / kept}
			slot++
			heap.Push(&s.queue, w)
		}
	}
	begun := 0
	for ; begun < min(blocks, held); begun++ {
		begin(begun, 0)
	}
	end := 0.0
	for s.queue.Len() > 0 {
		w := s.queue[0]
		if w.at >= min(len(w.trace.Steps), s.cap) {
			heap.Pop(&s.queue)
			end = max(end, w.time)
			w.block.left--
			if w.block.left == 0 {
				s.ended = append(s.ended, w.time)
				if begun < blocks {
					begin(begun, w.time)
					begun++
				}
			} else {
				s.release(w.block)
			}
			continue
		}
		if stopped := s.step(w); stopped {
			heap.Pop(&s.queue)
			w.block.stopped = append(w.block.stopped, w)
			w.block.latest = max(w.block.latest, w.time)
			s.release(w.block)
			continue
		}
		heap.Fix(&s.queue, 0)
	}
	return max(end, s.l2, s.dram, s.lsu, s.constants)
}

// nth returns the cycle at which that many blocks had ended.
func (s *multiprocessor) nth(n int) float64 {
	if len(s.ended) < n || n < 1 {
		return max(0, s.l2, s.dram)
	}
	return s.ended[n-1]
}

// release lets the warps of a block continue once all are at the barrier or have ended.
func (s *multiprocessor) release(r *resident) {
	if len(r.stopped) == 0 || len(r.stopped) < r.left {
		return
	}
	for _, w := range r.stopped {
		w.time = r.latest + barrierCost
		heap.Push(&s.queue, w)
	}
	r.stopped, r.latest = r.stopped[:0], 0
}

// step executes one instruction of a warp, and returns true at a barrier.
func (s *multiprocessor) step(w *warp) bool {
	x := &w.trace.Steps[w.at]
	i := s.l.Code.Instruction(int(x.At))
	w.at++
	if i.Cost == 0 {
		t := 0.0
		for _, r := range i.Reads {
			t = max(t, w.ready[r])
		}
		for _, r := range i.Writes {
			w.ready[r] = t
		}
		return false
	}
	t := w.time
	for _, r := range i.Reads {
		t = max(t, w.ready[r])
	}
	if s.lines != nil {
		t = s.fetch(int(x.At), t)
	}
	if t > w.time { // others come first
		w.at--
		w.time = t
		return false
	}
	class, parts := i.Class, s.parts(i, x.At)
	cost := s.cost(parts, x)
	k := w.slot % len(s.scheduler)
	t = max(t, s.scheduler[k])
	if free := s.unit[k][class] - 1; class != ptx.LoadStore && free > t { // other warps need other units
		w.at--
		w.time = free
		return false
	}
	s.scheduler[k] = t + (cost+s.spill)*s.perScheduler
	if s.spill > 0 {
		s.lsu = max(s.lsu, t) + s.spill/s.m.SharedWaves
		s.through(t, s.spill/2*ptx.WarpSize*4) // the half of them that stores; loads take the way back, and less
	}
	w.time = t + cost*s.perScheduler
	done := t
	if class == ptx.LoadStore && s.ch&kept != 0 && x.Again {
		done = t
	} else if class == ptx.LoadStore {
		done = s.access(w, x, i, t)
	} else {
		free := s.occupy(parts, x, k, t)
		if i.Shuffle {
			s.lsu = max(s.lsu, t) + s.widen/s.m.SharedWaves
			free = max(free, s.lsu)
		}
		latency := s.m.latency(class, parts)
		if s.ch&independent != 0 && class != ptx.LaneExchange {
			latency = 0
		}
		done = max(t+latency, free)
	}
	for _, r := range i.Writes {
		w.ready[r] = done
	}
	return class == ptx.Barrier && i.Text != "bar.warp.sync" && s.ch&(noBarriers|exchanged) == 0
}
