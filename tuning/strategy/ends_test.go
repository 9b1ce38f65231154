package strategy

import (
	"math/rand/v2"
	"testing"

	"example.org/bench/tuning"
	"example.org/bench/tuning/recorded"
	"example.org/bench/tuning/recorded/recordedtest"
	"example.org/bench/tuning/replay"
)

// TestStrategiesEndCleanly runs the strategies that need nothing but a space on
// degenerate ones.
func TestStrategiesEndCleanly(t *testing.T) {
	for _, strategy := range []tuning.Info{best, random, exhaustive} {
		for name, spaces := range map[string][]*recorded.Space{
			"one point":           {recordedtest.Line(t, 1, 0)},
			"two points":          {recordedtest.Line(t, 2, 0)},
			"two points, one bad": {recordedtest.Line(t, 2, 1)},
			"all invalid":         {recordedtest.Line(t, 30, 30)},
			"one valid of 30":     {recordedtest.Line(t, 30, 29)},
			"exhausted":           {recordedtest.Line(t, 30, 3)},
			"sizes":               {recordedtest.Line(t, 3, 0), recordedtest.Line(t, 40, 40), recordedtest.Line(t, 1, 0)},
		} {
			total := 0
			for _, s := range spaces {
				total += s.Space.Len()
			}
			r := replayed(t, spaces, strategy, replay.Options{Budget: total + 20, Repeats: 3, Seed: 5})
			if r.Evaluations != float64(total) {
				t.Errorf("%s, %s: %v of %d points evaluated", strategy.Name, name, r.Evaluations, total)
			}
			_, ok := spaces[0].Optimum()
			want := 1.0
			if !ok || len(spaces) > 1 {
				want = 0
			}
			if m, _ := r.Final(); m != want {
				t.Errorf("%s, %s: fraction %v, want %v", strategy.Name, name, m, want)
			}
		}
		empty, err := tuning.NewSpace([]tuning.Parameter{{Name: "x", Values: []float64{1}}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := strategy.New(tuning.Search{Tasks: []tuning.Task{{Space: empty}}, Budget: 5, Rand: rand.New(rand.NewPCG(1, 1))})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, ok := s.Next(); ok {
			t.Errorf("%s proposes a point of an empty space", strategy.Name)
		}
	}
}
