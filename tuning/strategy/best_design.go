package strategy

import (
	"math"
	"slices"
)

// spread chooses the design: known good points, and points far from these and from each other, by turns of
// the tasks.
func (b *searcher) spread() {
	tasks := 0
	for t := range b.trials {
		if b.first[t] < b.first[t+1] {
			tasks++
		}
	}
	n := min(max(designPoints, tasks), max(leastValid, b.search.Budget/3))
	if len(b.search.Lessons) == 0 {
		for t, task := range b.search.Tasks {
			for _, p := range task.Known {
				b.design = append(b.design, b.first[t]+p)
			}
		}
		n += len(b.design)
	}
	planned := slices.Clone(b.trials)
	defer b.inStays()
	for len(b.design) < n {
		t := b.fewest(planned)
		if t < 0 {
			return
		}
		if c := b.farthest(t, designTries); c >= 0 {
			b.design = append(b.design, c)
		}
		planned[t]++
	}
}

// fewest returns the task with the fewest trials, of those that have candidates left; -1 if none has.
func (b *searcher) fewest(trials []int) int {
	found := -1
	for t, n := range trials {
		if n < b.first[t+1]-b.first[t] && (found < 0 || n < trials[found]) {
			found = t
		}
	}
	return found
}

// farthest returns, of some random candidates of a task, the one farthest from all proposed and designed
// ones; -1 if none is left.
func (b *searcher) farthest(task, tries int) int {
	low, high := b.first[task], b.first[task+1]
	free := func(c int) bool { return !b.done[c] && !slices.Contains(b.design, c) }
	found, distance := -1, -1.0
	for range tries {
		c := low + b.search.Rand.IntN(high-low)
		if !free(c) {
			continue
		}
		d := math.Inf(1)
		for _, list := range [][]int{b.points, b.pending, b.design} {
			for i := 0; i < len(list) && d > distance; i++ {
				d = min(d, b.distance2(c, list[i]))
			}
		}
		if d > distance {
			found, distance = c, d
		}
	}
	if found >= 0 {
		return found
	}
	for c := low; c < high; c++ { // nearly all are taken
		if free(c) {
			return c
		}
	}
	return -1
}

func (b *searcher) distance2(p, q int) float64 {
	sum := 0.0
	for i := range b.kernel.columns {
		c := &b.kernel.columns[i]
		sum += c.rate * float64(c.distance2[int(c.level[p])*c.levels+int(c.level[q])])
	}
	return sum
}
