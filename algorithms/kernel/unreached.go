package kernel

import (
	"regexp"
	"slices"
	"strings"

	"example.org/bench/gpu/cuda/syntax"
	"example.org/bench/internal/lazy"
)

var (
	calledName = lazy.Regexp(`([~\w:]+)\s*(?:<[^<>()]*>\s*)?\(`)
	wordsOf    = lazy.Regexp(`[A-Za-z_]\w*`)
	macroName  = lazy.Regexp(`^\s*#\s*define\s+(\w+)`)
	classHead  = lazy.Regexp(`(?:^|[;}\s])(?:class|struct)\s+\w+\s*(?:final\s*)?(?::[^;{}()=]*)?$`)
)

// hostPointer matches the declaration of a pointer.
var hostPointer = lazy.Regexp(`^\s*(?:(?:static|extern|const|struct|class)\s+)*[A-Za-z_][\w:]*\s*\*+\s*(\w+)\s*(?:=\s*(?:NULL|nullptr|0)\s*)?$`)

var (
	// instance matches a template's explicit instance, prototype what may be the declaration of a function,
	// and noPrototype what only looks like one.
	instance    = lazy.Regexp(`^\s*template\s+[^<\s]`)
	prototype   = lazy.Regexp(`\w[^=]*\)\s*(?:const|noexcept)?\s*$`)
	noPrototype = lazy.Regexp(`\b(?:typedef|using|static_assert|friend)\b`)
)

// part is a function, a class, a type's name, a variable or a macro of a text.
type part struct {
	text     int
	from, to int      // tokens
	names    []string // by which it is kept
	isBody   bool     // of a function
	isHost   bool     // certainly for the host
}

// unreached removes from the texts what no kernel can reach: functions, classes, types' names and variables
// that are unmarked and whose names stand neither in anything else that is kept nor in named, which has the
// names that a config uses. nvcc compiles these parts only for the host.
func unreached(texts []string, named string) {
	tokens := make([][]string, len(texts))
	var parts []part
	kept := map[string]bool{} // words
	for i, text := range texts {
		tokens[i] = syntax.Tokens("\n" + text)
	}
	for _, w := range wordsOf().FindAllString(named, -1) {
		kept[w] = true
	}
	h := hostReader{words: kept, marks: markingMacros(tokens)}
	h.pastes = slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, "##") })
	for i := range texts {
		h.text, h.list = i, tokens[i]
		h.read()
	}
	parts = h.parts
	ofHosts(parts, tokens)
	for again := true; again; {
		again = false
		for i, p := range parts {
			if p.isHost || !slices.ContainsFunc(p.names, func(name string) bool { return kept[name] }) {
				continue
			}
			again, parts[i].names = true, nil
			for _, token := range tokens[p.text][p.from:p.to] {
				for _, w := range wordsOf().FindAllString(token, -1) {
					kept[w] = true
				}
			}
		}
	}
	for _, p := range parts {
		if len(p.names) == 0 {
			continue
		}
		list := tokens[p.text]
		for i := p.from; i < p.to; i++ {
			if !syntax.IsDirective(list[i]) {
				list[i] = strings.Repeat("\n", strings.Count(list[i], "\n"))
			}
		}
	}
	for i := range texts {
		texts[i] = strings.TrimPrefix(strings.Join(tokens[i], ""), "\n")
	}
}

// ofHosts notes the functions that are certainly for the host, with their declarations and instances: those
// that launch, call the runtime, or call such functions. A kernel may have a variable of such a name.
func ofHosts(parts []part, tokens [][]string) {
	others := map[string]int{} // functions by name that may be a device's
	calls := make([][]string, len(parts))
	for i, p := range parts {
		if !p.isBody {
			continue
		}
		others[p.names[0]]++
		calls[i] = []string{}
		_, body, _ := strings.Cut(syntax.WithoutRemarks(strings.Join(tokens[p.text][p.from:p.to], "")), "{")
		parts[i].isHost = ofHost(body)
		for _, m := range calledName().FindAllStringSubmatch(body, -1) {
			calls[i] = append(calls[i], m[1])
		}
	}
	gone := map[string]bool{}
	for again := true; again; {
		again = false
		for i := range parts {
			p := &parts[i]
			p.isHost = p.isHost || slices.ContainsFunc(calls[i], func(name string) bool { return gone[name] })
			if p.isHost && calls[i] != nil {
				calls[i], again = nil, true
				others[p.names[0]]--
				gone[p.names[0]] = others[p.names[0]] == 0
			}
		}
	}
	for i, p := range parts {
		parts[i].isHost = p.isHost || !p.isBody && slices.ContainsFunc(p.names, func(name string) bool { return gone[name] })
	}
}

// markingMacros returns the names of macros that mark a declaration for a device, directly or by another
// macro.
func markingMacros(texts [][]string) map[string]bool {
	marks := map[string]bool{}
	for again := true; again; {
		again = false
		for _, list := range texts {
			for _, token := range list {
				if !syntax.IsDirective(token) {
					continue
				}
				m := macroName().FindStringSubmatch(token)
				if m == nil || marks[m[1]] {
					continue
				}
				if ofDevice().MatchString(token) || slices.ContainsFunc(wordsOf().FindAllString(token, -1), func(w string) bool { return marks[w] }) {
					marks[m[1]], again = true, true
				}
			}
		}
	}
	return marks
}

// closing returns the index after the brace that closes the one at open.
func closing(list []string, open int) int {
	depth := 0
	for i := open; i < len(list); i++ {
		if list[i] == "{" {
			depth++
		} else if list[i] == "}" {
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(list)
}

// hostName returns the name of a function or a class, if it has one by which others could call it.
func hostName(head string, isClass bool) string {
	head = syntax.WithoutAlignment(head)
	if isClass {
		m := regexp.MustCompile(`(?:class|struct)\s+(\w+)`).FindAllStringSubmatch(head, -1)
		return m[len(m)-1][1]
	}
	for _, m := range calledName().FindAllStringSubmatch(head, -1) {
		switch {
		case strings.HasPrefix(m[1], "__"), m[1] == "decltype", m[1] == "noexcept":
			continue
		case strings.Contains(head, "operator"), strings.Contains(head, "constexpr"):
			return ""
		case strings.Contains(m[1], "::"): // a member, which goes with its class
			class, _, _ := strings.Cut(strings.TrimPrefix(m[1], "::"), "::")
			return class
		}
		return m[1]
	}
	return ""
}
