package kernel

import (
	"slices"
	"strings"

	"example.org/bench/gpu/cuda/syntax"
	"example.org/bench/internal/lazy"
)

var (
	// initialised matches the head of a variable before the braces of its value, and nameless that of a type
	// that only a typedef names.
	initialised = lazy.Regexp(`=\s*$`)
	nameless    = lazy.Regexp(`^\s*typedef\s+(?:struct|union)\s*$`)
	ofNamespace = lazy.Regexp(`(?:\bnamespace\b[\w\s:]*|\bextern\s*"C(?:\+\+)?"\s*)$`)
	// declarator matches what declares a variable: words with template arguments, pointers and bounds.
	declarator = lazy.Regexp(`(?s)^\s*([\w:\s]+(?:<[\w\s,:*&<>]*>)?[\s*&]*?)\b([A-Za-z_]\w*)\s*(?:\[[^=]*\]\s*)?(?:=.*)?$`)
	further    = lazy.Regexp(`(?s)^[\s*&]*([A-Za-z_]\w*)\s*(?:\[[^=]*\]\s*)?(?:=.*)?$`)
	ofPointer  = lazy.Regexp(`\(\s*\*\s*(\w+)\s*\)\s*\(`)
	alias      = lazy.Regexp(`^\s*using\s+(\w+)\s*=`)
	noVariable = lazy.Regexp(`\b(?:using|static_assert|friend|template|return|operator|namespace|asm|enum|goto|delete|new|throw|case|else)\b`)
)

// brace is what a pair of braces around a declaration belongs to.
type brace int

const (
	otherBrace brace = iota
	classBrace
	namespaceBrace
)

// hostReader reads texts that may be for the host, and collects the words of everything else.
type hostReader struct {
	text   int
	list   []string        // tokens of the text
	words  map[string]bool // of what is not only for the host
	marks  map[string]bool // macros that mark what they stand before for a device
	pastes bool            // macros join names, so that not all names of variables and types are seen
	parts  []part

	begin  int // of the statement
	braces []brace
}

func (h *hostReader) read() {
	h.begin, h.braces = 0, nil
	for i := 0; i < len(h.list); i++ {
		switch token := h.list[i]; {
		case syntax.IsDirective(token):
			h.directive(i)
		case token == "{":
			i = h.open(i)
		case token == "}":
			h.add(h.begin, i)
			if len(h.braces) > 0 {
				h.braces = h.braces[:len(h.braces)-1]
			}
			h.begin = i + 1
		case token == ";":
			if declared := h.join(h.begin, i); h.isFree(declared) || h.isOfBoth(declared) && prototype().MatchString(declared) {
				h.offer(h.begin, i+1, h.declared(declared))
			} else {
				h.add(h.begin, i)
			}
			h.begin = i + 1
		}
	}
	h.add(h.begin, len(h.list))
}

func (h *hostReader) join(from, to int) string {
	return syntax.WithoutRemarks(strings.Join(h.list[from:to], ""))
}

// isFree reports whether text may be of the host: outside of classes and without a mark.
func (h *hostReader) isFree(text string) bool {
	return !slices.Contains(h.braces, classBrace) && !ofDevice().MatchString(text) &&
		!slices.ContainsFunc(wordsOf().FindAllString(text, -1), func(w string) bool { return h.marks[w] })
}

// isOfBoth reports whether text is marked for host and device, so that a device may not need it.
func (h *hostReader) isOfBoth(text string) bool {
	return h.isOutside() && strings.Contains(text, hostOnly) && strings.Contains(text, "__device__") && !strings.Contains(text, "__global__")
}

// isOutside reports whether the place is only in namespaces, so that the kind of a declaration there is
// known.
func (h *hostReader) isOutside() bool {
	return !h.pastes && !slices.ContainsFunc(h.braces, func(s brace) bool { return s != namespaceBrace })
}

// add counts the words of tokens.
func (h *hostReader) add(from, to int) {
	for _, token := range h.list[from:to] {
		if strings.HasPrefix(token, "//") || strings.HasPrefix(token, "/*") || token[0] == '"' {
			continue
		}
		for _, w := range wordsOf().FindAllString(token, -1) {
			h.words[w] = true
		}
	}
}

// offer makes tokens a part by these names, or counts their words if there are none.
func (h *hostReader) offer(from, to int, names []string) {
	if len(names) == 0 {
		h.add(from, to)
		return
	}
	h.parts = append(h.parts, part{text: h.text, from: from, to: to, names: names})
}

// directive takes a directive, which stays in the text. The words of a macro count where its name does. Those
// of conditions do not count: they are of macros.
func (h *hostReader) directive(i int) {
	token := h.list[i]
	if m := macroName().FindStringSubmatch(token); m != nil && !ofDevice().MatchString(token) {
		h.offer(i, i+1, m[1:])
	} else if m != nil || strings.HasPrefix(strings.TrimLeft(token, "\n\t #"), "pragma") {
		h.add(i, i+1)
	}
	if syntax.IsBlank(h.list[h.begin:i]) {
		h.begin = i + 1
	}
}

// open takes a brace, with what it encloses if that is one part, and returns the last token taken.
func (h *hostReader) open(i int) int {
	head := h.join(h.begin, i)
	isBody := syntax.BeginsBody(head)
	bare := syntax.WithoutAlignment(head)
	isClass := !isBody && classHead().MatchString(bare)
	end := closing(h.list, i)
	behind := end // the end of the statement
	for behind < len(h.list) && h.list[behind-1] != ";" {
		behind++
	}
	var names []string
	switch of := h.join(h.begin, end); {
	case isBody:
		if name := hostName(head, false); name != "" && (h.isFree(head) && !ofDevice().MatchString(of) || h.isOfBoth(head)) {
			names, behind = []string{name}, end
		}
	case isClass && h.isFree(head) && !ofDevice().MatchString(of) && (h.isOutside() || ofHost(h.join(i, end))):
		names = append([]string{hostName(head, true)}, wordsOf().FindAllString(h.join(end, behind), -1)...)
	case !h.isOutside() || !h.isFree(of):
	case nameless().MatchString(bare):
		names = wordsOf().FindAllString(h.join(end, behind), -1)
	case initialised().MatchString(bare):
		names = variables(strings.TrimRight(bare, " \t\n="))
	}
	if len(names) > 0 {
		h.offer(h.begin, behind, names)
		h.parts[len(h.parts)-1].isBody = isBody
		h.begin = behind
		return behind - 1
	}
	h.add(h.begin, i)
	if isBody {
		h.add(i, end)
		h.begin = end
		return end - 1
	}
	of := otherBrace
	if isClass {
		of = classBrace
	} else if ofNamespace().MatchString(bare) {
		of = namespaceBrace
	}
	h.braces = append(h.braces, of)
	h.begin = i + 1
	return i
}

// declared returns the names that a declaration without braces makes.
func (h *hostReader) declared(text string) []string {
	name := hostName(text, false)
	if isPrototype := prototype().MatchString(text) && !noPrototype().MatchString(text); isPrototype && name != "" {
		return []string{name}
	}
	if m := hostPointer().FindStringSubmatch(text); m != nil {
		return m[1:]
	}
	if !h.isOutside() {
		return nil
	}
	if m := alias().FindStringSubmatch(text); m != nil {
		return m[1:]
	}
	if rest, is := strings.CutPrefix(strings.TrimSpace(text), "typedef"); is {
		if m := ofPointer().FindStringSubmatch(rest); m != nil {
			return m[1:]
		}
		return variables(rest)
	}
	return variables(text)
}

// variables returns the names that a declaration of variables makes; none if it may be something else.
func variables(text string) (names []string) {
	if noVariable().MatchString(text) {
		return nil
	}
	depth, begin := 0, 0
	var each []string
	for i, r := range text + "," {
		switch r {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}', '>':
			depth--
		case ',':
			if depth == 0 {
				each = append(each, text[begin:i])
				begin = i + 1
			}
		}
	}
	for i, one := range each {
		pattern := further()
		if i == 0 {
			pattern = declarator()
		}
		m := pattern.FindStringSubmatch(one)
		if m == nil || i == 0 && strings.TrimSpace(m[1]) == "" {
			return nil
		}
		names = append(names, m[len(m)-1])
	}
	return names
}
