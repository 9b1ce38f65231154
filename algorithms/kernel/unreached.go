package kernel

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"example.org/bench/gpu/cuda/standard"
	"example.org/bench/gpu/cuda/syntax"
)

var (
	calledName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([~\w:]+)\s*(?:<[^<>()]*>\s*)?\(`) })
	wordsOf    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Za-z_]\w*`) })
	macroName  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*#\s*define\s+(\w+)`) })
	classHead  = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:^|[;}\s])(?:class|struct)\s+\w+\s*(?:final\s*)?(?::[^;{}()=]*)?$`)
	})
)

var (
	// instance matches a template's explicit instance, prototype what may be the declaration of a function, and noPrototype
	// what looks like one.
	instance    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*template\s+[^<\s]`) })
	prototype   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\w[^=]*\)\s*(?:const|noexcept)?\s*$`) })
	noPrototype = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(?:typedef|using|static_assert|friend)\b`) })
)

// hostPointer matches the declaration of a pointer, which is a host's unless it is marked.
var hostPointer = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*(?:(?:static|extern|const|struct|class)\s+)*[A-Za-z_][\w:]*\s*\*+\s*(\w+)\s*(?:=\s*(?:NULL|nullptr|0)\s*)?$`)
})

// part is a function, a class or a pointer of a text.
type part struct {
	text     int
	from, to int // tokens
	name     string
}

// unreached removes from the texts functions that no kernel can call: unmarked ones in no class, whose names stand in
// nothing else that is kept. nvcc compiles them for the host alone. Classes with members of the host, and pointers, are removed
// with them.
func unreached(texts []string) {
	tokens := make([][]string, len(texts))
	var parts []part
	kept := map[string]bool{} // words
	for i, text := range texts {
		tokens[i] = syntax.Tokens("\n" + text)
	}
	marks := markingMacros(tokens)
	for i := range texts {
		parts = append(parts, hostParts(i, tokens[i], kept, marks)...)
	}
	for again := true; again; {
		again = false
		for i, p := range parts {
			if p.name == "" || !kept[p.name] {
				continue
			}
			again, parts[i].name = true, ""
			for _, token := range tokens[p.text][p.from:p.to] {
				for _, w := range wordsOf().FindAllString(token, -1) {
					kept[w] = true
				}
			}
		}
	}
	for _, p := range parts {
		if p.name == "" {
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

// markingMacros returns the names of macros that mark what they stand before for a device, by themselves or by another.
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

// hostParts returns what may be of the host in a text, and adds the words of everything else. A macro of marks makes what it
// stands before the device's.
func hostParts(text int, list []string, words, marks map[string]bool) (parts []part) {
	isMarked := func(head string) bool {
		return slices.ContainsFunc(wordsOf().FindAllString(head, -1), func(w string) bool { return marks[w] })
	}
	begin := 0         // of the statement
	var classes []bool // of the open braces: whether it is a class's
	inClass := func() bool { return slices.Contains(classes, true) }
	add := func(from, to int) {
		for _, token := range list[from:to] {
			if strings.HasPrefix(token, "//") || strings.HasPrefix(token, "/*") || token[0] == '"' {
				continue
			}
			for _, w := range wordsOf().FindAllString(token, -1) {
				words[w] = true
			}
		}
	}
	for i := 0; i < len(list); i++ {
		token := list[i]
		switch {
		case syntax.IsDirective(token):
			if m := macroName().FindStringSubmatch(token); m != nil && !ofDevice().MatchString(token) {
				parts = append(parts, part{text: text, from: i, to: i + 1, name: m[1]}) // whose words count where its name does
			} else if len(standard.Includes(token)) == 0 {
				add(i, i+1)
			}
			if isBlank(list[begin:i]) {
				begin = i + 1
			}
		case token == "{":
			head := syntax.WithoutRemarks(strings.Join(list[begin:i], ""))
			isBody := syntax.BeginsBody(head)
			isClass := !isBody && classHead().MatchString(syntax.WithoutAlignment(head))
			end := closing(list, i)
			if isBody || isClass {
				if name := hostName(head, isClass); !inClass() && name != "" && !isMarked(head) && !ofDevice().MatchString(syntax.WithoutRemarks(strings.Join(list[begin:end], ""))) &&
					(isBody || ofHost(syntax.WithoutRemarks(strings.Join(list[i:end], "")))) {
					if isClass {
						for end < len(list) && list[end-1] != ";" {
							end++
						}
					}
					parts = append(parts, part{text: text, from: begin, to: end, name: name})
					i, begin = end-1, end
					continue
				}
			}
			add(begin, i)
			if isBody {
				add(i, end)
				i, begin = end-1, end
				continue
			}
			classes = append(classes, isClass)
			begin = i + 1
		case token == "}":
			add(begin, i)
			if len(classes) > 0 {
				classes = classes[:len(classes)-1]
			}
			begin = i + 1
		case token == ";":
			declared := syntax.WithoutRemarks(strings.Join(list[begin:i], ""))
			if m := hostPointer().FindStringSubmatch(declared); m != nil && !inClass() && !isMarked(declared) && !ofDevice().MatchString(declared) {
				parts = append(parts, part{text: text, from: begin, to: i + 1, name: m[1]})
			} else if name := hostName(declared, false); prototype().MatchString(declared) && !noPrototype().MatchString(declared) && name != "" && !inClass() && !isMarked(declared) && !ofDevice().MatchString(declared) {
				parts = append(parts, part{text: text, from: begin, to: i + 1, name: name})
			} else {
				add(begin, i)
			}
			begin = i + 1
		}
	}
	add(begin, len(list))
	return parts
}

// closing returns the index behind the brace that closes the one at open.
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

// hostName returns the name of a function or a class that has one which others could call it by.
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
