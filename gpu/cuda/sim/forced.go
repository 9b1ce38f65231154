package sim

import (
	"regexp"
	"strings"

	"example.org/bench/internal/lazy"
)

// forced matches the head of a function that is always inlined.
var forced = lazy.Regexp(`__forceinline__[^;{}()]*?\b(\w+)\s*\(`)

// unforced leaves the mark __forceinline__ out of functions that the text also passes to others: g++ refuses to always inline what is
// called by a pointer; nvcc then does not inline it.
func unforced(text string) string {
	return forced().ReplaceAllStringFunc(text, func(head string) string {
		name := forced().FindStringSubmatch(head)[1]
		if !regexp.MustCompile(`[,(=&]\s*` + name + `\s*[,);]`).MatchString(text) {
			return head
		}
		return strings.Replace(head, "__forceinline__", "inline", 1)
	})
}
