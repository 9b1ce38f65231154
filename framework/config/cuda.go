package config

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// cuda keeps the content of "algorithm": {"cuda": …}, and the position of everything in it.
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
	first := n.get("source")
	if first != nil && first.kind == array && len(first.items) > 0 {
		first = first.items[0]
	}
	source := word(first)
	d.c.Algorithm = cmp.Or(word(n.get("name")), strings.TrimSuffix(filepath.Base(source), filepath.Ext(source)), "cuda")
}

// spread returns n as plain does, but with ranges of tunables' values written out. It notes the
// positions.
func (d *decoder) spread(n *node) any {
	d.c.positions[n.pos.Path] = n.pos
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
			if tunableValues().MatchString(x.value.pos.Path) {
				m[x.key] = d.axis(x.value).Values
			}
		}
		return m
	}
	return n.plain()
}

var tunableValues = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\.tunables\[\d+\]\.values$`) })
