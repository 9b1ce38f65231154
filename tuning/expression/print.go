package expression

import (
	"errors"
	"strconv"
	"strings"
)

// symbols are operators of expr's language between two operands.
var symbols = map[op]string{
	opAdd: "+", opSubtract: "-", opMultiply: "*", opDivide: "/", opModulo: "%", opRemainder: "%", opPower: "**", opAnd: "and", opOr: "or",
	opEqual: "==", opUnequal: "!=", opLess: "<", opLessEqual: "<=", opIn: "in",
}

var callNames = map[op]string{opMin: "min", opMax: "max", opAbs: "abs", opFloor: "floor", opCeil: "ceil"}

// Exprlang writes the expression in the language of expr, which configs use.
// Remainders are those of numbers from 0, for which Python's and expr's are the same.
func (e *Expression) Exprlang() (string, error) { return e.root.exprlang(false) }

// exprlang writes a node, in brackets where it is inside another.
func (n *node) exprlang(inside bool) (string, error) {
	var kids []string
	for _, k := range n.kids {
		text, err := k.exprlang(n.op != opList && callNames[n.op] == "")
		if err != nil {
			return "", err
		}
		kids = append(kids, text)
	}
	text := ""
	switch {
	case n.op == opNumber:
		return strconv.FormatFloat(n.num, 'f', -1, 64), nil
	case n.op == opName:
		return n.word, nil
	case n.op == opWord:
		return strconv.Quote(n.word), nil
	case n.op == opList:
		return "[" + strings.Join(kids, ", ") + "]", nil
	case callNames[n.op] != "":
		return callNames[n.op] + "(" + strings.Join(kids, ", ") + ")", nil
	case n.op == opFloorDivide:
		return "floor(" + kids[0] + " / " + kids[1] + ")", nil
	case n.op == opNegate:
		text = "-" + kids[0]
	case n.op == opNot:
		text = "not " + kids[0]
	case n.op == opChoose:
		text = kids[0] + " ? " + kids[1] + " : " + kids[2]
	case symbols[n.op] != "":
		text = kids[0] + " " + symbols[n.op] + " " + kids[1]
	default:
		return "", errors.New("it has an operation of Python that configs do not have")
	}
	if inside {
		text = "(" + text + ")"
	}
	return text, nil
}
