package stats

import (
	"sync"

	"gonum.org/v1/gonum/stat/distuv"
)

// quantiles are those of Student's distribution that were asked for, by degrees of
// freedom and probability: of whole degrees there are few, and each is found by an
// iteration of incomplete beta functions.
var quantiles sync.Map // of [2]float64 to float64

// studentQuantile is the quantile p of Student's distribution with freedom degrees, a
// whole number, of freedom.
func studentQuantile(freedom, p float64) float64 {
	key := [2]float64{freedom, p}
	if q, ok := quantiles.Load(key); ok {
		return q.(float64)
	}
	q := distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile(p)
	quantiles.Store(key, q)
	return q
}
