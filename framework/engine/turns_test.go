package engine

import (
	"slices"
	"testing"

	"bench/framework/plan"
	"bench/framework/record"
)

// TestTurnsEnergy: where there is a sensor, both versions run for their energy,
// once each.
func TestTurnsEnergy(t *testing.T) {
	b := newBed(t, func(o *Options) { o.Config.Sensors = []string{"meter"} })
	for _, swap := range []bool{false, true} {
		got, err := b.Turns(t.Context(), Pair{A: pointOf("ok", 1), B: pointOf("ok", 2), Swap: swap})
		if err != nil || got.Status != record.OK || got.EnergyA == nil || got.EnergyB == nil || got.EnergyA.Joules < 0 || got.EnergyA.Joules+got.EnergyB.Joules == 0 && got.EnergyA.Doubt == "" {
			t.Errorf("swap %v: %+v %v", swap, got, err)
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
