package picture

import (
	"fmt"
	"slices"

	"example.org/bench/framework/axis"
)

// Curve is the quality of one strategy, or of the search of one version, after 1, 2, … evaluations.
type Curve struct {
	Name string
	// Median and Low are fractions of the optimum; Low is the 5th percentile.
	Median, Low []float64
}

// Convergence is the fraction of the optimum over the evaluations: for each curve the median, with a
// band down to the 5th percentile.
type Convergence struct {
	Title, Note string
	X, Y        axis.Axis
	Curves      []Curve
	Limit       Limit
}

// standard is the fraction of the optimum that the standards of a search ask for.
const standard = 0.95

// NewConvergence returns nil without curves.
func NewConvergence(title, note string, curves []Curve) *Convergence {
	if len(curves) == 0 {
		return nil
	}
	c := &Convergence{Title: title, Note: note, Curves: curves, Limit: Limit{Name: fmt.Sprintf("%.0f %% of the optimum", standard*100), Value: standard}}
	longest := 1
	values := axis.NewSpan()
	values.Include(standard)
	for _, l := range curves {
		longest = max(longest, len(l.Median))
		values.Include(l.Median...)
		values.Include(l.Low...)
	}
	evaluations := make([]float64, longest)
	for i := range evaluations {
		evaluations[i] = float64(i + 1)
	}
	c.X = axis.Swept("evaluations", evaluations, false)
	step := axis.Step(1-values.Min, 7)
	c.Y = axis.Axis{Min: max(0, values.Min-step/2), Max: 1 + step/4, Label: "fraction of the optimum"}
	for _, v := range slices.Backward(axis.Multiples(step, c.Y.Min, 1)) {
		c.Y.Ticks = append(c.Y.Ticks, axis.Tick{Value: v, Text: fmt.Sprintf("%.*f", axis.Decimals(step), v)})
	}
	return c
}

// Places returns the indexes of a curve's values that a figure shows: with more than MostReadings values
// every second, third, …, and the last. Between two indexes the earlier value holds.
func (c Curve) Places() (all []int) {
	n := len(c.Median)
	every := max(1, (n+MostReadings-1)/MostReadings)
	for i := range n {
		if i%every == 0 || i == n-1 {
			all = append(all, i)
		}
	}
	return all
}
