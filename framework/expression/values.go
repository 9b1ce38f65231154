package expression

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// What only makes values, not conditions.
const (
	opComprehension op = iota + 100
	opRange
	opListOf
	opLen
	opInt
	opFloat
	opRound
	opLog2
	opSum
	opString
)

// valueFunctions are what a list of values may call; a condition calls functions alone.
var valueFunctions = map[string]op{
	"min": opMin, "max": opMax, "abs": opAbs, "floor": opFloor, "ceil": opCeil,
	rangeName: opRange, "arange": opRange, "list": opListOf, "tuple": opListOf, "sorted": opListOf, "len": opLen, "int": opInt, "float": opFloat,
	"round": opRound, "log2": opLog2, "sum": opSum, "str": opString,
}

const rangeName = "range"

// Value is one value of a tuning parameter.
type Value struct {
	Number float64
	// Float is set where Python writes the number with a point.
	Float bool
	// Word is the value where IsWord is set.
	Word   string
	IsWord bool
	// Bool is set for True and False, Number being 1 and 0.
	Bool bool

	list   []Value
	isList bool
}

// String is what Python's str gives.
func (v Value) String() string {
	switch {
	case v.IsWord:
		return v.Word
	case v.Bool && v.Number != 0:
		return "True"
	case v.Bool:
		return "False"
	}
	return FormatPython(v.Number, v.Float)
}

// FormatPython writes a number as Python's str does: a float by its shortest
// digits, with a point or an exponent.
func FormatPython(x float64, float bool) string {
	if !float && x == math.Trunc(x) && math.Abs(x) < 1<<63 {
		return strconv.FormatInt(int64(x), 10)
	}
	if a := math.Abs(x); a != 0 && (a < 1e-4 || a >= 1e16) {
		s := strconv.FormatFloat(x, 'e', -1, 64)
		return s
	}
	s := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// maxValues bounds the length of a list.
const maxValues = 1 << 16

// PythonValues evaluates the text of a list: literals, range, list, +,
// comprehensions and arithmetic.
func PythonValues(text string) ([]Value, error) {
	if strings.TrimSpace(text) == "" {
		return nil, errors.New("no values: the text is empty")
	}
	root, err := parsePython(text, valueFunctions)
	if err != nil {
		return nil, err
	}
	e := &evaluator{left: 8 * maxValues}
	v, err := e.value(root, nil)
	if err != nil {
		return nil, fmt.Errorf("python %q: %w", text, err)
	}
	if !v.isList {
		v.list = []Value{v}
	}
	for _, x := range v.list {
		if x.isList {
			return nil, fmt.Errorf("python %q: a list within the list", text)
		}
	}
	return v.list, nil
}

// PythonSequence evaluates an expression over a name for each of its values 0 to n-1.
func PythonSequence(text, name string, n int) ([]float64, error) {
	root, err := parsePython(text, valueFunctions)
	if err != nil {
		return nil, err
	}
	list := make([]float64, n)
	for i := range list {
		e := &evaluator{left: maxValues}
		v, err := e.value(root, &scope{name: name, value: Value{Number: float64(i)}})
		if err != nil {
			return nil, fmt.Errorf("python %q: %w", text, err)
		}
		if v.isList || v.IsWord {
			return nil, fmt.Errorf("python %q: %v is no number", text, v)
		}
		list[i] = v.Number
	}
	return list, nil
}

// scope binds names, innermost first.
type scope struct {
	name  string
	value Value
	outer *scope
}

// evaluator bounds the steps that one text may take.
type evaluator struct{ left int }

func (e *evaluator) value(n *node, s *scope) (Value, error) {
	if e.left--; e.left < 0 {
		return Value{}, errors.New("too much to compute")
	}
	switch n.op {
	case opNumber:
		return Value{Number: n.num, Float: n.word == isFloat, Bool: n.word == isBool}, nil
	case opWord:
		return Value{Word: n.word, IsWord: true}, nil
	case opName:
		for ; s != nil; s = s.outer {
			if s.name == n.word {
				return s.value, nil
			}
		}
		return Value{}, fmt.Errorf("%s is not known here", n.word)
	case opComprehension:
		r := Value{isList: true}
		err := e.comprehend(n.kids[0], n.kids[1:], s, &r)
		return r, err
	}
	kids := make([]Value, len(n.kids))
	for i, k := range n.kids {
		v, err := e.value(k, s)
		if err != nil {
			return v, err
		}
		kids[i] = v
	}
	return e.apply(n, kids)
}

// comprehend adds to r the elements of the loops that are left.
func (e *evaluator) comprehend(element *node, loops []*node, s *scope, r *Value) error {
	if len(loops) == 0 {
		v, err := e.value(element, s)
		if err != nil {
			return err
		}
		if len(r.list) >= maxValues {
			return fmt.Errorf("more than %d values", maxValues)
		}
		r.list = append(r.list, v)
		return nil
	}
	source, err := e.value(loops[1], s)
	if err != nil {
		return err
	}
	if !source.isList {
		return errors.New("for needs a list after in")
	}
	for _, v := range source.list {
		inner := &scope{loops[0].word, v, s}
		keep, err := e.value(loops[2], inner)
		if err != nil {
			return err
		}
		if keep.isList || keep.IsWord || keep.Number == 0 {
			continue
		}
		if err := e.comprehend(element, loops[3:], inner, r); err != nil {
			return err
		}
	}
	return nil
}

func (e *evaluator) apply(n *node, kids []Value) (Value, error) {
	switch n.op {
	case opList:
		return Value{list: kids, isList: true}, nil
	case opRange:
		return rangeOf(kids)
	case opListOf:
		if len(kids) == 0 {
			return Value{isList: true}, nil
		}
		if !kids[0].isList {
			return Value{}, errors.New("list and tuple need a list")
		}
		return kids[0], nil
	case opLen:
		return Value{Number: float64(len(kids[0].list))}, nil
	case opMin, opMax, opSum:
		if len(kids) == 1 && kids[0].isList {
			kids = kids[0].list
		}
		if len(kids) == 0 && n.op != opSum {
			return Value{}, errors.New("min and max of an empty list")
		}
	case opAdd:
		if kids[0].isList && kids[1].isList {
			return joined(kids[0].list, kids[1].list)
		}
	case opString:
		if !kids[0].isList {
			return Value{Word: kids[0].String(), IsWord: true}, nil
		}
	case opEqual, opUnequal:
		if kids[0].IsWord && kids[1].IsWord {
			return Value{Number: truth((kids[0].Word == kids[1].Word) == (n.op == opEqual)), Bool: true}, nil
		}
	case opIn:
		for _, x := range kids[1].list {
			if x.IsWord == kids[0].IsWord && x.Word == kids[0].Word && x.Number == kids[0].Number {
				return Value{Number: 1, Bool: true}, nil
			}
		}
		return Value{Bool: true}, nil
	}
	return compute(n.op, kids)
}

func joined(a, b []Value) (Value, error) {
	if len(a)+len(b) > maxValues {
		return Value{}, fmt.Errorf("more than %d values", maxValues)
	}
	return Value{list: append(append([]Value(nil), a...), b...), isList: true}, nil
}

func rangeOf(kids []Value) (Value, error) {
	bounds := [3]float64{0, 0, 1}
	for i, k := range kids {
		if k.isList || k.IsWord || k.Number != math.Trunc(k.Number) {
			return Value{}, errors.New("range needs whole numbers")
		}
		bounds[i] = k.Number
	}
	if len(kids) == 1 {
		bounds[0], bounds[1] = 0, bounds[0]
	}
	from, to, step := bounds[0], bounds[1], bounds[2]
	if step == 0 {
		return Value{}, errors.New("range with a step of 0")
	}
	r := Value{isList: true}
	for x := from; step > 0 && x < to || step < 0 && x > to; x += step {
		if len(r.list) >= maxValues {
			return Value{}, fmt.Errorf("more than %d values", maxValues)
		}
		r.list = append(r.list, Value{Number: x})
	}
	return r, nil
}

// compute does arithmetic on numbers, keeping whether Python's result is a float.
func compute(o op, kids []Value) (Value, error) {
	list := make([]*node, len(kids))
	float := false
	for i, k := range kids {
		if k.isList || k.IsWord {
			return Value{}, errors.New("arithmetic needs numbers")
		}
		list[i] = number(k.Number)
		float = float || k.Float
	}
	var x float64
	switch o {
	case opInt:
		x, float = math.Trunc(kids[0].Number), false
	case opFloor, opCeil, opRound:
		float = false
		switch o {
		case opFloor:
			x = math.Floor(kids[0].Number)
		case opCeil:
			x = math.Ceil(kids[0].Number)
		default:
			x = math.RoundToEven(kids[0].Number)
		}
	case opFloat:
		x, float = kids[0].Number, true
	case opLog2:
		x, float = math.Log2(kids[0].Number), true
	case opSum:
		for _, k := range kids {
			x += k.Number
		}
	default:
		x = (&node{op: o, kids: list}).compile()(nil)
	}
	v := Value{Number: x, Float: float}
	switch o {
	case opDivide:
		v.Float = true
	case opPower:
		v.Float = float || kids[1].Number < 0
	case opEqual, opUnequal, opLess, opLessEqual, opNot:
		v.Bool = true
	}
	if x != x || math.IsInf(x, 0) {
		return Value{}, errors.New("a division by zero or a number out of range")
	}
	return v, nil
}
