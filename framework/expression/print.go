package expression

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Ranges bound what the names of an expression stand for.
type Ranges map[string]Range

// Range bounds whole numbers, or numbers with a fraction; words have none.
type Range struct {
	Low, High      float64
	Fraction, Word bool
}

// Quoted writes a word as in the language of configs.
func Quoted(word string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(word) + "'"
}

// ExprCondition writes the expression as a condition in the language of the
// kernels of a config (docs/kernels.md), which tells truths from numbers: it holds
// where Python's is true, and fails or does not hold where Python's fails.
func (e *Expression) ExprCondition(names Ranges) (string, error) {
	return e.print(names, (*printer).condition)
}

// ExprNumber writes the expression as a number in the same language.
func (e *Expression) ExprNumber(names Ranges) (string, error) {
	return e.print(names, (*printer).number)
}

func (e *Expression) print(names Ranges, as func(*printer, *node) printed) (string, error) {
	p := &printer{names: names}
	x := as(p, e.root)
	return x.text, p.err
}

type printer struct {
	names Ranges
	err   error // the first
}

// kind is what a text of the other language gives.
type kind int

const (
	truthKind kind = iota
	wholeKind
	floatKind
	wordKind
)

// printed is a text with its kind; bare needs no brackets within another.
type printed struct {
	text string
	kind kind
	bare bool
}

// in is the text as an operand.
func (x printed) in() string {
	if x.bare {
		return x.text
	}
	return "(" + x.text + ")"
}

// symbols are operators of expr's language between two operands.
var symbols = map[op]string{
	opAdd: "+", opSubtract: "-", opMultiply: "*", opDivide: "/", opModulo: "%", opRemainder: "%", opPower: "**", opAnd: "and", opOr: "or",
	opEqual: "==", opUnequal: "!=", opLess: "<", opLessEqual: "<=",
}

var callNames = map[op]string{opMin: "min", opMax: "max", opAbs: "abs", opFloor: "floor", opCeil: "ceil"}

func (p *printer) fail(format string, args ...any) printed {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
	return printed{bare: true}
}

func infix(k kind, a printed, symbol string, b printed) printed {
	return printed{text: a.in() + " " + symbol + " " + b.in(), kind: k}
}

// condition writes what holds where the node is true.
func (p *printer) condition(n *node) printed {
	switch n.op {
	case opAnd, opOr:
		return infix(truthKind, p.condition(n.kids[0]), symbols[n.op], p.condition(n.kids[1]))
	case opNot:
		return printed{text: "not " + p.condition(n.kids[0]).in()}
	case opChoose:
		return choose(truthKind, p.condition(n.kids[0]), p.condition(n.kids[1]), p.condition(n.kids[2]))
	}
	x := p.value(n)
	if x.kind != truthKind {
		return infix(truthKind, x, "!=", printed{text: "0", bare: true})
	}
	return x
}

// number writes a node's value, of a truth 1 or 0.
func (p *printer) number(n *node) printed { return asNumber(p.value(n)) }

func asNumber(x printed) printed {
	switch {
	case x.kind != truthKind:
		return x
	case x.text == "true":
		return printed{"1", wholeKind, true}
	case x.text == "false":
		return printed{"0", wholeKind, true}
	}
	return choose(wholeKind, x, printed{text: "1", bare: true}, printed{text: "0", bare: true})
}

func choose(k kind, c, a, b printed) printed {
	return printed{text: c.in() + " ? " + a.in() + " : " + b.in(), kind: k}
}

// oneOf is a or b, by c: truths, or numbers of one kind.
func oneOf(c, a, b printed) printed {
	if a.kind == truthKind && b.kind == truthKind {
		return choose(truthKind, c, a, b)
	}
	a, b = asNumber(a), asNumber(b)
	if a.kind != b.kind {
		a, b = pythonFloat(a), pythonFloat(b)
	}
	return choose(a.kind, c, a, b)
}

func pythonFloat(x printed) printed {
	if x.kind == floatKind {
		return x
	}
	return infix(floatKind, x, "/", printed{text: "1", bare: true})
}

// value writes a node's value, of whatever kind it is.
func (p *printer) value(n *node) printed {
	switch n.op {
	case opNumber:
		return literal(n)
	case opName:
		switch {
		case p.names[n.word].Word:
			return p.fail("%s is a word, which can only be compared", n.word)
		case p.names[n.word].Fraction:
			return printed{n.word, floatKind, true}
		}
		return printed{n.word, wholeKind, true}
	case opNot:
		return p.condition(n)
	case opAnd, opOr: // the value of one of the two
		a, b := p.value(n.kids[0]), p.value(n.kids[1])
		switch {
		case a.kind == truthKind && b.kind == truthKind:
			return infix(truthKind, a, symbols[n.op], b)
		case n.op == opAnd:
			return oneOf(p.condition(n.kids[0]), b, a)
		}
		return oneOf(p.condition(n.kids[0]), a, b)
	case opChoose:
		return oneOf(p.condition(n.kids[0]), p.value(n.kids[1]), p.value(n.kids[2]))
	case opEqual, opUnequal, opLess, opLessEqual:
		return p.comparison(n)
	case opIn:
		return p.member(n)
	case opNegate:
		x := p.number(n.kids[0])
		return printed{text: "-" + x.in(), kind: x.kind}
	case opMin, opMax, opAbs, opFloor, opCeil:
		return p.call(n)
	case opAdd, opSubtract, opMultiply, opDivide, opFloorDivide, opModulo, opRemainder, opPower:
		return p.arithmetic(n)
	case opWord:
		return p.fail("the word %q is no number; a config's tunables are", n.word)
	}
	return p.fail("it has an operation of Python that configs do not have")
}

func literal(n *node) printed {
	switch {
	case n.word == isBool:
		return printed{strconv.FormatBool(n.num != 0), truthKind, true}
	case n.word != isFloat && n.num == math.Trunc(n.num) && math.Abs(n.num) < 1<<63:
		return printed{strconv.FormatFloat(n.num, 'f', -1, 64), wholeKind, true}
	}
	text := strconv.FormatFloat(n.num, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return printed{text, floatKind, true}
}

func (p *printer) comparison(n *node) printed {
	if l, r := n.kids[0], n.kids[1]; l.op == opWord && r.op == opWord && (n.op == opEqual || n.op == opUnequal) {
		return printed{strconv.FormatBool((l.word == r.word) == (n.op == opEqual)), truthKind, true}
	}
	if n.op == opEqual || n.op == opUnequal {
		if a, b := p.wordOf(n.kids[0]), p.wordOf(n.kids[1]); a.text != "" && b.text != "" {
			return infix(truthKind, a, symbols[n.op], b)
		}
	}
	a, b := p.value(n.kids[0]), p.value(n.kids[1])
	if a.kind != truthKind || b.kind != truthKind || n.op == opLess || n.op == opLessEqual {
		a, b = asNumber(a), asNumber(b)
	}
	return infix(truthKind, a, symbols[n.op], b)
}

// wordOf writes a word or the name of one; the text is empty for anything else.
func (p *printer) wordOf(n *node) printed {
	switch {
	case n.op == opWord:
		return printed{Quoted(n.word), wordKind, true}
	case n.op == opName && p.names[n.word].Word:
		return printed{n.word, wordKind, true}
	}
	return printed{}
}

// wordMember is member for the name of a word.
func (p *printer) wordMember(x printed, list *node) printed {
	var texts []string
	for _, k := range list.kids {
		if k.op != opWord {
			return p.fail("%s is a word, and the list has others", x.text)
		}
		texts = append(texts, Quoted(k.word))
	}
	return printed{text: x.text + " in [" + strings.Join(texts, ", ") + "]"}
}

// member is a list's in expr, which holds whole numbers from 0, else comparisons.
func (p *printer) member(n *node) printed {
	list := n.kids[1]
	if list.op != opList {
		return p.fail("a list is wanted after in")
	}
	if word := p.wordOf(n.kids[0]); word.text != "" && len(list.kids) > 0 {
		return p.wordMember(word, list)
	}
	x := p.number(n.kids[0])
	var texts, comparisons []string
	plain := x.kind == wholeKind
	for _, k := range list.kids {
		y := p.number(k)
		plain = plain && k.op == opNumber && y.kind == wholeKind
		texts = append(texts, y.text)
		comparisons = append(comparisons, "("+x.in()+" == "+y.in()+")")
	}
	switch {
	case len(texts) == 0:
		return infix(truthKind, x, "!=", x) // never, but it fails where x does
	case plain:
		return printed{text: x.in() + " in [" + strings.Join(texts, ", ") + "]"}
	}
	return printed{text: strings.Join(comparisons, " or ")}
}

func (p *printer) call(n *node) printed {
	var texts []string
	k := wholeKind
	for _, kid := range n.kids {
		x := p.number(kid)
		texts = append(texts, x.text)
		k = max(k, x.kind)
	}
	if n.op == opFloor || n.op == opCeil {
		k = floatKind
	}
	return printed{callNames[n.op] + "(" + strings.Join(texts, ", ") + ")", k, true}
}

func (p *printer) arithmetic(n *node) printed {
	a, b := p.number(n.kids[0]), p.number(n.kids[1])
	k := max(a.kind, b.kind)
	switch n.op {
	case opDivide, opPower:
		k = floatKind
	case opFloorDivide:
		return printed{"floor(" + a.in() + " / " + b.in() + ")", floatKind, true}
	case opModulo:
		return p.modulo(n, k, a, b)
	}
	return infix(k, a, symbols[n.op], b)
}

// modulo is Python's, which has the divisor's sign. expr's has the dividend's: they
// are the same from 0 on.
func (p *printer) modulo(n *node, k kind, a, b printed) printed {
	rest := infix(k, a, "%", b)
	switch {
	case p.from0(n.kids[0]) && p.from0(n.kids[1]):
		return rest
	case k == wholeKind:
		return infix(k, infix(k, rest, "+", b), "%", b)
	}
	wrong := infix(truthKind, infix(k, rest, "*", b), "<", printed{text: "0", bare: true})
	return choose(k, wrong, infix(k, rest, "+", b), rest)
}

// from0 reports that a node is never negative.
func (p *printer) from0(n *node) bool {
	var box []Interval
	var names []string
	resolved, err := resolve(n, func(name string) (Variable, bool) {
		at := slices.Index(names, name)
		if at < 0 {
			at = len(names)
			around := Interval{Low: math.Inf(-1), High: math.Inf(1)}
			if known, ok := p.names[name]; ok && !known.Word {
				around.Low, around.High = known.Low, known.High
			}
			names, box = append(names, name), append(box, around)
		}
		return Variable{Slot: at}, true
	})
	return err == nil && resolved.intervals()(box).Low >= 0
}
