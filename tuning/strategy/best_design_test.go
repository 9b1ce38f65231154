package strategy

import (
	"math/rand/v2"
	"slices"
	"testing"

	"bench/tuning"
	"bench/tuning/recorded/recordedtest"
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
