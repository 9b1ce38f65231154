package strategy

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.org/bench/tuning"
	"example.org/bench/tuning/recorded/recordedtest"
)

// What is known to be good is tried first, each once, and the rest of the design as without it.
func TestKnownPointsComeFirst(t *testing.T) {
	space := recordedtest.Open(t, "coulomb_ktt-RTX_2080_Ti").Space
	propose := func(lessons []tuning.Lesson, budget int, known ...[]int) (all []tuning.Proposal) {
		in := tuning.Search{Budget: budget, Rand: rand.New(rand.NewPCG(1, 2)), Lessons: lessons}
		for _, k := range known {
			in.Tasks = append(in.Tasks, tuning.Task{Space: space, Known: k})
		}
		s, err := best.New(in)
		if err != nil {
			t.Fatal(err)
		}
		for range budget {
			task, point, ok := s.Next()
			if !ok {
				break
			}
			p := tuning.Proposal{Task: task, Point: point}
			if slices.Contains(all, p) {
				t.Fatalf("%+v proposed twice", p)
			}
			all = append(all, p)
			s.Tell(tuning.Trial{Task: task, Point: point, OK: true, Cost: float64(1 + (point-100)*(point-100))})
		}
		return all
	}
	one := propose(nil, 60, []int{57})
	if len(one) != 60 || one[0] != (tuning.Proposal{Point: 57}) {
		t.Errorf("%d proposals; the first %+v, want point 57", len(one), one[0])
	}
	two := propose(nil, 60, []int{3}, []int{200, 8})
	if want := []tuning.Proposal{{Task: 0, Point: 3}, {Task: 1, Point: 200}, {Task: 1, Point: 8}}; !slices.Equal(two[:3], want) {
		t.Errorf("two sizes: %+v first, want %+v", two[:3], want)
	}
	// What another device taught comes before what is known of all.
	costs := make([]float64, space.Len())
	for p := range costs {
		costs[p] = float64(1 + (p-30)*(p-30))
	}
	if taught := propose([]tuning.Lesson{{Costs: [][]float64{costs}}}, 5, []int{57}); taught[0].Point != 30 {
		t.Errorf("with a lesson: %+v first, want point 30", taught[0])
	}
	// A space whose every point is known has no other.
	if all := propose(nil, space.Len()+1, everyPoint(space.Len())); len(all) != space.Len() {
		t.Errorf("%d proposals of %d points", len(all), space.Len())
	}
}

// everyPoint are the points of a space.
func everyPoint(n int) (all []int) {
	for p := range n {
		all = append(all, p)
	}
	return all
}

// TestFewestTrials is the first of the tasks with the fewest that have points left.
func TestFewestTrials(t *testing.T) {
	b := &searcher{first: []int{0, 4, 4, 7, 9}} // tasks of 4, 0, 3 and 2 points
	for _, c := range []struct {
		trials []int
		want   int
	}{
		{[]int{0, 0, 0, 0}, 0}, {[]int{1, 0, 0, 0}, 2}, {[]int{1, 0, 1, 0}, 3}, {[]int{1, 0, 1, 1}, 0}, {[]int{3, 0, 3, 2}, 0},
		{[]int{4, 0, 2, 2}, 2}, {[]int{4, 0, 3, 2}, -1}, {[]int{3, 0, 2, 1}, 3},
	} {
		if got := b.fewest(c.trials); got != c.want {
			t.Errorf("%v: %d, want %d", c.trials, got, c.want)
		}
	}
}

// TestDesignIsOfThatMany points, one of each task before a second.
func TestDesignIsOfThatMany(t *testing.T) {
	empty, err := tuning.NewSpace([]tuning.Parameter{{Name: "A", Values: []float64{1}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	eight, two := grid(t, 4, 2), grid(t, 2)
	for _, c := range []struct {
		spaces []*tuning.Space
		budget int
		want   []int // of each task
	}{
		{[]*tuning.Space{eight}, 60, []int{5}},
		{[]*tuning.Space{eight}, 12, []int{4}},
		{[]*tuning.Space{eight}, 2, []int{3}},
		{[]*tuning.Space{two}, 60, []int{2}},
		{[]*tuning.Space{eight, empty, two}, 60, []int{3, 0, 2}},
		{[]*tuning.Space{eight, empty, eight, eight, eight, eight, eight}, 60, []int{1, 0, 1, 1, 1, 1, 1}},
		{[]*tuning.Space{eight, empty, eight, eight, eight, eight, eight}, 15, []int{1, 0, 1, 1, 1, 1, 0}},
		{[]*tuning.Space{two, eight, eight, eight, eight, eight}, 18, []int{1, 1, 1, 1, 1, 1}},
		{[]*tuning.Space{empty, two, eight, eight, eight, eight}, 18, []int{0, 1, 1, 1, 1, 1}},
	} {
		b := newSearcher(seeded(1, c.budget, c.spaces...))
		got := make([]int, len(c.spaces))
		for _, d := range b.design {
			got[b.task(d)]++
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%d tasks, budget %d: %v, want %v", len(c.spaces), c.budget, got, c.want)
		}
	}
}

// TestFarthest is, of the free points that chance draws, the first of those farthest from what
// is evaluated, pending or designed.
func TestFarthest(t *testing.T) {
	b := newSearcher(seeded(1, 60, grid(t, 3), grid(t, 6, 5, 3)))
	low, high := b.first[1], b.first[2]
	b.points, b.pending, b.design = []int{low + 3, low + 71}, []int{low + 40}, []int{low + 88, low + 12}
	for _, c := range []int{low + 3, low + 71, low + 40, low + 5, low + 6} {
		b.done[c] = true
	}
	metric := func(p, q int) (sum float64) {
		for _, c := range b.kernel.columns {
			sum += c.rate * float64(c.distance2[int(c.level[p])*c.levels+int(c.level[q])])
		}
		return sum
	}
	for seed := range uint64(30) {
		draws := rand.New(rand.NewPCG(seed, 9))
		want, most := -1, -1.0
		for range 30 {
			c := low + draws.IntN(high-low)
			least := math.Inf(1)
			for _, q := range []int{3, 71, 40, 88, 12} {
				least = min(least, metric(c, low+q))
			}
			if !b.done[c] && c != low+88 && c != low+12 && least > most {
				want, most = c, least
			}
		}
		b.search.Rand = rand.New(rand.NewPCG(seed, 9))
		if got := b.farthest(1, 30); got != want {
			t.Errorf("%d, want %d", got, want)
		}
	}
	// Where chance finds none, the first that is free.
	for c := range b.done {
		b.done[c] = c != low+12 && c != low+31 && c != low+50
	}
	if got := b.farthest(1, 0); got != low+31 {
		t.Errorf("%d, want %d", got-low, 31)
	}
	b.done[low+31], b.done[low+50] = true, true
	if got := b.farthest(1, 5); got != -1 {
		t.Errorf("%d where none is free", got)
	}
}
