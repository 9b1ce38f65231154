package expression

import (
	"fmt"
	"strconv"
	"strings"
)

type tokenKind int

const (
	tokenEnd tokenKind = iota
	tokenNumber
	tokenString
	tokenName
	tokenComma
	tokenOther
)

// maxPythonDepth bounds how deep expressions nest.
const maxPythonDepth = 200

type pythonParser struct {
	text      string
	functions map[string]op // that may be called
	at        int           // after the token
	start     int           // of the token
	kind      tokenKind
	token     string
	depth     int
}

func (p *pythonParser) fail(format string, args ...any) {
	panic(pythonFault{p.start, fmt.Sprintf(format, args...)})
}

// deeper counts nesting; the function that it returns undoes it.
func (p *pythonParser) deeper() func() {
	if p.depth++; p.depth > maxPythonDepth {
		p.fail("nested deeper than %d", maxPythonDepth)
	}
	return func() { p.depth-- }
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
const digits = "0123456789"

func (p *pythonParser) next() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n\\", p.text[p.at]) >= 0 {
		p.at++
	}
	p.start = p.at
	rest := p.text[p.at:]
	if rest == "" {
		p.kind, p.token = tokenEnd, ""
		return
	}
	c := rest[0]
	switch {
	case strings.IndexByte(letters, c) >= 0:
		n := 1
		for n < len(rest) && strings.IndexByte(letters+digits, rest[n]) >= 0 {
			n++
		}
		p.take(tokenName, n)
	case strings.IndexByte(digits, c) >= 0 || c == '.' && len(rest) > 1 && strings.IndexByte(digits, rest[1]) >= 0:
		p.take(tokenNumber, numberLength(rest))
	case c == '"' || c == '\'':
		p.quoted(rest)
	default:
		for _, two := range []string{"**", "//", "==", "!=", "<=", ">=", "&&", "||"} {
			if strings.HasPrefix(rest, two) {
				p.take(tokenOther, 2)
				return
			}
		}
		p.take(tokenOther, 1)
		if p.token == "," {
			p.kind = tokenComma
		}
	}
}

func (p *pythonParser) take(kind tokenKind, n int) {
	p.kind, p.token = kind, p.text[p.at:p.at+n]
	p.at += n
}

func numberLength(s string) int {
	n := 0
	hex := len(s) > 1 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')
	for n < len(s) {
		c := s[n]
		exponentSign := !hex && (c == '+' || c == '-') && (s[n-1] == 'e' || s[n-1] == 'E')
		if strings.IndexByte(digits+letters+".", c) < 0 && (n == 0 || !exponentSign) {
			break
		}
		n++
	}
	return n
}

func (p *pythonParser) quoted(rest string) {
	var b strings.Builder
	for i := 1; i < len(rest); i++ {
		switch rest[i] {
		case rest[0]:
			p.kind, p.token = tokenString, b.String()
			p.at += i + 1
			return
		case '\\':
			if i++; i == len(rest) || strings.IndexByte(`\'"`, rest[i]) < 0 {
				p.fail("this escape in a string is not supported")
			}
		}
		b.WriteByte(rest[i])
	}
	p.fail("string without an end")
}

func (p *pythonParser) is(token string) bool {
	return (p.kind == tokenOther || p.kind == tokenName || p.kind == tokenComma) && p.token == token
}

func (p *pythonParser) accept(token string) bool {
	if !p.is(token) {
		return false
	}
	p.next()
	return true
}

func (p *pythonParser) expect(token string) {
	if !p.accept(token) {
		if p.kind == tokenEnd {
			p.fail("ends where %q is wanted", token)
		}
		p.fail("got %q, want %q", p.token, token)
	}
}

func pythonNumber(s string) (*node, error) {
	text := strings.ReplaceAll(s, "_", "")
	if n, err := strconv.ParseInt(text, 0, 64); err == nil && (len(text) == 1 || text[0] != '0' || strings.ContainsAny(text, "xXbBoO")) {
		return number(float64(n)), nil
	}
	if strings.ContainsAny(text, "xXpP") {
		return nil, fmt.Errorf("%q is not a number", s)
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, fmt.Errorf("%q is not a number", s)
	}
	n := number(x)
	if strings.ContainsAny(text, ".eE") {
		n.word = isFloat
	}
	return n, nil
}

// isFloat marks a number that Python writes with a point, isBool a truth.
const (
	isFloat = "float"
	isBool  = "bool"
)
