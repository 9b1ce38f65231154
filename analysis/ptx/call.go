package ptx

import (
	"fmt"
	"maps"
	"slices"
)

// function is a function that kernels call. Each call inlines it: its body is read anew there.
type function struct {
	results, params []*variable
	body            int // the token behind its opening brace; 0 for one that is only declared
}

const (
	// mostCalls is the largest number of calls that are inlined in one kernel. After mostInstructions
	// instructions no further one is.
	mostCalls        = 2000
	mostInstructions = 200_000
	// mostRegisters is the largest number of registers of a kernel, with those of what it calls.
	mostRegisters = 1 << 20
	// passedWindow is the first address of the variables by which values are passed to functions and back,
	// among those of parameters.
	passedWindow = uint64(1) << 59
)

// function reads a declaration or a definition.
func (p *parser) function() {
	f := &function{results: p.formals()}
	name := p.next()
	f.params = p.formals()
	for {
		switch p.next() {
		case ";":
			if p.functions[name] == nil {
				p.functions[name] = f
			}
			return
		case "{":
			f.body = p.at
			p.at--
			p.skipBraces()
			p.functions[name] = f
			return
		}
	}
}

// formals reads parameters in parentheses, if there are any.
func (p *parser) formals() (list []*variable) {
	if !p.accept("(") {
		return nil
	}
	for !p.accept(")") {
		space := p.next()
		list = append(list, p.variables(space, false, true)[0])
		p.accept(",")
	}
	return list
}

// names reads words up to a closing parenthesis.
func (p *parser) names() (list []string) {
	for !p.accept(")") {
		list = append(list, p.next())
		p.accept(",")
	}
	return list
}

// call reads a call after its opcode, and inlines the function.
func (b *body) call(i instruction) {
	var results, arguments []string
	if b.accept("(") {
		results = b.names()
		b.expect(",")
	}
	name := b.next()
	if b.accept(",") && b.accept("(") {
		arguments = b.names()
	}
	b.skipPast(";")
	i.class, i.kind = Control, nothing
	guard, unless := i.guard, i.unless
	i.guard, i.unless = -1, false
	behind := fmt.Sprintf("%s behind %d", b.prefix, b.calls)
	if guard >= 0 { // around it
		b.k.code = append(b.k.code, instruction{text: "bra", line: i.line, kind: branch, class: Control, cost: 1, guard: guard, unless: !unless, label: behind, reconverge: -1})
	}
	f := b.functions[name]
	switch {
	case f == nil:
		b.refuse("a call by a pointer", i.line)
	case f.body == 0 && name == "vprintf":
		b.k.code = append(b.k.code, i)
	case f.body == 0 && name == "__assertfail":
		i.kind = exit
		b.k.code = append(b.k.code, i)
	case f.body == 0:
		b.refuse("a call of "+name, i.line)
	case slices.Contains(b.calling, name):
		b.refuse("recursion of "+name, i.line)
	case b.calls >= mostCalls || len(b.k.code) >= mostInstructions:
		b.refuse("too many calls", i.line)
	default:
		b.k.code = append(b.k.code, i)
		b.inside(name, f, results, arguments, i.line)
	}
	b.labels[behind] = len(b.k.code)
}

// inside reads a called function's body.
func (b *body) inside(name string, f *function, results, arguments []string, line int) {
	b.calls++
	own := map[string]*variable{}
	bind := func(formals []*variable, actual []string) bool {
		if len(formals) != len(actual) {
			return false
		}
		for n, v := range formals {
			if own[v.name] = b.variables[actual[n]]; own[v.name] == nil || v.space != Param {
				return false
			}
		}
		return true
	}
	if !bind(f.results, results) || !bind(f.params, arguments) {
		b.refuse("a call of "+name+" with other parameters than it has", line)
		return
	}
	outer, at, prefix, scopes := b.variables, b.at, b.prefix, b.scopes
	b.variables = maps.Clone(outer)
	maps.Copy(b.variables, own)
	b.at, b.prefix, b.scopes, b.calling = f.body, fmt.Sprintf("call %d ", b.calls), nil, append(b.calling, name)
	end := b.end
	b.end = b.prefix + "end"
	b.labels[b.end] = -1
	b.open()
	b.block()
	b.labels[b.end] = len(b.k.code)
	for name, v := range b.variables {
		if v.space == Shared && outer[name] == nil {
			outer[name] = v
		}
	}
	b.variables, b.at, b.prefix, b.scopes, b.calling, b.end = outer, at, prefix, scopes, b.calling[:len(b.calling)-1], end
}

// refuse lists what keeps the kernel from being executed.
func (b *body) refuse(what string, line int) {
	if text := fmt.Sprintf("%s (line %d)", what, line); !slices.Contains(b.k.unknown, text) {
		b.k.unknown = append(b.k.unknown, text)
	}
}

// passes places a variable by which a value is passed. All such variables share one register, which their
// stores write and their loads read: it carries the order and the time.
func (b *body) passes(v *variable) {
	if b.k.passing < 0 {
		b.k.passing = int32(len(b.k.names))
		b.k.names, b.types = append(b.k.names, "passed"), append(b.types, ".b32")
	}
	at := (b.k.passed + v.align - 1) / v.align * v.align
	v.at = passedWindow + uint64(at)
	b.k.passed = at + v.bytes
}

// passes adds the register that stands for what is passed to functions to those of an access to it.
func (k *Kernel) passes(i *instruction) {
	if k.passing < 0 || i.space != Param || i.src[0].symbol != nil && i.src[0].symbol.at < passedWindow {
		return
	}
	i.reads = append(i.reads, k.passing)
	if i.kind == store {
		i.writes = append(i.writes, k.passing)
	}
}
