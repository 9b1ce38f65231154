package stats

import "math/rand/v2"

// Stratified chooses count indices below n, ascending: one at random from each
// of count equal parts. count is at most n.
func Stratified(g *rand.Rand, n, count int) []int {
	chosen := make([]int, count)
	for i := range chosen {
		from, to := i*n/count, (i+1)*n/count
		chosen[i] = from + g.IntN(to-from)
	}
	return chosen
}
