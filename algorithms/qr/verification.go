package qr

import "example.org/bench/framework"

// verification covers single matrices and odd batches, square and tall, sizes
// that fill no warp and no tile, both forms of Q, and condition numbers up to
// the limit of the precision. The simulator and the CPU stop at sizes that take
// seconds.
func verification(device string) []framework.Values {
	var list []framework.Values
	precision := singlePrecision
	add := func(m, n, batch int64, q string, condition float64) {
		list = append(list, framework.Values{
			"m": framework.IntValue(m), "n": framework.IntValue(n), "batch": framework.IntValue(batch),
			"q": framework.TextValue(q), "condition": framework.FloatValue(condition), "precision": framework.TextValue(precision),
		})
	}
	precision = doublePrecision
	add(64, 64, 1, reduced, 10)
	add(64, 64, 5, reduced, 1e12)
	add(50, 7, 3, full, 1e4)
	add(17, 17, 2, reduced, 10)
	add(130, 100, 1, reduced, 1e7)
	if device != "sim" {
		add(1024, 64, 3, reduced, 1e7)
		add(300, 60, 1, full, 1e3)
		add(512, 512, 1, reduced, 1e5)
	}
	if device != "sim" && device != "cpu" {
		add(1024, 1024, 1, reduced, 10)
		add(64, 64, 5000, reduced, 10)
	}
	precision = singlePrecision
	for _, condition := range []float64{1, 10, 1e4, 1e7} {
		add(64, 64, 1, reduced, condition)
		add(64, 64, 5, full, condition)
		add(96, 33, 1, reduced, condition)
		add(50, 7, 3, full, condition)
	}
	add(1, 1, 1, reduced, 1)
	add(2, 1, 3, full, 1)
	add(17, 17, 2, reduced, 10)
	add(130, 100, 1, reduced, 100)
	add(64, 64, 133, reduced, 10)
	if device == "sim" {
		add(512, 40, 1, reduced, 100)
		return list
	}
	add(1024, 64, 1, reduced, 1e7)
	add(1000, 250, 2, reduced, 10)
	add(512, 512, 1, reduced, 1e5)
	add(300, 60, 1, full, 1e3)
	if device != "cpu" {
		for n := int64(64); n <= 1024; n *= 2 {
			add(1024, n, 1, reduced, 10)
		}
		add(1024, 100, 1, full, 10)
		add(4096, 200, 1, reduced, 1e3)
		add(1536, 130, 3, reduced, 1e3)
		add(64, 64, 5000, reduced, 10)
	}
	return list
}
