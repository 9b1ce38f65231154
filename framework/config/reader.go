package config

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.org/bench/framework"
)

// maxDepth is how deep lists and objects may nest.
const maxDepth = 64

// reader parses JSON (RFC 8259) into nodes with positions. It stops at the first syntax error. Keys
// given twice are collected in errs.
type reader struct {
	path string // of the file
	data []byte
	at   int
	// line and column, which count from 1, are the position of the byte at offset counted.
	line, column, counted int
	errs                  *Errors
}

// fault is a syntax error, thrown by panic and caught in read.
type fault struct {
	pos Position
	msg string
}

// read parses data. After a syntax error it returns nil and adds the error
// to errs.
func read(path string, data []byte, errs *Errors) (root *node) {
	r := &reader{path: path, data: data, line: 1, column: 1, errs: errs}
	defer func() {
		if f, ok := recover().(fault); ok {
			errs.Add(path, f.pos, "%s", f.msg)
			root = nil
		}
	}()
	r.encoding()
	r.space()
	if r.at == len(data) {
		r.fail("the file is empty; want a JSON object")
	}
	if c := data[r.at]; c == '-' || c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' {
		if word := data[r.at:][:wordLength(data[r.at:])]; !json.Valid(word) {
			r.fail("found %s; want a JSON object, {\"algorithm\": …} (YAML and TOML are not read)", r.found())
		}
	}
	root = r.value("", 0)
	r.space()
	if r.at < len(data) {
		r.fail("found %s after the end of the JSON value; want one value a file", r.found())
	}
	return root
}

// encoding refuses input that is not UTF-8.
func (r *reader) encoding() {
	d := r.data
	for i := 0; i < len(d); {
		c, size := utf8.DecodeRune(d[i:])
		if c == utf8.RuneError && size == 1 {
			r.at = i
			r.fail("byte 0x%02x is not UTF-8; save the file as UTF-8", d[i])
		}
		if c == '\n' {
			r.newline(i)
		}
		i += size
	}
	r.line, r.column, r.counted = 1, 1, 0
}

// newline notes the end of a line at offset i.
func (r *reader) newline(i int) {
	r.line, r.column, r.counted = r.line+1, 1, i+1
}

// pos returns the position of the next byte. Columns count characters.
func (r *reader) pos(path string) Position {
	r.column += utf8.RuneCount(r.data[r.counted:r.at])
	r.counted = r.at
	return Position{Line: r.line, Column: r.column, Path: path}
}

func (r *reader) fail(format string, args ...any) {
	panic(fault{r.pos(""), fmt.Sprintf(format, args...)})
}

// found names what is at the reader's position.
func (r *reader) found() string {
	if r.at >= len(r.data) {
		return "the end of the file"
	}
	rest := r.data[r.at:]
	if rest[0] == '"' {
		return "a string"
	}
	if n := wordLength(rest); n > 0 {
		return quote(string(rest[:n]))
	}
	c, _ := utf8.DecodeRune(rest)
	return quote(string(c))
}

// wordLength returns how many bytes of d look like a number or a bare word.
func wordLength(d []byte) int {
	n := 0
	for n < len(d) && (d[n] == '+' || d[n] == '-' || d[n] == '.' || d[n] == '_' ||
		d[n] >= '0' && d[n] <= '9' || d[n] >= 'a' && d[n] <= 'z' || d[n] >= 'A' && d[n] <= 'Z') {
		n++
	}
	return n
}

// space skips white space.
func (r *reader) space() {
	for r.at < len(r.data) {
		switch r.data[r.at] {
		case '\n':
			r.newline(r.at)
		case ' ', '\t', '\r':
		case '/', '#':
			r.fail("found a comment; JSON has none, remove it")
		default:
			return
		}
		r.at++
	}
}

// next returns the next byte after white space, or 0 at the end.
func (r *reader) next() byte {
	r.space()
	if r.at == len(r.data) {
		return 0
	}
	return r.data[r.at]
}

func (r *reader) value(path string, depth int) *node {
	n := &node{pos: r.pos(path)}
	if depth > maxDepth {
		r.fail("lists and objects nest deeper than %d", maxDepth)
	}
	rest := r.data[r.at:]
	switch c := rest[0]; {
	case c == '{':
		n.kind = object
		r.object(n, depth)
	case c == '[':
		n.kind = array
		r.array(n, depth)
	case c == '"':
		n.kind, n.value = text, framework.TextValue(r.text())
	case c == '\'':
		r.fail("found a single quote; strings take double quotes")
	default:
		r.scalar(n, rest[:wordLength(rest)])
	}
	return n
}

// scalar reads a number, true, false or null.
func (r *reader) scalar(n *node, word []byte) {
	switch s := string(word); {
	case s == "true" || s == "false":
		n.kind, n.flag = boolean, s == "true"
	case s == "null":
		n.kind = null
	case s != "" && (s[0] == '-' || s[0] >= '0' && s[0] <= '9'):
		if !json.Valid(word) {
			r.fail("%s is not a JSON number; want digits such as 64, 0.5 or 1e6", quote(s))
		}
		n.kind, n.value = number, r.number(s)
	case s == "":
		r.fail("found %s; want a value", r.found())
	default:
		r.fail("found %s; want a value (a word takes double quotes)", quote(s))
	}
	r.at += len(word)
}

// number parses a number. Whole numbers stay whole, also 1e6; a decimal point makes a Float.
func (r *reader) number(s string) framework.Value {
	if i, err := strconv.ParseInt(s, 10, 64); err == nil {
		return framework.IntValue(i)
	}
	x, err := strconv.ParseFloat(s, 64)
	mantissa, _, _ := strings.Cut(strings.ToLower(s), "e")
	switch {
	case err != nil:
		r.fail("%s is beyond what a 64-bit number holds", quote(s))
	case x == 0 && strings.ContainsAny(mantissa, "123456789"):
		r.fail("%s is too small for a 64-bit number", quote(s))
	case !strings.Contains(s, ".") && x == math.Trunc(x) && math.Abs(x) < 1<<53:
		return framework.IntValue(int64(x))
	}
	return framework.FloatValue(x)
}

// text reads a string in double quotes.
func (r *reader) text() string {
	end := r.at + 1
	for ; ; end++ {
		if end >= len(r.data) || r.data[end] == '\n' {
			r.fail("the string is not closed on its line; want a closing double quote")
		}
		if r.data[end] == '\\' {
			end++
			continue
		}
		if r.data[end] == '"' {
			break
		}
	}
	end++
	var s string
	if err := json.Unmarshal(r.data[r.at:end], &s); err != nil {
		r.fail("%s is not a JSON string: a backslash or a control character in it takes an escape such as \\\\ or \\t", quote(string(r.data[r.at+1:end-1])))
	}
	r.at = end
	return s
}

func (r *reader) array(n *node, depth int) {
	r.at++
	if r.next() == ']' {
		r.at++
		return
	}
	for {
		if r.next() == 0 {
			r.unclosed(n, "list", "]")
		}
		n.items = append(n.items, r.value(element(n.pos.Path, len(n.items)), depth+1))
		if r.separator(n, "list", ']') {
			return
		}
	}
}

func (r *reader) object(n *node, depth int) {
	r.at++
	if r.next() == '}' {
		r.at++
		return
	}
	n.index = map[string]int{}
	for {
		switch c := r.next(); c {
		case 0:
			r.unclosed(n, "object", "}")
		case '"':
		default:
			r.fail("found %s; want a key in double quotes", r.found())
		}
		pos := r.pos("")
		key := r.text()
		pos.Path = child(n.pos.Path, key)
		if r.next() != ':' {
			r.fail("found %s after the key %s; want a colon", r.found(), quote(key))
		}
		r.at++
		if r.next() == 0 {
			r.unclosed(n, "object", "}")
		}
		v := r.value(pos.Path, depth+1)
		if first := n.member(key); first != nil {
			r.errs.Add(r.path, pos, "the key %s is given twice, first at %d:%d; remove one", quote(key), first.pos.Line, first.pos.Column)
		} else {
			n.index[key] = len(n.members)
			n.members = append(n.members, member{key, pos, v})
		}
		if r.separator(n, "object", '}') {
			return
		}
	}
}

// separator skips a comma or the closing bracket, and reports whether it was the bracket.
func (r *reader) separator(n *node, what string, closing byte) bool {
	switch c := r.next(); c {
	case closing:
		r.at++
		return true
	case 0:
		r.unclosed(n, what, string(closing))
	case ',':
		comma := r.pos("")
		r.at++
		if r.next() == closing {
			panic(fault{comma, fmt.Sprintf("found a comma before the closing %c; remove it", closing)})
		}
	default:
		r.fail("found %s; want a comma or %c", r.found(), closing)
	}
	return false
}

func (r *reader) unclosed(n *node, what, closing string) {
	r.fail("the file ends inside the %s opened at %d:%d; want %s", what, n.pos.Line, n.pos.Column, closing)
}
