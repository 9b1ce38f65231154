package trace

// queue is a word from which threads take the numbers of their work: one thread adds the
// same again and again, and uses what was there. Of all blocks only some are executed, in
// turn, which would take the work of all: to a block that takes for the k-th time its
// share is given, the k-th number of those that come in the order of the blocks.
type queue struct {
	first, term uint64
	taken       map[int]uint64 // by block, how often
	known       bool
}

// queues are a launch's, by address.
type queues struct {
	blocks uint64
	list   map[uint64]*queue
	found  bool // one more
}

func (q *queues) add(block int, address, term, old uint64) (uint64, bool) {
	x := q.list[address]
	if x == nil {
		x = &queue{first: old, term: term, taken: map[int]uint64{}}
		q.list[address] = x
	}
	n := x.taken[block]
	x.taken[block]++
	if x.known {
		return x.first + x.term*(uint64(block)+n*q.blocks), true
	}
	if x.term != term {
		x.term = 0
	}
	if n > 0 && x.term != 0 {
		x.known, q.found = true, true
	}
	return 0, false
}

// again begins anew.
func (q *queues) again() {
	q.found = false
	for _, x := range q.list {
		clear(x.taken)
	}
}
