package replay

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"example.org/bench/tuning"
	"example.org/bench/tuning/recorded"
	"example.org/bench/tuning/strategy"
)

// ramp is a space of a clock, and what a model says of it.
func ramp(t *testing.T, run, modelling float64) (space, model *recorded.Space) {
	t.Helper()
	values, rows := []float64(nil), [][]uint16(nil)
	costs, compile, runs, making := []float64(nil), []float64(nil), []float64(nil), []float64(nil)
	order := rand.New(rand.NewPCG(1, 1)).Perm(200)
	for i := range 200 {
		values, rows = append(values, float64(i)), append(rows, []uint16{uint16(i)})
		costs, compile, runs, making = append(costs, float64(1+order[i])), append(compile, 0.05), append(runs, run), append(making, modelling)
	}
	points, err := tuning.NewSpace([]tuning.Parameter{{Name: "P", Values: values}}, rows)
	if err != nil {
		t.Fatal(err)
	}
	return &recorded.Space{Name: "ramp", Space: points, Costs: costs, Compile: compile, Run: runs},
		&recorded.Space{Name: "ramp" + recorded.ModelSuffix, Space: points, Costs: costs, Compile: making}
}

// TestPriorIsMadeAsBySearch: a prior that takes too long to make changes nothing but what its first points hold up, one
// that does not guides, and without compilers there is none.
func TestPriorIsMadeAsBySearch(t *testing.T) {
	budget := 30
	reached := func(run, modelling float64, compilers int, guided bool) []float64 {
		space, model := ramp(t, run, modelling)
		o := Options{Budget: budget, Repeats: 10, Seed: 1, Compilers: compilers}
		if guided {
			o.From = []*recorded.Space{model}
		}
		r, err := Run(context.Background(), []*recorded.Space{space}, *strategy.Find("best"), o)
		if err != nil {
			t.Fatal(err)
		}
		return r.Median
	}
	alone := reached(0.5, 0, 4, false)
	if soon := reached(0.5, 0.01, 4, true); soon[19] < 0.9 || alone[19] > 0.5 {
		t.Errorf("after 20 evaluations: %v with a prior that is made in time, %v without", soon[19], alone[19])
	}
	if !slices.Equal(reached(0.02, 0, 4, false), reached(0.02, 2, 4, true)) {
		t.Error("a prior that is made too late changed the search")
	}
	if !slices.Equal(reached(0.5, 0, 0, false), reached(0.5, 0.01, 0, true)) {
		t.Error("a prior was made without a compiler")
	}
	budget = 60 // in which one process would make the points that are told at first, if the prior did not end
	if !slices.Equal(reached(0.02, 0, 4, false), reached(0.02, 0.025, 4, true)) {
		t.Error("a prior that should have ended changed the search")
	}
}
