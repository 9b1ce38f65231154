package engine

import (
	"testing"

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
