package terminal

import (
	"fmt"
	"math"
	"strings"
)

// Clock writes seconds as minutes and seconds.
func Clock(seconds float64) string {
	s := int(math.Round(seconds))
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// Bytes writes a size in MiB or GiB.
func Bytes(n int64) string {
	if n >= 1<<30 {
		return fmt.Sprintf("%.3g GiB", float64(n)/(1<<30))
	}
	return fmt.Sprintf("%.3g MiB", float64(n)/(1<<20))
}

// Megahertz writes a frequency in Hz; 0 stands for an unknown one.
func Megahertz(hz float64) string {
	if hz == 0 {
		return "?"
	}
	return fmt.Sprintf("%.6g MHz", hz/1e6)
}

// Count writes a number with its noun, which is given in the singular: 1 row, 2 rows, 3 entries, 2
// series.
func Count[N int | int32 | int64 | uint16 | uint32 | uint64 | uintptr](n N, word string) string {
	if n != 1 {
		word = plural(word)
	}
	return fmt.Sprintf("%d %s", n, word)
}

func plural(word string) string {
	switch last := word[len(word)-1]; {
	case strings.HasSuffix(word, "matrix"):
		return word[:len(word)-1] + "ces"
	case strings.HasSuffix(word, "series"):
		return word
	case strings.HasSuffix(word, "ch"), last == 's', last == 'x':
		return word + "es"
	case last == 'y' && !strings.ContainsRune("aeiou", rune(word[len(word)-2])):
		return word[:len(word)-1] + "ies"
	}
	return word + "s"
}
