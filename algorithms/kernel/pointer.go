package kernel

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/gpu"
)

// pointer is an argument that points into other arguments: to an element or, if it is a list, to an array of
// pointers to elements.
type pointer struct {
	to      []int // indexes of arguments
	offset  *computed
	repeats *loop // nil means once for each of to
	list    bool
	image   *image // nil unless it is a texture or a surface over the argument
}

// mostPointers bounds an array of pointers.
const mostPointers = 1 << 16

// addressElement is the type of a pointer.
var addressElement = element{&elementType{name: addressType, bytes: 8, c: "void *", part: addressType, lanes: 1}}

// points compiles an argument, or a field, with From.
func (b *builder) points(path string, o *operand) {
	if o.Type != "" || o.Value != "" || o.Size != "" || o.Use != "" || o.Fill != nil || o.Compare != "" {
		b.fault(path, "%s points into another argument, which has type, size, use and fill; want only name, from, offset and for", o.Name)
	}
	o.loose, o.fixed = true, addressElement
	o.pointer = &pointer{list: len(o.From) > 1 || o.For != nil}
	names := b.launchNames()
	for name, count := range o.For {
		b.loopName(path+".for."+name, name, names)
		o.pointer.repeats = &loop{name: name, count: b.compile(path+".for."+name, count, names)}
		names[name] = 1
	}
	o.pointer.offset = b.compile(path+".offset", o.Offset, names)
	if o.For != nil && len(o.From) > 1 {
		b.fault(path+".from", "for repeats pointers into one argument; want one name")
	}
}

// find finds the arguments that pointers point into, which may come later.
func (b *builder) find(o *operand) {
	if o.pointer == nil {
		return
	}
	var names []string
	for i := range b.a.arguments {
		if x := &b.a.arguments[i]; x.isVector() && !x.inside && !(o.isImage() && x.fields != nil) {
			names = append(names, x.Name)
		}
	}
	for _, name := range o.From {
		if !slices.Contains(names, name) {
			b.fault(o.path+".from", "%q is not an argument with a size%s", name, config.Choice(name, names, "arguments"))
			continue
		}
		o.pointer.to = append(o.pointer.to, slices.IndexFunc(b.a.arguments, func(x operand) bool { return x.Name == name }))
	}
	if o.isImage() && len(o.pointer.to) == 1 {
		b.onto(o, &b.a.arguments[o.pointer.to[0]])
	} else if !o.pointer.list && !o.inside && len(o.pointer.to) == 1 {
		to := &b.a.arguments[o.pointer.to[0]]
		o.fixed, o.Type = to.fixed, to.Type
	}
}

// turns returns how often the pointers are repeated.
func (p *pointer) turns(env scope) (int64, error) {
	if p.repeats == nil {
		return 1, nil
	}
	n, err := p.repeats.count.whole(env)
	if err == nil && (n < 1 || n > mostPointers) {
		err = p.repeats.count.faultf("%s; want 1 to %d pointers", p.repeats.count.is(n, env), mostPointers)
	}
	return n, err
}

// target is an element of an argument.
type target struct {
	argument int
	at       int64
}

// targets returns what an argument points to.
func (a *algorithm) targets(o *operand, env scope) ([]target, error) {
	var list []target
	p := o.pointer
	turns, err := p.turns(env)
	if err != nil {
		return nil, fmt.Errorf("argument %s: for %s: %w", o.Name, p.repeats.name, err)
	}
	if p.repeats != nil {
		env = maps.Clone(env)
	}
	for i := range int(turns) {
		if p.repeats != nil {
			env[p.repeats.name] = i
		}
		for _, j := range p.to {
			at := target{argument: j}
			if p.offset != nil {
				var err error
				if at.at, err = p.offset.whole(env); err != nil {
					return nil, fmt.Errorf("argument %s: offset: %w", o.Name, err)
				}
			}
			n, err := a.size(&a.arguments[j], env)
			if err != nil {
				return nil, err
			}
			if p.offset != nil && (at.at < 0 || at.at >= n) {
				err := p.offset.faultf("%s; %s has %d elements", p.offset.is(at.at, env), a.arguments[j].Name, n)
				return nil, fmt.Errorf("argument %s: offset: %w", o.Name, err)
			}
			list = append(list, at)
		}
	}
	return list, nil
}

// pointer returns the pointer that a launch passes: into an argument, or to an array of such pointers, which
// it uploads once.
func (g *gpuRun) pointer(o *operand, env scope) (gpu.Pointer, error) {
	list, err := g.p.a.targets(o, env)
	if err != nil {
		return 0, err
	}
	var content []byte
	for _, p := range list {
		at := g.vectors[p.argument] + gpu.Pointer(p.at*g.p.element(p.argument).bytes)
		if !o.pointer.list {
			return at, nil
		}
		content = binary.LittleEndian.AppendUint64(content, uint64(at))
	}
	at, ok := g.tables[string(content)]
	if !ok {
		if g.tables == nil {
			g.tables = map[string]gpu.Pointer{}
		}
		if at, err = framework.AllocCopy(&g.GPURun, content); err != nil {
			return 0, fmt.Errorf("argument %s: %w", o.Name, err)
		}
		g.tables[string(content)] = at
	}
	return at, nil
}

// reached returns the indexes of the arguments that a launch with these operands uses: themselves, their
// fields, and what they point into.
func (a *algorithm) reached(operands []int) (list []int) {
	for _, i := range operands {
		o := &a.arguments[i]
		list = append(list, i)
		for f := range o.fields {
			list = append(list, a.reached([]int{i + 1 + f})...)
		}
		if o.pointer != nil {
			list = append(list, a.reached(o.pointer.to)...)
		}
	}
	return list
}
