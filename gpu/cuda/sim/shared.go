package sim

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"example.org/bench/gpu/cuda/syntax"
	"example.org/bench/internal/lazy"
)

var (
	define      = lazy.Regexp(`(?s)^(\s*#\s*define\s+(\w+)(?:\([^()]*\))?)(.*)$`)
	storage     = lazy.Regexp(`\b(?:extern|static|__shared__)\b`)
	warpBound   = lazy.Regexp(`\[[ \t]*warpSize[ \t]*\]`)
	ownWarpSize = lazy.Regexp(`\b(?:int|unsigned|size_t|auto|define|uint\w*)\s+warpSize\b`)
	// array matches the type and the name of a dynamic array, and its further bounds.
	array = lazy.Regexp(`(?s)^(.*?)\b((?:\w+\s*##\s*)*\w+)\s*\[\s*0?\s*\]([^=]*)$`)
)

// translate replaces what g++ does not know by C++ and keeps every line where it is. A declaration of
// dynamic shared memory becomes a reference. A declaration outside of functions is repeated in each later
// function that uses its name, since each block has its own memory. found collects such declarations for
// the source's other texts.
func translate(text string, found map[string]string) string {
	text = unrolled(unforced(text))
	if strings.Contains(text, "warpSize") && !ownWarpSize().MatchString(text) {
		text = warpBound().ReplaceAllString(text, "[bench_sim::warp_size()]")
	}
	if !strings.Contains(text, "__shared__") && !strings.Contains(text, "asm") && len(found) == 0 {
		return text
	}
	s := &translation{tokens: syntax.Tokens("\n" + text), outside: found}
	assembly(s.tokens)
	return strings.TrimPrefix(s.translate(), "\n")
}

// translation translates one text.
type translation struct {
	tokens  []string
	outside map[string]string // declarations for functions, by the name of the array
}

// translate goes through the tokens. Of a brace it knows only whether it is a function's.
func (s *translation) translate() string {
	macros := map[string][]string{} // the words of macros
	begin := 0                      // of the statement
	head, body := 0, -1             // of the outermost function
	var braces []bool
	for i, token := range s.tokens {
		switch {
		case syntax.IsDirective(token):
			s.tokens[i] = s.directive(token, macros)
			if syntax.IsBlank(s.tokens[begin:i]) {
				begin = i + 1
			}
		case token == "{":
			isBody := body < 0 && syntax.BeginsBody(strings.Join(s.tokens[begin:i], ""))
			if isBody {
				head, body = begin, i
			}
			braces = append(braces, isBody)
			begin = i + 1
		case token == "}" && len(braces) > 0:
			if braces[len(braces)-1] {
				s.declareIn(head, body, i, macros)
				body = -1
			}
			braces = braces[:len(braces)-1]
			begin = i + 1
		case token == ";", token == ":" && (i == 0 || s.tokens[i-1] != ":") && (i+1 == len(s.tokens) || s.tokens[i+1] != ":"):
			begin = i + 1
		case token == "__shared__":
			end := i
			for end < len(s.tokens) && s.tokens[end] != ";" {
				end++
			}
			s.declaration(begin, end, body < 0)
		}
	}
	return strings.Join(s.tokens, "")
}

// directive translates the declarations in a macro, which is for use in functions.
func (s *translation) directive(token string, macros map[string][]string) string {
	m := define().FindStringSubmatch(token)
	if m == nil {
		return token
	}
	macros[m[2]] = append(macros[m[2]], syntax.Tokens(m[3])...)
	if !strings.Contains(m[3], "__shared__") {
		return token
	}
	t := &translation{tokens: append([]string{"{"}, syntax.Tokens(strings.ReplaceAll(m[3], "\\\n", broken))...), outside: map[string]string{}}
	begin := 1
	for i, token := range t.tokens {
		switch token {
		case ";", "{", "}":
			begin = i + 1
		case "__shared__":
			end := i
			for end < len(t.tokens) && t.tokens[end] != ";" {
				end++
			}
			t.declaration(begin, end, false)
		}
	}
	return m[1] + strings.ReplaceAll(strings.Join(t.tokens[1:], ""), broken, "\\\n")
}

// declaration translates the tokens of a declaration that has __shared__.
func (s *translation) declaration(begin, end int, isOutside bool) {
	for strings.Trim(syntax.WithoutRemarks(s.tokens[begin]), " \t\n"+broken) == "" {
		begin++
	}
	text := strings.Join(s.tokens[begin:end], "")
	lines := strings.Repeat("\n", strings.Count(text, "\n")) + strings.Repeat(broken, strings.Count(text, broken))
	bare := strings.ReplaceAll(syntax.WithoutRemarks(text), broken, " ")
	words := storage().FindAllString(bare, -1)
	became := text
	if slices.Contains(words, "extern") {
		m := array().FindStringSubmatch(storage().ReplaceAllString(syntax.WithoutAlignment(bare), " "))
		if m == nil {
			return
		}
		element, bounds := strings.Join(strings.Fields(m[1]), " "), strings.TrimSpace(m[3])
		became = fmt.Sprintf("%[1]s (&%[2]s)[]%[3]s = *reinterpret_cast<%[1]s (*)[]%[3]s>(::bench_sim_dynamic_shared())%[4]s", element, m[2], bounds, lines)
		if isOutside {
			s.outside[m[2]] = strings.TrimSuffix(became, lines) + ";"
			became = lines
		}
	} else if slices.Contains(words, "static") {
		became = regexp.MustCompile(`\bstatic\b`).ReplaceAllString(text, "")
	} else {
		return
	}
	for i := begin; i < end; i++ {
		s.tokens[i] = ""
	}
	s.tokens[begin] = became
}

// declareIn declares outside arrays in the function whose head begins at token head and whose braces are
// the tokens open and end. It does so for those that the function names and that are not its parameters.
// A surrounding scope keeps the names free.
func (s *translation) declareIn(head, open, end int, macros map[string][]string) {
	if len(s.outside) == 0 {
		return
	}
	needs, seen := map[string]bool{}, map[string]bool{}
	var look func(tokens []string)
	look = func(tokens []string) {
		for _, token := range tokens {
			if s.outside[token] != "" {
				needs[token] = true
			} else if of := macros[token]; of != nil && !seen[token] {
				seen[token] = true
				look(of)
			}
		}
	}
	look(s.tokens[open:end])
	for _, token := range s.tokens[head:open] {
		delete(needs, token)
	}
	if len(needs) == 0 {
		return
	}
	text := "{ "
	for _, name := range slices.Sorted(maps.Keys(needs)) {
		text += s.outside[name] + " "
	}
	s.tokens[open] = text + "{"
	s.tokens[end] = "} }"
}
