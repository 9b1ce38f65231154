package measure

import (
	"fmt"

	"bench/terminal"
	"bench/terminal/digits"
)

// Settings of a bar, beyond which nobody wants to know a median well.
const (
	// barMargin is by how much a series must be slower than its bar to be ended for it.
	barMargin = 1.05
	// barAbove is the share of a series' samples that lie above its median by barMargin, at
	// most: of 698 published series of GPUs with cold caches 1.7 % do on the average.
	barAbove = 0.1
	// barSlower is that share where the series is slower than the bar, as the bet takes it.
	barSlower = 0.9
	// barError bounds the probability that a series ends although its median is no greater
	// than the bar.
	barError = 0.01
)

// bar ends a series as soon as it is known to be slower than something else: a bet, after every
// sample, that samples above the bar by the margin are frequent. Where the median is no
// greater than the bar, at most barAbove of them are, and what the bet has won grows on the
// average by nothing, so that it exceeds 1/barError with a probability of at most barError,
// however often one looks (Ville's inequality; "Testing by Betting", Shafer). Samples are
// taken to be independent.
type bar struct {
	seconds float64 // 0: there is none
	won     float64
	beaten  bool
}

// Bar ends the series, not converged, as soon as its median is known to be above so many
// seconds (Series.Beaten).
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

// passed reports whether a series that goes on is to end for its bar, and says why.
func (b *bar) passed(samples int) (why string, ok bool) {
	if b.seconds <= 0 || b.won < 1/barError {
		return "", false
	}
	b.beaten = true
	return fmt.Sprintf("slower than %.4g s by more than %s %%: known after %s", b.seconds, digits.Stated(100*(barMargin-1), ""), terminal.Count(samples, "sample")), true
}
