package strategy

import (
	"example.org/bench/tuning"
)

var exhaustive = tuning.Info{
	Name:   "exhaustive",
	Fronts: true,
	Doc:    "every valid point, in enumeration order",
	New: func(s tuning.Search) (tuning.Strategy, error) {
		return newQueue(s, false), nil
	},
}

var random = tuning.Info{
	Name:   "random",
	Fronts: true,
	Doc:    "valid points in random order, tasks in turn",
	New: func(s tuning.Search) (tuning.Strategy, error) {
		return newQueue(s, true), nil
	},
}

// queue proposes a list of points fixed from the start.
type queue struct {
	proposals []tuning.Proposal
	next      int
}

func newQueue(s tuning.Search, shuffled bool) *queue {
	orders := make([][]int, len(s.Tasks))
	longest := 0
	for t, task := range s.Tasks {
		if shuffled {
			orders[t] = s.Rand.Perm(task.Space.Len())
		} else {
			orders[t] = make([]int, task.Space.Len())
			for i := range orders[t] {
				orders[t][i] = i
			}
		}
		longest = max(longest, len(orders[t]))
	}
	q := &queue{}
	for i := range longest {
		for t, order := range orders {
			if i < len(order) {
				q.proposals = append(q.proposals, tuning.Proposal{Task: t, Point: order[i]})
			}
		}
	}
	return q
}

func (q *queue) Next() (task, point int, ok bool) {
	if q.next == len(q.proposals) {
		return 0, 0, false
	}
	p := q.proposals[q.next]
	q.next++
	return p.Task, p.Point, true
}

func (q *queue) Tell(tuning.Trial) {}
