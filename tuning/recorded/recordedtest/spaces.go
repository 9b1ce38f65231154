// Package recordedtest has recorded spaces for tests of what searches them.
package recordedtest

import (
	"math"
	"testing"

	"bench/tuning"
	"bench/tuning/recorded"
)

// Open reads a space of tuning/testdata.
func Open(t testing.TB, name string) *recorded.Space {
	t.Helper()
	r, err := recorded.Open("../testdata/"+name+".csv.gz", nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Line is a space of n points that cost 1, 2, …, of which the first are
// invalid.
func Line(t testing.TB, n, invalid int) *recorded.Space {
	t.Helper()
	p := tuning.Parameter{Name: "x"}
	var rows [][]uint16
	r := &recorded.Space{Name: "line"}
	for i := range n {
		p.Values = append(p.Values, float64(i+1))
		rows = append(rows, []uint16{uint16(i)})
		r.Costs = append(r.Costs, float64(i+1))
		if i < invalid {
			r.Costs[i] = math.NaN()
		}
	}
	var err error
	if r.Space, err = tuning.NewSpace([]tuning.Parameter{p}, rows); err != nil {
		t.Fatal(err)
	}
	return r
}
