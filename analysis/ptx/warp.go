package ptx

import (
	"fmt"
	"math/bits"
)

// Warp is one warp of a block.
type Warp struct {
	block     *Running
	index     int
	registers []uint64 // by register and lane
	local     []byte   // by lane
	passed    []byte   // by lane, to functions and back
	stack     []part   // the last part is executed
	exited    uint32
	barrier   int // the barrier at which it waits; -1 for none
	joins     joins
	leave     part // the loop that Leave told it to leave
	event     Event
	lanes     [3][WarpSize]uint64
	addresses [WarpSize]uint64
	copied    [WarpSize]uint64
}

// part is a set of lanes that execute together until they reconverge with others.
type part struct {
	at, end int
	mask    uint32
}

func (w *Warp) done() bool { return len(w.stack) == 0 }

func (w *Warp) lane(reg int32) *[WarpSize]uint64 {
	return (*[WarpSize]uint64)(w.registers[int(reg)*WarpSize:])
}

// run executes at most n instructions, up to a barrier or the end.
func (w *Warp) run(n int) error {
	code := w.block.Kernel.code
	for ; n > 0 && len(w.stack) > 0; n-- {
		top := &w.stack[len(w.stack)-1]
		top.mask &^= w.exited
		if top.mask == 0 || top.at == top.end || top.at >= len(code) {
			w.stack = w.stack[:len(w.stack)-1]
			n++
			continue
		}
		at := top.at
		i := &code[at]
		active := top.mask
		if i.guard >= 0 {
			var p uint32
			for lane, x := range w.lane(i.guard) {
				p |= uint32(x&1) << lane
			}
			if i.unless {
				p = ^p
			}
			active &= p
		}
		if i.kind == branch && w.leave.end > 0 {
			if taken, ok := w.leaving(i, at, top.mask); ok {
				active = taken
			}
		}
		top.at++
		w.block.steps++
		w.event = Event{Warp: w.index, At: at, Active: active}
		if err := w.execute(i, top, active); err != nil {
			return fmt.Errorf("%s (line %d): %w", i.text, i.line, err)
		}
		if w.block.Observe != nil {
			w.block.Observe(&w.event)
		}
		if w.barrier >= 0 {
			return nil
		}
	}
	return nil
}

func (w *Warp) execute(i *instruction, top *part, active uint32) error {
	switch i.kind {
	case branch:
		w.branch(i, top, active)
		return nil
	case exit:
		w.exited |= active
		return nil
	case barrier:
		if active != 0 {
			return w.arrive(i, active)
		}
		return nil
	}
	if active == 0 {
		return nil
	}
	switch i.kind {
	case compute:
		w.compute(i, active)
	case load, store, atomic:
		return w.access(i, active)
	case copyAsync:
		return w.copyAsync(i, active)
	case shuffle:
		w.shuffle(i, active)
	case vote:
		return w.vote(i, active)
	case match:
		w.match(i, active)
	case reduce:
		return w.reduce(i, active)
	case multiplyMatrices:
		return w.multiply(i, active)
	case loadMatrices:
		return w.loadMatrices(i, active)
	case active32:
		w.set(&i.dst[0], active, func(int) uint64 { return uint64(active) })
	case branchIndexed:
		return w.branchIndexed(i, top, active)
	}
	return nil
}

// branch splits off the lanes that take another path; they reconverge where all paths meet.
func (w *Warp) branch(i *instruction, top *part, taken uint32) {
	rest := top.mask &^ taken
	switch {
	case taken == 0:
		return
	case rest == 0:
		top.at = i.target
		return
	}
	w.event.Parted = true
	next, meet := top.at, i.reconverge
	if meet < 0 {
		meet = len(w.block.Kernel.code)
	}
	top.at = meet
	if meet == top.end {
		w.stack = w.stack[:len(w.stack)-1]
	}
	for _, p := range []part{{next, meet, rest}, {i.target, meet, taken}} {
		if p.at != meet {
			w.stack = append(w.stack, p)
		}
	}
}

func (w *Warp) branchIndexed(i *instruction, top *part, active uint32) error {
	index := w.operand(&i.src[0], 0)
	meet := i.reconverge
	if meet < 0 {
		meet = len(w.block.Kernel.code)
	}
	var masks = map[int]uint32{}
	for lane := range WarpSize {
		if active>>lane&1 == 0 {
			continue
		}
		n := index[lane] & 0xffffffff
		if n >= uint64(len(i.targets)) {
			return fmt.Errorf("target %d of %d", n, len(i.targets))
		}
		masks[i.targets[n]] |= 1 << lane
	}
	if rest := top.mask &^ active; rest != 0 {
		return fmt.Errorf("a branch of some lanes by an index")
	}
	top.at = meet
	for _, target := range i.targets {
		if m := masks[target]; m != 0 {
			delete(masks, target)
			w.stack = append(w.stack, part{target, meet, m})
		}
	}
	return nil
}

// first returns the value of the first active lane.
func (w *Warp) first(o *operand) uint64 {
	return w.value(o, bits.TrailingZeros32(w.event.Active|1<<31))
}

func (w *Warp) compute(i *instruction, active uint32) {
	if i.unordinary != nil {
		to := &w.lanes[0]
		for lane := range WarpSize {
			if active>>lane&1 != 0 {
				to[lane] = i.unordinary(w, lane, i)
			}
		}
		w.set(&i.dst[0], active, func(lane int) uint64 { return to[lane] })
		return
	}
	var in [3]*[WarpSize]uint64
	for n := range in {
		in[n] = &zeros
		if n < len(i.src) {
			in[n] = w.operand(&i.src[n], n)
		}
	}
	if len(i.dst) > 1 {
		w.parts(i, in, active)
		return
	}
	if i.dst[0].kind != register {
		return
	}
	to, f := w.lane(i.dst[0].reg), i.evaluate
	a, b, c := in[0], in[1], in[2]
	if active == ^uint32(0) {
		for lane := range to {
			to[lane] = f(a[lane], b[lane], c[lane])
		}
		return
	}
	for m := active; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m) & 31
		to[lane] = f(a[lane], b[lane], c[lane])
	}
}

var zeros [WarpSize]uint64

// parts writes the results of an instruction that has several: the parts of a register, or both of setp
// p|q.
func (w *Warp) parts(i *instruction, in [3]*[WarpSize]uint64, active uint32) {
	in0 := *in[0]
	var both [2][WarpSize]uint64
	if i.pair {
		for lane := range WarpSize {
			both[0][lane] = i.evaluate(in[0][lane], in[1][lane], in[2][lane])
			both[1][lane] = i.second(in[0][lane], in[1][lane], in[2][lane])
		}
	}
	for n := range i.dst {
		w.set(&i.dst[n], active, func(lane int) uint64 {
			if i.pair {
				return both[n][lane]
			}
			return i.evaluate(in0[lane]>>(n*i.count), 0, 0)
		})
	}
}

// set writes a value to the active lanes of a register.
func (w *Warp) set(o *operand, active uint32, value func(lane int) uint64) {
	if o.kind != register {
		return
	}
	to := w.lane(o.reg)
	for m := active; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m) & 31
		to[lane] = value(lane)
	}
}

// operand returns the values of an operand in all lanes; n selects the buffer that may hold them.
func (w *Warp) operand(o *operand, n int) *[WarpSize]uint64 {
	if o.kind == register && o.offset == 0 {
		return w.lane(o.reg)
	}
	to := &w.lanes[n]
	for lane := range to {
		to[lane] = w.value(o, lane)
	}
	return to
}

// value returns an operand's value in one lane.
func (w *Warp) value(o *operand, lane int) uint64 {
	switch o.kind {
	case register:
		x := w.registers[int(o.reg)*WarpSize+lane]
		if o.offset != 0 { // the complement of a predicate
			x = ^x & 1
		}
		return x
	case immediate:
		return o.imm
	case special:
		return w.special(int(o.imm), lane)
	case symbolic:
		return o.symbol.at
	}
	return 0
}

func (w *Warp) special(n, lane int) uint64 {
	b := w.block
	thread := b.Block.place(w.index*WarpSize + lane)
	switch n {
	case tidX:
		return uint64(thread.X)
	case tidY:
		return uint64(thread.Y)
	case tidZ:
		return uint64(thread.Z)
	case ntidX:
		return uint64(b.Block.X)
	case ntidY:
		return uint64(b.Block.Y)
	case ntidZ:
		return uint64(b.Block.Z)
	case ctaidX:
		return uint64(b.place.X)
	case ctaidY:
		return uint64(b.place.Y)
	case ctaidZ:
		return uint64(b.place.Z)
	case nctaidX:
		return uint64(b.Grid.X)
	case nctaidY:
		return uint64(b.Grid.Y)
	case nctaidZ:
		return uint64(b.Grid.Z)
	case clusterRank:
		return uint64(b.Rank(b.number))
	case clusterSize:
		return uint64(max(1, b.Cluster.Count()))
	case laneID:
		return uint64(lane)
	case warpID:
		return uint64(w.index)
	case nwarpID:
		return uint64(len(b.warps))
	case clockLow, clockHigh:
		return uint64(b.steps)
	case laneEq:
		return 1 << lane
	case laneLess:
		return 1<<lane - 1
	case laneLessEq:
		return 1<<(lane+1) - 1
	case laneGreater:
		return 0xffffffff &^ (1<<(lane+1) - 1)
	case laneGreaterEq:
		return 0xffffffff &^ (1<<lane - 1)
	case dynamicShared:
		return uint64(b.SharedBytes)
	case totalShared:
		return uint64(b.SharedBytes + b.Kernel.SharedBytes)
	}
	return 0
}
