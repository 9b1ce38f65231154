package tridiagonal

import "example.org/bench/framework"

// verification covers batches of every power of two that fits in shared
// memory, in both layouts and precisions, with one system, with odd batches
// that fill no whole block, and with lengths that are not powers of two; single
// systems up to the device's size; and systems that are barely dominant. The
// simulator stops at sizes that take seconds.
func verification(device string) []framework.Values {
	largest := int64(10_000_000)
	switch device {
	case "sim":
		largest = 20_000
	case "cpu":
		largest = 1_000_000
	}
	var list []framework.Values
	add := func(n, batch int64, precision, layout string, dominance float64) {
		list = append(list, framework.Values{
			"N":         framework.IntValue(n),
			"batch":     framework.IntValue(batch),
			"precision": framework.TextValue(precision),
			"layout":    framework.TextValue(layout),
			"dominance": framework.FloatValue(dominance),
		})
	}
	for _, precision := range []string{"f32", "f64"} {
		for n := int64(64); n <= 4096; n *= 2 {
			add(n, 1, precision, contiguous, defaultDominance)
			add(n, 1+4096/n*2, precision, contiguous, defaultDominance)
			add(n, 35, precision, interleaved, defaultDominance)
			if n <= 512 {
				add(n, 13, precision, contiguous, 1.05)
			}
		}
		add(100, 37, precision, contiguous, defaultDominance)
		add(100, 37, precision, interleaved, 1.05)
		add(333, 5, precision, interleaved, defaultDominance)
		for n := int64(100); n <= largest; n *= 10 {
			add(n, 1, precision, contiguous, defaultDominance)
			add(n+n/3+1, 1, precision, contiguous, 1.05)
		}
	}
	return list
}
