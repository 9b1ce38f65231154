package measure

import (
	"fmt"

	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
)

// Settings of a bar, beyond which a precise median is of no use.
const (
	// barMargin is the ratio to its bar by which a series must be slower to be ended.
	barMargin = 1.05
	// barAbove is the largest share of a series' samples that exceed its median by barMargin. In
	// 698 published series of GPUs with cold caches the average is 1.7 %.
	barAbove = 0.1
	// barSlower is the share that the bet assumes if the series is slower than the bar.
	barSlower = 0.9
	// barError bounds the probability that a series ends although its median is no greater than the
	// bar.
	barError = 0.01
)

// bar ends a series as soon as it is known to be slower than the bar. After every sample it bets that samples
// above the bar by the margin are frequent. If the median is no greater than the bar, at most barAbove of the
// samples are. The winnings then do not grow on average, so that they exceed 1/barError with a probability of
// at most barError, however often one looks (Ville's inequality; "Testing by Betting", Shafer). Samples are
// assumed to be independent.
type bar struct {
	seconds float64 // 0: no bar
	won     float64
	beaten  bool
}

// Bar ends the series, not converged, as soon as its median is known to exceed so many seconds
// (Series.Beaten).
func (r *Rule) Bar(seconds float64) { r.bar = bar{seconds: seconds, won: 1} }

// Beaten reports whether the bar ended the series.
func (r *Rule) Beaten() bool { return r.bar.beaten }

func (b *bar) add(sample float64) {
	switch {
	case b.seconds <= 0:
	case sample > barMargin*b.seconds:
		b.won *= barSlower / barAbove
	default:
		b.won *= (1 - barSlower) / (1 - barAbove)
	}
}

// passed reports whether a series must end because of its bar, and why.
func (b *bar) passed(samples int) (why string, ok bool) {
	if b.seconds <= 0 || b.won < 1/barError {
		return "", false
	}
	b.beaten = true
	return fmt.Sprintf("slower than %.4g s by more than %s %%: known after %s", b.seconds, digits.Stated(100*(barMargin-1), ""), terminal.Count(samples, "sample")), true
}
