package config

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/xeipuuv/gojsonschema"

	"bench/configs"
	"bench/framework"
)

// The validator knows every keyword of the schema, and every pattern is one.
func TestValidatorKnowsTheSchema(t *testing.T) {
	seen := map[string]bool{}
	var walk func(s *node, names bool) // names: the keys are properties' or definitions'
	walk = func(s *node, names bool) {
		for _, m := range s.members {
			if !names {
				seen[m.key] = true
				if !slices.Contains(applies, m.key) && !slices.Contains(annotations, m.key) {
					t.Errorf("%s: the validator does not know %s", m.pos.Path, m.key)
				}
			}
			if m.key == "pattern" && !names {
				pattern(word(m.value))
			}
			if !slices.Contains(annotations, m.key) || names {
				walk(m.value, !names && slices.Contains([]string{"properties", "definitions", "dependencies"}, m.key))
			}
		}
		for _, x := range s.items {
			walk(x, false)
		}
	}
	walk(outline(), false)
	for _, keyword := range applies {
		if !seen[keyword] {
			t.Errorf("the schema has no %s", keyword)
		}
	}
}

// Of configs that are altered at random the validator refuses those that a library
// for all of JSON Schema refuses.
func TestValidatorAgrees(t *testing.T) {
	other, err := gojsonschema.NewSchema(gojsonschema.NewBytesLoader(configs.Schema))
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, pattern := range []string{"../../configs/*.json", "../../configs/*/*.json", "testdata/faults.json"} {
		some, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, some...)
	}
	g := rand.New(rand.NewPCG(1, 2))
	refused, taken := 0, 0
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for range 100 {
			root := read(path, text, &Errors{})
			if root == nil || root.get("$id") != nil || root.get("definitions") != nil {
				break
			}
			for range g.IntN(4) {
				alter(g, root)
			}
			result, err := other.Validate(gojsonschema.NewGoLoader(root.plain()))
			if err != nil {
				t.Fatal(err)
			}
			v := validator{definitions: outline().get("definitions")}
			v.apply(outline(), root, nil)
			if valid := len(v.found) == 0; valid != result.Valid() {
				t.Fatalf("%s, altered to %v: found %v; the library says %v", path, root.plain(), v.found, result.Errors())
			} else if valid {
				taken++
			} else {
				refused++
			}
		}
	}
	if refused < 500 || taken < 500 {
		t.Errorf("%d refused and %d taken are too few to compare", refused, taken)
	}
}

// alter changes a random node below n, or its keys.
func alter(g *rand.Rand, n *node) {
	for len(n.members)+len(n.items) > 0 && g.IntN(4) > 0 {
		if len(n.members) > 0 {
			n = n.members[g.IntN(len(n.members))].value
		} else {
			n = n.items[g.IntN(len(n.items))]
		}
	}
	value := func() *node {
		return []*node{{kind: null}, {kind: boolean, flag: true}, {kind: number, value: framework.IntValue(g.Int64N(5) - 2)},
			{kind: number, value: framework.FloatValue(g.NormFloat64())}, {kind: number, value: framework.FloatValue(3)}, {kind: number, value: framework.IntValue(1 << 50)},
			{kind: text, value: framework.TextValue([]string{"", "auto", "a b", "--runs", "x=1", ".dot", "int"}[g.IntN(7)])},
			{kind: array}, {kind: array, items: []*node{{kind: text, value: framework.TextValue("N")}, {kind: number, value: framework.IntValue(1)}}},
			{kind: object}}[g.IntN(10)]
	}
	switch {
	case n.kind == object && g.IntN(2) == 0:
		keys := []string{"N", "a b", "from", "to", "step", "factor", "name", "value", "values", "algorithm", "executable", "random", "constant", fmt.Sprint("k", g.IntN(9))}
		n.put(keys[g.IntN(len(keys))], value())
	case n.kind == object && len(n.members) > 0:
		at := g.IntN(len(n.members))
		members := slices.Delete(slices.Clone(n.members), at, at+1)
		n.members, n.index = nil, nil
		for _, m := range members {
			n.put(m.key, m.value)
		}
	case n.kind == array && g.IntN(2) == 0:
		n.items = append(n.items, value())
	default:
		*n = *value()
	}
}

// put sets a key.
func (n *node) put(key string, value *node) {
	if m := n.member(key); m != nil {
		m.value = value
		return
	}
	if n.index == nil {
		n.index = map[string]int{}
	}
	n.index[key] = len(n.members)
	n.members = append(n.members, member{key: key, value: value})
}
