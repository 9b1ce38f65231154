package tuning

var exhaustive = Info{
	Name: "exhaustive",
	Doc:  "every valid point, in enumeration order",
	New: func(s Search) (Strategy, error) {
		return newQueue(s, false), nil
	},
}

var random = Info{
	Name: "random",
	Doc:  "valid points in random order, tasks in turn",
	New: func(s Search) (Strategy, error) {
		return newQueue(s, true), nil
	},
}

// queue proposes a list of points fixed from the start.
type queue struct {
	trials []Trial
	next   int
}

func newQueue(s Search, shuffled bool) *queue {
	known := map[[2]int]bool{}
	for _, t := range s.Known {
		known[[2]int{t.Task, t.Point}] = true
	}
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
			if i < len(order) && !known[[2]int{t, order[i]}] {
				q.trials = append(q.trials, Trial{Task: t, Point: order[i]})
			}
		}
	}
	return q
}

func (q *queue) Next() (task, point int, ok bool) {
	if q.next == len(q.trials) {
		return 0, 0, false
	}
	t := q.trials[q.next]
	q.next++
	return t.Task, t.Point, true
}

func (q *queue) Tell(Trial) {}

func (q *queue) Ahead(n int) []Trial {
	return q.trials[q.next:min(q.next+n, len(q.trials))]
}
