package tuning

import "math"

// RandomStandard is the exact number of evaluations after which random
// search without repetition has found a point within the standard's fraction
// of the optimum with the given probability: 0.5 for Standard 1, 0.95 for Standard 2. 0
// where every point is invalid.
func RandomStandard(r *Recorded, probability float64) int {
	optimum, ok := r.Optimum()
	if !ok {
		return 0
	}
	good := 0
	for _, c := range r.Costs {
		if optimum/c >= standardFraction {
			good++
		}
	}
	// The chance that none of the first n is good, a hypergeometric term.
	none := 1.0
	total := r.Space.Len()
	for n := 1; n <= total; n++ {
		none *= math.Max(0, 1-float64(good)/float64(total-n+1))
		if 1-none >= probability {
			return n
		}
	}
	return total
}
