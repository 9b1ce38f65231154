package cubin

import (
	"regexp"
	"strings"
)

// What declares a variable of the module, and what stands beside its name there ("PTX ISA", State Spaces, Types, and
// Variables).
var (
	ptxComment   = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/|"[^"\n]*"`)
	ptxInParens  = regexp.MustCompile(`\([^()]*\)`)
	ptxGlobal    = regexp.MustCompile(`(\.extern\s+)?\.global\s([^;]*);`)
	ptxQualifier = regexp.MustCompile(`\.align\s+\w+|\.\w+`)
	ptxName      = regexp.MustCompile(`^\s*([\w$%]+)`)
)

// writableOfPTX returns the names of the variables in global memory that PTX text defines.
func writableOfPTX(text string) (names []string) {
	text = ptxInParens.ReplaceAllString(outsideBraces(ptxComment.ReplaceAllString(text, " ")), " ")
	for _, declared := range ptxGlobal.FindAllStringSubmatch(text, -1) {
		if declared[1] != "" {
			continue
		}
		for _, v := range strings.Split(ptxQualifier.ReplaceAllString(declared[2], " "), ",") {
			if m := ptxName.FindStringSubmatch(v); m != nil {
				names = append(names, m[1])
			}
		}
	}
	return names
}

// outsideBraces drops bodies of functions, and lists of initial values.
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
