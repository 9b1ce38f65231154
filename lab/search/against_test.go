package main

import (
	"math"
	"testing"

	"example.org/bench/tuning/recorded"
	"example.org/bench/tuning/replay"
)

// TestWayOf: three searches of a space whose optimum is 1: one at once, one in its third evaluation, and one that ends
// after two of ten evaluations without it.
func TestWayOf(t *testing.T) {
	space := &recorded.Space{Costs: []float64{1, 1.04, 2, math.NaN()}, Compile: []float64{1, 1, 1, 1}, Run: []float64{1, 1, 1, 0}}
	s := replay.Searches{
		Runs: [][]float64{{1.04}, {math.NaN(), 2, 1}, {2, math.NaN()}},
		Ends: [][]float64{{2}, {1, 3, 9}, {2, 3}},
	}
	x := wayOf(s, space, 10)
	if x.runs != 3 || x.never != 1 || x.few != (search{3, 9, true}) || x.all != x.few {
		t.Errorf("%+v; want 3 evaluations and 9 s, one never", x)
	}
	// Alone, the last has the whole budget: 3 s, and eight points of 1.75 s.
	s.Runs, s.Ends = s.Runs[2:], s.Ends[2:]
	if x := wayOf(s, space, 10); x.all != (search{10, 17, false}) || x.all.String() != "> 10 (> 17 s)" {
		t.Errorf("%v; want > 10 (> 17 s)", x.all)
	}
	if n := within(space); n != 2 {
		t.Errorf("%d points within 5 %%, want 2", n)
	}
}

func TestLeast(t *testing.T) {
	found := map[string]way{"a": {all: search{9, 90, true}}, "b": {all: search{20, 30, false}}}
	if x := least([]replay.Searches{{Strategy: "b"}, {Strategy: "a"}, {Strategy: "c"}}, found); x.all != (search{9, 30, true}) {
		t.Errorf("%v", x.all)
	}
}
