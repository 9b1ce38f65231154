package config

import "strings"

// Nearest is the name that word most likely means, or empty if none is
// near.
func Nearest(word string, names []string) string {
	best, bestDistance := "", len([]rune(word))/3+2
	for _, n := range names {
		if d := distance(word, n); d < bestDistance {
			best, bestDistance = n, d
		}
	}
	return best
}

// Choice is the end of an error message about a word that is not one of
// names: the nearest one, and all of them. what is their plural noun.
func Choice(word string, names []string, what string) string {
	switch n := Nearest(word, names); {
	case len(names) == 0:
		return "; there are no " + what
	case n != "":
		return "; did you mean " + quote(n) + "? " + what + ": " + join(names)
	}
	return "; " + what + ": " + join(names)
}

// distance is the number of letters to insert, delete, replace or swap with
// a neighbour to turn a into b (restricted Damerau-Levenshtein distance); a
// change of case costs nothing.
func distance(a, b string) int {
	x, y := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}
