// Package statstest has the series that the golden values of statistics are of.
package statstest

import (
	"math"
	"math/rand/v2"
)

// Inputs are series by name: independent, each resembling the one before, in
// steps of a clock, a change of level, few.
func Inputs() map[string][]float64 {
	r := rand.New(rand.NewPCG(13, 4))
	series := func(n int, f func(i int) float64) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = f(i)
		}
		return x
	}
	level := 0.0
	return map[string][]float64{
		"independent": series(100, func(int) float64 { return 1e-3 * (1 + 0.02*r.NormFloat64()) }),
		"resembling": series(211, func(int) float64 {
			level = 0.8*level + 0.01*r.NormFloat64()
			return 2e-3 * math.Exp(level)
		}),
		"steps": series(61, func(int) float64 { return 32e-9 * math.Round(1e2*(1+0.02*r.NormFloat64())) }),
		"level": series(150, func(i int) float64 { return 1e-3 * (1 + 0.05*float64(i/90) + 0.01*r.NormFloat64()) }),
		"few":   series(7, func(int) float64 { return 1 + r.ExpFloat64() }),
	}
}
