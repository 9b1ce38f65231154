package config

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/xeipuuv/gojsonschema"

	"example.org/bench/configs"
	"example.org/bench/internal/lazy"
)

// schema returns the compiled schema of experiment files.
var schema = sync.OnceValue(func() *gojsonschema.Schema {
	s, err := gojsonschema.NewSchema(gojsonschema.NewBytesLoader(configs.Schema))
	if err != nil {
		panic("config: schema.json: " + err.Error()) // a test makes sure that it loads
	}
	return s
})

// validate checks root against the schema and adds what it finds to errs.
func validate(path string, root *node, errs *Errors) error {
	result, err := schema().Validate(gojsonschema.NewRawLoader(root.plain()))
	if err != nil {
		return fmt.Errorf("%s: validate: %w", path, err)
	}
	for _, e := range result.Errors() {
		steps := strings.Split(e.Context().String("\x00"), "\x00")[1:]
		n := root.at(steps)
		pos := n.pos
		if m := n.member(fmt.Sprint(e.Details()["property"])); m != nil {
			pos = m.pos
		}
		if msg := explain(e, n, root, steps); msg != "" {
			x := Error{Path: path, Pos: pos, Msg: msg}
			if e.Type() == "required" {
				x.lacks = fmt.Sprint(e.Details()["property"])
			}
			errs.add(x)
		}
	}
	return nil
}

// cppName matches the paths of the names of kernels and constants.
var cppName = lazy.Regexp(`\.(kernels|constants)\[\d+\]\.name$`)

// explain returns a message for one finding of the validator at n, to which steps lead: what is
// wrong, and what would be right. It is empty for a finding that only repeats another.
func explain(e gojsonschema.ResultError, n, root *node, steps []string) string {
	detail := func(name string) string {
		if x, ok := e.Details()[name].(*big.Float); ok { // a bound
			f, _ := x.Float64()
			return strconv.FormatFloat(f, 'f', -1, 64)
		}
		return fmt.Sprint(e.Details()[name])
	}
	switch e.Type() {
	case "invalid_type":
		return fmt.Sprintf("got %s; want %s", given(n), nouns(detail("expected")))
	case "additional_property_not_allowed":
		return "unknown key" + Choice(detail("property"), keysOf(outline(), root, steps), "keys here")
	case "invalid_property_name":
		return quote(detail("property")) + " is not a name; want one without spaces and \"=\", with or without leading dashes"
	case "pattern":
		if n.kind != text { // repeats invalid_property_name
			return ""
		}
		if cppName().MatchString(n.pos.Path) {
			return n.String() + " is not a name of C++; want one such as sum, ns::sum or ns::sum<float, 4>"
		}
		if strings.HasPrefix(n.pos.Path, "algorithm") {
			return n.String() + " is not a name; want letters, digits and _, a letter first"
		}
		if n == root.get("output_file_prefix") {
			return n.String() + " cannot start a file name; want up to 200 characters without slashes, not starting with a dot"
		}
		return n.String() + " is not a name; want one without spaces and \"=\", with or without leading dashes"
	case "required":
		switch detail("property") {
		case "algorithm", "executable", "step", "factor": // repeats number_one_of or number_any_of
			return ""
		}
		return fmt.Sprintf("the key %q is missing", detail("property"))
	case "number_one_of":
		if n.get("algorithm") != nil {
			return "algorithm and executable exclude each other; want one of them"
		}
		return `want the key "algorithm" (a built-in's name) or "executable" (a program)`
	case "number_any_of":
		return `the range has no step; want the key "step" (added) or "factor" (multiplied)`
	case "number_not":
		return "step and factor exclude each other; want one of them"
	case "enum":
		return n.String() + " is unknown" + Choice(n.value.String(), words(detail("allowed")), "choices")
	case "array_min_items":
		if detail("min") == "2" && !strings.HasSuffix(n.pos.Path, ".random") {
			return notPair
		}
		if len(n.items) > 0 {
			return fmt.Sprintf("the list has too few items; want at least %s", detail("min"))
		}
		return "the list is empty; want at least one item"
	case "array_max_items":
		if detail("max") == "2" && !strings.HasSuffix(n.pos.Path, ".random") {
			return notPair
		}
		return fmt.Sprintf("the list has %d items; want at most %s", len(n.items), detail("max"))
	case "array_min_properties", "array_max_properties":
		if keys := keysOf(outline(), root, steps); keys != nil {
			return "want one of the keys " + join(keys)
		}
		return `want one name, as in {"i": 16}`
	case "string_lte":
		return fmt.Sprintf("the string is longer than %s characters", detail("max"))
	case "string_gte":
		return "the string is empty"
	case "number_gte":
		return fmt.Sprintf("%s is less than %s; want %[2]s or more", n, detail("min"))
	case "number_gt":
		return fmt.Sprintf("%s is not above %s; want more than %[2]s", n, detail("min"))
	case "number_lte":
		return fmt.Sprintf("%s is more than %s; want %[2]s or less", n, detail("max"))
	case "number_lt":
		return fmt.Sprintf("%s is not below %s; want less than %[2]s", n, detail("max"))
	case "condition_then", "condition_else": // these have their own findings
		return ""
	}
	return e.Description()
}

const notPair = `the list is not a pair; want ["--name", value]`

// given returns n with its kind, if the kind is wrong.
func given(n *node) string {
	switch n.kind {
	case number, text, boolean:
		return n.kind.noun() + " (" + n.String() + ")"
	}
	return n.kind.noun()
}

// nouns returns the names of the types that the schema expects, such as "[number,string]".
func nouns(types string) string {
	names := words(strings.Trim(types, "[]"))
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

// words splits a list as the validator writes it.
func words(list string) []string {
	return strings.FieldsFunc(list, func(c rune) bool { return c == ',' || c == ' ' || c == '"' })
}

// keysOf returns the keys that the schema s allows in the object to which the steps lead from n;
// nil if it allows all.
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
	parts := []*node{s.get("then"), s.get("else")}
	if keys := s.get("if").get("required"); keys != nil && n.get(word(keys.items[0])) == nil {
		slices.Reverse(parts)
	}
	for _, part := range parts {
		if found := keysOf(part, n, steps); found != nil {
			return found
		}
	}
	return nil
}

// outline returns the schema as nodes.
var outline = sync.OnceValue(func() *node {
	errs := &Errors{}
	root := read("schema.json", configs.Schema, errs)
	if root == nil {
		panic("config: " + errs.Error()) // a test makes sure that it loads
	}
	return root
})
