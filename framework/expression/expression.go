// Package expression is the language of a config's expressions: that of github.com/expr-lang/expr with whole numbers that
// stay exact, the functions and operators of one table, and without comments. Compile evaluates one at a point. For a
// search, which asks millions of points, Parse and Bind make the same expression a function of numbers, and bound it over
// intervals, so that a partial assignment that no completion can mend is dropped. Files of other tuners are read from the
// subset of Python that they use.
package expression

import (
	"fmt"
	"math"
	"slices"
)

// Expression is a parsed expression. It is immutable.
type Expression struct {
	text  string
	root  *node
	exact bool // a config's: where floats may have lost digits, Compile's program decides
}

// maxLength bounds an expression's text: what works on its tree follows it by
// recursion, and the tree is as deep as a long sum is long.
const maxLength = 1 << 13

func checkLength(text string) error {
	if len(text) > maxLength {
		return fmt.Errorf("the expression has %d bytes; want at most %d", len(text), maxLength)
	}
	return nil
}

// String is the text as written.
func (e *Expression) String() string { return e.text }

type op int

const (
	opNumber op = iota
	opWord
	opName
	opList
	opNegate
	opNot
	opAdd
	opSubtract
	opMultiply
	opDivide
	opFloorDivide
	opModulo // the result has the divisor's sign, as in Python
	opRemainder
	opPower
	opAnd
	opOr
	opEqual
	opUnequal
	opLess
	opLessEqual
	opIn
	opChoose // condition, then, else
	opMin
	opMax
	opAbs
	opFloor
	opCeil
	opNearest // the nearest whole number, halves away from zero
	opLogarithm
	opCeilDivide
	opExact // of its kid: no value where it is beyond mostExact, so that digits may be lost
)

// mostExact is the greatest magnitude up to which every whole number is a float64.
const mostExact = 1 << 53

func (n *node) exactly() *node { return make2(opExact, n) }

type node struct {
	op   op
	num  float64
	word string // of a name or a word
	kids []*node
	// source is the text of a config's condition, and of each part that it joins by and.
	source string
}

func number(x float64) *node { return &node{op: opNumber, num: x} }

func make2(o op, kids ...*node) *node { return &node{op: o, kids: kids} }

// IsNumber reports whether the expression computes a number and not a
// condition. A name may be either.
func (e *Expression) IsNumber() bool { return e.root.isNumber() }

func (n *node) isNumber() bool {
	switch n.op {
	case opNegate, opAdd, opSubtract, opMultiply, opDivide, opFloorDivide, opModulo, opRemainder, opPower,
		opMin, opMax, opAbs, opFloor, opCeil, opNearest, opLogarithm, opCeilDivide, opExact:
		return true
	case opChoose:
		return n.kids[1].isNumber() || n.kids[2].isNumber()
	}
	return false
}

// Names lists what the expression depends on, in alphabetical order.
func (e *Expression) Names() []string {
	var names []string
	e.root.walk(func(n *node) {
		if n.op == opName {
			names = append(names, n.word)
		}
	})
	slices.Sort(names)
	return slices.Compact(names)
}

func (n *node) walk(visit func(*node)) {
	visit(n)
	for _, k := range n.kids {
		k.walk(visit)
	}
}

// Conjuncts splits the expression at its outermost "and"s: all of the parts
// hold where the whole holds.
func (e *Expression) Conjuncts() []*Expression {
	var parts []*Expression
	var split func(*node)
	split = func(n *node) {
		if n.op == opAnd {
			split(n.kids[0])
			split(n.kids[1])
			return
		}
		parts = append(parts, &Expression{text: e.text, root: n, exact: e.exact})
	}
	split(e.root)
	return parts
}

// Variable is what a name stands for.
type Variable struct {
	// Slot is the variable's place in the values given to Eval; a constant has
	// Slot -1 and its Value.
	Slot  int
	Value float64
	// Labels are the words that the variable's values 0, 1, … stand for; nil for
	// numbers. A constant word has its one label and Value 0.
	Labels []string
	// Fraction says that whole values are of a kind that has others, too.
	Fraction bool
}

// Interval holds every value that an expression may take; Fails where it may
// also have none (a division by zero).
type Interval struct {
	Low, High float64
	Fails     bool
}

// Bound is an expression over slots. It may be used by many goroutines.
type Bound struct {
	root  *node
	slots []int
	size  int64
	eval  func([]float64) float64
	span  func([]Interval) Interval
	judge func([]float64) bool // decides where eval has no value; nil: it does not hold
}

// Bind ties names to variables.
func (e *Expression) Bind(variable func(name string) (Variable, bool)) (*Bound, error) {
	root, err := resolve(e.root, variable)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.text, err)
	}
	b := newBound(root)
	if e.exact {
		b.judge = e.judge(variable)
	}
	return b, nil
}

func newBound(root *node) *Bound {
	b := &Bound{root: root, size: root.size(), eval: root.compile(), span: root.intervals()}
	root.walk(func(n *node) {
		if n.op == opName && !slices.Contains(b.slots, int(n.num)) {
			b.slots = append(b.slots, int(n.num))
		}
	})
	slices.Sort(b.slots)
	return b
}

// Hoist splits the expression for a loop over one slot: outer are the parts
// that do not depend on it, and inner finds their values in the slots from
// first on.
func (b *Bound) Hoist(slot, first int) (inner *Bound, outer []*Bound) {
	var hoist func(n *node) *node
	hoist = func(n *node) *node {
		if len(n.kids) == 0 {
			return n
		}
		depends := false
		n.walk(func(k *node) { depends = depends || k.op == opName && int(k.num) == slot })
		if !depends && n.op != opList {
			outer = append(outer, newBound(n))
			return &node{op: opName, num: float64(first + len(outer) - 1)}
		}
		r := &node{op: n.op, num: n.num}
		for _, k := range n.kids {
			r.kids = append(r.kids, hoist(k))
		}
		return r
	}
	inner = newBound(hoist(b.root))
	inner.judge = b.judge // whose values stand where they stood
	return inner, outer
}

// Slots are those that the expression depends on, ascending.
func (b *Bound) Slots() []int { return b.slots }

// Size is how many operations, numbers and names it has: what evaluating it takes at most.
func (b *Bound) Size() int64 { return b.size }

func (n *node) size() int64 {
	sum := int64(1)
	for _, k := range n.kids {
		sum += k.size()
	}
	return sum
}

// Eval is the expression's value, truth being 1 and 0; NaN where it has none.
func (b *Bound) Eval(values []float64) float64 { return b.eval(values) }

// Holds reports whether the value is true: neither 0 nor NaN.
func (b *Bound) Holds(values []float64) bool {
	x := b.eval(values)
	if x != x && b.judge != nil {
		return b.judge(values)
	}
	return x != 0 && x == x
}

// Over bounds the values over a box.
func (b *Bound) Over(box []Interval) Interval { return b.span(box) }

// Excludes reports that the expression holds nowhere in the box.
func (b *Bound) Excludes(box []Interval) bool {
	x := b.span(box)
	return x.Low == 0 && x.High == 0
}

// resolve replaces names by slots and constants, and comparisons with words by
// comparisons with the words' numbers.
func resolve(n *node, variable func(string) (Variable, bool)) (*node, error) {
	switch n.op {
	case opEqual, opUnequal, opIn:
		if r, ok, err := resolveWords(n, variable); ok || err != nil {
			return r, err
		}
	case opWord:
		return nil, fmt.Errorf("the word %q can only be compared by == and !=, or looked for by in", n.word)
	case opName:
		v, ok := variable(n.word)
		switch {
		case !ok:
			return nil, fmt.Errorf("%s is not known here", n.word)
		case v.Labels != nil:
			return nil, fmt.Errorf("%s holds words, which can only be compared by == and !=, or looked for by in", n.word)
		case v.Slot < 0:
			return number(v.Value), nil
		}
		return &node{op: opName, num: float64(v.Slot), word: n.word}, nil
	case opList:
		return nil, fmt.Errorf("a list can only stand after in")
	case opNumber:
		return n, nil
	}
	r := &node{op: n.op, num: n.num}
	for i, k := range n.kids {
		if n.op == opIn && i == 1 {
			if k.op != opList {
				return nil, fmt.Errorf("a list is wanted after in")
			}
			list := &node{op: opList}
			for _, x := range k.kids {
				y, err := resolve(x, variable)
				if err != nil {
					return nil, err
				}
				list.kids = append(list.kids, y)
			}
			r.kids = append(r.kids, list)
			continue
		}
		x, err := resolve(k, variable)
		if err != nil {
			return nil, err
		}
		r.kids = append(r.kids, x)
	}
	return r, nil
}

// resolveWords handles a comparison with words on either side; ok is false
// where neither side has any.
func resolveWords(n *node, variable func(string) (Variable, bool)) (r *node, ok bool, err error) {
	labels := func(k *node) (Variable, bool) {
		if k.op == opName {
			if v, known := variable(k.word); known && v.Labels != nil {
				return v, true
			}
		}
		return Variable{}, false
	}
	left, right := n.kids[0], n.kids[1]
	if n.op != opIn {
		if _, is := labels(right); is {
			left, right = right, left
		}
	}
	v, is := labels(left)
	words := right.kids
	if n.op != opIn {
		words = []*node{right}
	}
	if !is {
		if left.op == opWord && right.op == opWord && n.op != opIn {
			return number(truth((left.word == right.word) == (n.op == opEqual))), true, nil
		}
		return nil, false, nil
	}
	value := number(v.Value)
	if v.Slot >= 0 {
		value = &node{op: opName, num: float64(v.Slot), word: left.word}
	}
	found := number(0)
	for _, w := range words {
		if w.op != opWord {
			return nil, false, fmt.Errorf("%s holds words; want words to compare it with", left.word)
		}
		if at := slices.Index(v.Labels, w.word); at >= 0 {
			found = make2(opOr, found, make2(opEqual, value, number(float64(at))))
		}
	}
	if n.op == opUnequal {
		found = make2(opNot, found)
	}
	return found, true, nil
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// floorDivide and modulo are Python's // and %.
func floorDivide(a, b float64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return math.Floor(a / b)
}

func modulo(a, b float64) float64 {
	if b == 0 {
		return math.NaN()
	}
	m := remainder(a, b)
	if m != 0 && (m < 0) != (b < 0) {
		m += b
	}
	return m
}

// remainder has the dividend's sign. Whole numbers take the fast way.
func remainder(a, b float64) float64 {
	const most = 1 << 53
	if x, y := int64(a), int64(b); float64(x) == a && float64(y) == b && y != 0 && -most < x && x < most {
		return float64(x % y)
	}
	return math.Mod(a, b)
}
