package fft

import "example.org/bench/framework"

// verification covers every power of two, with one transform, and with odd
// batches that fill no whole block, vector or tile; both directions and both
// precisions. The simulator stops at sizes that it runs in seconds.
func verification(device string) []framework.Values {
	largest := int64(1 << 23)
	switch device {
	case "sim":
		largest = 1 << 16
	case "cpu":
		largest = 1 << 20
	}
	var list []framework.Values
	add := func(n, batch int64, precision, direction string) {
		list = append(list, framework.Values{
			"N":              framework.IntValue(n),
			"batch_elements": framework.IntValue(n * batch),
			"precision":      framework.TextValue(precision),
			"direction":      framework.TextValue(direction),
		})
	}
	for n := int64(64); n <= largest; n *= 2 {
		for _, precision := range []string{"f32", "f64"} {
			add(n, 1, precision, "forward")
			add(n, 3, precision, "inverse")
			if n <= 1<<14 {
				add(n, 1+(1<<14)/n, precision, "forward")
			}
		}
	}
	return list
}
