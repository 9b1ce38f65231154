package kernel

import (
	"fmt"
	"maps"
	"slices"

	"example.org/bench/framework/config"
)

// launches compiles a list of launches of kernels of u, and of loops around such launches.
func (b *builder) launches(at string, list []launch, u *unit, names scope, around ...*loop) (made []kernelLaunch) {
	for i, l := range list {
		path := fmt.Sprintf("%s[%d]", at, i)
		if l.For == nil {
			made = append(made, b.launch(path, l, u, names, around))
			continue
		}
		for name, count := range l.For { // the schema has seen to it that there is one
			b.loopName(path+".for."+name, name, names)
			x := &loop{name: name, count: b.compile(path+".for."+name, count, names)}
			inside := maps.Clone(names)
			inside[name] = 1
			made = append(made, b.launches(path+".kernels", l.Kernels, u, inside, append(slices.Clone(around), x)...)...)
		}
	}
	return made
}

// loopName refuses a loop's name that has a meaning already.
func (b *builder) loopName(path, name string, names scope) {
	taken := map[string]string{}
	for known := range names {
		taken[known] = "a parameter, a tunable or a loop around this one"
	}
	b.named(path, name, taken)
}

// launch compiles one launch of a kernel of u.
func (b *builder) launch(path string, l launch, u *unit, names scope, around []*loop) kernelLaunch {
	k := kernelLaunch{launch: l, path: path, loops: around}
	conditions := maps.Clone(names)
	delete(conditions, deviceName) // what is compiled is known without a device
	for _, x := range around {
		delete(conditions, x.name)
	}
	k.when = b.compile(path+".when", l.When, conditions)
	b.shaped(path, &l)
	grid, block := "grid", "block"
	if k.items = l.Global != nil; k.items {
		grid, block = "global", "local"
		l.Grid, l.Block = l.Global, l.Local
	}
	k.grid = b.extent(path+"."+grid, l.Grid, names)
	k.block = b.extent(path+"."+block, l.Block, names)
	k.shared = b.compile(path+".shared_bytes", l.SharedBytes, names)
	k.operands = b.operands(path+".arguments", l.Arguments)
	k.reached = b.a.reached(k.operands)
	used := slices.Concat(k.grid, k.block, []*computed{k.shared})
	for _, j := range k.reached {
		used = append(used, b.a.arguments[j].atLaunch()...)
	}
	k.varies = slices.ContainsFunc(used, func(x *computed) bool { return x != nil && slices.ContainsFunc(x.Names, k.repeats) })
	if u == nil {
		return k
	}
	given := len(k.operands)
	if l.Arguments != nil { // one of the arguments may be unknown
		given = len(l.Arguments)
	}
	if wrong := u.missing(l.Name, given); wrong != "" {
		b.fault(path+".name", "%s", wrong)
	} else if given == len(k.operands) {
		b.parametersMatch(u.parameters(l.Name), k.operands, fmt.Sprintf("kernel %s of %s", lastName(l.Name), u.path))
	}
	return k
}

// parametersMatch refuses arguments whose types differ from those of the parameters, if both are known.
func (b *builder) parametersMatch(list []parameter, operands []int, who string) {
	if len(list) != len(operands) {
		return
	}
	for i, j := range operands {
		o := &b.a.arguments[j]
		if o.fixed.elementType == nil {
			continue // a text parameter chooses the type
		}
		if wrong := list[i].mismatch(o, o.fixed, who); wrong != "" {
			b.fault(o.typePath(), "%s", wrong)
		}
	}
}

// needs refuses launches that take scratch or values which depend on a tunable or a loop that does not exist
// there.
func (b *builder) needs(path string, launches []kernelLaunch, names scope, who string) {
	for i, used := range b.a.used(launches) {
		o := &b.a.arguments[i]
		if !used || o.size == nil {
			continue
		}
		for _, n := range o.size.Names {
			if _, ok := names[n]; !ok {
				b.fault(path, "the size of %s, %s, depends on %s, which %s does not have; name the kernels' arguments without it", o.Name, o.size.Text, n, who)
			}
		}
	}
	for i := range launches {
		l := &launches[i]
		for _, j := range l.reached {
			o, what := &b.a.arguments[j], "value"
			if o.pointer != nil {
				what = "place"
			}
			for _, x := range o.atLaunch() {
				if x == nil {
					continue
				}
				for _, n := range x.Names {
					if _, ok := names[n]; !ok && !l.repeats(n) && !o.repeats(n) {
						b.fault(l.path, "the %s of %s, %s, depends on %s, which is no loop around this launch and nothing that %s has; name the launch's arguments without it", what, o.Name, x.Text, n, who)
					}
				}
			}
		}
	}
}

func (b *builder) extent(path string, e extent, names scope) (list []*computed) {
	for i, f := range e {
		at := fmt.Sprintf("%s[%d]", path, i)
		if b.position(at).Line == 0 { // one formula, not a list
			at = path
		}
		list = append(list, b.compile(at, f, names))
	}
	return list
}

// operands returns the indexes of the named arguments, or of all arguments if names is nil.
func (b *builder) operands(path string, names []string) (list []int) {
	var all []string
	var indexes []int
	for i, a := range b.a.arguments {
		if !a.inside {
			all, indexes = append(all, a.Name), append(indexes, i)
		}
	}
	if names == nil {
		return indexes
	}
	for i, n := range names {
		j := slices.Index(all, n)
		if j < 0 {
			b.fault(fmt.Sprintf("%s[%d]", path, i), "%q is not an argument%s", n, config.Choice(n, all, "arguments"))
			continue
		}
		list = append(list, indexes[j])
	}
	return list
}
