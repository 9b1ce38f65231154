package bicubic

import "example.org/bench/framework"

// verification covers sides that fill no whole block, warp or vector; single rows and columns; factors that
// divide the width of a store, are multiples of it, or neither; and both bases.
func verification(device string) []framework.Values {
	var list []framework.Values
	add := func(rows, cols, rowFactor, columnFactor int64) {
		for _, b := range []string{"hermite", "bspline"} {
			list = append(list, framework.Values{
				"rows": framework.IntValue(rows), "cols": framework.IntValue(cols),
				"row_factor": framework.IntValue(rowFactor), "column_factor": framework.IntValue(columnFactor),
				"basis": framework.TextValue(b),
			})
		}
	}
	for _, c := range [][4]int64{
		{1, 1, 1, 1}, {1, 1, 8, 4}, {1, 9, 3, 2}, {7, 1, 2, 5}, {2, 2, 8, 2}, {3, 40, 1, 1},
		{33, 65, 2, 3}, {40, 36, 8, 2}, {19, 70, 5, 4}, {13, 31, 7, 6}, {10, 24, 2, 8}, {9, 17, 1, 32}, {5, 11, 32, 7},
	} {
		add(c[0], c[1], c[2], c[3])
	}
	if device == "sim" {
		return list
	}
	add(300, 517, 8, 2)
	add(129, 1024, 4, 16)
	add(64, 300, 17, 5)
	if device != "cpu" {
		add(2048, 2048, 8, 2)
		add(64, 2048, 8, 32)
		add(64, 2048, 8, 31)
	}
	return list
}
