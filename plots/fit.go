package plots

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// mostFits is more characters than the lines of any figure have.
const mostFits = 1000

// fit breaks s into at most most lines of a width and cuts what does not fit. Names often differ only at
// their ends and in the numbers beside them, so it first cuts the middles of long words, then the middle of
// the rest.
func fit(style text.Style, s string, width vg.Length, most int) []string {
	const kept = 12      // characters of a long word
	s = cut(s, mostFits) // trying costs more than the square of the length
	s = strings.ReplaceAll(s, " %", joined+"%")
	fits := func(words []string) bool { return len(wrap(style, words, width)) <= most }
	// shortest cuts as few characters as suffice, or all of them. It cuts none if s fits, because the mark of
	// a cut may be wider than the text that it replaces.
	shortest := func(characters int, cut func(by int) []string) string {
		by := 0
		if !fits(cut(by)) {
			by = sort.Search(characters, func(by int) bool { return fits(cut(by)) })
		}
		return strings.Join(cut(by), " ")
	}
	words, long := fields(s), utf8.RuneCountInString(s)
	rest := shortest(max(0, long-kept), func(by int) []string {
		shorter := slices.Clone(words)
		for i := range shorter {
			shorter[i] = cut(shorter[i], max(kept, long-by))
		}
		return shorter
	})
	long = utf8.RuneCountInString(rest)
	rest = shortest(long-1, func(by int) []string { return fields(cut(rest, long-by)) })
	lines := wrap(style, fields(rest), width)
	for i, l := range lines {
		lines[i] = strings.ReplaceAll(l, joined, " ")
	}
	return lines
}

// joined is a space at which no line breaks, so that a number stays with its percent sign.
const joined = "\u00a0"

// fields returns the words of a text.
func fields(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return string(r) != joined && unicode.IsSpace(r) })
}

// cut keeps head and tail of a text longer than n characters.
func cut(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	tail := (n - 1) / 2
	return string(runes[:n-1-tail]) + "…" + string(runes[len(runes)-tail:])
}

// wrap puts words on lines and breaks a word that is wider than a line.
func wrap(style text.Style, words []string, width vg.Length) []string {
	var lines []string
	line := ""
	for _, w := range words {
		if longer := strings.TrimSpace(line + " " + w); style.Width(longer) <= width {
			line = longer
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for style.Width(w) > width && utf8.RuneCountInString(w) > 1 {
			runes := []rune(w)
			n := max(1, sort.Search(len(runes), func(n int) bool { return style.Width(string(runes[:n+1])) > width }))
			lines, w = append(lines, string(runes[:n])), string(runes[n:])
		}
		line = w
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// rowLabel returns the name of a row of bars or dots: lines of 40 % of the width.
func rowLabel(name string, width vg.Length, most int) string {
	return strings.Join(fit(textStyle(10, ink), name, width*0.4, most), "\n")
}
