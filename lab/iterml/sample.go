package iterml

// RandomSamples is how many points, drawn at random without any repeated, have
// with that probability one that reaches 0.95 of the optimum: Standard 1 for
// probability 0.5, Standard 2 for 0.95.
func (s Space) RandomSamples(probability float64) int {
	n, good := len(s.Fraction), s.Within(0.95)
	miss := 1.0
	for k := 1; k <= n; k++ {
		miss *= float64(n-good-k+1) / float64(n-k+1)
		if 1-miss >= probability {
			return k
		}
	}
	return n
}

// RandomBest is the median of the best fraction of so many points drawn at random:
// the greatest that half of the draws reach.
func (s Space) RandomBest(samples int) float64 {
	list := s.fractions()
	n := len(list)
	miss := 1.0
	for better := 1; better <= n; better++ {
		miss *= float64(n-samples-better+1) / float64(n-better+1)
		if 1-miss >= 0.5 {
			return list[n-better]
		}
	}
	return list[0]
}
