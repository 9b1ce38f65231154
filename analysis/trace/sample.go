package trace

import (
	"cmp"
	"errors"
	"math/bits"
	"slices"
	"strings"

	"example.org/bench/analysis/ptx"
)

const (
	// evenBlocks is the largest number of blocks of a launch that are executed where all do alike.
	evenBlocks = 6
	// blockLimit is the largest number of instructions that the warps of one block may execute. After
	// launchLimit instructions of all blocks no further block is begun.
	blockLimit  = 40e6
	launchLimit = 20e6
	// keptSteps is the number of instructions of one warp that are kept. After keptOfLaunch instructions of
	// all warps no further warp's are.
	keptSteps    = 40000
	keptOfLaunch = 1_500_000

	sectorBytes = 32
	lineBytes   = 128
	bankBytes   = 4
	banks       = 32
)

// chosen returns the blocks that are executed first: the first, the last and some between. They are in
// order, because a block may wait for those before it.
func chosen(all int) (list []int) {
	n := min(all, evenBlocks)
	for i := range n {
		at := 0
		if n > 1 {
			at = i * (all - 1) / (n - 1)
		}
		list = append(list, at)
	}
	return list
}

// mostAttempts is the largest number of attempts at a launch.
const mostAttempts = 5

// sample executes some blocks. It starts again when the blocks turn out to take their work from a queue,
// or to wait for too many others. It returns what is left of the launch.
func (l *Launch) sample(run *ptx.Launch, m *memory) *rest {
	q := &queues{blocks: uint64(l.Grid.Count()), list: map[uint64]*queue{}}
	own := *run
	own.Add = q.add
	alone := false
	for range mostAttempts {
		left, err := l.attempt(&own, m, q, alone)
		if err == nil && !q.found {
			return left
		}
		alone = alone || errors.Is(err, errWaits)
		q.again()
	}
	l.Unknown = "its blocks take work from too many queues"
	return nil
}

// attempt executes some blocks. Where alone is set, each goes on as if it waited for no other. The error
// is errWaits if a block has to wait for others that are not executed.
func (l *Launch) attempt(run *ptx.Launch, m *memory, q *queues, alone bool) (*rest, error) {
	l.Blocks, l.Total, l.Hottest, l.HottestLine, l.OneLine, l.Unknown = nil, Counts{}, Atomics{}, 0, false, ""
	r := &recorder{launch: l, memory: m, read: map[uint64]map[uint64]bool{}, written: map[uint64]map[uint64]bool{}, atomics: map[uint64]Atomics{}, lines: map[uint64]float64{},
		touched: map[uint64]*touched{}}
	t := &together{run: run, queues: q, alone: alone, recorder: r, begun: map[int]*running{}}
	numbers := chosen(l.Grid.Count())
	for i := 0; t.spent < launchLimit; i++ {
		if i == len(numbers) {
			next, ok := l.another(i)
			if !ok {
				break
			}
			numbers = append(numbers, next)
		}
		block, err := t.execute(numbers[i])
		if q.found || errors.Is(err, errWaits) {
			return nil, err
		}
		if err != nil {
			l.Unknown = err.Error()
			break
		}
		t.begun[numbers[i]].alone()
		l.Blocks = append(l.Blocks, block)
		l.Total.Add(block.Counts, 1)
	}
	l.represent()
	all := float64(l.Grid.Count()) / float64(max(1, len(t.order)))
	l.hottest(r, all)
	l.Buffers = r.buffers(all)
	return restOf(l, run, t), nil
}

// recorder counts what all executed blocks do.
type recorder struct {
	launch        *Launch
	memory        *memory
	atomics       map[uint64]Atomics         // by address
	lines         map[uint64]float64         // operations on sectors by line
	read, written map[uint64]map[uint64]bool // sectors by allocation
	touched       map[uint64]*touched        // by allocation
	scratch       [ptx.WarpSize]uint64
	sorted        []uint64
	kept          int // instructions, of all blocks
}

// recording counts what the warps of one block do.
type recording struct {
	*recorder
	block *Block
	alive []uint32
	seen  map[uint64]uint8 // sectors of the block: 1 read, 2 written
	words map[uint64]bool  // of constant memory that the block read
	polls []poll           // of each warp
	last  []recent         // of each warp
	// waited is the number of instructions that only asked again for data that was not there.
	waited int
}

func (r *recorder) begin(number int) *recording {
	threads := r.launch.Block.Count()
	b := &recording{recorder: r, block: &Block{Number: number, Warps: make([]Warp, r.launch.Warps())}, seen: map[uint64]uint8{}, words: map[uint64]bool{}, polls: make([]poll, r.launch.Warps()), last: make([]recent, r.launch.Warps())}
	for at := 0; at < threads; at += ptx.WarpSize {
		mask := ^uint32(0)
		if left := threads - at; left < ptx.WarpSize {
			mask = 1<<left - 1
		}
		b.alive = append(b.alive, mask)
	}
	return b
}

func (r *recording) observe(e *ptx.Event) {
	i := r.launch.Code.Instruction(e.At)
	r.again(e, i)
	lanes := bits.OnesCount32(e.Active)
	r.tally(executed{int32(e.At), e.Active, e.Parted}, e.Warp, 1)
	w := &r.block.Warps[e.Warp]
	w.Total++
	s := Step{At: int32(e.At), Lanes: uint8(lanes), Space: e.Space}
	if e.Addresses != nil && lanes > 0 {
		r.access(e, i, &s, w, lanes)
	}
	if r.keeps(w) {
		w.Steps = append(w.Steps, s)
		r.kept++
	}
}

// keeps tells whether a warp's next instruction is kept.
func (r *recording) keeps(w *Warp) bool {
	return len(w.Steps) < keptSteps && (r.kept < keptOfLaunch || len(w.Steps) > 0)
}

// executed is an instruction with its lanes.
type executed struct {
	at     int32
	active uint32
	parted bool
}

// tally counts an instruction the given number of times.
func (r *recording) tally(x executed, warp int, times float64) {
	i := r.launch.Code.Instruction(int(x.at))
	c := &r.block.Counts
	lanes, cost := bits.OnesCount32(x.active), float64(i.Cost)
	add := func(class ptx.Class, n float64) {
		c.Instructions[class] += times * n
		c.Threads[class] += times * n * float64(lanes)
	}
	if i.Parts == nil {
		add(i.Class, cost)
	}
	for _, p := range i.Parts {
		add(p.Class, float64(p.Count))
	}
	if i.Class != ptx.Free {
		c.Lanes += times * cost * float64(bits.OnesCount32(r.alive[warp]))
	}
	if i.Class == ptx.Control && i.Branch && lanes > 0 && x.parted {
		c.Branches += times
	}
	if i.Shuffle || i.Class == ptx.LoadStore && lanes == 0 {
		c.Requests += times
	}
	switch {
	case i.Class == ptx.Barrier:
		c.Barriers += times
	case cost > 4 && i.Class == ptx.Integer:
		c.Divides += times
	case cost > 4 && i.Class != ptx.Tensor:
		c.Roots += times
	}
}

// access counts what an access to memory touches.
func (r *recording) access(e *ptx.Event, i *ptx.Instruction, s *Step, w *Warp, lanes int) {
	c := &r.block.Counts
	bytes := lanes * e.Bytes
	switch e.Space {
	case ptx.Shared:
		waves, ideal := r.passes(e), (bytes+banks*bankBytes-1)/(banks*bankBytes)
		if i.Atomic {
			same := r.same(e)
			waves = max(waves, same)
			c.SharedAtomics += float64(lanes)
			c.SharedSame += float64(same - 1)
		}
		s.Waves, s.Ideal = uint8(min(waves, 255)), uint8(ideal)
		c.Shared++
		if i.Store {
			c.SharedStores++
		}
		c.SharedWaves += float64(waves)
		c.SharedLeast += float64(min(ideal, waves))
		if e.Copied != nil { // from global memory
			r.global(e, e.Copied, i, s, w, lanes)
		}
	case ptx.Global:
		if i.Atomic {
			same := r.same(e)
			s.Waves, s.Ideal = uint8(same), 1
			c.Atomics += float64(lanes)
			r.hot(e, i)
			c.AtomicSame += float64(same - 1)
		}
		r.global(e, e.Addresses, i, s, w, lanes)
	case ptx.Local:
		// The words of the lanes are adjacent.
		s.Sectors = uint8(min(255, (bytes+sectorBytes-1)/sectorBytes))
		c.Local++
	case ptx.Const:
		n := r.distinct(e.Addresses, e.Active, 2)
		s.Waves, s.Ideal = uint8(n), 1
		c.ConstantWaves += float64(n - 1)
		for _, word := range r.scratch[:n] {
			r.words[word] = true
		}
		r.block.Constants = len(r.words)
	}
}

// global counts the sectors that an access of global memory touches.
func (r *recording) global(e *ptx.Event, at *[ptx.WarpSize]uint64, i *ptx.Instruction, s *Step, w *Warp, lanes int) {
	c, passes := &r.block.Counts, 0
	if e.Copied == nil {
		passes = r.passes(e)
	}
	r.sorted = r.sorted[:0]
	for m := e.Active; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		for a := at[lane] / sectorBytes; a <= (at[lane]+uint64(e.Bytes)-1)/sectorBytes; a++ {
			r.sorted = append(r.sorted, a)
		}
	}
	slices.Sort(r.sorted)
	r.sorted = slices.Compact(r.sorted)
	s.Sectors, s.First = uint8(min(255, len(r.sorted))), int32(len(w.Sectors))
	if r.keeps(w) {
		w.Sectors = append(w.Sectors, r.sorted[:s.Sectors]...)
	}
	n := lines(r.sorted)
	s.Lines = uint8(min(255, n))
	q := max(quarters(r.sorted), 4*passes)
	s.Quarters = uint8(min(255, q))
	c.GlobalLines += float64(n)
	c.L1Cycles += float64(q) / 4
	least := (r.useful(e, at) + sectorBytes - 1) / sectorBytes
	if e.Copied == nil && !i.Atomic {
		s.Ideal = uint8((lanes*e.Bytes + banks*bankBytes - 1) / (banks * bankBytes))
	}
	if i.Store {
		c.GlobalStores++
	} else {
		c.GlobalLoads++
	}
	c.GlobalBytes += float64(lanes * e.Bytes)
	c.GlobalSectors += float64(len(r.sorted))
	r.polls[e.Warp].asked = accessed{float64(lanes * e.Bytes), float64(len(r.sorted)), float64(n), float64(q) / 4, float64(min(least, len(r.sorted))), e.Bytes < 4}
	c.LeastSectors += float64(min(least, len(r.sorted)))
	if e.Bytes < 4 {
		c.Narrow++
	}
	if strings.Contains(i.Text, ".f32") {
		c.Floats++
	}
	if !i.Atomic && (i.Store || i.Cached) && r.last[e.Warp].holds(e, at) {
		s.Again = true
		c.Again++
	}
	kind := uint8(1)
	if i.Store || i.Atomic {
		kind = 2
	}
	for _, sector := range r.sorted {
		had := r.seen[sector]
		if had == 0 {
			s.New++
		}
		if had&kind != 0 {
			continue
		}
		r.seen[sector] = had | kind
		if kind == 1 {
			r.block.Read++
		} else {
			r.block.Written++
		}
		span := r.memory.find(sector * sectorBytes)
		if span == nil {
			continue
		}
		to := r.read
		if kind == 2 {
			to = r.written
		}
		if to[span.at] == nil {
			to[span.at] = map[uint64]bool{}
		}
		to[span.at][sector] = true
	}
	if kind == 2 {
		c.StoredSectors += float64(len(r.sorted))
		if span := r.memory.find(at[bits.TrailingZeros32(e.Active)]); span != nil {
			r.of(span.at).bytes += float64(lanes * e.Bytes)
		}
	}
}

// useful returns the number of different bytes that an access asks for.
func (r *recorder) useful(e *ptx.Event, at *[ptx.WarpSize]uint64) int {
	return e.Bytes * r.distinct(at, e.Active, 0)
}

// distinct returns the number of different addresses of the lanes, in units of 1<<shift bytes.
func (r *recorder) distinct(at *[ptx.WarpSize]uint64, active uint32, shift int) int {
	n := 0
	for m := active; m != 0; m &= m - 1 {
		r.scratch[n] = at[bits.TrailingZeros32(m)] >> shift
		n++
	}
	list := r.scratch[:n]
	slices.Sort(list)
	return len(slices.Compact(list))
}

// same returns the largest number of lanes that have one address.
func (r *recorder) same(e *ptx.Event) int {
	most := 0
	for m := e.Active; m != 0; m &= m - 1 {
		a, n := e.Addresses[bits.TrailingZeros32(m)], 0
		for k := e.Active; k != 0; k &= k - 1 {
			if e.Addresses[bits.TrailingZeros32(k)] == a {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// buffers returns the allocations that the executed blocks touched, the most used first. f scales their
// bytes to the whole launch.
func (r *recorder) buffers(f float64) (list []Buffer) {
	var all []uint64
	for _, m := range []map[uint64]map[uint64]bool{r.read, r.written} {
		for at := range m {
			all = append(all, at)
		}
	}
	slices.Sort(all)
	for _, at := range slices.Compact(all) {
		s := r.memory.find(at)
		size := float64(len(s.bytes))
		b := Buffer{Bytes: int64(len(s.bytes)), Warm: r.memory.touched[at],
			Read:    min(size, f*sectorBytes*float64(len(r.read[at]))),
			Written: min(size, f*sectorBytes*float64(len(r.written[at])))}
		r.memory.touched[at] = true
		b.First, b.Reads, b.Writes = at/sectorBytes, f*sectorBytes*float64(len(r.read[at])), f*sectorBytes*float64(len(r.written[at]))
		if x := r.touched[at]; x != nil {
			b.Lone, b.LoneWritten = x.lone/max(1, x.read), x.loneWritten/max(1, x.written)
			b.Whole = min(1, x.bytes/sectorBytes/max(1, x.written))
		}
		list = append(list, b)
	}
	slices.SortStableFunc(list, func(a, b Buffer) int { return cmp.Compare(b.Read+b.Written, a.Read+a.Written) })
	return list
}
