package plots

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// fit breaks s into lines of a width. What does not go into most lines is cut:
// names often differ only at their ends, and the numbers beside them are what
// a label is for, so the middles of long words go first, then that of the rest.
func fit(style text.Style, s string, width vg.Length, most int) []string {
	const kept = 12 // characters of a long word
	fits := func(words []string) bool { return len(wrap(style, words, width)) <= most }
	// shortest cuts by as few characters as suffice, or by all of them; by
	// none where that fits, for the mark of a cut may be wider than what goes.
	shortest := func(characters int, cut func(by int) []string) string {
		by := 0
		if !fits(cut(by)) {
			by = sort.Search(characters, func(by int) bool { return fits(cut(by)) })
		}
		return strings.Join(cut(by), " ")
	}
	words, long := strings.Fields(s), utf8.RuneCountInString(s)
	rest := shortest(max(0, long-kept), func(by int) []string {
		shorter := slices.Clone(words)
		for i := range shorter {
			shorter[i] = cut(shorter[i], max(kept, long-by))
		}
		return shorter
	})
	long = utf8.RuneCountInString(rest)
	rest = shortest(long-1, func(by int) []string { return strings.Fields(cut(rest, long-by)) })
	return wrap(style, strings.Fields(rest), width)
}

// cut leaves head and tail of what is longer than n characters.
func cut(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	tail := (n - 1) / 2
	return string(runes[:n-1-tail]) + "…" + string(runes[len(runes)-tail:])
}

// wrap puts words on lines; one that is wider than a line is broken.
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

// rowLabel is the name of a row of bars or dots: lines of 40 % of the width.
func rowLabel(name string, width vg.Length, most int) string {
	return strings.Join(fit(textStyle(10, ink), name, width*0.4, most), "\n")
}
