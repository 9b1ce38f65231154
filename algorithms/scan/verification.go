package scan

import "example.org/bench/framework"

// verification covers powers of two and lengths that fill no whole vector,
// warp, tile or chunk, alone and in odd batches; both modes and all types. The
// simulator stops at sizes that take seconds.
func verification(device string) []framework.Values {
	largest := int64(1 << 28)
	switch device {
	case "sim":
		largest = 1 << 16
	case "cpu":
		largest = 1 << 22
	}
	var list []framework.Values
	add := func(n, batch int64, kind, mode string) {
		list = append(list, framework.Values{
			"N":              framework.IntValue(n),
			"batch_elements": framework.IntValue(n * batch),
			"type":           framework.TextValue(kind),
			"mode":           framework.TextValue(mode),
		})
	}
	for _, kind := range []string{"f32", "f64", "i32"} {
		for n := int64(64); n <= 1<<14; n *= 2 {
			add(n, 1, kind, "inclusive")
			add(n, 1+(1<<14)/n, kind, "exclusive")
			add(n, 3, kind, "inclusive")
		}
		for _, n := range []int64{1, 3, 30, 97, 1000, 12290, 40001} {
			add(n, 1, kind, "exclusive")
			add(n, 5, kind, "inclusive")
		}
		for n := int64(1 << 16); n <= largest; n *= 16 {
			add(n, 1, kind, "inclusive")
			add(n-3, 1, kind, "exclusive")
			if n < 1<<24 {
				add(n, 3, kind, "exclusive")
			}
		}
	}
	if largest == 1<<28 {
		add(largest, 1, "f32", "inclusive")
	}
	return list
}
