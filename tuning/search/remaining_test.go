package search

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/tuning"
	"example.org/bench/tuning/recorded"
	"example.org/bench/tuning/strategy"
)

// What is said to be left is true in at least 95 % of searches of recorded spaces, up to
// what chance allows of as many, and says something.
func TestLeft(t *testing.T) {
	files, err := filepath.Glob("../../results/h200-tuning/*/spaces/*.csv.gz")
	if err != nil || len(files) < 30 {
		t.Fatal(len(files), err)
	}
	const budget = 30
	all, held, telling := 0, 0, 0
	for _, f := range files {
		s, err := recorded.Open(f, nil)
		if err != nil {
			t.Fatal(err)
		}
		if s.Space.Len() <= budget {
			continue
		}
		optimum, _ := s.Optimum()
		for _, name := range []string{"best", "random"} {
			for seed := range uint64(2) {
				rnd := rand.New(rand.NewPCG(seed, 1))
				shuffled := s.Shuffled(rnd)
				tried, least := map[int]bool{}, math.Inf(1)
				var points []int
				var costs []float64
				loop := tuning.Loop{Strategy: *strategy.Find(name), Search: tuning.Search{Budget: budget, Rand: rnd, Tasks: []tuning.Task{{Space: shuffled.Space}}},
					Evaluate: func(_ context.Context, _, number int, p tuning.Proposal) (tuning.Trial, int, error) {
						x := shuffled.Trial(p.Task, p.Point)
						tried[p.Point] = true
						if x.OK {
							points, costs, least = append(points, p.Point), append(costs, x.Cost), min(least, x.Cost)
						}
						return x, number, nil
					}}
				if _, err := loop.Run(context.Background()); err != nil {
					t.Fatal(err)
				}
				left := Left(shuffled.Space, tried, points, costs)
				if left.Points != s.Space.Len()-budget {
					t.Errorf("%s: %d points left of %d", s.Name, left.Points, s.Space.Len())
				}
				if left.BetterBy == nil {
					continue
				}
				all++
				if 1-optimum/least <= *left.BetterBy {
					held++
				}
				if *left.BetterBy < 0.1 {
					telling++
				}
			}
		}
	}
	t.Logf("true in %d of %d searches; %d said less than 10 %%", held, all, telling)
	if all < 90 || float64(held) < 0.95*float64(all)-2*math.Sqrt(0.05*0.95*float64(all)) || telling < all/4 {
		t.Errorf("true in %d of %d searches; %d said less than 10 %%", held, all, telling)
	}
}

func TestLeftOfLittle(t *testing.T) {
	var rows [][]uint16
	for i := range 64 {
		rows = append(rows, []uint16{uint16(i)})
	}
	values := make([]float64, 64)
	for i := range values {
		values[i] = float64(i)
	}
	s := mustSpace(t, []tuning.Parameter{{Name: "P", Values: values}}, rows)
	tried := map[int]bool{}
	var points []int
	var costs, alike []float64
	for i := range 64 {
		if i%2 == 0 {
			tried[i] = true
			points, costs, alike = append(points, i), append(costs, math.Exp(float64(i)/16)), append(alike, 1)
		}
	}
	if r := Left(s, tried, points[:5], costs[:5]); r.BetterBy != nil || !strings.Contains(r.String(), "too few valid trials") {
		t.Errorf("%+v", r)
	}
	if r := Left(s, tried, points, alike); r.BetterBy != nil || !strings.Contains(r.String(), "cost the same") {
		t.Errorf("%+v", r)
	}
	// The cheapest point is at the end of a smooth slope, and was tried.
	if r := Left(s, tried, points, costs); r.BetterBy == nil || *r.BetterBy > 0.02 || !strings.HasPrefix(r.String(), "95 % sure: none of the 32 points left is better by more than ") {
		t.Errorf("%+v, %v", r, r)
	}
	for i := range 64 {
		tried[i] = true
	}
	if r := Left(s, tried, points, costs); r.BetterBy == nil || *r.BetterBy != 0 || r.Sure != 1 || r.String() != "every point was tried" {
		t.Errorf("%+v", r)
	}
}

// Two tunables that matter only together do so, and others do not.
func TestInteractions(t *testing.T) {
	var rows [][]uint16
	four := []float64{1, 2, 3, 4}
	for i := range 64 {
		rows = append(rows, []uint16{uint16(i / 16), uint16(i / 4 % 4), uint16(i % 4)})
	}
	s := mustSpace(t, []tuning.Parameter{{Name: "A", Values: four}, {Name: "B", Values: four}, {Name: "C", Values: four}}, rows)
	rnd := rand.New(rand.NewPCG(1, 1))
	var points []int
	var costs []float64
	for p := range s.Len() {
		together := (s.Value(p, 0) - 2.5) * (s.Value(p, 1) - 2.5)
		points, costs = append(points, p), append(costs, math.Exp(together+0.5*s.Value(p, 2)+0.05*rnd.NormFloat64()))
	}
	// The variances are 1.5625 together and 0.3125 of C.
	list := Interactions(s, points, costs)
	if len(list) != 1 || list[0].A != "A" || list[0].B != "B" || math.Abs(list[0].Share-1.5625/1.875) > 0.03 {
		t.Errorf("%+v", list)
	}
	for i := range costs {
		costs[i] = math.Exp(s.Value(i, 0) + s.Value(i, 1) + 0.05*rnd.NormFloat64())
	}
	if list = Interactions(s, points, costs); len(list) != 0 {
		t.Errorf("of two that add up: %+v", list)
	}
}
