package stats

import (
	"sync"

	"gonum.org/v1/gonum/stat/distuv"
)

// quantiles caches the quantiles of Student's distribution by degrees of freedom and
// probability. There are few, as the degrees are whole numbers, and each takes an
// iteration of incomplete beta functions.
var quantiles sync.Map // of [2]float64 to float64

// studentQuantile returns the p-quantile of Student's distribution. freedom, its degrees
// of freedom, is a whole number.
func studentQuantile(freedom, p float64) float64 {
	key := [2]float64{freedom, p}
	if q, ok := quantiles.Load(key); ok {
		return q.(float64)
	}
	q := distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile(p)
	quantiles.Store(key, q)
	return q
}
