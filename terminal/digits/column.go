package digits

import (
	"strings"
	"unicode/utf8"
)

// Column pads the texts of a column to one width, so that the points of numbers are below
// each other, and so are their units. What has no digit stands at the right.
func Column(texts []string) []string {
	type parts struct{ whole, decimals, unit string }
	split := make([]parts, len(texts))
	var most [3]int
	width := 0
	for i, t := range texts {
		p := &split[i]
		p.whole, p.decimals, p.unit = point(t)
		if p.decimals+p.unit == t { // no digit, or none before the point
			width = max(width, utf8.RuneCountInString(t))
			continue
		}
		for j, s := range []string{p.whole, p.decimals, p.unit} {
			most[j] = max(most[j], utf8.RuneCountInString(s))
		}
	}
	width = max(width, most[0]+most[1]+most[2])
	padded := make([]string, len(texts))
	for i, t := range texts {
		p := split[i]
		if p.whole != "" {
			t += blanks(most[2] - utf8.RuneCountInString(p.unit))
			t = p.whole + p.decimals + blanks(most[1]-utf8.RuneCountInString(p.decimals)) + t[len(p.whole+p.decimals):]
		}
		padded[i] = blanks(width-utf8.RuneCountInString(t)) + t
	}
	return padded
}

func blanks(n int) string { return strings.Repeat(" ", max(0, n)) }

// point cuts a text behind the whole part of its first number, and before its unit.
func point(text string) (whole, decimals, unit string) {
	isDigit := func(r rune) bool { return r >= '0' && r <= '9' }
	at := strings.IndexFunc(text, isDigit)
	if at < 0 {
		return "", "", text
	}
	for at < len(text) && isDigit(rune(text[at])) {
		at++
	}
	end := len(text)
	if n := strings.IndexByte(text[at:], ' '); n >= 0 {
		end = at + n
	}
	return text[:at], text[at:end], text[end:]
}
