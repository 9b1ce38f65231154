package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"bench/configs"
)

// validate checks root against the schema and adds what it finds to errs.
func validate(path string, root *node, errs *Errors) {
	v := validator{definitions: outline().get("definitions")}
	v.apply(outline(), root, nil)
	for _, f := range v.found {
		pos := f.n.pos
		if m := f.n.member(f.property()); m != nil {
			pos = m.pos
		}
		if msg := explain(f, root); msg != "" {
			errs.Add(path, pos, "%s", msg)
		}
	}
}

// explain words one finding: what is wrong, and what would be right. It is empty for
// a finding that only repeats another.
func explain(f finding, root *node) string {
	n := f.n
	switch f.keyword {
	case "type":
		return fmt.Sprintf("got %s; want %s", given(n), nouns(f.meant))
	case "additionalProperties":
		return "unknown key" + Choice(f.property(), keysOf(outline(), root, f.steps), "keys here")
	case "propertyNames":
		return quote(f.property()) + " is no name; want one without spaces and \"=\", with or without leading dashes"
	case "pattern":
		if strings.HasPrefix(n.pos.Path, "algorithm") {
			return n.String() + " is no name; want letters, digits and _, a letter first"
		}
		if n == root.get("output_file_prefix") {
			return n.String() + " cannot start a file name; want up to 200 characters without slashes, not starting with a dot"
		}
		return n.String() + " is no name; want one without spaces and \"=\", with or without leading dashes"
	case "required":
		return fmt.Sprintf("the key %q is missing", f.property())
	case "oneOf":
		if n.get("algorithm") != nil {
			return "algorithm and executable exclude each other; want one of them"
		}
		return `want the key "algorithm" (a built-in's name) or "executable" (a program)`
	case "anyOf":
		return `the range has no step; want the key "step" (added) or "factor" (multiplied)`
	case "not":
		return "step and factor exclude each other; want one of them"
	case "enum":
		return n.String() + " is unknown" + Choice(n.value.String(), f.meant, "choices")
	case "minItems":
		if f.meant[0] == "2" && !strings.HasSuffix(n.pos.Path, ".random") {
			return notPair
		}
		if len(n.items) > 0 {
			return "the list has too few items; want at least " + f.meant[0]
		}
		return "the list is empty; want at least one item"
	case "maxItems":
		if f.meant[0] == "2" && !strings.HasSuffix(n.pos.Path, ".random") {
			return notPair
		}
		return fmt.Sprintf("the list has %d items; want at most %s", len(n.items), f.meant[0])
	case "minProperties", "maxProperties":
		return "want one of the keys " + join(keysOf(outline(), root, f.steps))
	case "maxLength":
		return fmt.Sprintf("the string is longer than %s characters", f.meant[0])
	case "minLength":
		return "the string is empty"
	case "minimum":
		return fmt.Sprintf("%s is less than %s; want %[2]s or more", n, f.meant[0])
	case "exclusiveMinimum":
		return fmt.Sprintf("%s is not above %s; want more than %[2]s", n, f.meant[0])
	case "maximum":
		return fmt.Sprintf("%s is more than %s; want %[2]s or less", n, f.meant[0])
	}
	return fmt.Sprintf("%s is not below %s; want less than %[2]s", n, f.meant[0]) // exclusiveMaximum
}

const notPair = `the list is no pair; want ["--name", value]`

// given is n with its kind, if the kind is wrong.
func given(n *node) string {
	switch n.kind {
	case number, text, boolean:
		return n.kind.noun() + " (" + n.String() + ")"
	}
	return n.kind.noun()
}

// nouns words the types that the schema expects.
func nouns(types []string) string {
	names := slices.Clone(types)
	for i, t := range names {
		switch t {
		case "integer":
			names[i] = "a whole number"
		case "array":
			names[i] = array.noun()
		case "object":
			names[i] = object.noun()
		default:
			names[i] = "a " + t
		}
	}
	if len(names) < 2 {
		return join(names)
	}
	last := len(names) - 1
	return join(names[:last]) + " or " + names[last]
}

// keysOf are the keys that the schema s allows in the object that the steps
// lead to from n, unless it allows all.
func keysOf(s, n *node, steps []string) []string {
	if s == nil {
		return nil
	}
	if ref := s.get("$ref"); ref != nil {
		return keysOf(outline().get("definitions").get(strings.TrimPrefix(word(ref), "#/definitions/")), n, steps)
	}
	switch keys := s.get("properties"); {
	case len(steps) > 0:
		part := keys.get(steps[0])
		switch {
		case n.kind == array:
			if part = s.get("items"); part != nil && part.kind == array {
				part = part.at(steps[:1])
			}
		case part == nil:
			part = s.get("additionalProperties")
		}
		if found := keysOf(part, n.at(steps[:1]), steps[1:]); found != nil {
			return found
		}
	case keys != nil:
		return slices.Sorted(maps.Keys(keys.index))
	}
	for _, part := range []*node{s.get("then"), s.get("else")} {
		if found := keysOf(part, n, steps); found != nil {
			return found
		}
	}
	return nil
}

// outline is the schema as it is written.
var outline = sync.OnceValue(func() *node {
	errs := &Errors{}
	root := read("schema.json", configs.Schema, errs)
	if root == nil {
		panic("config: " + errs.Error()) // a test loads it
	}
	return root
})
