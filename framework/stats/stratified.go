package stats

import "math/rand/v2"

// Stratified chooses count of n things, one of each of so many equal parts,
// ascending; count is at most n.
func Stratified(g *rand.Rand, n, count int) []int {
	chosen := make([]int, count)
	for i := range chosen {
		from, to := i*n/count, (i+1)*n/count
		chosen[i] = from + g.IntN(to-from)
	}
	return chosen
}
