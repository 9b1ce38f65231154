package ptx

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// body is a kernel that is being read.
type body struct {
	*parser
	k         *Kernel
	scopes    []map[string]int32 // register numbers by name
	variables map[string]*variable
	labels    map[string]int
	tables    map[string][]string
	types     []string // of the registers
	depot     int
	depots    map[string]uint64 // local variables of called functions
	prefix    string            // of labels, by the call
	calling   []string          // the functions that are being read
	calls     int
	end       string       // the label of the function's end
	single    map[int]bool // the first instructions of loops that are not unrolled
}

func (p *parser) entry() {
	b := &body{parser: p, k: &Kernel{Name: p.next(), passing: -1}, variables: map[string]*variable{}, labels: map[string]int{}, tables: map[string][]string{}, depots: map[string]uint64{}, single: map[int]bool{}}
	at := 0
	for _, v := range p.formals() {
		at = (at + v.align - 1) / v.align * v.align
		v.at = uint64(at)
		at += v.bytes
		b.k.params = append(b.k.params, v)
		b.variables[v.name] = v
	}
	for p.peek() != "{" { // passes .maxntid and the like
		p.next()
	}
	p.next()
	b.open()
	b.block()
	b.finish()
	p.m.kernels[b.k.Name] = b.k
}

func (b *body) open() { b.scopes = append(b.scopes, map[string]int32{}) }

// block reads statements up to the closing brace.
func (b *body) block() {
	for {
		switch word := b.next(); {
		case word == "}":
			b.scopes = b.scopes[:len(b.scopes)-1]
			return
		case word == "{":
			b.open()
			b.block()
		case word == ";":
		case word == ".reg":
			b.registers(b.next())
		case strings.HasPrefix(word, ".reg."): // as inline PTX may have it
			b.registers(word[len(".reg"):])
		case word == ".shared" || word == ".local" || word == ".param" || word == ".const" || word == ".global":
			for _, v := range b.parser.variables(word, false, false) {
				b.declare(v)
			}
		case word == ".pragma":
			if strings.Contains(b.peek(), "nounroll") {
				b.single[len(b.k.code)] = true
			}
			b.skipPast(";")
		case word == ".loc":
			b.skipLine()
		case b.peek() == ":":
			b.next()
			if b.accept(".branchtargets") {
				var list []string
				for !b.accept(";") {
					if !b.accept(",") {
						list = append(list, b.prefix+b.next())
					}
				}
				b.tables[b.prefix+word] = list
				continue
			}
			if strings.HasPrefix(b.peek(), ".callprototype") {
				b.skipPast(";")
				continue
			}
			b.labels[b.prefix+word] = len(b.k.code)
		default:
			b.at--
			b.statement()
		}
	}
}

func (b *body) declare(v *variable) {
	switch v.space {
	case Param:
		b.passes(v)
	case Local:
		key := ""
		if n := len(b.calling); n > 0 { // a function's is the same at each of its calls
			key = b.calling[n-1] + " " + v.name
			if at, ok := b.depots[key]; ok {
				v.at = at
				break
			}
		}
		b.depot = (b.depot + v.align - 1) / v.align * v.align
		v.at = uint64(b.depot)
		b.depot += v.bytes
		if key != "" {
			b.depots[key] = v.at
		}
	case Global, Const:
		b.m.order = append(b.m.order, v)
	}
	b.variables[v.name] = v
}

func (b *body) registers(typ string) {
	for !b.accept(";") {
		name := b.next()
		if b.accept("<") {
			n := int(b.integer())
			b.expect(">")
			if n > mostRegisters-len(b.k.names) {
				b.fail("%d registers", n)
			}
			for i := range n {
				b.register(name+strconv.Itoa(i), typ)
			}
		} else {
			b.register(name, typ)
		}
		b.accept(",")
	}
}

func (b *body) register(name, typ string) {
	b.scopes[len(b.scopes)-1][name] = int32(len(b.k.names))
	b.k.names = append(b.k.names, name)
	b.types = append(b.types, typ)
}

func (b *body) lookup(name string) (int32, bool) {
	for _, s := range slices.Backward(b.scopes) {
		if r, ok := s[name]; ok {
			return r, true
		}
	}
	return 0, false
}

// statement reads one instruction.
func (b *body) statement() {
	i := instruction{guard: -1, line: b.tokens[b.at].line, target: -1, reconverge: -1, cost: 1}
	if b.accept("@") {
		i.unless = b.accept("!")
		name := b.next()
		r, ok := b.lookup(name)
		if !ok {
			b.fail("no register %s", name)
		}
		i.guard = r
	}
	if i.text = b.next(); i.text == "call" || i.text == "call.uni" {
		b.call(i)
		return
	}
	var operands []operand
	for !b.accept(";") {
		operands = append(operands, b.operand(&i))
		if b.accept("|") {
			i.pair = true
		} else if !b.accept(",") && b.peek() != ";" {
			b.fail("%q in an instruction %s", b.peek(), i.text)
		}
	}
	if err := b.decode(&i, operands); err != nil {
		b.refuse(i.text, i.line)
		i.kind = nothing
	}
	b.k.code = append(b.k.code, i)
}

func (b *body) operand(i *instruction) operand {
	switch word := b.peek(); {
	case word == "{":
		b.next()
		var list []operand
		for !b.accept("}") {
			list = append(list, b.operand(i))
			b.accept(",")
		}
		return operand{kind: group, vector: list}
	case word == "[":
		b.next()
		o := b.operand(i)
		base := operand{kind: address, reg: -1}
		switch o.kind {
		case register:
			base.reg = o.reg
		case immediate:
			base.offset = int64(o.imm)
		case symbolic:
			base.symbol = o.symbol
		default:
			b.fail("address in %s", i.text)
		}
		for !b.accept("]") {
			switch {
			case b.accept("+"):
				base.offset += b.integer()
			case b.peek() == "-":
				base.offset += b.integer()
			default:
				b.fail("%q in an address", b.peek())
			}
		}
		return base
	case word == "(":
		b.skipPast(")")
		return operand{kind: sink}
	case word == "!":
		b.next()
		o := b.operand(i)
		o.offset = 1 // the complement of a predicate
		return o
	case word == "_":
		b.next()
		return operand{kind: sink}
	}
	if x, ok := b.number(); ok {
		return operand{kind: immediate, imm: x}
	}
	name := b.next()
	if r, ok := b.lookup(name); ok {
		return operand{kind: register, reg: r}
	}
	if n, ok := specials[name]; ok {
		return operand{kind: special, imm: uint64(n)}
	}
	if name == "WARP_SZ" {
		return operand{kind: immediate, imm: WarpSize}
	}
	if v := b.variable(name); v != nil {
		if v.linked != "" {
			b.refuse(fmt.Sprintf("variable %s with the address of %s", name, v.linked), i.line)
		}
		return operand{kind: symbolic, symbol: v}
	}
	i.label = b.prefix + name
	return operand{kind: sink}
}

func (b *body) variable(name string) *variable {
	if v := b.variables[name]; v != nil {
		return v
	}
	v := b.m.variables[name]
	if v != nil && v.space == Shared {
		// Each kernel has its own copy of the module's shared variables.
		own := *v
		b.variables[name] = &own
		return &own
	}
	return v
}

// finish places variables, resolves labels, and orders instructions.
func (b *body) finish() {
	k := b.k
	var at int
	var dynamic []*variable
	names := make([]string, 0, len(b.variables))
	for name := range b.variables {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		v := b.variables[name]
		if v.space != Shared {
			continue
		}
		if v.extern {
			dynamic = append(dynamic, v)
			continue
		}
		at = (at + v.align - 1) / v.align * v.align
		v.at = uint64(at)
		at += v.bytes
	}
	k.SharedBytes = at
	for _, v := range dynamic {
		v.at = uint64((at + max(v.align, 16) - 1) / max(v.align, 16) * max(v.align, 16))
	}
	k.LocalBytes = b.depot
	for n := range k.code {
		i := &k.code[n]
		resolve := func(label string) int {
			at, ok := b.labels[label]
			if !ok {
				b.fail("kernel %s: no label %s", k.Name, label)
			}
			return at
		}
		switch i.kind {
		case branch:
			i.target = resolve(i.label)
		case branchIndexed:
			for _, l := range b.tables[i.label] {
				i.targets = append(i.targets, resolve(l))
			}
		}
	}
	if len(k.unknown) == 0 {
		k.predicate()
		k.unroll(b.single)
		k.merge()
		k.arrange()
	}
	for n := range k.code {
		k.facts = append(k.facts, k.code[n].facts())
	}
}
