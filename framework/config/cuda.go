package config

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/internal/lazy"
)

// kernels keeps the content of "algorithm": {"cuda": …} or {"opencl": …}, and the position of everything in it.
func (d *decoder) kernels(algorithm *node) {
	n, key := algorithm.get("cuda"), "cuda"
	if other := algorithm.get("opencl"); other != nil {
		if n != nil {
			d.add(other.pos, "cuda and opencl are two interfaces; want one of them")
		}
		n, key = other, "opencl"
	}
	if n == nil || n.kind != object {
		if algorithm != nil && algorithm.kind == object && n == nil {
			d.add(algorithm.pos, "%s", `want {"cuda": …} or {"opencl": …}, kernels of a .cu or a .cl file`)
		}
		return
	}
	text, err := json.Marshal(d.spread(n))
	if err != nil {
		d.add(n.pos, "%v", err)
		return
	}
	if d.c.CUDA = text; key == "opencl" {
		d.c.CUDA, d.c.OpenCL = nil, text
	}
	first := n.get("source")
	if first != nil && first.kind == array && len(first.items) > 0 {
		first = first.items[0]
	}
	source := word(first)
	d.c.Algorithm = cmp.Or(word(n.get("name")), strings.TrimSuffix(filepath.Base(source), filepath.Ext(source)), key)
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
				m[x.key] = d.axis(counted(x.value)).Values
			}
		}
		return m
	}
	return n.plain()
}

// counted returns a list of values with 1 for true and 0 for false.
func counted(n *node) *node {
	if n.kind != array {
		return n
	}
	list := *n
	list.items = slices.Clone(n.items)
	for i, x := range list.items {
		if x.kind != boolean {
			continue
		}
		one := &node{kind: number, pos: x.pos, value: framework.IntValue(0)}
		if x.flag {
			one.value = framework.IntValue(1)
		}
		list.items[i] = one
	}
	return &list
}

var tunableValues = lazy.Regexp(`\.tunables\[\d+\]\.values$`)
