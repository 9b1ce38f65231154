package strategy

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.org/bench/tuning"
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

// TestKNNAsksItsNeighbours, as many sizes as it is told to, and goes on around the first of its
// best points; while none is valid, around the last.
func TestKNNAsksItsNeighbours(t *testing.T) {
	space := grid(t, 6, 6)
	info := TrainedKNN([]Example{
		{Size: []float64{20, 0}, Values: map[string]float64{"A": 8, "B": 1}},
		{Size: []float64{0, 3}, Values: map[string]float64{"A": 1, "B": 1}},
		{Size: []float64{9, 1}, Values: map[string]float64{"A": 32, "B": 32}},
	})
	for _, c := range []struct {
		k     float64
		ok    bool
		first []int
		from  int
	}{
		{1, true, []int{0}, 0}, {2, true, []int{0, 35}, 0}, {2, false, []int{0, 35}, 35}, {1, false, []int{0}, 0}, {3, true, []int{0, 35, 18}, 0}, {9, true, []int{0, 35, 18}, 0},
	} {
		for seed := range uint64(3) {
			s := seeded(seed, len(c.first)+1, space)
			s.Tasks[0].Size = []float64{3, 2}
			s.Options = map[string]float64{"k": c.k}
			trials := search(t, info, s, func(int, int) (float64, bool) { return 5, c.ok })
			for i, want := range c.first {
				if trials[i].Point != want {
					t.Errorf("%+v: point %d is %d", c, i, trials[i].Point)
				}
			}
			last := trials[len(trials)-1].Point
			if steps := abs(last/6-c.from/6) + abs(last%6-c.from%6); steps != 1 {
				t.Errorf("%+v: %d steps from the best", c, steps)
			}
		}
	}
	if d := sizeDistance([]float64{1, 5}, []float64{4, 1}); d != 5 {
		t.Errorf("distance %v, want 5", d)
	}
}

func abs(x int) int { return max(x, -x) }

// TestKNNPrefersFewChanges: a great change of one parameter before small ones of two.
func TestKNNPrefersFewChanges(t *testing.T) {
	space := grid(t, 6, 6)
	made, err := newKNN(seeded(1, 9, space), nil)
	if err != nil {
		t.Fatal(err)
	}
	task := &made.(*knnSearch).tasks[0]
	for _, c := range []struct {
		allowed []int
		a, b    float64
		want    int
	}{
		{[]int{14, 5, 35}, 0, 0, 5}, // beside (2, 2) and (5, 5) only the second parameter
		{[]int{14, 7, 28}, 0, 0, 7},
		{[]int{30, 18, 4}, 0, 0, 18},
		{[]int{9, 20}, math.NaN(), 0.5, 20}, // the one that is free does not count
	} {
		if got := task.first([]float64{c.a, c.b}, func(p int) bool { return slices.Contains(c.allowed, p) }); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
	if got := task.first([]float64{0, 0}, func(int) bool { return false }); got != -1 {
		t.Errorf("%d of none", got)
	}
}
