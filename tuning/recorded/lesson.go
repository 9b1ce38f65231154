package recorded

import (
	"math"
	"slices"

	"example.org/bench/tuning"
)

// Lesson returns what the space teaches a search of the tasks: the costs of the points with the same values
// of all parameters by name, in the form of tuning.Lesson. A space without power mode teaches all modes
// alike.
func (r *Space) Lesson(tasks []tuning.Task) tuning.Lesson {
	l := tuning.Lesson{Name: r.Name}
	for _, t := range tasks {
		l.Costs = append(l.Costs, r.costsOf(t.Space))
	}
	return l
}

// costsOf returns the costs of another space's points; nil if that space has other parameters.
func (r *Space) costsOf(other *tuning.Space) []float64 {
	names := parameterNames(other)
	at := make([]int, len(r.Space.Parameters))
	for d, p := range r.Space.Parameters {
		if at[d] = slices.Index(names, p.Name); at[d] < 0 {
			return nil
		}
	}
	others := len(names)
	if slices.Contains(names, tuning.PowerMode) && !slices.Contains(parameterNames(r.Space), tuning.PowerMode) {
		others--
	}
	if others != len(at) {
		return nil
	}
	costs := make([]float64, other.Len())
	values := make([]float64, len(at))
	for i := range costs {
		for d := range values {
			values[d] = other.Value(i, at[d])
		}
		costs[i] = math.NaN()
		if p := r.Space.FindValues(values); p >= 0 {
			costs[i] = r.Costs[p]
			if math.IsNaN(costs[i]) {
				costs[i] = math.Inf(1)
			}
		}
	}
	return costs
}
