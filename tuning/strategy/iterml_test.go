package strategy

import (
	"testing"

	"bench/tuning"
)

// TestPruningHalves: with the published settings, every iteration picks the
// same number and leaves half of what remained; then the search ends.
func TestPruningHalves(t *testing.T) {
	space := grid(t, 8, 8, 4) // 256
	s := seeded(1, 1000, space)
	s.Options = map[string]float64{"published": 1, "pick_ratio": 10.0 / 256}
	strategy, err := Find("iterml").New(s)
	if err != nil {
		t.Fatal(err)
	}
	p := strategy.(*pruning)
	var remaining, picked []int
	cost := bowl(space, 3, 3, 1)
	evaluations := 0
	for {
		_, point, ok := p.Next()
		if !ok {
			break
		}
		task := &p.tasks[0]
		if len(picked) == 0 || len(task.batch) == 0 && len(task.remaining) != remaining[len(remaining)-1] {
			remaining = append(remaining, len(task.remaining))
		}
		picked = append(picked, point)
		trial := tuning.Trial{Point: point}
		trial.Cost, trial.OK = cost(point)
		p.Tell(trial)
		evaluations++
	}
	// 256 - 10; then half and 10 less, rounded up, until at most 10 are left.
	want := []int{246, 113, 47, 14, 0}
	if len(remaining) != len(want) {
		t.Fatalf("after the picks remain %v, want %v", remaining, want)
	}
	for i := range want {
		if remaining[i] != want[i] {
			t.Fatalf("after the picks remain %v, want %v", remaining, want)
		}
	}
	// Four iterations of 10, and of the last 14 half.
	if evaluations != 47 {
		t.Errorf("%d evaluations, want 47", evaluations)
	}
}

// TestPruningDropsTheSlow: what the model predicts to be slow goes.
func TestPruningDropsTheSlow(t *testing.T) {
	space := grid(t, 16)
	task := pruned{features: featuresOf(space, true), model: iterMLModels[1].make(0, nil), score: make([]float64, 16)}
	for p := range 16 {
		if p%4 == 0 {
			task.x = append(task.x, task.features.row(nil, p))
			task.costs = append(task.costs, float64(1+p))
		} else {
			task.remaining = append(task.remaining, p)
		}
	}
	task.drop(6)
	for _, p := range task.remaining {
		if p > 8 {
			t.Errorf("point %d of cost %d remains, %v are dropped", p, 1+p, task.dropped)
		}
	}
	if len(task.remaining) != 6 || len(task.dropped) != 6 {
		t.Errorf("%d remain and %d are dropped, want 6 and 6", len(task.remaining), len(task.dropped))
	}
}

func TestTwos(t *testing.T) {
	for v, want := range map[float64]float64{0: 0, 1: 0, 2: 1, 48: 4, 1024: 10, 1.5: 0, -8: 3} {
		if got := twos(v); got != want {
			t.Errorf("2 divides %v %v times, want %v", v, got, want)
		}
	}
}
