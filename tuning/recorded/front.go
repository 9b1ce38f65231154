package recorded

import (
	"fmt"
	"math"

	"example.org/bench/framework/pareto"
)

// Front returns the points that no other beats in both time and energy.
func (r *Space) Front() pareto.Set {
	var s pareto.Set
	for i, c := range r.Costs {
		if !math.IsNaN(c) {
			s.Add(pareto.Point{X: c, Y: r.Energies[i]})
		}
	}
	return s
}

// Priced returns the same space with another cost by time and energy. The space must have energies.
func (r *Space) Priced(cost func(time, energy float64) float64) (*Space, error) {
	if r.Energies == nil {
		return nil, r.NoEnergy()
	}
	p := *r
	p.Costs = make([]float64, len(r.Costs))
	for i, c := range r.Costs {
		p.Costs[i] = cost(c, r.Energies[i]) // NaN if they are
	}
	return &p, nil
}

// NoEnergy says what a space without energies lacks.
func (r *Space) NoEnergy() error {
	return fmt.Errorf("%s has no column %s", r.Name, energyColumn)
}
