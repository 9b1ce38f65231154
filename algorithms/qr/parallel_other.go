//go:build !amd64 && !arm64

package qr

// There is no vector code for this processor: vectorDots and vectorSubtract take
// no rows.

func vectorDots(_, _ []float32, _ int, _ *[panelWidth]float32) int { return 0 }

func vectorSubtract(_, _ []float32, _ int, _ *[panelWidth]float32) int { return 0 }

// subtractOne takes w times v from c.
func subtractOne(c, v []float32, w float32) { plainSubtract(c, v, w) }

// applyPair is nil: columns are taken one by one.
var applyPair func(c0, c1, v []float32, stride int, t *[panelWidth][panelWidth]float32)
