package config

import (
	"cmp"
	"encoding/json"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"bench/configs"
)

// cuda keeps what stands in "algorithm": {"cuda": …} and the place of
// everything in it.
func (d *decoder) cuda(n *node) {
	if n == nil || n.kind != object {
		return
	}
	text, err := json.Marshal(d.spread(n))
	if err != nil {
		d.add(n.pos, "%v", err)
		return
	}
	d.c.CUDA = text
	source := word(n.get("source"))
	d.c.Algorithm = cmp.Or(word(n.get("name")), strings.TrimSuffix(filepath.Base(source), filepath.Ext(source)), "cuda")
}

// spread is the node as plain has it, with the values of tunables listed
// instead of as a range. It notes the places.
func (d *decoder) spread(n *node) any {
	d.c.places[n.pos.Path] = n.pos
	switch n.kind {
	case array:
		list := make([]any, len(n.items))
		for i, x := range n.items {
			list[i] = d.spread(x)
		}
		return list
	case object:
		m := make(map[string]any, len(n.members))
		for _, x := range n.members {
			m[x.key] = d.spread(x.value)
			if tunableValues.MatchString(x.value.pos.Path) {
				m[x.key] = d.axis(x.value).Values
			}
		}
		return m
	}
	return n.plain()
}

var tunableValues = regexp.MustCompile(`\.tunables\[\d+\]\.values$`)

// cudaKeys are the keys that the object at that path of "algorithm" may have.
func cudaKeys(path string) []string {
	at := schemaTree()
	for _, step := range strings.FieldsFunc(path, func(c rune) bool { return strings.ContainsRune(".[]", c) }) {
		properties, _ := at["properties"].(map[string]any)
		next, ok := properties[step].(map[string]any)
		if !ok {
			if next, ok = at["items"].(map[string]any); !ok {
				return nil
			}
		}
		at = resolve(next)
	}
	properties, _ := at["properties"].(map[string]any)
	return slices.Sorted(maps.Keys(properties))
}

// resolve follows a reference to one of the schema's definitions.
func resolve(at map[string]any) map[string]any {
	ref, _ := at["$ref"].(string)
	definitions, _ := schemaTree()["definitions"].(map[string]any)
	if to, ok := definitions[strings.TrimPrefix(ref, "#/definitions/")].(map[string]any); ok {
		return resolve(to)
	}
	return at
}

var schemaTree = sync.OnceValue(func() (tree map[string]any) {
	if err := json.Unmarshal(configs.Schema, &tree); err != nil {
		panic("config: schema.json: " + err.Error()) // a test loads it
	}
	return tree
})
