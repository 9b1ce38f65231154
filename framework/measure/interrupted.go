package measure

import (
	"fmt"
	"math"
	"slices"

	"example.org/bench/framework/stats"
	"example.org/bench/internal/terminal/digits"
)

// A GPU that is shared by time slices runs one context at a time. Cold runs are short and lie
// between pauses, so that most fall into one slice and their median is right. Batches of runs back
// to back last as long as a slice or longer, and include the others' slices.
const (
	// contradiction is the least ratio of hot to cold time that has no other cause. Writing back
	// what the run before left in the L2 made it 1.13 at most in published runs; a kernel that only
	// writes would have 1.5. One neighbour that always works makes it 2.
	contradiction = 1.6
	// A slice is at least leastSlice, and at least leastApart times as long as the samples without
	// one differ. There is a least number of samples with and without one. They alternate at
	// random, and not as levels that follow each other. In published runs gaps between groups of
	// samples were at most twice these differences (interrupted_test.go).
	leastSlice   = 100e-6 // seconds
	leastApart   = 10
	leastShare   = 0.05
	leastOf      = 3
	leastTurns   = 5
	turnsByRules = 0.25 // share of the turns in a random order
	// clockShare is the share of a gap from which on the clock counts as its cause.
	clockShare = 0.5
)

// Interrupted returns signs in a GPU's times that others had slices of its time meanwhile: hot
// times that contradict the cold ones, and batches in two groups. Either series may be nil. sets is
// how many sets of inputs cold runs use in turns. Two sets with different times may make two
// groups.
func Interrupted(cold, hot *Series, sets int) (signs []string) {
	if s := contradicts(cold, hot); s != "" {
		signs = append(signs, s)
	}
	if s := sliced(hot); s != "" {
		signs = append(signs, s+" back to back")
	}
	if s := sliced(cold); s != "" && sets < 2 {
		signs = append(signs, s+" with cold caches")
	}
	return signs
}

// contradicts compares the upper quartile of the cold times with the lower quartile of the hot
// ones, at the clock of the cold ones. A batch of one run is not back to back.
func contradicts(cold, hot *Series) string {
	if cold == nil || hot == nil || hot.Batch < 2 || len(cold.Samples) == 0 || len(hot.Samples) == 0 {
		return ""
	}
	c, h := stats.Summarize(cold.Samples), stats.Summarize(hot.Samples)
	scale := 1.0
	if cold.ClockHz > 0 && hot.ClockHz > 0 {
		scale = min(1, hot.ClockHz/cold.ClockHz)
	}
	if h.Q1*scale < contradiction*c.Q3 {
		return ""
	}
	return fmt.Sprintf("hot times contradict cold ones (%s and %s)", digits.Stated(h.Median, "s"), digits.Stated(c.Median, "s"))
}

// sliced finds samples that took longer than the others by more than scatter explains.
func sliced(s *Series) string {
	if s == nil {
		return ""
	}
	n := len(s.Samples)
	few := max(leastOf, int(math.Ceil(leastShare*float64(n))))
	if n < 2*few {
		return ""
	}
	sorted, batch := slices.Sorted(slices.Values(s.Samples)), float64(s.Batch)
	for first := few; first <= n-few; first++ { // index of the first of the longer ones
		shorter, longer := sorted[:first], sorted[first:]
		gap := (longer[0] - shorter[first-1]) * batch
		if gap < leastSlice || gap < leastApart*batch*(stats.Quantile(shorter, 0.9)-stats.Quantile(shorter, 0.1)) {
			continue
		}
		if aimless(s.Samples, longer[0]) && !s.clocksExplain(shorter, longer) {
			return fmt.Sprintf("%d of %d samples have others' slices in them (%s longer)", n-first, n, digits.Stated(batch*(stats.Median(longer)-stats.Median(shorter)), "s"))
		}
	}
	return ""
}

// aimless reports whether samples above and below limit alternate as by chance. A level that
// changes once or twice does not.
func aimless(samples []float64, limit float64) bool {
	turns, longer := 1, 0
	for i, x := range samples {
		if x >= limit {
			longer++
		}
		if i > 0 && (x >= limit) != (samples[i-1] >= limit) {
			turns++
		}
	}
	n := float64(len(samples))
	expected := 1 + 2*float64(longer)*(n-float64(longer))/n
	return turns >= leastTurns && float64(turns) >= turnsByRules*expected
}

// clocksExplain reports whether a lower clock explains at least half of the difference between the
// longer and the shorter samples.
func (s *Series) clocksExplain(shorter, longer []float64) bool {
	return math.Log1p(s.ClockRange) >= clockShare*math.Log(stats.Median(longer)/stats.Median(shorter))
}
