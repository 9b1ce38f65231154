package pattern

import "example.org/bench/framework"

// verification covers one pattern, whose shift, gain and error are the answer whatever they are; libraries
// that fill no whole warp or block; rows that do not start at a multiple of a vector; and all N, S and G that
// versions treat differently. The simulator stops at sizes that take seconds.
func verification(device string) []framework.Values {
	var list []framework.Values
	add := func(k, n, s, g int64) {
		list = append(list, framework.Values{
			"K": framework.IntValue(k), "N": framework.IntValue(n), "S": framework.IntValue(s), "G": framework.IntValue(g),
		})
	}
	for _, k := range []int64{1, 2, 3, 7, 33} {
		add(k, 32, 101, 50)
	}
	add(5, 32, 1, 1)
	add(9, 32, 2, 3)
	add(4, 32, 64, 64)
	add(6, 32, 33, 17)
	add(3, 32, 300, 7)
	add(1, 1, 1, 1)
	add(3, 1, 5, 2)
	add(17, 7, 20, 9)
	add(2, 31, 97, 50)
	add(3, 48, 101, 50)
	add(2, 200, 64, 11)
	add(1, 1000, 40, 3)
	if device == "sim" {
		add(300, 32, 21, 10)
		return list
	}
	for _, k := range []int64{100, 1000, 3000, 5000} {
		add(k, 32, 101, 50)
	}
	add(1001, 16, 51, 50)
	add(40, 1024, 1000, 100)
	add(10, 32, 4096, 1024)
	if device != "cpu" {
		add(10_000, 32, 101, 50)
		add(100_000, 32, 101, 50)
		add(33_333, 20, 63, 40)
	}
	return list
}
