package sim

import (
	"fmt"
	"strings"

	"example.org/bench/gpu/cuda/syntax"
	"example.org/bench/internal/lazy"
)

// Inline PTX becomes calls of what cpp/ptx.h has for its instructions. A statement with another instruction is
// refused where a kernel reaches it. Otherwise the host's own instructions would pass, with accesses that nothing
// checks.

var (
	text    = lazy.Regexp(`^\s*((?:"(?:[^"\\]|\\.)*"\s*)+)(.*)$`)
	literal = lazy.Regexp(`"((?:[^"\\]|\\.)*)"`)
)

// unknownAssembly replaces an asm statement that is not known.
const unknownAssembly = "bench_sim::no_assembler()"

// assembly replaces the inline PTX among the tokens by C++ where it is known, in macros too.
func assembly(tokens []string) {
	for i, token := range tokens {
		if syntax.IsDirective(token) && strings.Contains(token, "asm") {
			if m := define().FindStringSubmatch(token); m != nil {
				body := syntax.Tokens(strings.ReplaceAll(m[3], "\\\n", broken))
				assembly(body)
				tokens[i] = m[1] + strings.ReplaceAll(strings.ReplaceAll(strings.Join(body, ""), "\n", " "), broken, "\\\n")
			}
			continue
		}
		if token != "asm" && token != "__asm__" && token != "__asm" {
			continue
		}
		open := i + 1
		for open < len(tokens) && (strings.TrimSpace(tokens[open]) == "" || tokens[open] == broken || qualifiers[strings.Trim(tokens[open], "_")]) {
			open++
		}
		if open == len(tokens) || tokens[open] != "(" {
			continue
		}
		end, depth := open, 0
		for ; end < len(tokens); end++ {
			if tokens[end] == "(" {
				depth++
			} else if tokens[end] == ")" {
				if depth--; depth == 0 {
					break
				}
			}
		}
		if end == len(tokens) {
			return
		}
		inside := strings.Join(tokens[open+1:end], "")
		code := inCPP(strings.NewReplacer("\n", " ", broken, " ").Replace(syntax.WithoutRemarks(inside)))
		if code == "" {
			continue
		}
		all := strings.Join(tokens[i:end+1], "")
		tokens[i] = code + strings.Repeat("\n", strings.Count(all, "\n")) + strings.Repeat(broken, strings.Count(all, broken))
		for k := i + 1; k <= end; k++ {
			tokens[k] = ""
		}
	}
}

// broken stands for a line end within a macro.
const broken = "\x01"

// qualifiers are the qualifiers of an asm statement.
var qualifiers = map[string]bool{"volatile": true, "inline": true, "goto": true}

// inCPP returns the C++ for the content of an asm statement; it is empty if the statement has no
// instruction.
func inCPP(content string) string {
	m := text().FindStringSubmatch(content)
	if m == nil {
		return unknownAssembly
	}
	var ptx strings.Builder
	for _, part := range literal().FindAllStringSubmatch(m[1], -1) {
		ptx.WriteString(strings.NewReplacer(`\n`, "\n", `\t`, " ", `\r`, " ", `%%`, "%").Replace(part[1]))
	}
	bare := strings.TrimSpace(syntax.WithoutRemarks(ptx.String()))
	if strings.Trim(bare, "{}; \n") == "" {
		return ""
	}
	a := inlined{operands: operands(m[2]), registers: map[string]string{}}
	if !a.statements(bare) {
		return unknownAssembly
	}
	if len(a.code) == 1 {
		return a.code[0]
	}
	return "do { " + strings.Join(a.code, "; ") + "; } while (0)"
}

// operands returns the expressions of the operands behind an asm statement's text.
func operands(text string) (list []string) {
	tokens := syntax.Tokens(text)
	depth, begin := 0, -1
	for i, token := range tokens {
		switch token {
		case "(":
			if depth++; depth == 1 {
				begin = i + 1
			}
		case ")":
			if depth--; depth == 0 && begin >= 0 {
				list = append(list, "("+strings.TrimSpace(strings.Join(tokens[begin:i], ""))+")")
			}
		}
	}
	return list
}

// inlined is an asm statement on the way to C++.
type inlined struct {
	operands  []string
	registers map[string]string // C++ types of those declared here, by name
	code      []string
}

// statements translates PTX, and reports whether all of it is known.
func (a *inlined) statements(ptx string) bool {
	for ptx != "" {
		ptx = strings.TrimLeft(ptx, " \n{};")
		if ptx == "" {
			break
		}
		one, rest, _ := strings.Cut(ptx, ";")
		ptx = rest
		if declared, is := strings.CutPrefix(one, ".reg"); is {
			if !a.declare(declared) {
				return false
			}
			continue
		}
		guard := ""
		if one[0] == '@' {
			predicate, instruction, _ := strings.Cut(one[1:], " ")
			not := strings.HasPrefix(predicate, "!")
			p, ok := a.value(strings.TrimPrefix(predicate, "!"), "bool")
			if !ok {
				return false
			}
			if guard, one = "if ("+p+") ", instruction; not {
				guard = "if (!" + p + ") "
			}
		}
		opcode, rest, _ := strings.Cut(strings.Join(strings.Fields(one), " "), " ")
		code := a.instruction(opcode, split(rest))
		if code == "" {
			return false
		}
		a.code = append(a.code, guard+code)
	}
	return len(a.code) > 0
}

// ranged matches names such as r<4>, for r0 to r3.
var ranged = lazy.Regexp(`^%?([\w$]+)<(\d+)>$`)

func (a *inlined) declare(text string) bool {
	kind, names, _ := strings.Cut(strings.TrimSpace(text), " ")
	of := cType(strings.TrimPrefix(kind, "."))
	if kind == ".pred" {
		of = "bool"
	}
	if of == "" {
		return false
	}
	for _, name := range split(names) {
		list := []string{strings.TrimPrefix(name, "%")}
		if m := ranged().FindStringSubmatch(name); m != nil {
			var n int
			fmt.Sscan(m[2], &n)
			for list = nil; len(list) < min(n, 1024); {
				list = append(list, fmt.Sprint(m[1], len(list)))
			}
		}
		for _, r := range list {
			a.registers[r] = of
			a.code = append(a.code, of+" "+register(r)+" = 0")
		}
	}
	return true
}

// register returns the C++ name of a register that the statement declares.
func register(name string) string { return "bench_reg_" + strings.ReplaceAll(name, "$", "_S_") }

// split splits a list at commas outside of braces and brackets.
func split(list string) (parts []string) {
	depth, begin := 0, 0
	for i, r := range list + "," {
		switch r {
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			depth--
		case ',':
			if depth == 0 {
				if part := strings.TrimSpace(list[begin:i]); part != "" {
					parts = append(parts, part)
				}
				begin = i + 1
			}
		}
	}
	return parts
}
