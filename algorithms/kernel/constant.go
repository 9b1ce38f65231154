package kernel

import (
	"fmt"
	"regexp"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/internal/lazy"
	"example.org/bench/internal/terminal"
)

// constants compiles the __constant__ and __device__ variables that a version fills.
func (b *builder) constants(at string, list []constant, u *unit) []global {
	if _, ok := b.constant[at]; !ok {
		b.constant[at] = b.compileConstants(at, list)
	}
	made := slices.Clone(b.constant[at])
	for i := range made {
		g := &made[i]
		if u == nil {
			continue
		}
		if name := lastName(g.Name); !u.has(name) {
			b.fault(fmt.Sprintf("%s[%d].name", at, i), "%s has no variable %s%s", u.path, name, config.Choice(name, u.variables(), "variables"))
		} else {
			g.written = !u.isConstant(name)
		}
	}
	return made
}

func (b *builder) compileConstants(at string, list []constant) (made []global) {
	taken := map[string]string{}
	for i, c := range list {
		path := fmt.Sprintf("%s[%d]", at, i)
		if taken[c.Name] != "" {
			b.fault(path+".name", "%s is the name of %s already; want another", c.Name, taken[c.Name])
		}
		taken[c.Name] = path
		g := global{operand: operand{argument: c.argument}, from: -1, written: true}
		g.Use = input
		switch {
		case c.From != "":
			b.constantFrom(path, &g, c)
		case c.Value != "" && (c.Size != "" || c.Fill != nil):
			b.fault(path, "value makes one element; want value, or size and fill, or from")
		case c.Value != "":
			g.Use = ""
			b.types(path, &g.operand)
			b.scalar(path, &g.operand, b.problem)
		case c.Size == "":
			b.fault(path, `what does %s hold? want size and fill, or value, or from, the name of an argument`, c.Name)
		default:
			b.vector(path, &g.operand, b.types(path, &g.operand))
		}
		made = append(made, g)
	}
	return made
}

// constantFrom fills a constant from an argument.
func (b *builder) constantFrom(path string, g *global, c constant) {
	if c.Value != "" || c.Fill != nil {
		b.fault(path, "from gives the contents; want no value and no fill")
	}
	var names []string
	for _, a := range b.a.arguments {
		names = append(names, a.Name)
	}
	j := slices.Index(names, c.From)
	if j < 0 {
		b.fault(path+".from", "%q is not an argument%s", c.From, config.Choice(c.From, names, "arguments"))
		return
	}
	o := &b.a.arguments[j]
	if o.fields != nil {
		b.fault(path+".from", "%s is a structure; want one of its fields, such as %s", c.From, o.fields[0].Name)
		return
	}
	if o.pointer != nil && !o.pointer.list {
		g.from, g.object, g.fixed = j, true, imageElement
		return
	}
	if o.Fill == nil {
		b.fault(path+".from", "%s holds nothing before a run; want an argument with fill", c.From)
	}
	if c.Type != "" && c.Type != o.Type {
		b.fault(path+".type", "%s is of %s; want that type, or none", c.From, o.Type)
	}
	g.from, g.fixed, g.Type = j, o.fixed, o.Type
	if c.Size != "" {
		g.size = b.compile(path+".size", c.Size, b.problem)
	}
}

// everyConstant returns the list of constants outside versions, and that of each version.
func (a *algorithm) everyConstant() [][]global {
	lists := [][]global{a.common}
	for _, v := range a.versions {
		lists = append(lists, v.globals)
	}
	return lists
}

// checkConstant reports an error if a constant's value or size fails at these parameters.
func (a *algorithm) checkConstant(g *global, params framework.Values) error {
	if g.size == nil && g.value == nil {
		return nil
	}
	env := settingsOf(params)
	if g.size == nil {
		_, err := a.scalar(&g.operand, g.element(params), env)
		return err
	}
	n, err := a.size(&g.operand, env)
	if err != nil || g.from < 0 {
		return err
	}
	o := &a.arguments[g.from]
	if most, err := a.size(o, env); err == nil && n > most {
		return g.size.faultf("%s has %s%s, and %s %d; want at most as many", g.Name, terminal.Count(n, "element"), g.size.with(env), o.Name, most)
	}
	return nil
}

// content returns what the constant with index i holds before a run.
func (p *problem) content(g *global, i int) (vector, error) {
	env := settingsOf(p.params)
	e := g.element(p.params)
	switch {
	case g.from >= 0:
		v := p.inputs[g.from]
		if g.size == nil {
			return v, nil
		}
		n, err := p.a.size(&g.operand, env) // bounded by checkConstant
		if err != nil {
			return v, err
		}
		return vector{v.element, n, v.data[:n*v.bytes]}, nil
	case !g.isVector():
		v := newVector(e, 1)
		return v, v.assign(p, &g.operand)
	}
	n, err := p.a.size(&g.operand, env)
	if err != nil {
		return vector{}, err
	}
	if p.kept != nil {
		return p.kept.content(p.a, g, i, newVector(e, n))
	}
	const constants = 1 << 20 // streams of random numbers behind those of arguments
	return p.a.filled(&g.operand, e, n, p.a.kind(p.params), p.seed, uint64(constants+i))
}

// has reports whether the source has a word.
func (u *unit) has(word string) bool {
	return u.compiled || u.anywhere(regexp.MustCompile(`\b`+regexp.QuoteMeta(word)+`\b`))
}

// variable matches the declaration of a device variable.
var variable = lazy.Regexp(`__(?:constant|device)__[^;{}()]*?\b(\w+)\s*(?:\[[^;{}()]*)?[;=]`)

// variables returns the names of the source's __constant__ and __device__ variables.
func (u *unit) variables() (list []string) {
	for _, text := range u.texts() {
		for _, m := range variable().FindAllStringSubmatch(text, -1) {
			list = append(list, m[1])
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// isConstant reports whether kernels cannot change a variable.
func (u *unit) isConstant(name string) bool {
	return u.anywhere(regexp.MustCompile(`(?:__constant__|\.const\b)[^;{}()]*\b` + regexp.QuoteMeta(name) + `\b`))
}
