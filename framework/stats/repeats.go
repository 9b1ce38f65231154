package stats

import "math"

// mostRepeats is beyond what anyone measures.
const mostRepeats = 10000

// RepeatsFor estimates how many repeats narrow half the width of Student's interval to want, if n
// repeats give half. It returns 0 for more than 10000, and if n is too few to say.
func RepeatsFor(half float64, n int, want float64) int {
	if n < 2 || !(half > 0) || !(want > 0) {
		return 0
	}
	p := (1 + Confidence) / 2
	deviation := half * math.Sqrt(float64(n)) / studentQuantile(float64(n-1), p)
	for k := 2; k <= mostRepeats; k++ {
		if deviation*studentQuantile(float64(k-1), p)/math.Sqrt(float64(k)) <= want {
			return k
		}
	}
	return 0
}
