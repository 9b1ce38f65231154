package strategy

import (
	"math/rand/v2"
	"testing"

	"bench/tuning"
)

// TestTrainedKNN: the first point of every size is what was best at the
// nearest size; a value that the space has not is replaced by the nearest.
func TestTrainedKNN(t *testing.T) {
	space := grid(t, 6, 6) // values 1 to 32
	info := TrainedKNN([]Example{
		{Size: []float64{10}, Values: map[string]float64{"A": 2, "B": 16}},
		{Size: []float64{20}, Values: map[string]float64{"A": 30, "B": 4, "C": 1}},
	})
	s := tuning.Search{Budget: 4, Rand: rand.New(rand.NewPCG(1, 1))}
	for _, size := range []float64{11, 19, 14, 100} {
		s.Tasks = append(s.Tasks, tuning.Task{Space: space, Size: []float64{size}})
	}
	trials := search(t, info, s, func(_, _ int) (float64, bool) { return 0, false })
	want := [][2]float64{{2, 16}, {32, 4}, {2, 16}, {32, 4}}
	for i, trial := range trials {
		if trial.Task != i || space.Value(trial.Point, 0) != want[i][0] || space.Value(trial.Point, 1) != want[i][1] {
			t.Errorf("task %d: A %v, B %v; want task %d with %v", trial.Task, space.Value(trial.Point, 0), space.Value(trial.Point, 1), i, want[i])
		}
	}
	s.Tasks[0].Size = nil
	if _, err := info.New(s); err == nil {
		t.Error("sizes of different lengths, and no error")
	}
}

// TestKNNFollowsSizes: a second size begins at the first one's best, and
// both go on around their own.
func TestKNNFollowsSizes(t *testing.T) {
	space := grid(t, 8, 8)
	cost := func(_, point int) (float64, bool) { return bowl(space, 2, 5)(point) }
	s := seeded(4, 40, space, space)
	trials := search(t, nearestSize, s, cost)
	if trials[1].Task != 1 || trials[1].Point != trials[0].Point {
		t.Errorf("the second size begins at %+v, the first began at %+v", trials[1], trials[0])
	}
	best := map[int]tuning.Trial{}
	for i, trial := range trials {
		if b, ok := best[trial.Task]; ok && i > 1 {
			// Without ties the nearest point not evaluated differs in few steps.
			steps := 0
			for d, v := range space.Indexes(trial.Point) {
				if v != space.Indexes(b.Point)[d] {
					steps++
				}
			}
			if steps > 1 && i < 10 {
				t.Errorf("trial %d differs from the best in %d parameters", i, steps)
			}
		}
		if b, ok := best[trial.Task]; !ok || trial.Cost < b.Cost {
			best[trial.Task] = trial
		}
	}
	for task, b := range best {
		if b.Cost != 1 {
			t.Errorf("size %d: the best costs %v after 20 evaluations, the lowest 1", task, b.Cost)
		}
	}
}
