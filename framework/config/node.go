package config

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.org/bench/framework"
)

// node is one JSON value with its position.
type node struct {
	kind    kind
	pos     Position
	value   framework.Value // of a string or number
	flag    bool            // of a boolean
	members []member        // of an object, in the order of the file
	index   map[string]int  // of members
	items   []*node         // of an array
}

// member is one key of an object with its value. pos is the key's position, with the value's path.
type member struct {
	key   string
	pos   Position
	value *node
}

type kind int

const (
	null kind = iota
	boolean
	number
	text
	array
	object
)

// noun returns the kind's name in error messages.
func (k kind) noun() string {
	return [...]string{"null", "a boolean", "a number", "a string", "a list", "an object"}[k]
}

// String returns the value for error messages: itself if it is short, else its kind.
func (n *node) String() string {
	switch n.kind {
	case boolean:
		return strconv.FormatBool(n.flag)
	case number:
		return n.value.String()
	case text:
		return quote(n.value.String())
	}
	return n.kind.noun()
}

// quote quotes s, shortened to fit on a line.
func quote(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return strconv.Quote(s)
}

// get returns the value of a key, or nil.
func (n *node) get(key string) *node {
	if m := n.member(key); m != nil {
		return m.value
	}
	return nil
}

func (n *node) member(key string) *member {
	if n == nil {
		return nil
	}
	if i, ok := n.index[key]; ok {
		return &n.members[i]
	}
	return nil
}

// at follows keys and indices from n as far as they lead.
func (n *node) at(steps []string) *node {
	for _, s := range steps {
		next := n.get(s)
		if i, err := strconv.Atoi(s); n.kind == array && err == nil && i >= 0 && i < len(n.items) {
			next = n.items[i]
		}
		if next == nil {
			return n
		}
		n = next
	}
	return n
}

// plain returns the value as package encoding/json would decode it, with numbers as json.Number.
func (n *node) plain() any {
	switch n.kind {
	case boolean:
		return n.flag
	case number:
		return json.Number(n.value.String())
	case text:
		return n.value.String()
	case array:
		list := make([]any, len(n.items))
		for i, x := range n.items {
			list[i] = x.plain()
		}
		return list
	case object:
		m := make(map[string]any, len(n.members))
		for _, x := range n.members {
			m[x.key] = x.value.plain()
		}
		return m
	}
	return nil
}

// child returns the path of an object's key.
func child(path, key string) string {
	switch {
	case !isIdentifier(key):
		return path + "[" + strconv.Quote(key) + "]"
	case path == "":
		return key
	}
	return path + "." + key
}

// isIdentifier reports whether key consists of letters, digits and _ and begins with no digit.
func isIdentifier(key string) bool {
	for i, r := range key {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsNumber(r)) {
			return false
		}
	}
	return key != "" && utf8.ValidString(key)
}

// element returns the path of an array's item.
func element(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// join joins words with commas.
func join(words []string) string { return strings.Join(words, ", ") }
