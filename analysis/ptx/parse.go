package ptx

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Parse reads PTX text.
func Parse(text string) (m *Module, err error) {
	p := &parser{tokens: tokens(strings.TrimRight(text, "\x00")), functions: map[string]*function{},
		m: &Module{kernels: map[string]*Kernel{}, variables: map[string]*variable{}}}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(syntaxError)
			if !ok {
				panic(r)
			}
			m, err = nil, e
		}
	}()
	p.module()
	if p.m.Target == "" {
		return nil, syntaxError{"ptx: the text names no .target"}
	}
	return p.m, nil
}

type syntaxError struct{ text string }

func (e syntaxError) Error() string { return e.text }

type parser struct {
	tokens    []token
	at        int
	m         *Module
	functions map[string]*function
	entries   []int // tokens of the kernels' names
}

func (p *parser) fail(format string, args ...any) {
	line := 0
	if p.at < len(p.tokens) {
		line = p.tokens[p.at].line
	} else if len(p.tokens) > 0 {
		line = p.tokens[len(p.tokens)-1].line
	}
	panic(syntaxError{fmt.Sprintf("ptx: line %d: ", line) + fmt.Sprintf(format, args...)})
}

// peek returns the next token; it is empty at the end.
func (p *parser) peek() string {
	if p.at < len(p.tokens) {
		return p.tokens[p.at].text
	}
	return ""
}

func (p *parser) next() string {
	if p.at >= len(p.tokens) {
		p.fail("the text ends early")
	}
	p.at++
	return p.tokens[p.at-1].text
}

func (p *parser) accept(text string) bool {
	if p.peek() == text {
		p.at++
		return true
	}
	return false
}

func (p *parser) expect(text string) {
	if got := p.next(); got != text {
		p.at--
		p.fail("%q where %q is expected", got, text)
	}
}

// skipPast skips all tokens up to and including text.
func (p *parser) skipPast(text string) {
	for p.next() != text {
	}
}

// skipBraces skips a block in braces.
func (p *parser) skipBraces() {
	p.expect("{")
	for depth := 1; depth > 0; {
		switch p.next() {
		case "{":
			depth++
		case "}":
			depth--
		}
	}
}

func (p *parser) module() {
	extern := false
	for p.peek() != "" {
		switch word := p.next(); word {
		case ".version", ".address_size":
			p.next()
		case ".target":
			p.m.Target = p.next()
			for p.accept(",") {
				p.next()
			}
		case ".visible", ".weak", ".common":
		case ".extern":
			extern = true
			continue
		case ".entry":
			p.entries = append(p.entries, p.at)
			for p.peek() != "{" {
				p.next()
			}
			p.skipBraces()
		case ".func":
			p.function()
		case ".global", ".const", ".shared", ".local":
			for _, v := range p.variables(word, extern, false) {
				p.m.variables[v.name] = v
				if v.space == Global || v.space == Const {
					p.m.order = append(p.m.order, v)
				}
			}
		case ".file":
			p.skipLine()
		case ".section":
			for p.peek() != "{" {
				p.next()
			}
			p.skipBraces()
		case ".pragma", ".alias":
			p.skipPast(";")
		default:
			p.at--
			p.fail("%q at the level of the module", word)
		}
		extern = false
	}
	for _, at := range p.entries { // once all functions are known
		p.at = at
		p.entry()
	}
}

func (p *parser) skipLine() {
	line := p.tokens[p.at-1].line
	for p.at < len(p.tokens) && p.tokens[p.at].line == line {
		p.at++
	}
}

var spaces = map[string]Space{".global": Global, ".const": Const, ".shared": Shared, ".local": Local, ".param": Param}

// elementBytes returns the size of a type such as b32.
func elementBytes(typ string) int {
	switch typ {
	case "pred":
		return 1
	case "f16x2", "bf16x2":
		return 4
	}
	n, err := strconv.Atoi(strings.TrimLeft(typ, "bsuf"))
	if err != nil || n%8 != 0 {
		return 0
	}
	return n / 8
}

// variables reads a declaration after its space: one variable, or all up to the semicolon.
func (p *parser) variables(space string, extern, one bool) (list []*variable) {
	v := variable{space: spaces[space], align: 1, extern: extern}
	element, vector := 0, 1
	for strings.HasPrefix(p.peek(), ".") {
		switch word := p.next(); word {
		case ".align":
			v.align = int(p.integer())
		case ".v2":
			vector = 2
		case ".v4":
			vector = 4
		case ".ptr", ".global", ".const", ".shared", ".local", ".grid_constant":
		case ".attribute":
			p.skipPast(")")
		default:
			if element = elementBytes(word[1:]); element == 0 {
				p.fail("type %s", word)
			}
		}
	}
	for {
		next := v
		next.name = p.next()
		next.bytes = element * vector
		next.align = max(v.align, element*vector)
		for p.accept("[") {
			if p.accept("]") {
				next.bytes = 0
				continue
			}
			next.bytes *= int(p.integer())
			p.expect("]")
		}
		if p.accept("=") {
			p.initial(&next, element)
		}
		list = append(list, &next)
		if one || !p.accept(",") {
			break
		}
	}
	if !one {
		p.expect(";")
	}
	return list
}

// initial reads a variable's initial value.
func (p *parser) initial(v *variable, element int) {
	v.init = make([]byte, 0, v.bytes)
	var value func()
	value = func() {
		if p.accept("{") {
			for !p.accept("}") {
				value()
				p.accept(",")
			}
			return
		}
		x, ok := p.number()
		if word := p.peek(); !ok && word != "" && isWord(word[0]) { // the address of a function or a variable
			v.linked = p.next()
			if p.accept("(") {
				p.skipPast(")")
			}
			if p.accept("+") {
				p.integer()
			}
			ok = true
		}
		if !ok {
			p.fail("initial value %q", p.peek())
		}
		for i := range element {
			v.init = append(v.init, byte(x>>(8*i)))
		}
	}
	value()
}

func (p *parser) integer() int64 {
	x, ok := p.number()
	if !ok {
		p.fail("%q where a number is expected", p.peek())
	}
	return int64(x)
}

// number reads a constant. For 0f and 0d, which may be of either width, it returns the bits of the float.
func (p *parser) number() (uint64, bool) {
	from := p.at
	minus := p.accept("-")
	text := p.peek()
	if text == "" || text[0] < '0' || text[0] > '9' {
		p.at = from
		return 0, false
	}
	p.at++
	var x uint64
	var err error
	switch {
	case strings.HasPrefix(text, "0f") || strings.HasPrefix(text, "0F"):
		x, err = strconv.ParseUint(text[2:], 16, 32)
		if minus {
			x ^= 1 << 31
		}
		return x, err == nil
	case strings.HasPrefix(text, "0d") || strings.HasPrefix(text, "0D"):
		x, err = strconv.ParseUint(text[2:], 16, 64)
		if minus {
			x ^= 1 << 63
		}
		return x, err == nil
	case strings.Contains(text, "."):
		var f float64
		if f, err = strconv.ParseFloat(text, 64); minus {
			f = -f
		}
		return math.Float64bits(f), err == nil
	}
	x, err = strconv.ParseUint(strings.TrimSuffix(text, "U"), 0, 64)
	if err != nil {
		p.fail("number %q", text)
	}
	if minus {
		x = -x
	}
	return x, true
}
