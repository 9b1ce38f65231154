package plots

import (
	"example.org/bench/plots/picture"
	"slices"
)

// DrawnWords are the words that a chart's figure has for the screen, and those of its legend.
func DrawnWords(s *picture.Sweep, c picture.Chart) (words, legend []string) {
	f := figureOf(s, c, charted(c))
	_, list, _ := recorded(f.page)
	for _, w := range list {
		words = append(words, w.text)
	}
	for _, e := range f.page.content.legend() {
		legend = append(legend, e.text)
	}
	return words, legend
}

// HollowWords explain marks of doubt in a legend.
var HollowWords = hollowEntry.text

// Written reports whether words hold a text, whose superscripts are words of their own.
func Written(words []string, text string) bool {
	for _, p := range parts(text) {
		if !slices.Contains(words, p.text) {
			return false
		}
	}
	return true
}
