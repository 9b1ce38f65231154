package compare

import (
	"cmp"

	"example.org/bench/framework"
)

// group sorts levels into groups, each with a baseline of its own. By device, a group has the devices of a
// processor. By version, it has the versions that points join, since a GPU's versions may compute other
// batches than a CPU's. A version without a partner is in the first group. The other dimensions have one
// group.
func (p *pairing) group() {
	of := map[string]string{} // another level of the group, or the level itself
	root := func(l string) string {
		for of[l] != l {
			of[l] = of[of[l]] // or a way could be as long as there are levels
			l = of[l]
		}
		return l
	}
	for _, l := range p.levels {
		of[l] = p.levels[0]
		if p.by == ByDevice || p.by == ByVersion {
			of[l] = l
		}
	}
	processors := map[framework.Processor]string{}
	partner := map[string]bool{}
	for _, k := range p.order {
		first := ""
		for l, e := range k.rows {
			if p.by == ByDevice {
				processors[e.row.Processor] = cmp.Or(processors[e.row.Processor], l)
				of[root(l)] = root(processors[e.row.Processor])
			}
			if p.by == ByVersion {
				first = cmp.Or(first, l)
				partner[l] = len(k.rows) > 1 || partner[l]
				of[root(l)] = root(first)
			}
		}
	}
	number := map[string]int{}
	for _, l := range p.levels {
		r := root(l)
		if p.by == ByVersion && !partner[l] {
			r = root(p.levels[0])
		}
		n, ok := number[r]
		if !ok {
			n = len(p.groups)
			number[r], p.groups = n, append(p.groups, nil)
		}
		p.groups[n] = append(p.groups[n], l)
	}
}
