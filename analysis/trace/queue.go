package trace

// queue is a word from which threads take the numbers of their work: a thread adds the same term again
// and again and uses the old value. The few blocks that are executed, one after another, would take the
// work of all. A block is therefore given its share: at its k-th addition, the number that it would get
// if the blocks took turns in order.
type queue struct {
	first, term uint64
	taken       map[int]uint64 // number of additions by block
	known       bool
}

// queues are the queues of a launch, by address.
type queues struct {
	blocks uint64
	list   map[uint64]*queue
	found  bool // whether another queue was found
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

// again resets the queues for another attempt.
func (q *queues) again() {
	q.found = false
	for _, x := range q.list {
		clear(x.taken)
	}
}
