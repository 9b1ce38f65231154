package config

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"bench/framework"
)

// finding is one thing that a node has against the schema. What is meant depends on
// the keyword: the bound, the property's name, the pattern, the allowed words.
type finding struct {
	keyword string // of the schema
	n       *node
	steps   []string // that lead to n
	meant   []string
}

// property is what the finding names.
func (f finding) property() string { return strings.Join(f.meant, ", ") }

// validator holds nodes against a schema of draft-07, as far as the schema of
// configs uses that: applies lists the keywords that it knows, and a test finds no
// other in the schema. The whole of JSON Schema takes a library that brings an
// HTTP client with it, an eighth of the program's size.
type validator struct {
	definitions *node
	found       []finding
}

// applies are the keywords that bind; annotations those that do not.
var (
	applies = []string{"$ref", "additionalProperties", "anyOf", "definitions", "dependencies", "else", "enum", "exclusiveMaximum", "exclusiveMinimum",
		"if", "items", "maxItems", "maxLength", "maxProperties", "maximum", "minItems", "minLength", "minProperties", "minimum", "not", "oneOf",
		"pattern", "properties", "propertyNames", "required", "then", "type"}
	annotations = []string{"$schema", "title", "description", "default"}
)

// typeNames are JSON Schema's, by kind.
var typeNames = [...]string{"null", "boolean", "number", "string", "array", "object"}

// holds reports whether n satisfies s.
func (v *validator) holds(s, n *node) bool {
	try := validator{definitions: v.definitions}
	try.apply(s, n, nil)
	return len(try.found) == 0
}

func (v *validator) add(keyword string, n *node, steps []string, meant ...string) {
	v.found = append(v.found, finding{keyword, n, slices.Clone(steps), meant})
}

// apply holds n, to which the steps lead, against s.
func (v *validator) apply(s, n *node, steps []string) {
	if ref := s.get("$ref"); ref != nil { // nothing beside it counts
		v.apply(v.definitions.get(strings.TrimPrefix(word(ref), "#/definitions/")), n, steps)
		return
	}
	if types := s.get("type"); types != nil {
		allowed := wordsOf(types)
		if !slices.Contains(allowed, typeNames[n.kind]) && !(slices.Contains(allowed, "integer") && n.kind == number && isWhole(n)) {
			v.add("type", n, steps, allowed...)
			return
		}
	}
	if allowed := s.get("enum"); allowed != nil && (n.kind != text || !slices.Contains(wordsOf(allowed), word(n))) {
		v.add("enum", n, steps, wordsOf(allowed)...)
	}
	v.combine(s, n, steps)
	switch n.kind {
	case number:
		v.number(s, n, steps)
	case text:
		v.text(s, n, steps)
	case array:
		v.array(s, n, steps)
	case object:
		v.object(s, n, steps)
	}
}

// combine applies the keywords that hold other schemas against the same node.
func (v *validator) combine(s, n *node, steps []string) {
	count := func(list *node) (valid int) {
		for _, one := range list.items {
			if v.holds(one, n) {
				valid++
			}
		}
		return valid
	}
	if list := s.get("oneOf"); list != nil && count(list) != 1 {
		v.add("oneOf", n, steps)
	}
	if list := s.get("anyOf"); list != nil && count(list) == 0 {
		v.add("anyOf", n, steps)
	}
	if not := s.get("not"); not != nil && v.holds(not, n) {
		v.add("not", n, steps)
	}
	if condition := s.get("if"); condition != nil {
		branch := s.get("else")
		if v.holds(condition, n) {
			branch = s.get("then")
		}
		if branch != nil {
			v.apply(branch, n, steps)
		}
	}
	if needs := s.get("dependencies"); needs != nil {
		for _, m := range needs.members {
			if n.get(m.key) != nil {
				v.apply(m.value, n, steps)
			}
		}
	}
}

func (v *validator) number(s, n *node, steps []string) {
	x := n.value.Float()
	for keyword, beyond := range map[string]func(bound float64) bool{
		"minimum":          func(bound float64) bool { return x < bound },
		"maximum":          func(bound float64) bool { return x > bound },
		"exclusiveMinimum": func(bound float64) bool { return x <= bound },
		"exclusiveMaximum": func(bound float64) bool { return x >= bound },
	} {
		if bound := s.get(keyword); bound != nil && beyond(bound.value.Float()) {
			v.add(keyword, n, steps, strconv.FormatFloat(bound.value.Float(), 'f', -1, 64))
		}
	}
}

func (v *validator) text(s, n *node, steps []string) {
	v.size(s, n, steps, "minLength", "maxLength", utf8.RuneCountInString(word(n)))
	if p := s.get("pattern"); p != nil && !pattern(word(p)).MatchString(word(n)) {
		v.add("pattern", n, steps)
	}
}

func (v *validator) array(s, n *node, steps []string) {
	v.size(s, n, steps, "minItems", "maxItems", len(n.items))
	items := s.get("items")
	if items == nil {
		return
	}
	for i, item := range n.items {
		each := items
		if items.kind == array { // one for each of the first items
			if i >= len(items.items) {
				return
			}
			each = items.items[i]
		}
		v.apply(each, item, append(steps, strconv.Itoa(i)))
	}
}

func (v *validator) object(s, n *node, steps []string) {
	v.size(s, n, steps, "minProperties", "maxProperties", len(n.members))
	if required := s.get("required"); required != nil {
		for _, name := range wordsOf(required) {
			if n.get(name) == nil {
				v.add("required", n, steps, name)
			}
		}
	}
	known, others, names := s.get("properties"), s.get("additionalProperties"), s.get("propertyNames")
	for _, m := range n.members {
		if names != nil && !v.holds(names, &node{kind: text, value: framework.TextValue(m.key), pos: m.pos}) {
			v.add("propertyNames", n, steps, m.key)
		}
		part := known.get(m.key)
		if part == nil {
			part = others
		}
		switch {
		case part == nil:
		case part.kind == boolean:
			if !part.flag {
				v.add("additionalProperties", n, steps, m.key)
			}
		default:
			v.apply(part, m.value, append(steps, m.key))
		}
	}
}

// size holds the number of items, keys or characters against its bounds.
func (v *validator) size(s, n *node, steps []string, least, most string, size int) {
	if bound := s.get(least); bound != nil && size < int(bound.value.Int()) {
		v.add(least, n, steps, bound.value.String())
	}
	if bound := s.get(most); bound != nil && size > int(bound.value.Int()) {
		v.add(most, n, steps, bound.value.String())
	}
}

func isWhole(n *node) bool { return n.value.Float() == math.Trunc(n.value.Float()) }

// wordsOf are a string, or strings of a list.
func wordsOf(n *node) (list []string) {
	if n.kind == text {
		return []string{word(n)}
	}
	for _, x := range n.items {
		list = append(list, word(x))
	}
	return list
}

var patterns sync.Map // by text

func pattern(text string) *regexp.Regexp {
	if p, ok := patterns.Load(text); ok {
		return p.(*regexp.Regexp)
	}
	p := regexp.MustCompile(text) // a test validates by all
	patterns.Store(text, p)
	return p
}
