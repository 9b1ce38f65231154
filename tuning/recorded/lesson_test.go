package recorded

import (
	"math"
	"slices"
	"testing"

	"example.org/bench/tuning"
)

// A space of no power mode teaches each of them; one of modes teaches a search of none nothing.
func TestLessonsOfPowerModes(t *testing.T) {
	plain, err := tuning.NewSpace([]tuning.Parameter{{Name: "a", Values: []float64{1, 2}}}, [][]uint16{{0}, {1}})
	if err != nil {
		t.Fatal(err)
	}
	modal, err := plain.Under(tuning.Parameter{Name: tuning.PowerMode, Values: []float64{0, 3}})
	if err != nil {
		t.Fatal(err)
	}
	of := func(r *Space, s *tuning.Space) []float64 { return r.Lesson([]tuning.Task{{Space: s}}).Costs[0] }
	known := &Space{Name: "plain", Space: plain, Costs: []float64{5, math.NaN()}}
	if got := of(known, modal); !slices.Equal(got, []float64{5, math.Inf(1), 5, math.Inf(1)}) {
		t.Errorf("%v", got)
	}
	byMode := &Space{Name: "modal", Space: modal, Costs: []float64{1, 2, 3, 4}}
	if got := of(byMode, plain); got != nil {
		t.Errorf("%v", got)
	}
	other, err := plain.Under(tuning.Parameter{Name: tuning.PowerMode, Values: []float64{3, 4}})
	if err != nil {
		t.Fatal(err)
	}
	if got := of(byMode, other); got[0] != 3 || got[1] != 4 || !math.IsNaN(got[2]) {
		t.Errorf("by their numbers: %v", got)
	}
}
