package tridiagonal

import (
	"example.org/bench/framework"
	"example.org/bench/internal/workers"
)

// withMemory sets the host memory of the versions' points: the equations, the solution, for a GPU version the
// downloaded one, and what checks it.
func withMemory(versions []framework.Version) []framework.Version {
	for i := range versions {
		v := &versions[i]
		v.HostBytes = func(params, tunables framework.Values, full bool) int64 {
			arrays := int64(5)
			switch {
			case v.Name == "lapack": // overwrites three of its own
				arrays += 3
			case v.Name == "parallel" && systems(params) < lanes: // the eliminated coefficients
				arrays++
			}
			total := arrays*rows(params)*realBytes(params) + checkBytes(params, full)
			if v.Name == "reference" {
				total += 6 * 8 * params.Int("N")
			}
			if s, err := splittingOf(params, tunables); v.Name == "partition" || v.Name == "recursive" {
				if err == nil && !s.device { // the interface system and what it is solved with
					total += 6 * int64(interfaceRows(s.levels(int(params.Int("N"))))) * realBytes(params)
				}
			}
			return total
		}
	}
	return versions
}

// checkBytes is what solutions are checked by, in double precision: the reference, and a
// system with its solution and scratch memory for each worker.
func checkBytes(params framework.Values, full bool) int64 {
	const double, system, pivoting = 8, 6 * 8, 5*8 + 1
	p := &problem{N: int(params.Int("N")), Batch: int(systems(params)), Dominance: params.Float("dominance")}
	fast := !full && p.hasFastCheck()
	if fast && p.sampled() == 0 {
		return 0
	}
	bytes := int64(system)
	if p.Dominance <= 1 {
		bytes += pivoting
	}
	bytes *= int64(min(workers.All(), p.Batch) * p.N)
	if !fast {
		bytes += int64(p.elements()) * double
	}
	return bytes
}
