package strategy

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"example.org/bench/tuning"
)

var optK = tuning.Option{Name: "k", Doc: "nearest sizes whose best points are tried first", Default: 1, Low: 1, High: tuning.MaxCount, Whole: true}

const knnSource = "Veneva, ML-Based Optimum Sub-system Size for the GPU Implementation of the Tridiagonal Partition Method, 2.5"

// Example is the best point known of a size, from an earlier search or a publication.
type Example struct {
	Size []float64 // as Task.Size
	// Values are by the parameters' names; parameters without a value are free.
	Values map[string]float64
}

var nearestSize = TrainedKNN(nil)

// TrainedKNN returns the strategy knn with what is already known of other sizes.
func TrainedKNN(examples []Example) tuning.Info {
	return tuning.Info{
		Name:    "knn",
		Doc:     "what was best at the nearest sizes, then the neighbours of the best point",
		Source:  knnSource,
		Options: []tuning.Option{optK},
		New:     func(s tuning.Search) (tuning.Strategy, error) { return newKNN(s, examples) },
	}
}

// knnSearch first tries at every size what was best at the nearest sizes, of the examples or of this search.
// It then goes on from the best point of the size to the nearest points not evaluated.
type knnSearch struct {
	k        int
	examples []Example
	tasks    []knnTask
	next     int // task
}

type knnTask struct {
	tuning.Task
	known []bool // proposed
	left  int
	order []int // points in random order, which breaks ties of distance
	// trust counts the neighbouring sizes that were used.
	trust int
	best  tuning.Trial // OK false: none valid yet
	last  int          // point of the last trial, -1: none
}

func newKNN(s tuning.Search, examples []Example) (tuning.Strategy, error) {
	if err := s.CheckOptions(optK); err != nil {
		return nil, err
	}
	n := &knnSearch{k: int(s.Option(optK)), examples: examples}
	for _, e := range examples {
		for _, t := range s.Tasks {
			if len(e.Size) != len(t.Size) {
				return nil, fmt.Errorf("an example's size has %d numbers, a task's %d", len(e.Size), len(t.Size))
			}
		}
	}
	for _, t := range s.Tasks {
		n.tasks = append(n.tasks, knnTask{
			Task: t, known: make([]bool, t.Space.Len()), left: t.Space.Len(), order: s.Rand.Perm(t.Space.Len()), last: -1,
		})
	}
	return n, nil
}

func (n *knnSearch) Next() (task, point int, ok bool) {
	for range n.tasks {
		task = n.next
		n.next = (n.next + 1) % len(n.tasks)
		t := &n.tasks[task]
		if t.left == 0 {
			continue
		}
		for t.trust < n.k {
			values, found := n.nearest(task, t.trust)
			if !found {
				break
			}
			t.trust++
			if p := t.closest(values); !t.known[p] {
				return task, t.take(p), true
			}
		}
		return task, t.take(t.around()), true
	}
	return 0, 0, false
}

// take proposes a point.
func (t *knnTask) take(point int) int {
	t.known[point] = true
	t.left--
	return point
}

// nearest returns the best values at the size of that rank by distance.
func (n *knnSearch) nearest(task, rank int) (values map[string]float64, ok bool) {
	type candidate struct {
		distance float64
		values   map[string]float64
	}
	var all []candidate
	at := n.tasks[task].Size
	for _, e := range n.examples {
		all = append(all, candidate{sizeDistance(e.Size, at), e.Values})
	}
	for i := range n.tasks {
		if t := &n.tasks[i]; i != task && t.best.OK {
			all = append(all, candidate{sizeDistance(t.Size, at), t.values(t.best.Point)})
		}
	}
	if rank >= len(all) {
		return nil, false
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	return all[rank].values, true
}

func sizeDistance(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += (a[i] - b[i]) * (a[i] - b[i])
	}
	return math.Sqrt(sum)
}

func (t *knnTask) values(point int) map[string]float64 {
	v := make(map[string]float64, len(t.Space.Parameters))
	for d, p := range t.Space.Parameters {
		v[p.Name] = t.Space.Value(point, d)
	}
	return v
}

// closest returns the point nearest to values, proposed or not.
func (t *knnTask) closest(values map[string]float64) int {
	row := make([]float64, len(t.Space.Parameters))
	for d, p := range t.Space.Parameters {
		row[d] = math.NaN()
		if v, ok := values[p.Name]; ok {
			row[d] = position(p.Values, v)
		}
	}
	return t.first(row, func(int) bool { return true })
}

// position returns where a value lies among others by rank: 0 at the least, 1 at the greatest, and between
// two in proportion.
func position(values []float64, v float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	i, found := slices.BinarySearch(sorted, v)
	rank := float64(i)
	switch {
	case i == len(sorted):
		rank = float64(len(sorted) - 1)
	case !found && i > 0:
		rank = float64(i-1) + (v-sorted[i-1])/(sorted[i]-sorted[i-1])
	}
	return rank / float64(max(len(sorted)-1, 1))
}

// around returns the point not proposed that is nearest to the best one or, while none is valid, to the last
// one.
func (t *knnTask) around() int {
	from := t.last
	if t.best.OK {
		from = t.best.Point
	}
	row := make([]float64, len(t.Space.Parameters))
	for d, p := range t.Space.Parameters {
		row[d] = math.NaN()
		if from >= 0 {
			row[d] = position(p.Values, t.Space.Value(from, d))
		}
	}
	return t.first(row, func(p int) bool { return !t.known[p] })
}

// first returns the allowed point nearest to a row of positions, NaN for free ones: the fewest parameters
// changed, then the least changes.
func (t *knnTask) first(row []float64, allowed func(point int) bool) int {
	place := make([][]float64, len(row))
	for d, p := range t.Space.Parameters {
		for _, v := range p.Values {
			place[d] = append(place[d], math.Abs(position(p.Values, v)-row[d]))
		}
	}
	best, least := -1, math.Inf(1)
	for _, p := range t.order {
		if !allowed(p) {
			continue
		}
		sum := 0.0
		for d, v := range t.Space.Indexes(p) {
			if e := place[d][v]; e > 0 { // false for NaN
				sum += 1 + e
			}
		}
		if sum < least {
			best, least = p, sum
		}
	}
	return best
}

func (n *knnSearch) Tell(trial tuning.Trial) {
	t := &n.tasks[trial.Task]
	t.last = trial.Point
	if trial.OK && (!t.best.OK || trial.Cost < t.best.Cost) {
		t.best = trial
	}
}
