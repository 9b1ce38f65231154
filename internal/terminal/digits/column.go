package digits

import (
	"strings"
	"unicode/utf8"
)

// Column pads the texts of a column to one width, so that the decimal points of their first numbers are
// aligned. A text without a number is aligned right.
func Column(texts []string) []string {
	before, width := 0, 0
	for _, t := range texts {
		before = max(before, whole(t))
	}
	padded := make([]string, len(texts))
	for i, t := range texts {
		if n := whole(t); n > 0 {
			t = strings.Repeat(" ", before-n) + t
		}
		padded[i] = t
		width = max(width, utf8.RuneCountInString(t))
	}
	for i, t := range padded {
		pad := strings.Repeat(" ", width-utf8.RuneCountInString(t))
		if whole(t) > 0 {
			padded[i] = t + pad
		} else {
			padded[i] = pad + t
		}
	}
	return padded
}

// whole returns the number of characters up to the end of the integer part of a text's first number; 0 if
// it has none.
func whole(text string) int {
	isDigit := func(r rune) bool { return r >= '0' && r <= '9' }
	at := strings.IndexFunc(text, isDigit)
	if at < 0 {
		return 0
	}
	for at < len(text) && isDigit(rune(text[at])) {
		at++
	}
	return utf8.RuneCountInString(text[:at])
}
