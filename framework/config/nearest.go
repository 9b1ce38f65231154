package config

import (
	"fmt"
	"strings"
)

// Nearest returns the name that word most likely means, or "" if none is near.
func Nearest(word string, names []string) string {
	best, bestDistance := "", len([]rune(word))/3+2
	for _, n := range names {
		if d := distance(word, n); d < bestDistance {
			best, bestDistance = n, d
		}
	}
	if best == "" {
		best = partly(word, names)
	}
	return best
}

// partly returns the only name that begins or ends with word, as "sweep_arg" does with "sweep".
func partly(word string, names []string) (only string) {
	if word = strings.ToLower(word); len(word) < 3 {
		return ""
	}
	for _, n := range names {
		if strings.HasPrefix(n, word+"_") || strings.HasSuffix(n, "_"+word) {
			if only != "" {
				return ""
			}
			only = n
		}
	}
	return only
}

// NoneOf returns the error message about a word that is not one of a flag's words. It lists all of
// them and names the nearest. Another case is recognized but not accepted.
func NoneOf(word string, words []string) string {
	return fmt.Sprintf("%q is none of %s%s", word, strings.Join(words, ", "), Meant(word, words))
}

// Meant returns the end of an error message that names the nearest word, or "" if none is near.
func Meant(word string, words []string) string {
	if n := Nearest(word, words); n != "" {
		return fmt.Sprintf("; did you mean %q?", n)
	}
	return ""
}

// Choice returns the end of an error message about a word that is not one of names: the nearest
// name, and all names. what is their plural noun.
func Choice(word string, names []string, what string) string {
	switch n := Nearest(word, names); {
	case len(names) == 0:
		return "; there are no " + what
	case n != "":
		return "; did you mean " + quote(n) + "? " + what + ": " + join(names)
	}
	return "; " + what + ": " + join(names)
}

// distance returns the number of letters to insert, delete, replace or swap with a neighbour to
// turn a into b (restricted Damerau-Levenshtein distance). A change of case costs nothing.
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
