package engine

import (
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// TestTurnsEnergy: where there is a sensor, both versions run for their energy,
// once each.
func TestTurnsEnergy(t *testing.T) {
	b := newBed(t, func(o *Options) { o.Config.Sensors = []string{"meter"} })
	for round := range orders {
		got, err := b.Turns(t.Context(), Pair{A: pointOf("ok", 1), B: pointOf("ok", 2), Round: round})
		if err != nil || got.Status != record.OK || got.EnergyA == nil || got.EnergyB == nil || got.EnergyA.Joules < 0 || got.EnergyA.Joules+got.EnergyB.Joules == 0 && got.EnergyA.Doubt == "" {
			t.Errorf("round %d: %+v %v", round, got, err)
		}
	}
	got, err := b.Turns(t.Context(), Pair{A: pointOf("ok", 1), B: pointOf("ok", 1)})
	if err != nil || got.EnergyA != nil || got.EnergyB != nil {
		t.Errorf("A against itself: %+v %v", got, err)
	}
}

// TestInstancesHaveProcesses: each round of instances has a worker of its own, and
// the first alone measures power.
func TestInstancesHaveProcesses(t *testing.T) {
	b := newBed(t, func(o *Options) { o.Config.Sensors = []string{"meter"} })
	p := plan.Plan{Points: []plan.Point{pointOf("ok", 1), pointOf("ok", 2)}}
	p.Repeat(3)
	var power []bool
	err := b.Run(t.Context(), p.Points, nil, nil, watcher{&log{}}, Keep(func(r record.Result) error {
		power = append(power, r.Energy != nil)
		if r.Status != record.OK || r.Hot == nil {
			t.Errorf("%+v", r)
		}
		return nil
	}))
	if err != nil || b.started != 3 || !slices.Equal(power, []bool{true, true, false, false, false, false}) {
		t.Errorf("%v, %d workers, power %v", err, b.started, power)
	}
}

// TestOrdersAreBalanced: in two rounds from an even one B and the second A change places, and in six either
// comes first, second and last alike.
func TestOrdersAreBalanced(t *testing.T) {
	var first [3]int
	for i := 0; i < len(orders); i += 2 {
		x, y := orders[i], orders[i+1]
		if slices.Index(x[:], 2) != slices.Index(y[:], 1) || slices.Index(x[:], 1) != slices.Index(y[:], 2) {
			t.Errorf("%v, then %v", x, y)
		}
		first[x[0]]++
		first[y[0]]++
	}
	if first != [3]int{2, 2, 2} {
		t.Errorf("first %v", first)
	}
	began := map[bool]bool{}
	for _, order := range orders[:3] {
		began[slices.Index(order[:], 0) < slices.Index(order[:], 2)] = true
	}
	if len(began) != 2 {
		t.Error("the energies of one come first in three rounds")
	}
}

// TestPlaces: in six rounds what a place or an order does cancels, for any two of three.
func TestPlaces(t *testing.T) {
	for _, two := range [][2]int{{2, 1}, {2, 0}, {1, 0}} {
		var sum [3]float64
		for round := range orders {
			for i, x := range Places(two[0], two[1])(round) {
				sum[i] += x
			}
		}
		if sum != [3]float64{} {
			t.Errorf("%v: %v", two, sum)
		}
	}
	for round, want := range [][]float64{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}, {1, 0, 0}} {
		if got := Places(2, 1)(round); !slices.Equal(got, want) {
			t.Errorf("round %d: %v, want %v", round, got, want)
		}
	}
	// A second, the second A first; then A second, B first.
	if a, b := Places(1, 0)(0), Places(2, 0)(1); !slices.Equal(a, []float64{1, -1}) || !slices.Equal(b, a) {
		t.Errorf("%v, %v", a, b)
	}
}

// TestRoundsHaveTheirOrder: B is prepared where the round's order has it.
func TestRoundsHaveTheirOrder(t *testing.T) {
	b := newBed(t, nil)
	for round := range 2 * len(orders) {
		b.log.take()
		if got, err := b.Turns(t.Context(), Pair{A: pointOf("quick", 1), B: pointOf("too small to be quick", 1), Round: round}); err != nil || got.Status != record.OK {
			t.Fatalf("round %d: %+v %v", round, got, err)
		}
		prepared := slices.DeleteFunc(b.log.take(), func(x string) bool { return !strings.HasPrefix(x, "VerifyFast") })
		order := orders[round%len(orders)]
		if at := slices.Index(prepared, "VerifyFast too small to be quick"); len(prepared) != 3 || at != slices.Index(order[:], 2) {
			t.Errorf("round %d: %q", round, prepared)
		}
	}
}

// TestRoundsExchangeWhatIsTimedFirst: A is timed against the second A first in an even round, and
// against B first in an odd one.
func TestRoundsExchangeWhatIsTimedFirst(t *testing.T) {
	b := newBed(t, nil)
	for round := range 4 {
		got, err := b.Turns(t.Context(), Pair{A: pointOf("ok", 1), B: pointOf("tires", 1), Round: round})
		if err != nil || got.Status != record.Failed {
			t.Fatalf("round %d: %+v %v", round, got, err)
		}
		if (got.Control != nil) != (round%2 == 0) {
			t.Errorf("round %d: control %+v", round, got.Control)
		}
	}
}
