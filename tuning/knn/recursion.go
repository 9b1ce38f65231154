package knn

// secondSize is m1 where there are more recursive steps than one: the
// publication found it best in 6 of 9 cases, and 4, 5 and 8 as good.
const secondSize = 10

// InterfaceSize is the number of unknowns of the interface system: two
// equations for each sub-system of m unknowns, the last of which may be smaller.
func InterfaceSize(n, m int64) int64 { return 2 * ((n + m - 1) / m) }

// RecursionSizes are the sub-system sizes m, m1, … of the recursive partition
// method with so many recursive steps, by the best size of a single one: that of the initial
// system; then, where there is one step, that of the interface system; where
// there are more, m1 is 10 and the following are those of their interface systems.
func RecursionSizes(n int64, steps int, best func(n int64) int64) []int64 {
	sizes := []int64{best(n)}
	rest := InterfaceSize(n, sizes[0])
	for i := 1; i <= steps; i++ {
		m := best(rest)
		if i == 1 && steps > 1 {
			m = secondSize
		}
		sizes = append(sizes, m)
		rest = InterfaceSize(rest, m)
	}
	return sizes
}
