package strategy

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"example.org/bench/tuning"
)

// blocks is a space as kernels have it: sizes of which large ones exclude each other, some
// no powers of two, a vector width that divides, names, and a switch.
func blocks(t *testing.T, widths ...float64) *tuning.Space {
	t.Helper()
	parameters := []tuning.Parameter{
		{Name: "x", Values: widths},
		{Name: "y", Values: []float64{1, 2, 4, 8}},
		{Name: "vector", Values: []float64{1, 2, 4}},
		{Name: "order", Values: []float64{0, 1, 2}, Labels: []string{"rows", "columns", "tiles"}},
		{Name: "cache", Values: []float64{1, 0}},
	}
	var points [][]uint16
	for i, x := range widths {
		for j, y := range parameters[1].Values {
			for k, v := range parameters[2].Values {
				for l := range 3 * 2 {
					if x*y <= 512 && math.Mod(x, 16*v) == 0 {
						points = append(points, []uint16{uint16(i), uint16(j), uint16(k), uint16(l / 2), uint16(l % 2)})
					}
				}
			}
		}
	}
	s, err := tuning.NewSpace(parameters, points)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// kernel is the trial of a point of such spaces: best at 128 threads or so and in tiles,
// rough, and of some points it does not run.
func kernel(spaces ...*tuning.Space) func(task, point int) tuning.Trial {
	return func(task, point int) tuning.Trial {
		s := spaces[task]
		value := map[string]float64{}
		for d, p := range s.Parameters {
			value[p.Name] = s.Value(point, d)
		}
		off := func(x, want, weight float64) float64 {
			e := math.Log2(x) - want
			return weight * e * e
		}
		cost := 1 + float64(task) + off(value["x"]*value["y"], 7, 0.2) + off(value["x"], 5.5, 0.1) + off(max(1, value["vector"]), 1, 0.15) + 0.2*math.Abs(value["order"]-2) + 0.1*value["cache"]
		cost *= 1 + 0.08*math.Sin(float64(7*point+3*task))
		x := tuning.Trial{Task: task, Point: point, Cost: cost, Second: (4 - value["order"]) / math.Sqrt(cost) * (1 + 0.05*math.Cos(float64(5*point))), OK: value["y"]*value["vector"] < 17 && (value["x"] != 48 || value["cache"] == 0),
			CompileSeconds: 0.5 * value["y"] * max(1, value["vector"]), RunSeconds: 0.3}
		if !x.OK {
			x.RunSeconds = 0
		}
		if point%5 == 0 { // compiled before
			x.CompileSeconds = 0
		}
		return x
	}
}

// TestSearchesOfEveryKindAreThoseOfBefore, as TestSearchesAreThoseOfBefore says, where
// parameters are coupled, for fronts, from lessons, with changes that take time, with
// points that are pending, of many sizes, and until nothing is left.
func TestSearchesOfEveryKindAreThoseOfBefore(t *testing.T) {
	one, two := blocks(t, 256, 16, 48, 32, 64, 96), blocks(t, 32, 64, 160, 512)
	small := blocks(t, 64, 512)
	small.Parameters = slices.Clone(small.Parameters)
	small.Parameters[4].Name = "texture" // which the others have not
	modes, err := blocks(t, 64, 32, 48).Under(tuning.Parameter{Name: tuning.PowerMode, Values: []float64{15, 30, 50}})
	if err != nil {
		t.Fatal(err)
	}
	clocks := tuning.Parameter{Name: "clock"}
	for i := range 20 {
		clocks.Values = append(clocks.Values, float64(600+60*i))
	}
	large, err := one.Under(clocks)
	if err != nil {
		t.Fatal(err)
	}
	truth := func(space *tuning.Space, every int, of func(float64) float64) tuning.Lesson {
		trial := kernel(space)
		return lesson(space, func(p int) float64 {
			switch x := trial(0, p); {
			case p%every != 0:
				return math.NaN()
			case !x.OK:
				return math.Inf(1)
			case p == 3: // which no one measured
				return 0
			default:
				return of(x.Cost)
			}
		})
	}
	type run struct {
		name   string
		info   tuning.Info
		spaces []*tuning.Space
		budget int
		ahead  int // points pending
		alter  func(s *tuning.Search)
		plain  bool // trials tell no times
	}
	runs := []run{
		{"one", best, []*tuning.Space{one}, 60, 1, nil, true},
		{"two and a small one", best, []*tuning.Space{one, two, small}, 70, 1, nil, true},
		{"compile times", best, []*tuning.Space{one}, 40, 1, nil, false},
		{"compilers", best, []*tuning.Space{one, two}, 40, 4, func(s *tuning.Search) { s.Compilers = 3 }, false},
		{"front", best, []*tuning.Space{one}, 50, 1, func(s *tuning.Search) { s.Front = true }, true},
		{"fronts, pending", best, []*tuning.Space{one, two}, 50, 3, func(s *tuning.Search) { s.Front = true }, true},
		{"modes", best, []*tuning.Space{modes}, 50, 1, func(s *tuning.Search) {
			s.Switching = &tuning.Switching{Parameter: tuning.PowerMode, On: 30, Seconds: 5}
		}, false},
		{"lessons", best, []*tuning.Space{one}, 40, 1, func(s *tuning.Search) {
			s.Lessons = []tuning.Lesson{truth(one, 1, math.Sqrt), truth(one, 3, func(c float64) float64 { return 5 / c })}
			s.Options = map[string]float64{trust.Name: 6}
		}, true},
		{"a lesson, pending", best, []*tuning.Space{one}, 30, 3, func(s *tuning.Search) {
			s.Lessons = []tuning.Lesson{truth(one, 2, func(c float64) float64 { return 2 * c })}
		}, true},
		{"lessons of a part", best, []*tuning.Space{two, one, small}, 40, 1, func(s *tuning.Search) {
			l, m := truth(two, 1, math.Sqrt), truth(one, 2, math.Sqrt)
			l.Costs = append(l.Costs, m.Costs[0][:100], nil)
			alike := truth(two, 4, func(float64) float64 { return 7 })
			alike.Costs = append(alike.Costs, nil, nil)
			s.Lessons = []tuning.Lesson{l, alike}
		}, true},
		{"a lesson for a front", best, []*tuning.Space{one}, 30, 2, func(s *tuning.Search) {
			s.Front, s.Lessons = true, []tuning.Lesson{truth(one, 2, math.Sqrt)}
		}, true},
		{"compiled before, modes, compilers", best, []*tuning.Space{modes}, 40, 5, func(s *tuning.Search) {
			s.Compilers, s.Switching = 2, &tuning.Switching{Parameter: tuning.PowerMode, On: 50, Seconds: 0.5}
		}, false},
		{"all of it", best, []*tuning.Space{small}, small.Len(), 1, nil, true},
		{"sizes alike", best, []*tuning.Space{small, small, small, small, small, small, small}, 40, 1, func(s *tuning.Search) {
			for i := range s.Tasks {
				s.Tasks[i].Size = []float64{float64(i * i), 3}
			}
		}, true},
		{"many points", best, []*tuning.Space{large}, 40, 1, nil, true},
		{"front of many points", best, []*tuning.Space{large}, 30, 1, func(s *tuning.Search) { s.Front = true }, true},
		{"many trials", best, []*tuning.Space{one}, 125, 1, nil, true},
		{"few to spend", best, []*tuning.Space{one, two}, 7, 1, nil, true},
		{"bo", bo, []*tuning.Space{one, two}, 45, 1, nil, true},
		{"bo, many points", bo, []*tuning.Space{large}, 22, 1, nil, true},
		{"bo of a few valid", bo, []*tuning.Space{small}, 60, 1, func(s *tuning.Search) { s.Options = map[string]float64{"patience": 0} }, true},
		{"bo, pending", bo, []*tuning.Space{one}, 30, 3, func(s *tuning.Search) { s.Options = map[string]float64{"initial": 4, "patience": 8} }, true},
		{"knn", TrainedKNN([]Example{{Size: []float64{0.4}, Values: map[string]float64{"x": 32, "y": 4, "cache": 0}}, {Size: []float64{3}, Values: map[string]float64{"x": 64}}}),
			[]*tuning.Space{one, two, small}, 60, 1, func(s *tuning.Search) { s.Options = map[string]float64{"k": 2} }, true},
	}
	for _, info := range iterML() {
		runs = append(runs, run{info.Name, info, []*tuning.Space{one, two}, 50, 1, nil, true},
			run{info.Name + ", published", info, []*tuning.Space{one}, 40, 2, func(s *tuning.Search) {
				s.Options = map[string]float64{"published": 1, "pick_ratio": 0.02, "cut_ratio": 0.3}
			}, true})
	}
	now := map[string][]string{}
	for _, r := range runs {
		s := seeded(9, r.budget, r.spaces...)
		s.Options = nil
		if r.alter != nil {
			r.alter(&s)
		}
		strategy, err := r.info.New(s)
		if err != nil {
			t.Fatalf("%s: %v", r.name, err)
		}
		try := kernel(r.spaces...)
		var proposed []string
		var pending []tuning.Proposal
		for ended := false; !ended || len(pending) > 0; {
			if !ended && len(pending) < r.ahead {
				task, point, ok := strategy.Next()
				if ended = !ok || len(proposed) == r.budget; !ended {
					proposed = append(proposed, fmt.Sprintf("%d:%d", task, point))
					pending = append(pending, tuning.Proposal{Task: task, Point: point})
					if s.Switching != nil {
						s.Switching.On = s.Tasks[task].Space.Value(point, slices.IndexFunc(s.Tasks[task].Space.Parameters, func(p tuning.Parameter) bool { return p.Name == s.Switching.Parameter }))
					}
				}
				continue
			}
			at := 0
			if ranker, ok := strategy.(tuning.Ranker); ok {
				at = ranker.First(pending)
			}
			if len(pending) > 1 {
				proposed[len(proposed)-1] += fmt.Sprintf("/%d", at) // which of the pending was to be first
			}
			trial := try(pending[at].Task, pending[at].Point)
			if r.plain {
				trial.CompileSeconds, trial.RunSeconds = 0, 0
			}
			strategy.Tell(trial)
			pending = slices.Delete(pending, at, at+1)
		}
		now[r.name] = proposed
	}
	golden(t, "testdata/kinds.json", now)
}
