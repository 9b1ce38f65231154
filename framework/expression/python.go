package expression

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ParsePython reads a Boolean or arithmetic expression in the subset of Python
// that tuning files use: literals, names, arithmetic with true division,
// // and %, chained comparisons, in, and, or, not, the conditional, min, max,
// abs, and lists after in.
func ParsePython(text string) (*Expression, error) {
	if err := checkLength(text); err != nil {
		return nil, err
	}
	root, err := parsePython(text, pythonFunctions)
	if err != nil {
		return nil, err
	}
	return &Expression{text: text, root: root}, nil
}

// parsePython reads what may call these functions.
func parsePython(text string, functions map[string]op) (root *node, err error) {
	p := &pythonParser{text: text, functions: functions}
	defer func() {
		if r := recover(); r != nil {
			fault, ok := r.(pythonFault)
			if !ok {
				panic(r)
			}
			root, err = nil, fmt.Errorf("python %.200q: column %d: %s", text, fault.at+1, fault.text)
		}
	}()
	p.next()
	root = p.expression()
	if p.kind == tokenComma { // a tuple without parentheses
		root = p.rest(root)
	}
	if p.kind != tokenEnd {
		p.fail("unexpected %q", p.token)
	}
	return root, nil
}

type pythonFault struct {
	at   int
	text string
}

func (p *pythonParser) expression() *node {
	defer p.deeper()()
	a := p.or()
	if !p.accept("if") {
		return a
	}
	condition := p.or()
	p.expect("else")
	return make2(opChoose, condition, a, p.expression())
}

// or takes C's && and || too, which files written for other tuners have.
func (p *pythonParser) or() *node {
	a := p.and()
	for p.accept("or") || p.accept("||") {
		a = make2(opOr, a, p.and())
	}
	return a
}

func (p *pythonParser) and() *node {
	a := p.not()
	for p.accept("and") || p.accept("&&") {
		a = make2(opAnd, a, p.not())
	}
	return a
}

func (p *pythonParser) not() *node {
	defer p.deeper()()
	if p.accept("not") || p.accept("!") {
		return make2(opNot, p.not())
	}
	return p.comparison()
}

// comparison chains: a < b < c is a < b and b < c.
func (p *pythonParser) comparison() *node {
	a := p.sum()
	var chain *node
	for {
		o := p.token
		var c *node
		switch {
		case p.accept("=="), p.accept("!="), p.accept("<"), p.accept("<="), p.accept(">"), p.accept(">="):
			b := p.sum()
			c, a = compare2(o, a, b), b
		case p.is("in"), p.is("not"):
			out := p.accept("not")
			p.expect("in")
			b := p.sum()
			if c = make2(opIn, a, b); out {
				c = make2(opNot, c)
			}
			a = b
		default:
			if chain == nil {
				return a
			}
			return chain
		}
		if chain == nil {
			chain = c
		} else {
			chain = make2(opAnd, chain, c)
		}
	}
}

func compare2(token string, a, b *node) *node {
	switch token {
	case "==":
		return make2(opEqual, a, b)
	case "!=":
		return make2(opUnequal, a, b)
	case "<":
		return make2(opLess, a, b)
	case "<=":
		return make2(opLessEqual, a, b)
	case ">":
		return make2(opLess, b, a)
	}
	return make2(opLessEqual, b, a)
}

func (p *pythonParser) sum() *node {
	a := p.product()
	for {
		switch {
		case p.accept("+"):
			a = make2(opAdd, a, p.product())
		case p.accept("-"):
			a = make2(opSubtract, a, p.product())
		default:
			return a
		}
	}
}

func (p *pythonParser) product() *node {
	a := p.factor()
	for {
		switch {
		case p.accept("*"):
			a = make2(opMultiply, a, p.factor())
		case p.accept("/"):
			a = make2(opDivide, a, p.factor())
		case p.accept("//"):
			a = make2(opFloorDivide, a, p.factor())
		case p.accept("%"):
			a = make2(opModulo, a, p.factor())
		default:
			return a
		}
	}
}

// factor: ** binds tighter than a sign on its left, looser than one on its right.
func (p *pythonParser) factor() *node {
	defer p.deeper()()
	switch {
	case p.accept("-"):
		return make2(opNegate, p.factor())
	case p.accept("+"):
		return p.factor()
	}
	a := p.atom()
	if p.accept("**") {
		return make2(opPower, a, p.factor())
	}
	return a
}

func (p *pythonParser) atom() *node {
	switch p.kind {
	case tokenNumber:
		n, err := pythonNumber(p.token)
		if err != nil {
			p.fail("%v", err)
		}
		p.next()
		return n
	case tokenString:
		w := &node{op: opWord, word: p.token}
		p.next()
		return w
	case tokenName:
		return p.name()
	}
	switch {
	case p.accept("("):
		return p.group(")", false)
	case p.accept("["):
		return p.group("]", true)
	case p.kind == tokenEnd:
		p.fail("ends where a value is wanted")
	}
	p.fail("got %q where a value is wanted", p.token)
	return nil
}

// group is what stands in brackets: a value, a tuple, a list or a
// comprehension.
func (p *pythonParser) group(end string, list bool) *node {
	if p.accept(end) {
		return &node{op: opList}
	}
	first := p.expression()
	switch {
	case p.is("for"):
		first = p.comprehension(first)
	case p.is(",") || list:
		first = p.rest(first)
	}
	p.expect(end)
	return first
}

// rest is a list whose first element has been read.
func (p *pythonParser) rest(first *node) *node {
	l := make2(opList, first)
	for p.accept(",") && !p.is("]") && !p.is(")") && p.kind != tokenEnd {
		l.kids = append(l.kids, p.expression())
	}
	return l
}

// comprehension: kids are the element, then for each "for" a name, a list and
// a condition.
func (p *pythonParser) comprehension(element *node) *node {
	if p.functions[rangeName] == 0 {
		p.fail("a list made by for is not supported in a condition; want its values, as in x in [1, 2]")
	}
	c := make2(opComprehension, element)
	for p.accept("for") {
		if p.kind != tokenName {
			p.fail("want a name after for")
		}
		name := &node{op: opName, word: p.token}
		p.next()
		p.expect("in")
		source, condition := p.or(), number(1)
		for p.accept("if") {
			condition = make2(opAnd, condition, p.or())
		}
		c.kids = append(c.kids, name, source, condition)
	}
	return c
}

func (p *pythonParser) name() *node {
	name, at := p.token, p.start
	p.next()
	switch name {
	case "True", "False":
		n := number(truth(name == "True"))
		n.word = isBool
		return n
	case "and", "or", "not", "if", "else", "for", "in", "is", "lambda", "None", "import":
		p.fail("got %s where a value is wanted", name)
	}
	for (name == "math" || name == "np" || name == "numpy") && p.accept(".") {
		name = p.token
		p.next()
	}
	if !p.accept("(") {
		return &node{op: opName, word: name}
	}
	o, ok := p.functions[name]
	if !ok {
		p.start = at
		p.fail("%s is not a function that is supported here; there are %s", name, strings.Join(slices.Sorted(maps.Keys(p.functions)), ", "))
	}
	call := &node{op: o}
	for !p.accept(")") {
		a := p.expression()
		if p.is("for") {
			a = p.comprehension(a)
		}
		call.kids = append(call.kids, a)
		if !p.is(")") {
			p.expect(",")
		}
	}
	if err := pythonArity(name, call); err != nil {
		p.fail("%v", err)
	}
	return call
}

func pythonArity(name string, call *node) error {
	n := len(call.kids)
	switch call.op {
	case opRange:
		if n < 1 || n > 3 {
			return errors.New("range takes one to three arguments")
		}
		return nil
	case opListOf:
		if n > 1 {
			return errors.New(name + " takes one argument")
		}
		return nil
	}
	return arity(name, call.op, n)
}
