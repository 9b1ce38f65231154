// Package recordedtest provides recorded spaces for tests of what searches them.
package recordedtest

import (
	"math"
	"testing"

	"example.org/bench/tuning"
	"example.org/bench/tuning/recorded"
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

// Line returns a space of n points that cost 1, 2, …; the first invalid ones of them are invalid.
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

// Clocked returns a recorded space at several clocks with planted energies. A share of each point's time,
// greater with more threads per block, scales with the clock. Power is that of a GPU at rest, that of its
// memory, and a part that grows with the clock and the square of a voltage that has a floor.
func Clocked(t testing.TB, r *recorded.Space, clocks ...float64) *recorded.Space {
	t.Helper()
	parameters := append([]tuning.Parameter{{Name: "clock_MHz", Values: clocks}}, r.Space.Parameters...)
	s := &recorded.Space{Name: r.Name + "-clocked"}
	optimum, _ := r.Optimum()
	most := clocks[0]
	for _, f := range clocks {
		most = max(most, f)
	}
	var rows [][]uint16
	for p, cost := range r.Costs {
		place, all := 0.0, 0.0 // of the values among theirs
		for d, x := range r.Space.Parameters {
			if n := len(x.Values); n > 1 {
				place += float64(r.Space.Indexes(p)[d]) / float64(n-1)
				all++
			}
		}
		bound := 0.3 + 0.6*place/all
		busy := math.Sqrt(optimum / cost)
		for i, f := range clocks {
			rows = append(rows, append([]uint16{uint16(i)}, r.Space.Indexes(p)...))
			f /= most
			voltage := max(0.7, f)
			time := cost * (1 - bound + bound/f)
			power := 60 + busy*(50*(1-bound)+180*bound*f*voltage*voltage)
			s.Costs = append(s.Costs, time)             // NaN where it is
			s.Energies = append(s.Energies, power*time) // likewise
		}
	}
	var err error
	if s.Space, err = tuning.NewSpace(parameters, rows); err != nil {
		t.Fatal(err)
	}
	return s
}
