package ptx

import "slices"

// usual is roughly the number of cycles from an instruction to its result. It only decides in which order
// schedule puts independent instructions.
var usual = [Classes]int{FP32: 4, FP64: 8, FP16: 5, Integer: 4, Multiply: 5, Convert: 10, SFU: 18, Tensor: 33, LaneExchange: 24, LoadStore: 400, Control: 4, Barrier: 20}

// inFlight is the largest number of words that loads may hold before an instruction uses them, as long as
// there is anything else to do. Registers are few.
const inFlight = 48

// schedule orders the instructions of a basic block as a compiler does: those that others wait for
// longest come first. Instructions that depend on one another stay in order, by registers and, as far as
// can be told without knowing addresses, by memory.
func (k *Kernel) schedule(from, to int) {
	for n := from; n < to; n++ {
		k.code[n].find()
		k.passes(&k.code[n])
	}
	if last := k.code[to-1].kind; last == branch || last == branchIndexed || last == exit {
		to--
	}
	if to-from < 2 {
		return
	}
	n := to - from
	after := make([][]int32, n) // the instructions that wait for each
	waits := make([]int, n)
	edge := func(a, b int) {
		after[a] = append(after[a], int32(b))
		waits[b]++
	}
	writer, readers := map[int32]int{}, map[int32][]int{}
	fence, stores, loads := -1, map[Space][]int{}, map[Space][]int{}
	for b := range n {
		i := &k.code[from+b]
		for _, r := range i.reads {
			if a, ok := writer[r]; ok {
				edge(a, b)
			}
			readers[r] = append(readers[r], b)
		}
		for _, r := range i.writes {
			if a, ok := writer[r]; ok {
				edge(a, b)
			}
			for _, a := range readers[r] {
				if a != b {
					edge(a, b)
				}
			}
			writer[r], readers[r] = b, nil
		}
		k.orderMemory(i, b, &fence, stores, loads, edge)
	}
	height := make([]int, n)
	for a := n - 1; a >= 0; a-- {
		i := &k.code[from+a]
		own := usual[i.class]
		if i.kind == load && i.space == Shared {
			own = 30
		}
		for _, b := range after[a] {
			height[a] = max(height[a], height[b]+own)
		}
		height[a] = max(height[a], own)
	}
	k.pick(from, n, after, waits, height)
}

// orderMemory adds the edges from the instructions that an access to memory must follow.
func (k *Kernel) orderMemory(i *instruction, b int, fence *int, stores, loads map[Space][]int, edge func(a, b int)) {
	if i.ordered {
		if *fence >= 0 {
			edge(*fence, b)
		}
		for _, m := range []map[Space][]int{stores, loads} {
			for s, list := range m {
				for _, a := range list {
					edge(a, b)
				}
				delete(m, s)
			}
		}
		*fence = b
		return
	}
	if i.kind != load && i.kind != store || i.space == Param || i.space == Const {
		return
	}
	if *fence >= 0 {
		edge(*fence, b)
	}
	overlaps := func(a, b Space) bool { return a == b || a == Generic || b == Generic }
	if i.kind == store || !i.nonCoherent {
		for s, list := range stores {
			if overlaps(s, i.space) {
				for _, a := range list {
					edge(a, b)
				}
			}
		}
	}
	if i.kind == load {
		loads[i.space] = append(loads[i.space], b)
		return
	}
	for s, list := range loads {
		if overlaps(s, i.space) {
			for _, a := range list {
				edge(a, b)
			}
		}
	}
	stores[i.space] = append(stores[i.space], b)
}

// pick puts n instructions in an order that waits allows.
func (k *Kernel) pick(from, n int, after [][]int32, waits, height []int) {
	ready := make([]int, 0, n)
	for a := range n {
		if waits[a] == 0 {
			ready = append(ready, a)
		}
	}
	users := make([]int, n) // remaining users of each load's result
	feeds := make([][]int, n)
	for a := range n {
		if k.code[from+a].kind == load {
			for _, b := range after[a] {
				feeds[b] = append(feeds[b], a)
			}
		}
	}
	held := 0
	order := make([]instruction, 0, n)
	for len(ready) > 0 {
		best := -1
		for x, a := range ready {
			if isLoad := k.code[from+a].kind == load && k.code[from+a].space != Param; isLoad && held >= inFlight {
				continue
			}
			if best < 0 || height[a] > height[ready[best]] || height[a] == height[ready[best]] && a < ready[best] {
				best = x
			}
		}
		if best < 0 {
			best = slices.Index(ready, slices.Min(ready))
		}
		a := ready[best]
		ready = slices.Delete(ready, best, best+1)
		i := k.code[from+a]
		order = append(order, i)
		if i.kind == load && len(after[a]) > 0 {
			users[a] = len(after[a])
			held += i.words()
		}
		for _, b := range after[a] {
			if waits[b]--; waits[b] == 0 {
				ready = append(ready, int(b))
			}
		}
		for _, c := range feeds[a] {
			if users[c]--; users[c] == 0 {
				held -= k.code[from+c].words()
			}
		}
	}
	copy(k.code[from:], order)
}

func (i *instruction) words() int { return max(1, i.bytes*i.count/4) }

// find lists the registers that an instruction reads and writes.
func (i *instruction) find() {
	i.reads, i.writes = nil, nil
	if i.guard >= 0 {
		i.reads = append(i.reads, i.guard)
	}
	for _, o := range i.src {
		if (o.kind == register || o.kind == address) && o.reg >= 0 {
			i.reads = append(i.reads, o.reg)
		}
	}
	for _, o := range i.dst {
		if o.kind == register {
			i.writes = append(i.writes, o.reg)
			if i.guard >= 0 { // lanes that do not take part keep their values
				i.reads = append(i.reads, o.reg)
			}
		}
	}
}
