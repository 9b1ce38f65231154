package ptx

import (
	"fmt"
	"math/bits"
)

// votes counts the predicates of the threads at a barrier.
type votes struct{ set, all int }

// joins is the barrier instruction whose result lanes of a warp wait for.
type joins struct {
	of    *instruction // nil for one without a result
	lanes uint32
}

// arrive has a warp wait at a barrier.
func (w *Warp) arrive(i *instruction, active uint32) error {
	if i.mode == "cluster" {
		w.barrier = clusterBarrier
		return nil
	}
	id, threads, numbers := 0, 0, i.src
	if len(i.dst) > 0 && len(numbers) > 0 { // the last is a predicate
		numbers = numbers[:len(numbers)-1]
	}
	if len(numbers) > 0 {
		id = int(w.first(&numbers[0]))
	}
	if len(numbers) > 1 {
		threads = int(w.first(&numbers[1]))
	}
	if id < 0 || id >= len(w.block.arrived) {
		return fmt.Errorf("barrier %d", id)
	}
	w.barrier = id
	w.block.arrived[id]++
	w.block.expected[id] = threads
	if len(i.dst) > 0 && len(i.src) > 0 {
		w.joins = joins{i, active}
		v := &w.block.votes[id]
		v.all += bits.OnesCount32(active)
		for lane := range WarpSize {
			v.set += int(active >> lane & uint32(w.value(&i.src[len(i.src)-1], lane)) & 1)
		}
	}
	return nil
}

// joined writes what a barrier found of its threads' predicates.
func (w *Warp) joined(v votes) {
	i := w.joins.of
	if i == nil {
		return
	}
	var out uint64
	switch i.mode {
	case "popc":
		out = uint64(v.set)
	case "and":
		out = truth(v.set == v.all)
	default:
		out = truth(v.set > 0)
	}
	w.set(&i.dst[0], w.joins.lanes, func(int) uint64 { return out })
	w.joins = joins{}
}
