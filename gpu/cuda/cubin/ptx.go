package cubin

import (
	"regexp"
	"strings"
	"sync"
)

// declarations find what declares a variable of the module, and what stands beside its name there ("PTX ISA", State Spaces,
// Types, and Variables).
type declarations struct{ comment, inParens, global, qualifier, name *regexp.Regexp }

var declared = sync.OnceValue(func() declarations {
	return declarations{
		comment:   regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/|"[^"\n]*"`),
		inParens:  regexp.MustCompile(`\([^()]*\)`),
		global:    regexp.MustCompile(`(\.extern\s+)?\.global\s([^;]*);`),
		qualifier: regexp.MustCompile(`\.align\s+\w+|\.\w+`),
		name:      regexp.MustCompile(`^\s*([\w$%]+)`),
	}
})

// writableOfPTX returns the names of the variables in global memory that PTX text defines.
func writableOfPTX(text string) (names []string) {
	find := declared()
	text = find.inParens.ReplaceAllString(outsideBraces(find.comment.ReplaceAllString(text, " ")), " ")
	for _, global := range find.global.FindAllStringSubmatch(text, -1) {
		if global[1] != "" {
			continue
		}
		for _, v := range strings.Split(find.qualifier.ReplaceAllString(global[2], " "), ",") {
			if m := find.name.FindStringSubmatch(v); m != nil {
				names = append(names, m[1])
			}
		}
	}
	return names
}

// outsideBraces returns text without the bodies of functions and the lists of initial values.
func outsideBraces(text string) string {
	var b strings.Builder
	depth := 0
	for _, c := range text {
		switch c {
		case '{':
			depth++
		case '}':
			depth--
		default:
			if depth == 0 {
				b.WriteRune(c)
			}
		}
	}
	return b.String()
}
